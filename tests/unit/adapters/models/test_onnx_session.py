from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from beleg.adapters.models.onnx_session import OnnxClassifier, softmax
from beleg.core.errors import DataError, InvalidOutput
from support.tiny_models import tokenizer, write_nli


class Session:
    """A session that gives what a test wants."""

    def __init__(self, output: Any, inputs: tuple[tuple[str, str], ...] = (("input_ids", "tensor(int64)"),)) -> None:
        self._output = output
        self._inputs = inputs
        self.fed: dict[str, Any] = {}

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name, type=kind) for name, kind in self._inputs]

    def run(self, names: None, feed: dict[str, Any]) -> list[Any]:
        self.fed = feed
        if isinstance(self._output, Exception):
            raise self._output
        return [self._output]


def classifier(session: Session) -> OnnxClassifier:
    return OnnxClassifier(session, tokenizer(), file="model.onnx")


def test_only_the_inputs_that_the_model_takes_are_given_in_its_type() -> None:
    session = Session(np.zeros((1, 2)), (("input_ids", "tensor(int32)"), ("token_type_ids", "tensor(int64)")))
    classifier(session).logits([("a b", "c")])
    assert {name: value.dtype.name for name, value in session.fed.items()} == {
        "input_ids": "int32",
        "token_type_ids": "int64",
    }
    assert session.fed["token_type_ids"].tolist() == [[0, 0, 0, 0, 1, 1]]


@pytest.mark.parametrize("inputs", [(("pixels", "tensor(float)"),), (("input_ids", "i"), ("decoder_input_ids", "i"))])
def test_a_model_of_another_kind_is_refused(inputs: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(DataError, match="takes other inputs"):
        classifier(Session(np.zeros((1, 2)), inputs))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (np.zeros(3), "values of shape"),
        (np.zeros((2, 2)), "values of shape"),
        (np.array([[np.nan, 0.0]]), "not a finite number"),
        (RuntimeError("out of memory\nhere"), "failed: out of memory here"),
    ],
)
def test_what_is_no_row_of_logits_is_no_score(output: Any, message: str) -> None:
    with pytest.raises(InvalidOutput, match=message):
        classifier(Session(output)).logits(["a"])


def test_more_texts_than_are_held_at_a_time_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_nli(tmp_path)
    loaded = OnnxClassifier.load(tmp_path / "model.onnx", tmp_path / "tokenizer.json", batch_size=4)
    texts = [" ".join("abcd"[: 1 + number % 4]) for number in range(23)]
    whole = loaded.logits(texts)
    monkeypatch.setattr("beleg.adapters.models.onnx_session._PART", 5)
    assert np.allclose(loaded.logits(texts), whole, atol=1e-6)


def test_softmax_is_the_closed_form() -> None:
    assert softmax(np.array([[0.0, np.log(3.0)]])).tolist() == [[pytest.approx(0.25), pytest.approx(0.75)]]
