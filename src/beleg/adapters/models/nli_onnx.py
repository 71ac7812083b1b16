"""NLI cross-encoders in ONNX form as verifiers: the probability that a premise entails a claim (A3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from beleg.adapters.models.onnx_folder import ModelFolder
from beleg.adapters.models.onnx_session import OnnxClassifier, softmax
from beleg.adapters.models.onnx_verifier import DEFAULT_MAX_TOKENS, OnnxVerifier
from beleg.core.errors import DataError, InvalidOutput, Problem, shown

_ENTAILMENT = frozenset(("entailment", "entail", "entails", "entailed", "supported", "supports"))
_OTHERS = frozenset(
    (
        "neutral", "contradiction", "contradict", "contradicts", "not_entailment", "not entailment", "non-entailment",
        "not_supported", "refutes", "refuted",
    )
)  # fmt: skip


class NliVerifier(OnnxVerifier):
    """A cross-encoder with two or three labels in any order; the label names of its config say which is which."""

    kind = "nli"

    def __init__(
        self, classifier: OnnxClassifier, folder: ModelFolder, *, max_tokens: int = DEFAULT_MAX_TOKENS
    ) -> None:
        super().__init__(classifier, folder, max_tokens=max_tokens)
        self._labels = labels_of(folder)
        self._entailment = next(at for at, name in enumerate(self._labels) if name in _ENTAILMENT)

    @classmethod
    def load(cls, folder: ModelFolder, *, max_tokens: int = DEFAULT_MAX_TOKENS, threads: int = 1) -> NliVerifier:
        """Loads the model of a folder.

        Raises:
            MissingExtra: if onnxruntime or tokenizers is not installed.
            DataError: if a file cannot be used, or the labels do not tell which one is entailment.
        """
        labels_of(folder)
        classifier = OnnxClassifier.load(folder.model, folder.tokenizer, threads=threads)
        return cls(classifier, folder, max_tokens=max_tokens)

    def _written(self, premise: str, hypothesis: str) -> tuple[str, str]:
        return premise, hypothesis

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        if not pairs:
            return np.zeros(0)
        logits = self._classifier.logits(pairs)
        if logits.shape[1] != len(self._labels):
            raise InvalidOutput(f"{self._folder.name} gave {logits.shape[1]} logits for {len(self._labels)} labels")
        found: npt.NDArray[np.float64] = softmax(logits)[:, self._entailment]
        return found


def labels_of(folder: ModelFolder) -> tuple[str, ...]:
    """The label names of a model in the order of its logits, in lower case.

    Raises:
        DataError: if there are not two or three, one is unknown, or none or several mean entailment. Names such as
            ``LABEL_0`` say nothing, and a wrong guess would turn every verdict round.
    """
    given = folder.config.get("id2label")
    named = {str(key): str(value).strip().lower() for key, value in given.items()} if isinstance(given, dict) else {}
    labels = tuple(named.get(str(at), "") for at in range(len(named)))
    entailing = [label for label in labels if label in _ENTAILMENT]
    if len(labels) not in (2, 3) or len(entailing) != 1 or not set(labels) <= _ENTAILMENT | _OTHERS:
        raise DataError(
            Problem(
                file=f"{folder.name}/config.json",
                field="id2label",
                message="the labels do not tell which one is entailment",
                value=shown(given),
                remedy='Write them by number, such as {"0": "contradiction", "1": "neutral", "2": "entailment"}',
            )
        )
    return labels
