"""The order of judging: nobody's choice, whole groups, every protected segment in its share."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from beleg.core.case import Case
from beleg.core.sequential import SequentialPlan
from beleg.gating.looks import LEAST_LEVEL, at_look, level_at, plan_looks
from beleg.stats.group_sequential import nominal_levels
from support.builders import case
from unit.gating.building import planned, policy

PLAN = SequentialPlan()
PROTECTING = policy(
    {"metric": "hit@5", "pass_at": 0.9, "block_at": 0.8}, protected_segments=[{"where": {"language": "de"}}]
)


def cases(n: int, **fields: object) -> list[Case]:
    return [case(f"c{i}", language="de" if i % 4 == 0 else "en", **fields) for i in range(n)]


def test_the_order_follows_from_the_seed_and_holds_every_case_once() -> None:
    first, again = (plan_looks(PROTECTING, PLAN, cases(200)) for _ in range(2))
    other = plan_looks(PROTECTING.model_copy(update={"seed": 1}), PLAN, cases(200))
    assert first.order_digest == again.order_digest != other.order_digest
    assert sorted(first.order.tolist()) == list(range(200))
    assert first.ends == (40, 80, 120, 160, 200)


def test_each_look_holds_the_one_before() -> None:
    looks = plan_looks(PROTECTING, PLAN, cases(200))
    held = [set(looks.members(number).tolist()) for number in range(1, 6)]
    assert all(early < late for early, late in pairwise(held))


def test_a_protected_segment_comes_forward_as_fast_as_the_whole() -> None:
    looks = plan_looks(PROTECTING, PLAN, cases(200))
    for number in range(1, 6):
        members = looks.members(number)
        german = int(np.count_nonzero(members % 4 == 0))
        assert abs(german - len(members) / 4) <= 1


def test_cases_that_share_a_source_are_looked_at_together() -> None:
    tied = [case(f"c{i}", source_group=f"d{i // 7}") for i in range(210)]
    looks = plan_looks(PROTECTING, PLAN, tied)
    for number in range(1, len(looks) + 1):
        groups = {place // 7 for place in looks.members(number).tolist()}
        assert len(looks.members(number)) == 7 * len(groups)


def test_looks_that_groups_make_equal_are_one() -> None:
    one_group = [case(f"c{i}", source_group="d") for i in range(40)]
    assert plan_looks(PROTECTING, PLAN, one_group).ends == (40,)


def test_each_check_spends_by_its_own_cases() -> None:
    looks = plan_looks(PROTECTING, PLAN, cases(200))
    check = planned(n=200)
    levels = [level_at(check, looks, number, 0.05) for number in range(1, 6)]
    assert levels == pytest.approx(nominal_levels(PLAN.looks, 0.05, "pocock").tolist())


def test_a_check_without_a_case_in_a_look_decides_nothing_by_it() -> None:
    looks = plan_looks(PROTECTING, PLAN, cases(200))
    late = looks.order[150:160]
    check = planned(members=np.sort(late))
    assert [level_at(check, looks, number, 0.05) for number in (1, 2, 3)] == [LEAST_LEVEL] * 3
    assert level_at(check, looks, 4, 0.05) == level_at(check, looks, 5, 0.05) == pytest.approx(0.05)


def test_only_the_last_look_takes_an_estimate_for_a_block() -> None:
    looks = plan_looks(PROTECTING, PLAN, cases(200))
    assert at_look(planned(n=200), looks, 1).is_interim
    assert not at_look(planned(n=200), looks, 5).is_interim
    assert len(at_look(planned(n=200), looks, 2).members) == 80
