"""The deterministic verifier behind the seam of dedicated verifiers, and the claims of an answer for it (A3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beleg.core.inference import Vectors
from beleg.core.judging import JudgeSpec
from beleg.metrics.verification import alignment
from beleg.metrics.verification.alignment import AlignedPassages
from beleg.text.content import content_words
from beleg.text.markers import without_markers
from beleg.text.refusal import is_refusal
from beleg.text.sentences import sentences
from beleg.text.tokens import unspaced_letters

DEFAULT_THRESHOLD = 0.3
"""From where on the proxy calls a claim carried: the best value on the facts of FActScore; other data want another."""
MIN_CLAIM_WORDS = 2
MIN_CLAIM_LETTERS = 4
"""Of a script without spaces between words, such as Japanese or Thai: there a whole sentence is one word."""
MODEL = "alignment-1"


class AlignmentVerifier:
    """Supports as `AlignedPassages` gives them, with no model, no network and the same result everywhere.

    It is a proxy: it compares words, numbers, dates, negations and names, and cannot follow who did what to whom.

    Example:
        >>> verifier = AlignmentVerifier()
        >>> pairs = [("Returns are free.", "Returns are free."), ("Returns are free.", "Nobody sells bread on Mars.")]
        >>> [round(float(value), 2) for value in verifier.support(pairs)]
        [1.0, 0.0]
    """

    def __init__(self, *, language: str | None = None) -> None:
        self._language = language

    @property
    def spec(self) -> JudgeSpec:
        """The method with every constant that can change a support."""
        return JudgeSpec(
            provider="beleg",
            model=MODEL,
            mode="prompt",
            extra={
                "language": self._language or "by claim",
                "mismatch_factor": alignment.MISMATCH_FACTOR,
                "name_factor": alignment.NAME_FACTOR,
                "order_weight": alignment.ORDER_WEIGHT,
                "near_credit": alignment.NEAR_CREDIT,
                "pair_credit": alignment.PAIR_CREDIT,
            },
        )

    def support(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """For each pair of premise and hypothesis the support, from 0 to 1; every premise is prepared once."""
        prepared: dict[str, AlignedPassages] = {}
        supports = np.zeros(len(pairs), dtype=np.float32)
        for at, (premise, hypothesis) in enumerate(pairs):
            if premise not in prepared:
                prepared[premise] = AlignedPassages([("premise", premise)], language=self._language)
            supports[at] = prepared[premise].align(hypothesis).support
        return supports


def sentence_claims(answer: str, markers: Sequence[str] = ()) -> tuple[str, ...]:
    """The sentences of an answer that claim something, without citation markers.

    Questions, sentences that decline (`is_refusal`), and sentences with fewer than two words of content such as "Sure!"
    claim nothing; of a script without spaces between words four letters are enough.

    Example:
        >>> sentence_claims("Sure! Returns are free [1]. Anything else?", ["[1]"])
        ('Returns are free.',)
    """
    bare = (without_markers(sentence, list(markers)) for sentence in sentences(answer))
    return tuple(sentence for sentence in bare if _claims(sentence))


def _claims(sentence: str) -> bool:
    too_short = len(content_words(sentence)) < MIN_CLAIM_WORDS and unspaced_letters(sentence) < MIN_CLAIM_LETTERS
    return not (too_short or sentence.endswith(("?", "？")) or is_refusal(sentence))
