"""Citations: whether the passage that a sentence cites supports it (A5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import Flaw, JudgeTask, Part, Reply
from beleg.judges.tasks.checking import (
    Labelled,
    QuoteCheck,
    first_flaw,
    pair_name,
    partition_flaw,
    parts_of,
    require_ids,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationsToCheck:
    """Sentences of an answer, cited passages, and which sentence is to be held against which passage.

    A passage may be several cited passages joined, for support that only holds together.
    """

    sentences: Labelled
    passages: Labelled
    pairs: tuple[tuple[str, str], ...]
    """Id of the sentence, id of the passage."""

    def __post_init__(self) -> None:
        require_ids(self.sentences)
        require_ids(self.passages)
        sentences, passages = dict(self.sentences), dict(self.passages)
        unknown = [pair for pair in self.pairs if pair[0] not in sentences or pair[1] not in passages]
        if unknown or len(set(self.pairs)) != len(self.pairs):
            raise ValueError("pairs name each sentence and passage by its id, and no pair twice")


class CitationVerdict(Reply):
    """How far one passage supports one sentence; the quote comes before the verdict."""

    sentence_id: str
    passage_id: str
    quote: str | None
    reason: str
    support: Literal["full", "partial", "none"]


class CitationVerdicts(Reply):
    """One verdict for each pair."""

    verdicts: list[CitationVerdict]


def _check(question: CitationsToCheck, reply: CitationVerdicts) -> Flaw | None:
    quotes = QuoteCheck(dict(question.passages))
    return partition_flaw(
        [pair_name(*pair) for pair in question.pairs],
        [pair_name(verdict.sentence_id, verdict.passage_id) for verdict in reply.verdicts],
    ) or first_flaw(
        quotes.flaw(
            f"sentence {verdict.sentence_id}", verdict.passage_id, verdict.quote, is_needed=verdict.support != "none"
        )
        for verdict in reply.verdicts
    )


def _pairs(pairs: tuple[tuple[str, str], ...]) -> Part:
    return Part("pairs", "\n".join(f"sentence {sentence}, passage {passage}" for sentence, passage in pairs))


CITATION_SUPPORT: JudgeTask[CitationsToCheck, CitationVerdicts] = JudgeTask(
    name="citation_support",
    version="1",
    reply=CitationVerdicts,
    parts=lambda asked: (
        *parts_of("passage", asked.passages),
        *parts_of("sentence", asked.sentences),
        _pairs(asked.pairs),
    ),
    check=_check,
)
