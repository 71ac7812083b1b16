"""Verifiers and an embedder of a few words that tests build, and the same figures computed by hand in numpy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_SENTENCES = (
    "returns are free not within 30 60 days warranty covers water damage the a b c d . "
    "Premise : Hypothesis Determine if hypothesis is true given premise ? < > pad"
)
WORDS = (*_SPECIAL, *dict.fromkeys(_SENTENCES.split(" ")))
NLI_LABELS = ("contradiction", "entailment", "neutral")
Floats = npt.NDArray[np.float64]


class TinyModel:
    """Embedding, mean over the tokens that are no padding, then one linear layer."""

    def __init__(self, classes: int = 3, *, seed: int = 7, per_token: bool = False, logit: float | None = None) -> None:
        rng = np.random.default_rng(seed)
        self.embedding = rng.normal(size=(len(WORDS), 5)).astype(np.float32)
        self.linear = (2 * rng.normal(size=(5, classes))).astype(np.float32)
        if logit is not None:
            self.linear[:] = logit
        self.per_token = per_token

    def logits(self, ids: list[int]) -> Floats:
        """The oracle: the same arithmetic in double precision."""
        mean = self.embedding[ids].astype(np.float64).mean(axis=0)
        return np.asarray(mean @ self.linear.astype(np.float64))

    def probability(self, ids: list[int], label: int) -> float:
        raised = np.exp(self.logits(ids))
        return float(raised[label] / raised.sum())

    def write(self, path: Path, **options: Any) -> None:
        onnx.save(self._model(), str(path), **options)

    def _model(self) -> onnx.ModelProto:
        ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
        mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "length"])
        shape = ["batch", "length", "classes"] if self.per_token else ["batch", "classes"]
        out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape)
        axes = numpy_helper.from_array(np.array([1]), "axes")
        last = numpy_helper.from_array(np.array([2]), "last")
        nodes = [
            helper.make_node("Gather", ["embedding", "input_ids"], ["vectors"], axis=0),
            helper.make_node("Cast", ["attention_mask"], ["kept"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["kept", "last"], ["weights"]),
            helper.make_node("Mul", ["vectors", "weights"], ["masked"]),
            helper.make_node("ReduceSum", ["masked", "axes"], ["sum"], keepdims=1),
            helper.make_node("ReduceSum", ["weights", "axes"], ["count"], keepdims=1),
            helper.make_node("Div", ["sum", "count"], ["mean"]),
            helper.make_node("MatMul", ["mean", "linear"], ["pooled"]),
        ]
        if self.per_token:
            # The mean at the first token, and something else at every other one.
            nodes += [
                helper.make_node("MatMul", ["vectors", "linear"], ["each"]),
                helper.make_node("Slice", ["each", "one", "many", "axes"], ["others"]),
                helper.make_node("Concat", ["pooled", "others"], ["logits"], axis=1),
            ]
        else:
            nodes.append(helper.make_node("Squeeze", ["pooled", "axes"], ["logits"]))
        constants = [
            numpy_helper.from_array(self.embedding, "embedding"),
            numpy_helper.from_array(self.linear, "linear"),
            axes,
            last,
            numpy_helper.from_array(np.array([1]), "one"),
            numpy_helper.from_array(np.array([2**31]), "many"),
        ]
        graph = helper.make_graph(nodes, "tiny", [ids, mask], [out], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def tokenizer(*, pairs: bool = True) -> Tokenizer:
    """Words parted by spaces and punctuation; pairs as ``[CLS] premise [SEP] hypothesis [SEP]``."""
    found = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    found.pre_tokenizer = Whitespace()
    if pairs:
        found.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    return found


def write_nli(folder: Path, model: TinyModel | None = None, labels: tuple[str, ...] = NLI_LABELS) -> TinyModel:
    """A folder with an NLI model of as many labels as are named."""
    built = model or TinyModel(len(labels))
    folder.mkdir(parents=True, exist_ok=True)
    built.write(folder / "model.onnx")
    tokenizer().save(str(folder / "tokenizer.json"))
    config = {"id2label": {str(number): label for number, label in enumerate(labels)}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return built


def write_hhem(folder: Path, model: TinyModel | None = None) -> TinyModel:
    """A folder with a model of HHEM's form: two classes for every token."""
    built = model or TinyModel(2, per_token=True)
    folder.mkdir(parents=True, exist_ok=True)
    built.write(folder / "model.onnx")
    tokenizer(pairs=False).save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return built


def pair_ids(premise: str, hypothesis: str) -> list[int]:
    """The tokens of a pair by hand."""
    known = {word: number for number, word in enumerate(WORDS)}
    first, second = ([known[word] for word in text.split()] for text in (premise, hypothesis))
    return [2, *first, 3, *second, 3]


def write_embedder(folder: Path, table: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
    """A folder with an embedding model that looks every token up in a table, and the table."""
    looked_up = np.random.default_rng(5).normal(size=(len(WORDS), 6)).astype(np.float32) if table is None else table
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
    out = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", "length", "width"])
    node = helper.make_node("Gather", ["table", "input_ids"], ["vectors"], axis=0)
    graph = helper.make_graph([node], "tiny", [ids], [out], [numpy_helper.from_array(looked_up, "table")])
    folder.mkdir(parents=True, exist_ok=True)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return looked_up
