"""Position: whether the preferred answer changes when the two answers change places (J5)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.score import Score
from beleg.judges.measures.preference import judge_reference_preference
from beleg.judges.panel import Docket, Panel
from beleg.judges.probes.probe import Probe
from beleg.judges.probes.report import ProbeItem
from beleg.metrics.batch import Row
from beleg.metrics.generation.preference import BothOrders, Preferred
from beleg.stats.changes import paired_changes


def position_item(case_id: str, found: BothOrders | Score) -> ProbeItem:
    """What the verdicts in both orders say of one pair.

    The counts tell the direction: ``first`` where the answer shown first was preferred in both orders, ``second`` where
    the second was, ``wavered`` where one order gave a tie.
    """
    if isinstance(found, Score):
        return ProbeItem(case_id=case_id, without=found)
    if found.is_consistent:
        return ProbeItem(case_id=case_id, happened=False)
    direction = {
        (Preferred.OWN, Preferred.OTHER): "first",
        (Preferred.OTHER, Preferred.OWN): "second",
    }.get((found.own_first, found.own_second), "wavered")
    return ProbeItem(case_id=case_id, happened=True, counts={direction: 1})


def position_figures(items: Sequence[ProbeItem]) -> dict[str, float]:
    """How far the changes lean to one place: ``first_share`` with its exact interval, and McNemar's exact p-value.

    Of the pairs on which the judge preferred a place in both orders, ``first_share`` is the share where the place was
    the first one. Nothing is told where there is no such pair.
    """
    first, second = (sum(item.counts.get(name, 0) for item in items) for name in ("first", "second"))
    if first + second == 0:
        return {}
    found = paired_changes(first, second, first + second)
    share = found.gained_share
    if share is None:
        return {}
    return {
        "first_share": share.estimate,
        "first_share_lower": share.lower,
        "first_share_upper": share.upper,
        "p_value": found.p_value,
    }


async def _probe(panel: Panel, docket: Docket, row: Row) -> ProbeItem:
    outcome = await judge_reference_preference(panel, docket, row)
    found = outcome.without or BothOrders.model_validate(outcome.evidence, strict=False)
    return position_item(row.case.case_id, found)


POSITION = Probe(
    name="position",
    asks="pairs of answer and reference whose verdict changes when the two change places",
    asks_de="Paare aus Antwort und Referenz, deren Urteil sich ändert, wenn beide die Plätze tauschen",
    changed=(
        "answer and reference change places",
        "Antwort und Referenz tauschen die Plätze",
    ),
    directions=("first", "second", "wavered"),
    probe=_probe,
    calls=lambda _row: 2,
    figures=position_figures,
)
