"""HHEM-2.1-Open in ONNX form as a verifier: the probability that a claim is consistent with a premise (A3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from beleg.adapters.models.onnx_folder import ModelFolder
from beleg.adapters.models.onnx_session import OnnxClassifier, softmax
from beleg.adapters.models.onnx_verifier import DEFAULT_MAX_TOKENS, OnnxVerifier
from beleg.core.errors import InvalidOutput

# The text that the model was trained with, from its public configuration; another one would be another model.
BEFORE_PREMISE = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: "
BEFORE_HYPOTHESIS = "\n\nHypothesis: "


class HhemVerifier(OnnxVerifier):
    """A prompted encoder with two classes; the second one means that the claim is consistent with the premise.

    The model reads logits at the first token of the prompt. Its authors publish no threshold: it comes from a
    calibration on labels of one's own.
    """

    kind = "hhem"

    @classmethod
    def load(cls, folder: ModelFolder, *, max_tokens: int = DEFAULT_MAX_TOKENS, threads: int = 1) -> HhemVerifier:
        """Loads the model of a folder.

        Raises:
            MissingExtra: if onnxruntime or tokenizers is not installed.
            DataError: if a file cannot be used.
        """
        classifier = OnnxClassifier.load(folder.model, folder.tokenizer, threads=threads)
        return cls(classifier, folder, max_tokens=max_tokens)

    def _written(self, premise: str, hypothesis: str) -> str:
        return f"{BEFORE_PREMISE}{premise}{BEFORE_HYPOTHESIS}{hypothesis}"

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        if not pairs:
            return np.zeros(0)
        logits = self._classifier.logits([self._written(*pair) for pair in pairs])
        if logits.shape[1] != 2:
            raise InvalidOutput(f"{self._folder.name} gave {logits.shape[1]} classes, HHEM has 2")
        found: npt.NDArray[np.float64] = softmax(logits)[:, 1]
        return found
