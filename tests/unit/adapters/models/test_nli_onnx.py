from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.models.nli_onnx import NliVerifier
from beleg.adapters.models.onnx_folder import open_folder
from beleg.core.errors import CandidateError, DataError, InvalidOutput
from support.tiny_models import NLI_LABELS, TinyModel, pair_ids, write_nli

PREMISE, CLAIM = "returns are free within 30 days .", "returns are free"


def verifier(folder: Path, *, max_tokens: int = 64) -> NliVerifier:
    return NliVerifier.load(open_folder(folder), max_tokens=max_tokens)


@pytest.mark.parametrize(
    "labels",
    [
        NLI_LABELS,
        ("entailment", "neutral", "contradiction"),
        ("ENTAILMENT", "not_entailment"),
        ("neutral", "Entailment"),
    ],
)
def test_the_probability_is_the_one_computed_by_hand(tmp_path: Path, labels: tuple[str, ...]) -> None:
    model = write_nli(tmp_path, labels=labels)
    at = [label.lower() for label in labels].index("entailment")
    (given,) = verifier(tmp_path).support([(PREMISE, CLAIM)])
    assert given == pytest.approx(model.probability(pair_ids(PREMISE, CLAIM), at), abs=1e-6)


def test_padding_and_the_order_of_pairs_change_nothing(tmp_path: Path) -> None:
    model = write_nli(tmp_path)
    pairs = [(" ".join("abcd"[number % 4] for number in range(size)), CLAIM) for size in (1, 30, 2, 17, 3) * 9]
    given = verifier(tmp_path).support(pairs)
    assert given.shape == (45,)
    expected = [model.probability(pair_ids(*pair), 1) for pair in pairs]
    assert given.tolist() == pytest.approx(expected, abs=1e-6)


def test_a_long_premise_is_read_in_windows_and_the_best_one_named(tmp_path: Path) -> None:
    model = write_nli(tmp_path)
    # Sentences begin with a capital, and these are the capitals that the tokenizer knows.
    sentences = [
        "Premise a b c d a b .",
        "Determine returns free .",
        "Hypothesis covers water damage .",
        "Premise d .",
    ] * 4
    premise = " ".join(sentence.replace(" .", ".") for sentence in sentences)
    (found,) = verifier(tmp_path, max_tokens=24).locate([(premise, CLAIM)])
    window = premise[found.start : found.end]
    assert 0 < len(window) < len(premise)
    ids = pair_ids(window.replace(".", " ."), CLAIM)
    assert len(ids) <= 24
    assert found.support == pytest.approx(model.probability(ids, 1), abs=1e-6)
    assert window.endswith(".")
    (whole,) = verifier(tmp_path, max_tokens=512).locate([(premise, CLAIM)])
    assert (whole.start, whole.end) == (0, len(premise))


def test_a_claim_that_fills_the_model_is_refused_and_never_cut(tmp_path: Path) -> None:
    write_nli(tmp_path)
    with pytest.raises(CandidateError, match="a claim takes") as caught:
        verifier(tmp_path, max_tokens=24).support([(PREMISE, " ".join("a" * 20))])
    assert caught.value.kind == "too_large"


def test_no_pairs_are_no_probabilities(tmp_path: Path) -> None:
    write_nli(tmp_path)
    assert verifier(tmp_path).support([]).shape == (0,)


@pytest.mark.parametrize("labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment",), ("yes", "entailment"),
                                    ("entailment", "entails"), ("neutral", "contradiction")])  # fmt: skip
def test_labels_that_do_not_tell_are_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    write_nli(tmp_path, labels=labels)
    with pytest.raises(DataError, match="the labels do not tell which one is entailment"):
        verifier(tmp_path)


@pytest.mark.parametrize(
    "config", ["{}", '{"id2label": ["entailment", "neutral"]}', '{"id2label": {"1": "entailment"}}']
)
def test_a_config_without_labels_is_refused(tmp_path: Path, config: str) -> None:
    write_nli(tmp_path)
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    with pytest.raises(DataError, match="id2label"):
        verifier(tmp_path)


def test_more_logits_than_labels_are_no_score(tmp_path: Path) -> None:
    write_nli(tmp_path, TinyModel(3), labels=("entailment", "not_entailment"))
    with pytest.raises(InvalidOutput, match="3 logits for 2 labels"):
        verifier(tmp_path).support([(PREMISE, CLAIM)])


@pytest.mark.parametrize("logit", [np.nan, np.inf])
def test_logits_that_are_no_numbers_are_no_score(tmp_path: Path, logit: float) -> None:
    write_nli(tmp_path, TinyModel(3, logit=logit))
    with pytest.raises(InvalidOutput, match="not a finite number"):
        verifier(tmp_path).support([(PREMISE, CLAIM)])


def test_the_spec_names_the_files_by_digest(tmp_path: Path) -> None:
    write_nli(tmp_path / "one")
    write_nli(tmp_path / "two", TinyModel(3, seed=8))
    first, second = (verifier(tmp_path / name).spec for name in ("one", "two"))
    assert (first.provider, first.model) == ("onnx", "nli:one")
    assert len(str(first.extra["sha256 model.onnx"])) == 64
    assert first.extra["sha256 model.onnx"] != second.extra["sha256 model.onnx"]
    assert first.digest != verifier(tmp_path / "one", max_tokens=32).spec.digest
