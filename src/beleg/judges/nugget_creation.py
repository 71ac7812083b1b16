"""Nuggets proposed by a judge from what a case and a run hold; a person decides on them afterwards (A7)."""

from __future__ import annotations

from collections.abc import Iterable

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.digest import digest_of
from beleg.core.nugget_proposals import NuggetProposal, ProposedNugget
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Passage
from beleg.judges.engine import Asker
from beleg.judges.tasks.nuggets import NUGGET_CREATION, NuggetSources
from beleg.metrics.matching import EvidenceMatcher

REFERENCE_ANSWER = "reference_answer"

Sources = tuple[tuple[str, str], ...]
"""Names and texts of what nuggets are taken from."""


def nugget_sources(case: Case, passages: Iterable[Passage], matcher: EvidenceMatcher) -> Sources:
    """What the nuggets of a case may be taken from, each text once.

    The reference answer, the words of the expected evidence, and of the passages given those that hold expected
    evidence: a passage that is only similar to the question must not say what a complete answer is.

    Args:
        case: the golden case.
        passages: what a run delivered for it, if anything.
        matcher: finds the expected evidence in passages.
    """
    found = [(REFERENCE_ANSWER, case.reference_answer)] if case.reference_answer else []
    expected = case.expected_passages
    found += [(piece.passage_id or piece.document_id or "evidence", piece.quote) for piece in expected if piece.quote]
    found += [
        (passage.passage_id, passage.text)
        for passage in passages
        if passage.text and expected and matcher.any_holds([passage], expected)
    ]
    once: dict[str, str] = {}
    for name, text in found:
        once.setdefault(text, name)
    return tuple((name, text) for text, name in once.items())


def question_digest(case: Case, sources: Sources) -> str:
    """The content address of what nuggets are proposed from."""
    return digest_of({"question": case.question, "sources": [list(source) for source in sources]})


async def propose_nuggets(judge: Asker, case: Case, sources: Sources) -> NuggetProposal | Score:
    """Asks a judge for the nuggets of one case.

    Args:
        judge: who is asked.
        case: the golden case.
        sources: as `nugget_sources` gives them.

    Returns:
        The proposal, or the reason why there is none: not applicable for a case that expects a refusal or has nothing
        to take nuggets from, else the fault of the judge.
    """
    if case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects a refusal")
    if not sources:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no reference answer and no words of evidence")
    labelled = tuple((str(place), text) for place, (_, text) in enumerate(sources, start=1))
    asked = NuggetSources(question=case.question, passages=labelled)
    judged = await judge.ask(NUGGET_CREATION, asked, language=case.language)
    if judged.reply is None:
        return judged.score_without()
    return NuggetProposal(
        case_id=case.case_id,
        question_digest=question_digest(case, sources),
        judge=judge.spec,
        task=judged.call.task,
        call=judged.call.key,
        nuggets=tuple(
            ProposedNugget(
                nugget_id=f"n{number}",
                text=nugget.text[:4_000],
                vital=nugget.importance == "vital",
                source_id=sources[int(nugget.passage_id) - 1][0],
                quote=nugget.quote[:4_000],
                rationale=nugget.reason[:4_000] or None,
            )
            for number, nugget in enumerate(judged.reply.nuggets, start=1)
        ),
    )
