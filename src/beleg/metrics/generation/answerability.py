"""Whether a system knows when it cannot answer: the verdicts and rates of NoMIRACL, and their like in a suite (A8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from beleg.core.case import ExpectedBehaviour
from beleg.core.errors import DataError, Problem
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.generation.refusal import refused
from beleg.metrics.matching import EvidenceMatcher, pieces
from beleg.stats.intervals import Interval, clopper_pearson
from beleg.text.normalise import fold_typography
from beleg.text.sentences import sentences

PRESENT_PHRASES = ("yes, answer is present",)
UNKNOWN_PHRASES = ("i don't know",)

_LEAD = re.compile(r"^(?:[\s*_#>(\[]|\[?\d{1,2}[.)\]] ?)*")


class Answerability(StrEnum):
    """What a reply says of its passages."""

    PRESENT = "present"
    """They hold an answer."""
    UNKNOWN = "unknown"
    """They do not."""
    INVALID = "invalid"
    """Neither was said, or both."""


def read_answerability(
    reply: str, *, present: Sequence[str] = PRESENT_PHRASES, unknown: Sequence[str] = UNKNOWN_PHRASES
) -> Answerability:
    """The verdict of a reply that was asked to be one of two fixed phrases.

    A phrase counts where a sentence or line of the reply begins with it, outside quotation marks. A reply in which both
    phrases count, or none, is invalid: a question read back, another language and a bare answer are never guessed at.

    Args:
        reply: what the model wrote.
        present: phrases for "the passages hold an answer", in lower case.
        unknown: phrases for "they do not", in lower case.

    Returns:
        The verdict.

    Example:
        >>> [read_answerability(text).value for text in ("Yes, answer is present in [2].", "I don't know.", "Paris")]
        ['present', 'unknown', 'invalid']
    """
    said: set[Answerability] = set()
    for line in reply.splitlines():
        for sentence in sentences(fold_typography(line)):
            text = _LEAD.sub("", sentence.casefold())
            if text.startswith(tuple(present)):
                said.add(Answerability.PRESENT)
            elif text.startswith(tuple(unknown)):
                said.add(Answerability.UNKNOWN)
    return said.pop() if len(said) == 1 else Answerability.INVALID


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetRate:
    """How often the wrong verdict was given on one subset.

    Attributes:
        wrong: replies with the wrong verdict.
        right: replies with the right one.
        invalid: replies with none.
    """

    wrong: int
    right: int
    invalid: int

    @property
    def n(self) -> int:
        """All replies."""
        return self.wrong + self.right + self.invalid

    @property
    def of_valid(self) -> Interval | None:
        """Wrong / (wrong + right), as NoMIRACL defines it; ``None`` where no reply was valid."""
        valid = self.wrong + self.right
        return clopper_pearson(self.wrong, valid) if valid else None

    @property
    def of_all(self) -> Interval | None:
        """Wrong / all, invalid replies in the denominator, as the program of NoMIRACL computes it."""
        return clopper_pearson(self.wrong, self.n) if self.n else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerabilityRates:
    """The two rates of NoMIRACL.

    Attributes:
        hallucination: on questions whose passages hold no answer: "present" is wrong.
        error: on questions whose passages hold one: "unknown" is wrong.
    """

    hallucination: SubsetRate
    error: SubsetRate


def answerability_rates(verdicts: Sequence[Answerability], is_relevant: Sequence[bool]) -> AnswerabilityRates:
    """Hallucination rate and error rate. Lower is better.

    Source: Thakur et al., NoMIRACL, Findings of EMNLP 2024.

    Args:
        verdicts: what was said of each question.
        is_relevant: whether the passages of each question hold an answer.

    Raises:
        DataError: if both differ in length.

    Example:
        >>> said = [Answerability.PRESENT, Answerability.UNKNOWN, Answerability.INVALID]
        >>> rates = answerability_rates(said, [False] * 3)
        >>> rates.hallucination.of_valid.estimate, round(rates.hallucination.of_all.estimate, 4)
        (0.5, 0.3333)
    """
    if len(verdicts) != len(is_relevant):
        raise DataError(Problem(message="one label per verdict is needed", value=f"{len(is_relevant)}"))
    wrong = {False: Answerability.PRESENT, True: Answerability.UNKNOWN}
    found = {}
    for subset, name in wrong.items():
        said = [verdict for verdict, relevant in zip(verdicts, is_relevant, strict=True) if bool(relevant) is subset]
        invalid = said.count(Answerability.INVALID)
        found[subset] = SubsetRate(
            wrong=said.count(name), right=len(said) - said.count(name) - invalid, invalid=invalid
        )
    return AnswerabilityRates(hallucination=found[False], error=found[True])


class Situation(StrEnum):
    """What an answer could rest on."""

    OUT_OF_SCOPE = "out_of_scope"
    """The case expects a refusal: no document answers it."""
    MISSED = "missed"
    """The case can be answered, and retrieval did not deliver all required evidence."""
    DELIVERED = "delivered"
    """The case can be answered from what was delivered."""
    UNKNOWN = "unknown"
    """The case can be answered, and whether the evidence was delivered is not known."""


def situation_of(row: Row, matcher: EvidenceMatcher) -> Situation:
    """What the answer of a row could rest on; a case that requires no evidence is unknown."""
    if row.case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
        return Situation.OUT_OF_SCOPE
    needed = pieces(row.case)
    held = [matcher.any_holds(row.output.final_passages(), piece) for piece in needed]
    if not needed or (None in held and False not in held):
        return Situation.UNKNOWN
    return Situation.DELIVERED if all(held) else Situation.MISSED


def answered_without_evidence_column(batch: Batch, *, cause: str | None = None) -> ScoreColumn:
    """1 where something was answered although the evidence for it was not at hand, 0 where it was declined.

    The hallucination rate of NoMIRACL for a suite of one's own. Lower is better.

    Args:
        batch: the run.
        cause: ``out_of_scope`` looks only at cases that no document answers, ``missed`` only at those whose evidence
            retrieval did not deliver. ``None`` takes both.

    Returns:
        Undefined for a row whose evidence was delivered; missing where that is not known.
    """
    chosen = {Situation.OUT_OF_SCOPE, Situation.MISSED} if cause is None else {Situation(cause)}

    def score(row: Row) -> Score:
        situation = situation_of(row, batch.matcher)
        if situation is Situation.UNKNOWN and pieces(row.case):
            return Score.without(ScoreStatus.MISSING, "the text of a passage that may hold evidence was not recorded")
        if situation not in chosen:
            return Score.without(ScoreStatus.NOT_APPLICABLE, f"the evidence: {situation.value}")
        declined = refused(row.output, language=row.case.language)
        return declined if isinstance(declined, Score) else Score.of(not declined)

    return batch.column(score)
