"""What a reader of a decision has to know first, as every report says it."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.app.workbench.decisions import DecisionFacts
from beleg.core.decision import Sentence
from beleg.report.first_things import FirstThing, first_things
from beleg.report.segments import segment_table
from beleg.report.view import leading_checks, settled_sentence
from beleg.report.waterfall import Waterfall, waterfall


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What follows from a decision, and from what was measured of its runs."""

    first: tuple[FirstThing, ...]
    """What decides, what to look at first, what would change it."""
    urgent: tuple[str, ...]
    """The checks that did not pass, the most severe first."""
    waiting: int
    """How many further checks only wait for a judge that one of these names."""
    settled: Sentence
    """What is to be said about the checks that passed."""
    waterfall: Waterfall | None
    segments: Sentence | None
    """What the table of segments shows; ``None`` where there is none."""


def reading_of(facts: DecisionFacts) -> Reading:
    """The sentences that stand before everything else in the report of a decision."""
    decision = facts.entry.decision
    urgent, waiting = leading_checks(decision)
    table = None if facts.measured is None else segment_table(facts.measured.segment_table)
    return Reading(
        first=first_things(decision),
        urgent=tuple(view.check_id for view in urgent),
        waiting=waiting,
        settled=settled_sentence(decision),
        waterfall=waterfall(decision),
        segments=None if table is None else table.finding,
    )
