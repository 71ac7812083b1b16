"""The failures that young gates share, each as a test: here they must not happen.

Every case below made at least one published tool of 2026 say "pass".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from beleg.core.decision import CheckKind, CheckState, Decision, Verdict
from beleg.core.errors import ConfigError
from beleg.core.evaluation import Evaluation
from beleg.core.score import ScoreStatus
from beleg.gating.decide import decide
from support.builders import case, column, evaluation
from support.calibrations import METRIC, WHEN, judged, noise, record
from unit.gating.building import policy

Values = Sequence[float | ScoreStatus | None]
TIMEOUT, INVALID = ScoreStatus.TIMEOUT, ScoreStatus.INVALID


def run(values: Values, name: str = "run", metric: str = "hit@5", **labels: Any) -> Evaluation:
    cases = [case(f"c{place}", **{key: label(place) for key, label in labels.items()}) for place in range(len(values))]
    return evaluation(cases, {metric: values}, name)


def asked_often(metric: str, values: Sequence[float], times: int, name: str = "run") -> Evaluation:
    once = run(values, name, metric)
    cases = np.arange(len(values), dtype=np.intp)
    return replace(once, row_case=np.tile(cases, times), scores={metric: column(list(values) * times)})


def decided(
    candidate: Evaluation, baseline: Evaluation | None = None, *checks: dict[str, Any], **fields: Any
) -> Decision:
    rules = policy(*checks, **{"require_baseline": baseline is not None, "minimum_n": 5} | fields)
    return decide(rules, candidate, baseline, decided_at=WHEN, beleg_version="0")


BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.6}
MARGIN = {"metric": "hit@5", "margin": 0.05}


class TestMissingCasesNeverHelp:
    """1: missing, failed, skipped or repeated cases must never raise a figure into PASS."""

    @pytest.mark.parametrize(
        "lost", [ScoreStatus.MISSING, TIMEOUT, INVALID, ScoreStatus.JUDGE_ERROR, ScoreStatus.INFRA_ERROR]
    )
    def test_answering_only_the_easy_questions_does_not_pass(self, lost: ScoreStatus) -> None:
        assert decided(run([1.0] * 40 + [lost] * 160), None, BAND).verdict is not Verdict.PASS

    @pytest.mark.parametrize("lost", [ScoreStatus.MISSING, TIMEOUT, INVALID])
    def test_nor_does_it_against_a_baseline(self, lost: ScoreStatus) -> None:
        old = run([1.0, 0.5] * 100, "old")
        assert decided(run([1.0] * 40 + [lost] * 160), old, MARGIN).verdict is not Verdict.PASS

    def test_dropping_a_bad_case_never_betters_the_verdict(self) -> None:
        order = [Verdict.PASS, Verdict.REVIEW, Verdict.BLOCK]
        for bad in range(0, 200, 5):
            values: list[float | ScoreStatus] = [1.0] * (200 - bad) + [0.0] * bad
            with_bad = decided(run(values), None, BAND).verdict
            dropped = decided(run(values[: 200 - bad] + [TIMEOUT] * bad), None, BAND).verdict
            assert not (with_bad is not Verdict.PASS and dropped is Verdict.PASS), bad
            assert order.index(dropped) >= min(order.index(with_bad), 1)

    def test_no_score_at_all_is_no_pass(self) -> None:
        assert decided(run([TIMEOUT] * 50), None, BAND).verdict is Verdict.REVIEW

    @pytest.mark.parametrize("check", [
        {"metric": "hit@5", "pass_at": 0.5, "block_at": 0.4},
        {"metric": "latency_ms", "aggregate": "p50", "pass_at": 1000, "block_at": 2000},
    ])  # fmt: skip
    def test_asking_ten_cases_many_times_is_still_ten_cases(self, check: dict[str, Any]) -> None:
        found = decided(asked_often(check["metric"], [1.0] * 10, times=60), None, check, minimum_n=30)
        assert found.verdict is Verdict.REVIEW
        (open_one,) = (check for check in found.checks if check.state is CheckState.INCONCLUSIVE)
        assert open_one.remedy is not None
        assert "about 20 more" in open_one.remedy.en

    def test_nor_are_they_more_against_a_baseline(self) -> None:
        often = [asked_often("latency_ms", [100.0 + place for place in range(10)], 60, name) for name in ("new", "old")]
        check = {"metric": "latency_ms", "aggregate": "p50", "margin": 100}
        found = decided(often[0], often[1], check, minimum_n=30)
        assert found.verdict is Verdict.REVIEW
        compared = next(check for check in found.checks if check.kind is CheckKind.NO_REGRESSION)
        assert compared.difference is not None
        assert compared.difference.method == "order_statistics_both"


class TestFewOrEqualRowsProveNothing:
    """2: no spread and few rows must not give an interval of no width."""

    @pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 40])
    def test_identical_runs_of_few_rows_do_not_pass_a_small_margin(self, n: int) -> None:
        same = [1.0] * n
        found = decided(run(same), run(same, "old"), {"metric": "hit@5", "margin": 0.02}, minimum_n=2)
        assert found.verdict is Verdict.REVIEW
        difference = next(check.difference for check in found.checks if check.kind is CheckKind.NO_REGRESSION)
        assert difference is None or difference.lower is None or difference.lower < -0.02

    @pytest.mark.parametrize("n", [1, 3, 10])
    def test_a_perfect_score_of_few_rows_does_not_pass_a_high_floor(self, n: int) -> None:
        found = decided(run([1.0] * n), None, {"metric": "hit@5", "pass_at": 0.9, "block_at": 0.5}, minimum_n=2)
        assert found.verdict is Verdict.REVIEW


class TestNotSignificantIsNotNotWorse:
    """3: eight questions of which four lose their only document are no PASS for want of a small p-value."""

    @pytest.mark.parametrize("n", [8, 16, 30])
    def test_a_loss_that_is_not_significant_is_not_ruled_out_either(self, n: int) -> None:
        new = [1.0] * (n - n // 8) + [0.0] * (n // 8)
        found = decided(run(new), run([1.0] * n, "old"), {"metric": "hit@5", "margin": 0.02}, minimum_n=2)
        assert found.verdict is not Verdict.PASS

    def test_half_lost_blocks(self) -> None:
        found = decided(run([1.0, 0.0] * 20), run([1.0] * 40, "old"), MARGIN)
        assert found.verdict is Verdict.BLOCK


class TestSegmentsAreNotPaidFor:
    """4: a collapse in one segment behind gains elsewhere blocks."""

    def test_german_collapses_while_english_gains(self) -> None:
        german = [place % 4 == 0 for place in range(400)]
        old = [1.0 if is_german else 0.6 for is_german in german]
        new = [0.0 if is_german else 1.0 for is_german in german]
        language = {"language": lambda place: "de" if place % 4 == 0 else "en"}
        graded = {"metric": "ndcg@10", "margin": 0.05, "protected": {"margin": 0.05}}
        found = decided(
            run(new, metric="ndcg@10", **language),
            run(old, "old", metric="ndcg@10", **language),
            graded,
            protected_segments=[{"where": {"language": "de"}}],
        )
        assert float(np.mean(new)) > float(np.mean(old))
        assert found.verdict is Verdict.BLOCK
        assert [check.segment for check in found.checks if check.state is CheckState.FAIL] == ["language=de"]


class TestJudgesMustBeVouchedFor:
    """5: a useless or missing calibration gives REVIEW."""

    JUDGED = {"metric": METRIC, "pass_at": 0.85, "block_at": 0.7}  # noqa: RUF012 - never changed

    def decided(self, *records: Any, **judge: Any) -> Verdict:
        rules = policy(self.JUDGED, require_baseline=False, judge=judge)
        run = judged([1.0] * 290 + [0.5] * 10)
        return decide(rules, run, None, decided_at=WHEN, beleg_version="0", calibrations=records).verdict

    def test_without_one(self) -> None:
        assert self.decided() is Verdict.REVIEW

    def test_with_one_that_shows_the_judge_to_be_chance(self) -> None:
        assert self.decided(record(cells=(60, 60, 60, 60))) is Verdict.REVIEW

    @pytest.mark.parametrize("bar", [-1.0, 0.0])
    def test_nor_by_a_bar_that_chance_would_reach(self, bar: float) -> None:
        assert self.decided(record(cells=(60, 60, 60, 60)), minimum_kappa=bar) is Verdict.REVIEW
        assert self.decided(record(cells=(5, 115, 115, 5)), minimum_kappa=bar) is Verdict.REVIEW

    def test_with_a_good_one_the_same_run_passes(self) -> None:
        assert self.decided(record()) is Verdict.PASS


class TestNoiseNeverHelps:
    """7: a noisier judge must not widen what is tolerated."""

    def test_more_noise_never_turns_a_worse_verdict_into_a_better_one(self) -> None:
        rules = policy({"metric": METRIC, "pass_at": 0.9, "block_at": 0.7}, require_baseline=False)
        order = [Verdict.PASS, Verdict.REVIEW, Verdict.BLOCK]
        for bad in range(0, 160, 10):
            run = judged([1.0] * (300 - bad) + [0.0] * bad)
            quiet, noisy = (
                decide(
                    rules, run, None, decided_at=WHEN, beleg_version="0",
                    calibrations=(record(noise=noise(within, shared_variance=within / 10)),),
                ).verdict
                for within in (0.0, 0.05)
            )  # fmt: skip
            assert noisy is not Verdict.PASS or quiet is Verdict.PASS, bad
            assert order.index(noisy) <= 1 or quiet is Verdict.BLOCK, bad


class TestIdentityIsChecked:
    """8: direction, identity of the data and version of the metric."""

    def test_less_of_what_must_be_low_is_better_and_more_is_worse(self) -> None:
        less, more = ([0.0] * 390 + [1.0] * 10, [1.0] * 200 + [0.0] * 200)
        check = {"metric": "false_exclusion", "margin": 0.05}
        old = run([0.0] * 390 + [1.0] * 10, "old", metric="false_exclusion")
        assert decided(run(less, metric="false_exclusion"), old, check).verdict is Verdict.PASS
        assert decided(run(more, metric="false_exclusion"), old, check).verdict is Verdict.BLOCK

    def test_a_baseline_on_another_suite_is_refused(self) -> None:
        new, old = run([1.0] * 100), run([1.0] * 100, "old")
        other = replace(old, header=old.header.model_copy(update={"suite_digest": "sha256:other"}))
        found = decided(new, other, MARGIN)
        assert found.verdict is Verdict.REVIEW
        assert any(check.state is CheckState.ERROR and "suite" in check.reason.en for check in found.checks)

    def test_figures_of_another_version_of_a_metric_are_refused(self) -> None:
        new, old = run([1.0] * 100), run([1.0] * 100, "old")
        found = decided(new, replace(old, metric_versions={"hit@5": "0"}), MARGIN)
        assert found.verdict is Verdict.REVIEW
        assert any("metric versions" in check.reason.en for check in found.checks)

    def test_a_policy_that_checks_nothing_is_refused(self) -> None:
        with pytest.raises(ConfigError):
            decided(run([1.0] * 100), None)


class TestSkewedNull:
    """11: many small gains and a rare collapse, whose mean is exactly the margin."""

    def test_the_gate_passes_it_as_seldom_as_it_promises(self) -> None:
        rng = np.random.default_rng(4)
        n, margin, samples, passed = 300, 0.02, 300, 0
        usual = (0.0099 - margin) / 0.99
        cases = [case(f"c{place}") for place in range(n)]
        for _ in range(samples):
            change = np.where(rng.random(n) < 0.01, -0.99, usual) + rng.uniform(-0.002, 0.002, n)
            old = evaluation(cases, {"ndcg@10": [0.995] * n}, "old")
            new = evaluation(cases, {"ndcg@10": np.clip(0.995 + change, 0.0, 1.0).tolist()})
            passed += decided(new, old, {"metric": "ndcg@10", "margin": margin}).verdict is Verdict.PASS
        assert passed / samples <= 0.06 + 3 * np.sqrt(0.06 * 0.94 / samples)
