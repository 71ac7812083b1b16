from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from beleg.adapters.models.onnx_embeddings import OnnxEmbeddings
from beleg.adapters.models.onnx_folder import open_folder
from beleg.core.errors import DataError, InvalidOutput
from beleg.core.inference import TokenEmbedder
from beleg.metrics.generation.token_matching import bert_score
from support.tiny_models import WORDS, write_embedder

TABLE = np.random.default_rng(5).normal(size=(len(WORDS), 6)).astype(np.float32)


def folder(path: Path, *, table: np.ndarray = TABLE, pooled: bool = False, extra_input: bool = False) -> Path:
    """A model that looks every token up in a table, or one of another form than is needed."""
    write_embedder(path, table)
    if pooled or extra_input:
        model = onnx.load(str(path / "model.onnx"))
        if extra_input:
            model.graph.input.append(helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["batch"]))
        if pooled:
            model.graph.node.append(helper.make_node("ReduceMean", ["vectors"], ["out"], axes=[1], keepdims=0))
            model.graph.output[0].CopyFrom(helper.make_tensor_value_info("out", TensorProto.FLOAT, ["batch", "width"]))
        onnx.save(model, str(path / "model.onnx"))
    return path


def loaded(path: Path, **options: object) -> OnnxEmbeddings:
    return OnnxEmbeddings.load(open_folder(path), **options)  # type: ignore[arg-type]


def test_a_text_is_the_mean_of_its_tokens_whatever_stands_beside_it(tmp_path: Path) -> None:
    model = loaded(folder(tmp_path / "m"))
    texts = ["returns are free", "returns are not free within 30 days .", "a"]
    together = asyncio.run(model.embed_passages(texts))
    for text, vector in zip(texts, together, strict=True):
        rows = TABLE[[WORDS.index(word) for word in ("[CLS]", *text.split(), "[SEP]")]].astype(np.float64)
        mean = rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))
        np.testing.assert_allclose(vector, mean, atol=1e-6)
        np.testing.assert_allclose(asyncio.run(model.embed_query(text)), vector, atol=1e-6)


def test_tokens_come_with_their_vectors_and_without_special_ones(tmp_path: Path) -> None:
    model = loaded(folder(tmp_path / "m"))
    assert isinstance(model, TokenEmbedder)
    short, long = asyncio.run(model.embed_tokens(["returns are free", "returns are not free within 30 days"]))
    assert short.tokens == ("returns", "are", "free")
    np.testing.assert_allclose(short.vectors, TABLE[[WORDS.index(word) for word in short.tokens]])
    match = bert_score([short], [long])
    assert match.precision[0] == pytest.approx(1.0, abs=1e-6)
    assert match.recall[0] < 1.0


def test_prefixes_and_files_are_part_of_the_identity(tmp_path: Path) -> None:
    plain = loaded(folder(tmp_path / "m"))
    prefixed = loaded(tmp_path / "m", prefixes=("a ", "b "))
    other = loaded(folder(tmp_path / "n" / "m", table=TABLE * 2))
    assert len({plain.identity, prefixed.identity, other.identity}) == 3
    assert not np.allclose(asyncio.run(plain.embed_query("c")), asyncio.run(prefixed.embed_query("c")))


def test_a_text_too_long_for_the_model_is_refused_and_not_cut(tmp_path: Path) -> None:
    model = loaded(folder(tmp_path / "m"), max_tokens=8)
    with pytest.raises(InvalidOutput, match="reads 8 tokens, and a text has 9"):
        asyncio.run(model.embed_passages(["a b c d a b c"]))


def test_no_texts_are_no_vectors(tmp_path: Path) -> None:
    model = loaded(folder(tmp_path / "m"))
    assert len(asyncio.run(model.embed_passages([]))) == 0
    assert list(asyncio.run(model.embed_tokens([]))) == []
    (empty,) = asyncio.run(model.embed_tokens([""]))
    assert empty.tokens == ()


def test_a_model_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="other inputs"):
        loaded(folder(tmp_path / "a", extra_input=True))
    with pytest.raises(InvalidOutput, match="one vector per token"):
        asyncio.run(loaded(folder(tmp_path / "b", pooled=True)).embed_passages(["a"]))
    broken = np.full_like(TABLE, np.nan)
    with pytest.raises(InvalidOutput, match="not a finite number"):
        asyncio.run(loaded(folder(tmp_path / "c", table=broken)).embed_passages(["a"]))
    with pytest.raises(InvalidOutput, match="without direction"):
        asyncio.run(loaded(folder(tmp_path / "d", table=TABLE * 0)).embed_passages(["a"]))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    place = folder(tmp_path / "m")
    (place / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(DataError, match="cannot be loaded"):
        loaded(place)
