"""Context: which passages help, how relevant one is, and which sentences of a reference they carry (A2, Q10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import (
    Labelled,
    QuoteCheck,
    first_flaw,
    partition_flaw,
    parts_given,
    parts_of,
    require_ids,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesToGrade:
    """Passages that were retrieved for a question, with the reference or the answer that they should have led to.

    With a reference a passage is useful where it helps to arrive at the reference; without one, where it helps to
    arrive at the answer; without either, where it helps to answer the question.
    """

    question: str
    passages: Labelled
    reference: str | None = None
    answer: str | None = None

    def __post_init__(self) -> None:
        require_ids(self.passages)


class PassageVerdict(Reply):
    """Whether one passage is useful."""

    passage_id: str
    reason: str
    useful: bool


class PassageVerdicts(Reply):
    """One verdict for each passage."""

    verdicts: list[PassageVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceToAttribute:
    """The sentences of a reference answer, and the passages that may carry them."""

    question: str
    sentences: Labelled
    passages: Labelled

    def __post_init__(self) -> None:
        require_ids(self.sentences)
        require_ids(self.passages)


class AttributionVerdict(Reply):
    """Whether the passages carry one sentence of the reference; the quote comes before the verdict."""

    sentence_id: str
    passage_id: str | None
    quote: str | None
    reason: str
    attributed: bool


class AttributionVerdicts(Reply):
    """One verdict for each sentence."""

    verdicts: list[AttributionVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageToGrade:
    """One passage, to be graded for how far it answers a question."""

    question: str
    passage: str


class PassageGrade(Reply):
    """How relevant a passage is, from 0 (not at all) to 3 (it answers the question), as in UMBRELA."""

    reason: str
    grade: Literal[0, 1, 2, 3]


def _check_passages(question: PassagesToGrade, reply: PassageVerdicts) -> Flaw | None:
    return partition_flaw([name for name, _ in question.passages], [verdict.passage_id for verdict in reply.verdicts])


def _check_attribution(question: ReferenceToAttribute, reply: AttributionVerdicts) -> Flaw | None:
    quotes = QuoteCheck(dict(question.passages))
    return partition_flaw(
        [name for name, _ in question.sentences], [verdict.sentence_id for verdict in reply.verdicts]
    ) or first_flaw(
        quotes.flaw(f"sentence {verdict.sentence_id}", verdict.passage_id, verdict.quote, is_needed=verdict.attributed)
        for verdict in reply.verdicts
    )


PASSAGE_USEFULNESS: JudgeTask[PassagesToGrade, PassageVerdicts] = JudgeTask(
    name="passage_usefulness",
    version="1",
    reply=PassageVerdicts,
    parts=lambda asked: (
        *parts_given(question=asked.question, reference=asked.reference, answer=asked.answer),
        *parts_of("passage", asked.passages),
    ),
    check=_check_passages,
)

REFERENCE_ATTRIBUTION: JudgeTask[ReferenceToAttribute, AttributionVerdicts] = JudgeTask(
    name="reference_attribution",
    version="1",
    reply=AttributionVerdicts,
    parts=lambda asked: (
        *parts_given(question=asked.question),
        *parts_of("passage", asked.passages),
        *parts_of("sentence", asked.sentences),
    ),
    check=_check_attribution,
)

PASSAGE_RELEVANCE: JudgeTask[PassageToGrade, PassageGrade] = JudgeTask(
    name="passage_relevance",
    version="1",
    reply=PassageGrade,
    parts=lambda asked: parts_given(question=asked.question, passage=asked.passage),
    check=lambda _question, _reply: None,
    graded_field="grade",
)
