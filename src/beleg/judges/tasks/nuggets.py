"""Nuggets: the units of information that a good answer holds, and which of them an answer holds (A7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import (
    Labelled,
    QuoteCheck,
    first_flaw,
    list_flaw,
    partition_flaw,
    parts_given,
    parts_of,
    require_ids,
)
from beleg.text.normalise import fold_typography

MAX_NUGGETS = 30
"""The most nuggets for one question, as in the AutoNuggetizer of TREC RAG 2024."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NuggetSources:
    """A question, and passages that were judged relevant to it; a reference answer may be one of them."""

    question: str
    passages: Labelled

    def __post_init__(self) -> None:
        require_ids(self.passages)


class NewNugget(Reply):
    """One atomic unit of information with the words that it was taken from."""

    passage_id: str
    quote: str
    text: str
    reason: str
    importance: Literal["vital", "okay"]


class NewNuggets(Reply):
    """The nuggets of a question."""

    nuggets: list[NewNugget]


@dataclass(frozen=True, slots=True, kw_only=True)
class NuggetsToAssign:
    """Nuggets that are looked for in an answer."""

    question: str
    nuggets: Labelled
    answer: str

    def __post_init__(self) -> None:
        require_ids(self.nuggets)


class NuggetVerdict(Reply):
    """Whether the answer holds one nugget; the words of the answer come before the verdict."""

    nugget_id: str
    quote: str | None
    reason: str
    support: Literal["support", "partial_support", "not_support"]


class NuggetVerdicts(Reply):
    """One verdict for each nugget."""

    verdicts: list[NuggetVerdict]


def _check_new(question: NuggetSources, reply: NewNuggets) -> Flaw | None:
    quotes = QuoteCheck(dict(question.passages))
    texts = [nugget.text for nugget in reply.nuggets]
    return (
        list_flaw(texts, what="nugget", most=MAX_NUGGETS)
        or _repeated_flaw(texts)
        or first_flaw(
            quotes.flaw(f"nugget {number}", nugget.passage_id, nugget.quote, is_needed=True)
            for number, nugget in enumerate(reply.nuggets, start=1)
        )
    )


def _repeated_flaw(texts: list[str]) -> Flaw | None:
    folded = [fold_typography(text).casefold() for text in texts]
    if len(set(folded)) == len(folded):
        return None
    repeated = next(text for place, text in enumerate(folded) if text in folded[:place])
    return Flaw(JudgeFault.REPEATED_VERDICTS, f"the nugget {repeated[:100]!r} stands twice")


def _check_assigned(question: NuggetsToAssign, reply: NuggetVerdicts) -> Flaw | None:
    quotes = QuoteCheck({"answer": question.answer})
    return partition_flaw(
        [name for name, _ in question.nuggets], [verdict.nugget_id for verdict in reply.verdicts]
    ) or first_flaw(
        quotes.flaw(f"nugget {verdict.nugget_id}", "answer", verdict.quote, is_needed=verdict.support != "not_support")
        for verdict in reply.verdicts
    )


NUGGET_CREATION: JudgeTask[NuggetSources, NewNuggets] = JudgeTask(
    name="nugget_creation",
    version="1",
    reply=NewNuggets,
    parts=lambda asked: (*parts_given(question=asked.question), *parts_of("passage", asked.passages)),
    check=_check_new,
)

NUGGET_ASSIGNMENT: JudgeTask[NuggetsToAssign, NuggetVerdicts] = JudgeTask(
    name="nugget_assignment",
    version="1",
    reply=NuggetVerdicts,
    parts=lambda asked: (
        *parts_given(question=asked.question, answer=asked.answer),
        *parts_of("nugget", asked.nuggets),
    ),
    check=_check_assigned,
)
