"""Verbosity: whether a longer answer that says no more is preferred, or a shorter one that says less (J5)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.preference import judge_both_orders
from beleg.judges.panel import Docket, Panel
from beleg.judges.probes.probe import Probe, outside
from beleg.judges.probes.report import ProbeItem
from beleg.judges.tasks.preference import AnswersToCompare
from beleg.metrics.batch import Row
from beleg.metrics.generation.preference import Preferred
from beleg.metrics.generation.refusal import answer_gap
from beleg.text.normalise import is_german
from beleg.text.sentences import sentence_spans

# Sentences that state nothing of any subject: around an answer they change no fact.
_ENGLISH = (
    "Thank you for your question, which I am glad to answer.",
    "Before turning to the details, it is worth looking at the matter with some care.",
    "In what follows, everything that bears on your question is set out step by step.",
    "Taking all of this together, the picture is a clear one.",
    "I hope that this answer is of use to you.",
    "Please feel free to come back at any time with further questions.",
)
_GERMAN = (
    "Vielen Dank für Ihre Frage, die ich gerne beantworte.",
    "Bevor es um die Einzelheiten geht, lohnt es sich, die Sache mit etwas Sorgfalt zu betrachten.",
    "Im Folgenden wird Schritt für Schritt dargelegt, was für Ihre Frage von Bedeutung ist.",
    "Nimmt man all das zusammen, ergibt sich ein klares Bild.",
    "Ich hoffe, dass Ihnen diese Antwort weiterhilft.",
    "Bei weiteren Fragen können Sie sich jederzeit gerne wieder melden.",
)


def expanded(answer: str, language: str | None) -> str:
    """The answer between sentences that state nothing: longer, with the same facts.

    Example:
        >>> text = expanded("It takes 30 days.", "en")
        >>> "It takes 30 days." in text, len(text) > 300
        (True, True)
    """
    filler = _GERMAN if is_german(language) else _ENGLISH
    half = len(filler) // 2
    return "\n\n".join((" ".join(filler[:half]), answer, " ".join(filler[half:])))


def truncated(answer: str) -> str | None:
    """The answer without its last sentence; ``None`` where it has only one.

    Example:
        >>> truncated("It takes 30 days. Keep the receipt."), truncated("Yes.")
        ('It takes 30 days.', None)
    """
    spans = sentence_spans(answer)
    return answer[: spans[-2].end] if len(spans) > 1 else None


async def _preferred(panel: Panel, docket: Docket, row: Row, changed: str) -> ProbeItem:
    """Whether the changed form of an answer is preferred to the answer itself in both orders."""
    if panel.judge is None:
        return ProbeItem(case_id=row.case.case_id, without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    pair = AnswersToCompare(
        question=row.case.question, answer_a=changed, answer_b=row.output.answer or "", rubric=row.case.rubric
    )
    found = await judge_both_orders(panel.judge, docket, pair, language=row.case.language)
    if isinstance(found, Score):
        return ProbeItem(case_id=row.case.case_id, without=found)
    named = {Preferred.OWN: "changed_preferred", Preferred.OTHER: "original_preferred", Preferred.TIE: "tied"}
    verdict = named[found.preferred] if found.is_consistent else "position_dependent"
    return ProbeItem(case_id=row.case.case_id, happened=found.preferred is Preferred.OWN, counts={verdict: 1})


async def _expansion(panel: Panel, docket: Docket, row: Row) -> ProbeItem:
    gap = answer_gap(row.output)
    if gap is not None:
        return ProbeItem(case_id=row.case.case_id, without=gap)
    return await _preferred(panel, docket, row, expanded(row.output.answer or "", row.case.language))


async def _truncation(panel: Panel, docket: Docket, row: Row) -> ProbeItem:
    gap = answer_gap(row.output)
    if gap is not None:
        return ProbeItem(case_id=row.case.case_id, without=gap)
    shorter = truncated(row.output.answer or "")
    if shorter is None:
        return outside(row, "the answer has only one sentence")
    return await _preferred(panel, docket, row, shorter)


EXPANSION = Probe(
    name="expansion",
    asks="answers to which the same answer amid sentences that state nothing is preferred in both orders",
    asks_de="Antworten, denen dieselbe Antwort zwischen nichtssagenden Sätzen in beiden Reihenfolgen vorgezogen wird",
    changed=(
        "sentences that state nothing stand around the answer",
        "um die Antwort stehen Sätze, die nichts aussagen",
    ),
    directions=("changed_preferred", "original_preferred", "tied", "position_dependent"),
    probe=_expansion,
    calls=lambda _row: 2,
)

TRUNCATION = Probe(
    name="truncation",
    asks="answers to which the same answer without its last sentence is preferred in both orders",
    asks_de="Antworten, denen dieselbe Antwort ohne ihren letzten Satz in beiden Reihenfolgen vorgezogen wird",
    changed=(
        "the last sentence of the answer is left out",
        "der letzte Satz der Antwort fehlt",
    ),
    directions=("changed_preferred", "original_preferred", "tied", "position_dependent"),
    probe=_truncation,
    calls=lambda _row: 2,
)
