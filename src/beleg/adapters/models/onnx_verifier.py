"""What all verifiers in ONNX form share: windows over long premises, and the most that any window carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.adapters.models.onnx_folder import ModelFolder
from beleg.adapters.models.onnx_session import OnnxClassifier
from beleg.adapters.models.windows import PassageWindows
from beleg.core.errors import CandidateError
from beleg.core.inference import Vectors
from beleg.core.judging import JudgeSpec
from beleg.text.sentences import Span

DEFAULT_MAX_TOKENS = 512
# Sentences that are read together may have a few more tokens than apart.
MARGIN_PART = 64
# A token of context beside a claim that fills the model says nothing.
MIN_PREMISE_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSupport:
    """The support of a hypothesis, and the window of the premise that gives it."""

    support: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Asked:
    pair: int
    window: Span


class OnnxVerifier:
    """A verifier over a classifier: a kind says how a pair is written and how logits are read.

    A premise that does not fit is read in windows, and the support is the most that any window gives. A hypothesis is
    never cut: one that leaves less than a quarter of the room to the premise is refused.
    """

    kind: str

    def __init__(self, classifier: OnnxClassifier, folder: ModelFolder, *, max_tokens: int) -> None:
        self._classifier = classifier
        self._folder = folder
        self._max_tokens = max_tokens
        self._used: dict[str, int] = {}
        self._windows = PassageWindows(
            lambda texts: [encoding.offsets for encoding in classifier.encode(list(texts), bare=True)]
        )

    @property
    def spec(self) -> JudgeSpec:
        """The model with the digests of its files, and everything else that can change a support."""
        digests = {f"sha256 {name}": found for name, found in self._folder.digests.items()}
        return JudgeSpec(
            provider="onnx",
            model=f"{self.kind}:{self._folder.name}"[:512],
            mode="prompt",
            max_tokens=self._max_tokens,
            extra={"windows": "sentences-1", **digests},
        )

    def support(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """For each pair of premise and hypothesis the probability that the premise carries it.

        Raises:
            CandidateError: if a hypothesis is too long for the model (``too_large``), or the model gives no
                probabilities.
        """
        return np.array([found.support for found in self.locate(pairs)], dtype=np.float32)

    def locate(self, pairs: Sequence[tuple[str, str]]) -> list[WindowSupport]:
        """As `support`, with the window that gives it.

        Raises:
            CandidateError: as `support`.
        """
        asked = [
            _Asked(at, window) for at, (premise, claim) in enumerate(pairs) for window in self._cut(premise, claim)
        ]
        written = list(dict.fromkeys(self._shown(pairs, item) for item in asked))
        texts = dict(zip(written, self._probabilities(written).tolist(), strict=True))
        best: list[WindowSupport | None] = [None] * len(pairs)
        for item in asked:
            start, end = item.window
            value = texts[self._shown(pairs, item)]
            held = best[item.pair]
            if held is None or value > held.support:
                best[item.pair] = WindowSupport(support=value, start=start, end=end)
        return [found for found in best if found is not None]

    @staticmethod
    def _shown(pairs: Sequence[tuple[str, str]], item: _Asked) -> tuple[str, str]:
        premise, claim = pairs[item.pair]
        return premise[item.window.start : item.window.end], claim

    def _cut(self, premise: str, hypothesis: str) -> list[Span]:
        if hypothesis not in self._used:
            self._used[hypothesis] = len(self._classifier.encode([self._written("", hypothesis)])[0].ids)
        used = self._used[hypothesis]
        budget = self._max_tokens - used - self._max_tokens // MARGIN_PART
        if budget < self._max_tokens * MIN_PREMISE_SHARE:
            raise CandidateError(
                f"a claim takes {used} of the {self._max_tokens} tokens that {self._folder.name} reads",
                hint="Split the claim, or raise max_tokens where the model can read more",
                kind="too_large",
            )
        return self._windows.cut(premise, budget)

    def _written(self, premise: str, hypothesis: str) -> str | tuple[str, str]:
        """The pair as the model wants it."""
        raise NotImplementedError

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """The probability of support for pairs that fit."""
        raise NotImplementedError
