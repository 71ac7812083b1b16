from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.score import FAILED_STATUSES, Score, ScoreStatus
from beleg.judges.probes.report import MAX_CASES_NAMED, ProbeItem, probe_report, told_of
from beleg.stats.intervals import clopper_pearson

OUTCOMES = st.sampled_from([True, False, *(status for status in ScoreStatus if status is not ScoreStatus.SCORED)])


def item(place: int, outcome: bool | ScoreStatus) -> ProbeItem:
    if isinstance(outcome, ScoreStatus):
        return ProbeItem(case_id=str(place), without=Score.without(outcome))
    return ProbeItem(case_id=str(place), happened=outcome)


@given(st.lists(OUTCOMES, max_size=30))
def test_every_case_is_counted_once_and_the_failed_ones_bound_the_rate(outcomes: list[bool | ScoreStatus]) -> None:
    found = probe_report("p", "…", [item(place, outcome) for place, outcome in enumerate(outcomes)])
    assert found.n + sum(found.missing.values()) == len(outcomes)
    assert found.events == outcomes.count(True)
    failed = sum(outcome in FAILED_STATUSES for outcome in outcomes)
    if found.n + failed:
        assert found.lowest == found.events / (found.n + failed)
        assert found.highest == (found.events + failed) / (found.n + failed)
    if found.rate is not None and found.lowest is not None and found.highest is not None:
        assert found.lowest <= found.rate <= found.highest


def test_the_interval_is_the_exact_one() -> None:
    found = probe_report("p", "…", [item(place, place < 3) for place in range(20)])
    exact = clopper_pearson(3, 20)
    assert (found.rate, found.lower, found.upper) == (0.15, exact.lower, exact.upper)


@pytest.mark.parametrize("outcomes", [[], [ScoreStatus.TIMEOUT], [ScoreStatus.NOT_APPLICABLE]])
def test_where_no_case_was_probed_there_is_no_rate(outcomes: list[ScoreStatus]) -> None:
    found = probe_report("p", "…", [item(place, outcome) for place, outcome in enumerate(outcomes)])
    assert (found.n, found.rate, found.lower, found.upper) == (0, None, None, None)


def test_counts_add_up_and_the_first_cases_are_named() -> None:
    items = [ProbeItem(case_id=str(place), happened=True, counts={"variants": 2}) for place in range(150)]
    found = probe_report("p", "…", items)
    assert found.counts == {"variants": 300}
    assert len(found.cases) == MAX_CASES_NAMED


def test_an_item_that_says_nothing_is_missing() -> None:
    assert probe_report("p", "…", [ProbeItem(case_id="c")]).missing == {"missing": 1}


def test_each_way_is_counted_once_a_case_with_its_exact_interval() -> None:
    """Of 20 probed cases 3 went one way, however many variants did; a case that failed counts for none."""
    items = [item(place, place < 3) for place in range(20)]
    items[0] = replace(items[0], counts={"variants_raised": 4})
    items[1] = replace(items[1], counts={"variants_raised": 1})
    items[2] = replace(items[2], counts={"variants_raised": 2})
    items.append(ProbeItem(case_id="x", without=Score.without(ScoreStatus.TIMEOUT), counts={"variants_raised": 1}))
    found = told_of(probe_report("p", "…", items), items, changed=("a", "b"), directions=["variants_raised", "lowered"])
    raised, lowered = found.directions
    exact = clopper_pearson(3, 20)
    assert (raised.events, raised.rate, raised.lower, raised.upper) == (3, 0.15, exact.lower, exact.upper)
    assert (lowered.events, lowered.lower) == (0, 0.0)
    assert (found.changed, found.changed_de) == ("a", "b")


def test_without_a_probed_case_no_way_has_a_rate() -> None:
    items = [ProbeItem(case_id="x", without=Score.without(ScoreStatus.TIMEOUT))]
    assert told_of(probe_report("p", "…", items), items, changed=("a", "b"), directions=["to_pass"]).directions == ()
