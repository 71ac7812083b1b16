from __future__ import annotations

import asyncio

from beleg.core.score import Score, ScoreStatus
from beleg.judges.panel import Docket, Panel
from beleg.judges.probes.position import POSITION
from beleg.judges.probes.probe import ROWS_AT_A_TIME, Probe, outside, run_probe, with_answer, with_passages
from beleg.judges.probes.report import ProbeItem
from beleg.metrics.batch import Row
from support.ruled_judges import ruled_panel
from unit.judges.probes.rows import row_of


def test_every_row_is_asked_or_counted_with_its_reason() -> None:
    rows = [row_of(), Score.without(ScoreStatus.INFRA_ERROR), row_of(reference_answer=None)]
    found = asyncio.run(run_probe(POSITION, ruled_panel(), rows, ["a", "b", "c"]))
    assert (found.probe, found.n, found.missing) == ("position", 1, {"infra_error": 1, "not_applicable": 1})


def test_without_a_judge_nothing_is_known() -> None:
    found = asyncio.run(run_probe(POSITION, Panel(), [row_of()], ["a"]))
    assert (found.n, found.rate, found.missing) == (0, None, {"missing": 1})


def test_a_changed_row_is_the_same_case_with_other_words() -> None:
    row = row_of()
    changed = with_passages(with_answer(row, "Other."), row.output.final_passages()[:0])
    assert (changed.case, changed.output.answer, changed.output.final_passages()) == (row.case, "Other.", ())
    assert changed.trace.output == changed.output
    assert row.output.answer != "Other."


def test_a_row_outside_a_probe_says_why() -> None:
    found = outside(row_of(), "no number")
    assert found.without is not None
    assert (found.without.status, found.without.detail) == (ScoreStatus.NOT_APPLICABLE, "no number")


def test_many_rows_are_asked_a_few_at_a_time() -> None:
    under_way, most = 0, 0

    async def slow(_panel: Panel, _docket: Docket, row: Row) -> ProbeItem:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return ProbeItem(case_id=row.case.case_id, happened=False)

    probe = Probe(name="slow", asks="…", asks_de="…", changed=("", ""), probe=slow, calls=lambda _row: 0)
    found = asyncio.run(run_probe(probe, ruled_panel(), [row_of()] * 200, ["c"] * 200))
    assert (found.n, most) == (200, ROWS_AT_A_TIME)
