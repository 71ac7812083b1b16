from __future__ import annotations

import asyncio

import pytest

from beleg.core.probes import ProbeReport
from beleg.core.score import Score, ScoreStatus
from beleg.judges.probes.position import POSITION, position_figures, position_item
from beleg.judges.probes.probe import run_probe
from beleg.metrics.generation.preference import BothOrders, Preferred
from support.ruled_judges import Preferrer, ruled_panel
from unit.judges.probes.rows import row_of

OWN, OTHER, TIE = Preferred.OWN, Preferred.OTHER, Preferred.TIE


def probed(prefer: Preferrer) -> ProbeReport:
    rows = [row_of(f"Answer number {number}.") for number in range(8)]
    return asyncio.run(run_probe(POSITION, ruled_panel(prefer=prefer), rows, [str(n) for n in range(8)]))


def test_a_judge_that_compares_the_answers_never_wavers() -> None:
    found = probed(lambda first, second: "A" if len(first) > len(second) else "B")
    assert (found.n, found.events, found.figures) == (8, 0, {})


@pytest.mark.parametrize(("place", "share"), [("A", 1.0), ("B", 0.0)])
def test_a_judge_that_likes_a_place_is_found_out_with_the_place(place: str, share: float) -> None:
    found = probed(lambda _first, _second: place)
    assert (found.rate, found.figures["first_share"]) == (1.0, share)
    assert found.figures["p_value"] == pytest.approx(2 / 2**8)


@pytest.mark.parametrize(
    ("first", "second", "happened", "counts"),
    [
        (OWN, OWN, False, {}),
        (OWN, OTHER, True, {"first": 1}),
        (OTHER, OWN, True, {"second": 1}),
        (TIE, OWN, True, {"wavered": 1}),
        (TIE, TIE, False, {}),
    ],
)
def test_each_pair_tells_whether_and_where_to_it_leans(
    first: Preferred, second: Preferred, happened: bool, counts: dict[str, int]
) -> None:
    found = position_item("c", BothOrders(own_first=first, own_second=second))
    assert (found.happened, found.counts) == (happened, counts)


def test_a_pair_without_verdicts_keeps_its_reason() -> None:
    reason = Score.without(ScoreStatus.TIMEOUT)
    assert position_item("c", reason).without is reason
    assert position_figures([position_item("c", reason)]) == {}
