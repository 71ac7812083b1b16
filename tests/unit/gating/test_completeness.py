from __future__ import annotations

from dataclasses import replace

import pytest

from beleg.core.decision import CheckState
from beleg.gating.completeness import completeness_check
from support.builders import case, evaluation
from unit.gating.building import HIGHER, policy

RUN = evaluation([case(f"c{at}") for at in range(50)], {HIGHER: [1.0] * 50})


def test_a_run_over_the_whole_suite_raises_no_question() -> None:
    assert completeness_check(policy(), RUN) is None
    assert completeness_check(policy(), replace(RUN, suite_cases=50)) is None


@pytest.mark.parametrize(
    ("allowed", "stratified", "state"),
    [
        (False, False, CheckState.INCONCLUSIVE),
        (False, True, CheckState.INCONCLUSIVE),
        (True, False, CheckState.INCONCLUSIVE),
        (True, True, CheckState.PASS),
    ],
)
def test_only_the_subset_that_anybody_can_choose_again_passes_and_only_if_the_policy_says_so(
    *, allowed: bool, stratified: bool, state: CheckState
) -> None:
    part = replace(RUN, suite_cases=316, is_fast_subset=stratified)
    found = completeness_check(policy(allow_subset=allowed), part)
    assert found is not None
    assert found.state is state
    assert (found.needed, found.needed_unit) == ((None, None) if state is CheckState.PASS else (316, "cases"))


def test_a_choice_by_name_is_called_one_in_both_languages() -> None:
    found = completeness_check(policy(allow_subset=True), replace(RUN, suite_cases=316))
    assert found is not None
    assert "50 of the suite's 316 cases, picked by name" in found.reason.en
    assert "50 der 316 Fälle der Suite, einzeln ausgewählt" in found.reason.de
