"""Self-preference: whether a judge prefers its own model's answers that people find no better than another's (J5)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier, LongText
from beleg.core.model import StoredModel
from beleg.core.probes import ProbeReport
from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import Asker
from beleg.judges.measures.preference import judge_both_orders
from beleg.judges.panel import Docket
from beleg.judges.probes.report import ProbeItem, probe_report, told_of
from beleg.judges.tasks.preference import AnswersToCompare
from beleg.metrics.generation.preference import BothOrders, Preferred
from beleg.stats.intervals import clopper_pearson

ASKS = "pairs of equal human label of which the answer of the judge's own model was preferred in both orders"
ASKS_DE = "Paare gleicher Note von Menschen, bei denen die Antwort des eigenen Modells in beiden Reihenfolgen gewann"

CHANGED = (
    "the answer of the judge's own model stands beside another of the same human label",
    "die Antwort des eigenen Modells steht neben einer anderen, die Menschen gleich bewerten",
)


class LabelledPair(StoredModel):
    """Two answers to one question, one by the judge's own model, with what people said of each."""

    case_id: Identifier
    question: LongText
    own: LongText
    """The answer of the judge's own model."""
    other: LongText
    """The answer of another model."""
    own_label: Annotated[float, Field(ge=-1e9, le=1e9)]
    """What people gave the own answer, on any scale."""
    other_label: Annotated[float, Field(ge=-1e9, le=1e9)]
    """What people gave the other answer, on the same scale."""
    language: Identifier | None = None


def self_preference_item(pair: LabelledPair, found: BothOrders | Score) -> ProbeItem:
    """What the verdicts in both orders say of one pair; a pair that people find unequal says nothing of the judge."""
    if pair.own_label != pair.other_label:
        return ProbeItem(
            case_id=pair.case_id, without=Score.without(ScoreStatus.NOT_APPLICABLE, "people find the two unequal")
        )
    if isinstance(found, Score):
        return ProbeItem(case_id=pair.case_id, without=found)
    named = {Preferred.OWN: "own", Preferred.OTHER: "other", Preferred.TIE: "tied"}
    verdict = named[found.preferred] if found.is_consistent else "position_dependent"
    return ProbeItem(case_id=pair.case_id, happened=found.preferred is Preferred.OWN, counts={verdict: 1})


def self_preference_report(items: Sequence[ProbeItem]) -> ProbeReport:
    """Sums up the pairs.

    ``own_share`` is the share of the own answers among those pairs on which the judge decided the same in both orders,
    with its exact interval. A judge without self-preference has 0.5: an interval above 0.5 shows the bias.
    """
    own, other = (sum(item.counts.get(name, 0) for item in items) for name in ("own", "other"))
    figures: dict[str, float] = {}
    if own + other:
        share = clopper_pearson(own, own + other)
        figures = {"own_share": share.estimate, "own_share_lower": share.lower, "own_share_upper": share.upper}
    report = probe_report("self_preference", ASKS, items, asks_de=ASKS_DE, figures=figures)
    return told_of(report, items, changed=CHANGED, directions=("own", "other", "tied", "position_dependent"))


async def probe_self_preference(judge: Asker, pairs: Sequence[LabelledPair]) -> ProbeReport:
    """Asks the judge about every pair of equal label in both orders, and sums up.

    Args:
        judge: the judge, whose own model wrote the ``own`` answers.
        pairs: the labelled pairs.
    """

    async def of_pair(pair: LabelledPair) -> ProbeItem:
        if pair.own_label != pair.other_label:
            return self_preference_item(pair, Score.without(ScoreStatus.NOT_APPLICABLE))
        asked = AnswersToCompare(question=pair.question, answer_a=pair.own, answer_b=pair.other)
        return self_preference_item(pair, await judge_both_orders(judge, Docket(), asked, language=pair.language))

    return self_preference_report(await asyncio.gather(*(of_pair(pair) for pair in pairs)))
