from __future__ import annotations

import numpy as np
import pytest

from beleg.core.decision import CheckKind, CheckResult, CheckState
from beleg.core.policy import Aggregate
from beleg.core.score import ScoreStatus
from beleg.gating.checks import NO_BASELINE
from beleg.gating.plan import PlannedCheck
from beleg.gating.regression import carry_out_regression
from support.builders import case
from unit.gating.building import LOWER, Values, planned, policy, scored

FAIL, PASS, INCONCLUSIVE = CheckState.FAIL, CheckState.PASS, CheckState.INCONCLUSIVE
TIMEOUT, NA = ScoreStatus.TIMEOUT, ScoreStatus.NOT_APPLICABLE


def comparing(metric: str = "hit@5", *, margin: float = 0.05, **fields: object) -> PlannedCheck:
    return planned(metric, CheckKind.NO_REGRESSION, margin=margin, **fields)


def compared(new: Values, old: Values, check: PlannedCheck | None = None, **fields: object) -> CheckResult:
    return carry_out_regression(check or comparing(), policy(**fields), scored(new), scored(old))


@pytest.mark.parametrize("n", [59, 200])
def test_an_unchanged_candidate_is_bounded_by_what_could_have_stayed_unseen(n: int) -> None:
    """With no loss in n cases the share of losing ones is below 1 - 0.05^(1/n), with 95 % confidence."""
    found = compared([1.0] * n, [1.0] * n)
    assert found.state is PASS
    assert found.difference is not None
    assert found.difference.estimate == 0.0
    assert found.difference.lower == pytest.approx(-(1 - 0.05 ** (1 / n)))
    assert found.difference.upper == pytest.approx(1 - 0.05 ** (1 / n))
    assert found.p_not_inferior == pytest.approx(0.95**n)
    assert (found.difference.method, found.difference.n, found.difference.clusters) == ("exact_losses", n, None)


def test_without_a_loss_the_cases_still_needed_are_those_of_the_exact_bound() -> None:
    """ln 0.05 / ln 0.95 = 58.4."""
    found = compared([1.0] * 40, [1.0] * 40)
    assert (found.state, found.needed, found.needed_unit) == (INCONCLUSIVE, 59, "cases")
    assert "about 59 cases in all would settle it" in found.reason.en


def test_the_cases_needed_are_never_fewer_than_the_policy_wants() -> None:
    found = compared([1.0] * 40, [1.0] * 40, comparing(minimum_n=100))
    assert (found.state, found.needed) == (INCONCLUSIVE, 100)


def test_whole_sessions_are_counted_where_cases_share_them() -> None:
    cases = [case(f"c{at}", session_group=f"s{at // 4}") for at in range(160)]
    same = scored([1.0] * 160, cases)
    found = carry_out_regression(comparing(), policy(), same, same)
    assert found.difference is not None
    assert (found.difference.n, found.difference.clusters) == (160, 40)
    assert found.difference.lower == pytest.approx(-(1 - 0.05 ** (1 / 40)))
    assert (found.needed, found.needed_unit) == (59, "groups")


def test_a_difference_is_candidate_minus_baseline_in_the_metrics_own_direction() -> None:
    """Ten of a hundred cases become worse: lower by 0.1 where higher is better, higher by 0.1 where lower is."""
    lost, kept = [0.0] * 10 + [1.0] * 90, [1.0] * 100
    down = compared(lost, kept)
    up = compared([1.0 - value for value in lost], [1.0 - value for value in kept], comparing(LOWER))
    assert down.difference is not None
    assert up.difference is not None
    assert down.difference.estimate == pytest.approx(-0.1)
    assert up.difference.estimate == pytest.approx(0.1)
    assert (up.difference.lower, up.difference.upper) == (
        pytest.approx(-down.difference.upper),  # type: ignore[operator]
        pytest.approx(-down.difference.lower),  # type: ignore[operator]
    )
    assert (down.baseline, up.baseline) == (1.0, 0.0)
    assert up.state is down.state


@pytest.mark.parametrize(("metric", "lost"), [("hit@5", 0.0), (LOWER, 1.0), ("failed", 1.0)])
def test_a_rate_is_compared_by_the_rule_for_rates_whichever_way_it_points(metric: str, lost: float) -> None:
    kept = 1.0 - lost
    found = compared([lost] * 10 + [kept] * 90, [kept] * 100, comparing(metric))
    assert found.difference is not None
    assert found.difference.method == "tango_score"


def test_no_change_where_lower_is_better_is_nought_and_not_minus_nought() -> None:
    found = compared([0.0] * 80, [0.0] * 80, comparing(LOWER))
    assert found.difference is not None
    assert (str(found.difference.estimate), str(found.baseline)) == ("0.0", "0.0")


def test_only_cases_with_both_scores_are_pairs() -> None:
    new: Values = [1.0] * 60 + [TIMEOUT, NA, 0.0, 0.0]
    old: Values = [1.0] * 60 + [0.0, 0.0, TIMEOUT, NA]
    found = compared(new, old)
    assert found.difference is not None
    assert (found.difference.n, found.difference.estimate, found.baseline) == (60, 0.0, 1.0)


@pytest.mark.parametrize(
    ("new", "old", "state"),
    [
        ([1.0] * 199 + [TIMEOUT], [1.0] * 200, PASS),
        ([1.0] * 190 + [TIMEOUT] * 10, [1.0] * 200, INCONCLUSIVE),
        ([1.0] * 190 + [0.0] * 10, [1.0] * 190 + [TIMEOUT] * 10, INCONCLUSIVE),
        ([1.0] * 190 + [NA] * 10, [1.0] * 200, INCONCLUSIVE),
        ([1.0] * 199 + [NA], [1.0] * 200, PASS),
        ([1.0] * 200, [1.0] * 190 + [NA] * 10, PASS),
        ([1.0] * 190 + [0.0] * 10, [1.0] * 190 + [NA] * 10, INCONCLUSIVE),
        ([0.0] * 190 + [1.0] * 10, [1.0] * 190 + [NA] * 10, CheckState.FAIL),
    ],
    ids=[
        "one missing cannot matter",
        "ten could",
        "ten of the baseline could",
        "ten turned away by the candidate could",
        "one turned away cannot",
        "newly raised and right",
        "newly raised and wrong",
        "newly raised ones do not lift a loss",
    ],
)
def test_missing_pairs_count_against_the_candidate_before_a_pass(new: Values, old: Values, state: CheckState) -> None:
    assert compared(new, old).state is state


def test_the_largest_losses_are_named_first_and_no_gain_at_all() -> None:
    new: Values = [0.5, 0.0, TIMEOUT, 1.0, 0.9, 0.2]
    old: Values = [0.4, 1.0, 1.0, 1.0, 1.0, 0.7]
    assert compared(new, old, comparing("ndcg@10")).worst_cases == ("c1", "c5", "c4")


def test_where_lower_is_better_the_largest_rise_is_the_largest_loss() -> None:
    slower = compared([10.0, 90.0, 30.0], [20.0, 20.0, 20.0], comparing("latency_ms", margin=20.0, largest=1e3))
    assert slower.worst_cases == ("c1", "c2")


def test_a_metric_without_an_end_is_compared_by_its_mean() -> None:
    """A hundred answers are 2 or 4 ms slower in turn: 3 ms on average; of answers below 200 ms certainly not 20."""
    new, old = [102.0, 104.0] * 50, [100.0] * 100
    found = compared(new, old, comparing("latency_ms", margin=20.0, largest=200.0))
    assert found.state is PASS
    assert found.difference is not None
    assert found.difference.estimate == pytest.approx(3.0)
    assert found.baseline == 100.0


P95 = comparing("latency_ms", margin=20.0, aggregate=Aggregate.P95)


def test_a_quantile_that_rose_beyond_the_margin_in_every_case_fails() -> None:
    """p95 of 0, 1, …, 99 is 94.05, and 60 more when every answer takes 60 ms longer."""
    old = [float(at) for at in range(100)]
    found = compared([value + 60.0 for value in old], old, P95)
    assert found.state is FAIL
    assert found.baseline == pytest.approx(94.05)
    assert found.difference is not None
    assert found.difference.estimate == pytest.approx(60.0)
    assert (found.p_inferior, found.p_not_inferior) == (None, None)


def test_a_resampling_that_shows_no_variation_proves_nothing() -> None:
    """Every answer 10 ms slower: each resample says 10 exactly, also of what was never sampled."""
    old = [float(at) for at in range(600)]
    assert compared([value + 10.0 for value in old], old, P95).state is INCONCLUSIVE


def test_too_few_values_never_pass_however_alike() -> None:
    old = [float(at) for at in range(20)]
    found = compared(old[1:] + old[:1], old, P95)
    assert found.state is INCONCLUSIVE
    assert "fewer than 30 paired cases never pass" in found.reason.en


def test_the_seed_of_the_policy_makes_a_resampling_repeatable() -> None:
    rng = np.random.default_rng(1)
    new, old = (rng.exponential(100.0, 500).tolist() for _ in "no")
    first, again, other = (compared(new, old, P95, seed=seed, resamples=1_000).difference for seed in (7, 7, 8))
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("new", "old", "detail"),
    [
        ([1.0, 1.0], None, "there is no baseline to compare with"),
        ([1.0, TIMEOUT], [TIMEOUT, 1.0], "no case has a score in both runs"),
        ([], [], "no case has a score in both runs"),
    ],
)
def test_without_a_pair_nothing_is_evaluated(new: Values, old: Values | None, detail: str) -> None:
    found = carry_out_regression(comparing(), policy(), scored(new), NO_BASELINE if old is None else scored(old))
    assert found.state is CheckState.NOT_EVALUATED
    assert found.reason.en.endswith(detail)
    assert (found.difference, found.baseline, found.p_inferior) == (None, None, None)
    assert found.margin == 0.05


def test_scores_of_different_cases_are_never_paired() -> None:
    other = scored([1.0], [case("another")])
    with pytest.raises(ValueError, match="same cases in the same order"):
        carry_out_regression(comparing(), policy(), scored([1.0]), other)


@pytest.mark.parametrize(("missing", "state"), [(1, PASS), (20, INCONCLUSIVE)])
def test_without_an_end_the_missing_count_as_the_largest_value_that_the_policy_names(
    missing: int, state: CheckState
) -> None:
    new: Values = [TIMEOUT] * missing + [100.0, 101.0] * ((200 - missing) // 2) + [100.0] * (missing % 2)
    found = compared(new, [100.0] * 200, comparing("latency_ms", margin=20.0, largest=400.0))
    assert found.state is state


def test_a_value_beyond_the_largest_that_the_policy_names_leaves_nothing_to_decide_by() -> None:
    found = compared([500.0] * 100, [100.0] * 100, comparing("latency_ms", margin=20.0, largest=400.0))
    assert found.state is CheckState.NOT_EVALUATED
    assert "more than the largest value" in found.reason.en


@pytest.mark.parametrize(("missing", "state"), [(0, FAIL), (3, FAIL), (40, INCONCLUSIVE)])
def test_a_worsening_is_proven_only_if_the_missing_could_not_undo_it(missing: int, state: CheckState) -> None:
    new: Values = [0.0] * 30 + [1.0] * 70 + [TIMEOUT] * missing
    old: Values = [1.0] * 100 + [0.0] * missing
    found = compared(new, old)
    assert found.state is state
    assert ("could still undo it" in found.reason.en) == (state is INCONCLUSIVE)


def test_a_quantile_of_few_values_is_bounded_by_the_ranks_of_both_runs() -> None:
    """Of 100 values the 90th and the 100th hold p95: P(X <= 89) = 0.0115 and P(X = 100) = 0.0059 are below 0.025."""
    old = [float(at) for at in range(1, 101)]
    found = compared([value + 60.0 for value in old], old, P95)
    assert found.difference is not None
    assert (found.difference.lower, found.difference.upper) == (90 + 60 - 100, 100 + 60 - 90)
    assert found.difference.method == "order_statistics_both"


@pytest.mark.parametrize(("missing", "state"), [(0, PASS), (40, INCONCLUSIVE)])
def test_timeouts_count_as_slower_than_anything_before_a_quantile_passes(missing: int, state: CheckState) -> None:
    rng = np.random.default_rng(3)
    old = rng.uniform(50.0, 60.0, 200).tolist()
    new: Values = [*rng.uniform(50.0, 60.0, 200 - missing).tolist(), *[TIMEOUT] * missing]
    assert compared(new, old, P95).state is state
