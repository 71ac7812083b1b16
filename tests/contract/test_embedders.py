"""Every embedding model of a judge file keeps one contract, wherever its vectors come from."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from beleg.app.judge_opening import planning_panel
from beleg.core.errors import UsageError
from beleg.core.inference import Embedder, TokenEmbedder
from beleg.core.judge_settings import EmbedderSettings, JudgeSettings
from beleg.core.judging import JudgeSpec
from support.tiny_models import WORDS, write_embedder

TEXTS = ["returns are free", "a b c d", "within 30 days . within 30 days ."]


def opened(settings: EmbedderSettings) -> Embedder:
    judge = JudgeSettings(name="j", base_url="http://127.0.0.1:9/v1", model="m", embedder=settings)
    embedder = planning_panel(judge, JudgeSpec(provider="p", model="m")).embedder
    assert embedder is not None
    return embedder


def onnx(folder: Path, **options: str) -> Embedder:
    return opened(EmbedderSettings(kind="onnx", folder=str(folder), **options))  # type: ignore[arg-type]


def test_a_folder_gives_one_vector_of_length_1_for_each_text(tmp_path: Path) -> None:
    write_embedder(tmp_path)
    vectors = asyncio.run(onnx(tmp_path).embed_passages(TEXTS))
    assert vectors.shape == (3, 6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(asyncio.run(onnx(tmp_path).embed_query(TEXTS[0])), vectors[0], rtol=1e-5)


def test_a_folder_gives_the_vector_of_every_token(tmp_path: Path) -> None:
    table = write_embedder(tmp_path)
    model: object = onnx(tmp_path)
    assert isinstance(model, TokenEmbedder)
    (first, *_) = asyncio.run(model.embed_tokens(TEXTS))
    assert first.tokens == ("returns", "are", "free")
    np.testing.assert_allclose(first.vectors, table[[WORDS.index(word) for word in first.tokens]])


def test_its_identity_changes_with_the_weights_and_the_prefixes(tmp_path: Path) -> None:
    write_embedder(tmp_path / "m")
    first, prefixed = onnx(tmp_path / "m").identity, onnx(tmp_path / "m", passage_prefix="passage: ").identity
    write_embedder(tmp_path / "m", np.ones((len(WORDS), 6), dtype=np.float32))
    assert len({first, prefixed, onnx(tmp_path / "m").identity}) == 3


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no model\.onnx"):
        onnx(tmp_path)


def test_a_server_is_no_token_embedder() -> None:
    assert not isinstance(opened(EmbedderSettings(model="m", base_url="http://127.0.0.1:9/v1")), TokenEmbedder)
