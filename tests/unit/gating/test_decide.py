from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckState, Decision, StageCount, Verdict
from beleg.core.errors import ConfigError, EvidenceError
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.core.score import ScoreStatus
from beleg.gating.decide import decide
from support.builders import case, evaluation

Values = Sequence[float | ScoreStatus | None]
N = 400


def cases(n: int = N, **fields: Any) -> list[Case]:
    return [case(f"c{i}", language="de" if i % 2 else "en", **fields) for i in range(n)]


def policy(*checks: dict[str, Any], **fields: Any) -> Policy:
    import json

    given = {"policy": "p", "checks": list(checks)} | fields
    return Policy.model_validate_json(json.dumps(given))


def decided(
    rules: Policy,
    candidate: Values,
    baseline: Values | None,
    *,
    metric: str = "hit@5",
    listed: list[Case] | None = None,
) -> Decision:
    chosen = listed or cases(len(candidate))
    return decide(
        rules,
        evaluation(chosen, {metric: candidate}, "new"),
        None if baseline is None else evaluation(chosen, {metric: baseline}, "old"),
        decided_at=datetime(2026, 11, 30, tzinfo=UTC),
        beleg_version="0",
    )


def state_of(decision: Decision, check_id: str) -> CheckState:
    return next(check.state for check in decision.checks if check.check_id == check_id)


BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}
MARGIN = {"metric": "hit@5", "margin": 0.05}
MOSTLY_RIGHT = [1.0] * 9 + [0.0]


def repeated(pattern: Sequence[float], n: int = N) -> list[float | ScoreStatus | None]:
    return [pattern[i % len(pattern)] for i in range(n)]


def test_a_figure_whose_bound_clears_the_level_passes() -> None:
    decision = decided(policy(BAND), repeated(MOSTLY_RIGHT), repeated(MOSTLY_RIGHT))
    assert decision.verdict is Verdict.PASS
    assert decision.exit_code == 0


def test_a_figure_in_the_review_band_is_never_rounded_to_pass() -> None:
    decision = decided(policy(BAND), repeated([1.0, 1.0, 1.0, 0.0]), repeated(MOSTLY_RIGHT))
    assert state_of(decision, "hit@5/band") is CheckState.INCONCLUSIVE
    assert decision.exit_code == 10


def test_a_figure_below_the_blocking_level_blocks() -> None:
    decision = decided(policy(BAND), repeated([1.0, 0.0]), repeated(MOSTLY_RIGHT))
    assert decision.verdict is Verdict.BLOCK
    assert decision.exit_code == 20


def test_a_good_figure_on_too_small_a_sample_is_reviewed_with_the_number_needed() -> None:
    decision = decided(policy(BAND), repeated(MOSTLY_RIGHT, 40), repeated(MOSTLY_RIGHT, 40))
    check = next(check for check in decision.checks if check.check_id == "hit@5/band")
    assert check.state is CheckState.INCONCLUSIVE
    # Wilson, one-sided 95 %: 0.9 of n has its bound at 0.8 from n = 44 on; the plan assumes a symmetric width.
    assert check.needed is not None
    assert 41 <= check.needed <= 60
    assert decision.verdict is Verdict.REVIEW


def test_fewer_cases_than_the_minimum_never_pass_however_good() -> None:
    decision = decided(policy(BAND, minimum_n=30), [1.0] * 29, [1.0] * 29)
    assert state_of(decision, "hit@5/band") is CheckState.INCONCLUSIVE


def test_two_identical_rows_never_pass() -> None:
    decision = decided(policy(MARGIN, minimum_n=2), [1.0, 1.0], [1.0, 1.0])
    assert state_of(decision, "hit@5/no_regression") is CheckState.INCONCLUSIVE


@pytest.mark.parametrize(("n", "state"), [(58, CheckState.INCONCLUSIVE), (59, CheckState.PASS)])
def test_an_unchanged_candidate_passes_once_a_loss_of_the_margin_would_have_shown(n: int, state: CheckState) -> None:
    """ln(0.05) / ln(1 - 0.05) = 58.4: with 59 cases a true loss of 5 points leaves a trace 95 times in 100."""
    assert state_of(decided(policy(MARGIN), [1.0] * n, [1.0] * n), "hit@5/no_regression") is state


def test_not_significantly_worse_is_not_enough_to_pass() -> None:
    """A true drop of 5 points at n = 100 passes a significance test most of the time; it must not pass here."""
    baseline = [1.0] * 100
    candidate = [0.0] * 5 + [1.0] * 95
    assert decided(policy(MARGIN), candidate, baseline).verdict is Verdict.REVIEW


def test_a_proven_worsening_blocks() -> None:
    decision = decided(policy(MARGIN), [0.0] * 80 + [1.0] * 320, [1.0] * 400)
    assert decision.verdict is Verdict.BLOCK
    assert decision.checks[0].worst_cases[0] == "c0"


def test_gains_elsewhere_never_make_up_for_a_protected_segment() -> None:
    rules = policy(
        {"metric": "hit@5", "margin": 0.05, "protected": {"margin": 0.05}},
        protected_segments=[{"where": {"language": "de"}}],
    )
    baseline = [float(i % 2) for i in range(N)]
    candidate = [1.0 - value for value in baseline]
    decision = decided(rules, candidate, baseline)
    assert state_of(decision, "hit@5/no_regression/language=de") is CheckState.FAIL
    assert decision.verdict is Verdict.BLOCK


def test_a_protected_segment_of_two_cases_cannot_pass() -> None:
    listed = [case(f"c{i}", language="fr" if i < 2 else "en") for i in range(N)]
    rules = policy(
        {"metric": "hit@5", "pass_at": 0.5, "block_at": 0.1, "protected": {"pass_at": 0.5, "block_at": 0.1}},
        protected_segments=[{"where": {"language": "fr"}}],
    )
    decision = decided(rules, [1.0] * N, [1.0] * N, listed=listed)
    check = next(item for item in decision.checks if item.segment == "language=fr")
    assert check.state is CheckState.INCONCLUSIVE
    assert (check.needed, check.needed_unit) == (30, "cases")
    assert decision.verdict is Verdict.REVIEW


def test_a_protected_segment_without_cases_is_not_evaluated() -> None:
    rules = policy(
        {"metric": "hit@5", "margin": 0.05, "protected": {"margin": 0.05}},
        protected_segments=[{"where": {"language": "fr"}}],
    )
    decision = decided(rules, [1.0] * N, [1.0] * N)
    assert state_of(decision, "hit@5/no_regression/language=fr") is CheckState.NOT_EVALUATED
    assert decision.verdict is Verdict.REVIEW


def test_missing_scores_never_raise_a_figure() -> None:
    """160 of 200 hard cases fail to answer; the rest is perfect. Dropping them would show a gain."""
    baseline = [1.0] * 40 + [0.0] * 160
    candidate = [1.0] * 40 + [ScoreStatus.TIMEOUT] * 160
    decision = decided(policy(BAND, MARGIN), candidate, baseline)
    assert decision.verdict is not Verdict.PASS
    assert state_of(decision, "hit@5/coverage") is CheckState.NOT_EVALUATED
    assert state_of(decision, "hit@5/band") is CheckState.INCONCLUSIVE
    band = next(check for check in decision.checks if check.check_id == "hit@5/band")
    assert (band.figure and band.figure.estimate, band.worst_case, band.best_case) == (1.0, 0.2, 1.0)
    assert band.counts is not None
    assert band.counts.scored + sum(band.counts.reasons.values()) == band.counts.expected == 200


def test_a_few_missing_scores_pass_only_if_they_could_not_matter() -> None:
    loose = policy({"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7})
    tight = policy({"metric": "hit@5", "pass_at": 0.985, "block_at": 0.7})
    candidate: Values = [ScoreStatus.JUDGE_ERROR] * 4 + [1.0] * (N - 4)
    assert state_of(decided(loose, candidate, [1.0] * N), "hit@5/band") is CheckState.PASS
    assert state_of(decided(tight, candidate, [1.0] * N), "hit@5/band") is CheckState.INCONCLUSIVE


def test_a_failing_evaluator_is_no_failing_product() -> None:
    decision = decided(policy(BAND, MARGIN), [ScoreStatus.JUDGE_ERROR] * N, [1.0] * N)
    assert decision.by_state(CheckState.FAIL) == ()
    assert decision.verdict is Verdict.REVIEW


def test_missing_pairs_count_as_lost_before_a_pass() -> None:
    candidate: Values = [ScoreStatus.TIMEOUT] * 20 + [1.0] * (N - 20)
    decision = decided(policy(MARGIN), candidate, [1.0] * N)
    assert state_of(decision, "hit@5/no_regression") is CheckState.INCONCLUSIVE


def test_cases_outside_the_question_leave_the_denominator_and_are_counted() -> None:
    values: Values = [ScoreStatus.NOT_APPLICABLE if i % 4 == 0 else 1.0 for i in range(N)]
    decision = decided(policy(BAND, MARGIN), values, values)
    assert decision.verdict is Verdict.PASS
    band = next(check for check in decision.checks if check.check_id == "hit@5/band")
    assert band.counts is not None
    assert band.counts.reasons == {ScoreStatus.NOT_APPLICABLE: 100}


def test_a_question_that_never_arises_is_not_evaluated() -> None:
    decision = decided(policy(BAND), [ScoreStatus.NOT_APPLICABLE] * N, None)
    assert state_of(decision, "hit@5/band") is CheckState.NOT_EVALUATED


def test_one_event_blocks_where_none_is_allowed() -> None:
    rules = policy({"metric": "entitlement_leak", "zero_tolerance": True})
    decision = decided(rules, [0.0] * 399 + [2.0], [0.0] * N, metric="entitlement_leak")
    assert decision.verdict is Verdict.BLOCK
    assert decision.checks[0].events == 2
    assert decision.checks[0].worst_cases == ("c399",)


def test_what_could_not_be_checked_is_not_free_of_events() -> None:
    rules = policy({"metric": "entitlement_leak", "zero_tolerance": True})
    decision = decided(rules, [0.0] * 399 + [ScoreStatus.TIMEOUT], [0.0] * N, metric="entitlement_leak")
    assert decision.checks[0].state is CheckState.NOT_EVALUATED
    assert decision.verdict is Verdict.REVIEW


def test_where_lower_is_better_the_bands_are_ceilings() -> None:
    rules = policy({"metric": "false_exclusion", "pass_at": 0.02, "block_at": 0.05, "margin": 0.05})
    good = decided(rules, [0.0] * N, [0.0] * N, metric="false_exclusion")
    bad = decided(rules, [1.0] * 40 + [0.0] * 360, [0.0] * N, metric="false_exclusion")
    assert good.verdict is Verdict.PASS
    assert state_of(bad, "false_exclusion/band") is CheckState.FAIL
    assert state_of(bad, "false_exclusion/no_regression") is CheckState.FAIL
    worse = next(check for check in bad.checks if check.check_id == "false_exclusion/no_regression")
    assert worse.difference is not None
    assert worse.difference.estimate == pytest.approx(0.1)


def test_a_quantile_is_judged_by_order_statistics_and_compared_by_a_paired_bootstrap() -> None:
    rules = policy({"metric": "latency_ms", "aggregate": "p95", "pass_at": 120, "block_at": 200, "margin": 20})
    quick = [float(50 + (i * 37) % 50) for i in range(N)]
    slow = [value + 60 for value in quick]
    assert decided(rules, quick, quick[1:] + quick[:1], metric="latency_ms").verdict is Verdict.PASS
    worse = decided(rules, slow, quick, metric="latency_ms")
    assert state_of(worse, "latency_ms/no_regression") is CheckState.FAIL
    assert worse.checks[0].figure is not None
    assert worse.checks[0].figure.method == "order_statistics"


def test_cases_of_one_session_are_not_counted_as_independent() -> None:
    single = cases()
    paired = [case(f"c{i}", language="en", session_group=f"s{i // 8}") for i in range(N)]
    values = repeated([1.0] * 32 + [0.0] * 8)
    alone = decided(policy(BAND), values, None, listed=single).checks[0].figure
    together = decided(policy(BAND), values, None, listed=paired).checks[0].figure
    assert alone is not None
    assert together is not None
    assert (together.clusters, alone.clusters) == (50, None)
    assert together.upper - together.lower > 2 * (alone.upper - alone.lower)


def test_no_baseline_is_no_pass_unless_the_policy_says_so() -> None:
    strict = decided(policy(BAND), repeated(MOSTLY_RIGHT), None)
    first = decided(policy(BAND, require_baseline=False), repeated(MOSTLY_RIGHT), None)
    assert strict.verdict is Verdict.REVIEW
    assert first.verdict is Verdict.PASS


def test_runs_on_different_suites_are_not_compared() -> None:
    chosen = cases()
    new, old = evaluation(chosen, {"hit@5": [1.0] * N}, "new"), evaluation(chosen, {"hit@5": [1.0] * N}, "old")
    other = old.header.model_copy(update={"suite_digest": "sha256:1"})
    from dataclasses import replace

    decision = decide(
        policy(BAND, MARGIN),
        new,
        replace(old, header=other),
        decided_at=datetime(2026, 11, 30, tzinfo=UTC),
        beleg_version="0",
    )
    assert state_of(decision, "comparability") is CheckState.ERROR
    assert state_of(decision, "hit@5/no_regression") is CheckState.NOT_EVALUATED
    assert state_of(decision, "hit@5/band") is CheckState.PASS
    assert "suite" in next(check for check in decision.checks if check.check_id == "comparability").reason.en


def test_a_subset_is_compared_with_the_same_cases_of_a_larger_baseline() -> None:
    chosen = cases()
    new = evaluation(chosen[:100], {"hit@5": [1.0] * 100}, "new")
    old = evaluation(list(reversed(chosen)), {"hit@5": [0.0] * 300 + [1.0] * 100}, "old")
    decision = decide(policy(MARGIN), new, old, decided_at=datetime(2026, 11, 30, tzinfo=UTC), beleg_version="0")
    assert decision.checks[0].difference is not None
    assert decision.checks[0].difference.estimate == 0.0


def test_holm_keeps_many_segments_from_raising_a_false_alarm_and_says_so() -> None:
    listed = [case(f"c{i}", segments={"part": f"p{i % 20}"}) for i in range(2_000)]
    rules = policy(
        {"metric": "hit@5", "protected": {"margin": 0.02}},
        protected_segments=[{"where": {"part": f"p{i}"}} for i in range(20)],
    )
    baseline = [1.0] * 2_000
    candidate = [0.0 if i % 20 == 0 and i < 160 else 1.0 for i in range(2_000)]
    decision = decided(rules, candidate, baseline, listed=listed)
    part = next(check for check in decision.checks if check.segment == "part=p0")
    assert part.p_inferior is not None
    assert part.p_inferior < 0.05 < (part.p_inferior_adjusted or 0.0)
    assert part.p_inferior_adjusted == pytest.approx(20 * part.p_inferior)
    assert part.state is CheckState.INCONCLUSIVE
    assert decision.holm


def test_the_same_inputs_give_the_same_decision_to_the_byte() -> None:
    first, second = (
        decided(policy(BAND, MARGIN), repeated(MOSTLY_RIGHT), repeated(MOSTLY_RIGHT)).model_dump_json() for _ in "12"
    )
    assert first == second


def test_an_unresolved_manifest_is_named_and_blocks_a_pass_where_the_policy_requires_it() -> None:
    told = decided(policy(BAND), repeated(MOSTLY_RIGHT), repeated(MOSTLY_RIGHT))
    required = decided(policy(BAND, require_reproducible=True), repeated(MOSTLY_RIGHT), repeated(MOSTLY_RIGHT))
    reason = next(check for check in told.checks if check.kind is CheckKind.REPRODUCIBILITY).reason
    assert "Not reproducible" in reason.en
    assert "index_build" in reason.en
    assert told.verdict is Verdict.PASS
    assert required.verdict is Verdict.REVIEW


def test_a_filter_that_hides_evidence_is_named_as_a_filter_loss_not_as_low_recall() -> None:
    from dataclasses import replace

    chosen = cases()
    scores: dict[str, Values] = {
        "false_exclusion": [1.0] * 60 + [0.0] * 340,
        "recall@5": [0.0] * 60 + [1.0] * 340,
    }
    new = replace(
        evaluation(chosen, scores, "new"),
        filter_losses={"locale": tuple(f"c{i}" for i in range(60))},
        waterfall=(
            StageCount(stage="filtered", present=340, lost=60, unknown=0, lost_cases=tuple(f"c{i}" for i in range(60))),
            StageCount(stage="retrieved", present=339, lost=1, unknown=0, lost_cases=("c399",)),
        ),
        waterfall_cases=N,
    )
    rules = policy(
        {"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9},
        {"metric": "false_exclusion", "pass_at": 0.02, "block_at": 0.05},
        require_baseline=False,
    )
    decision = decide(rules, new, None, decided_at=datetime(2026, 11, 30, tzinfo=UTC), beleg_version="0")
    assert decision.verdict is Verdict.BLOCK
    assert decision.headline.en.startswith("The hard filter on 'locale' hides every right document in 60 of 400 cases")
    assert "(15.0 %, 90 % interval 12.1 % to 18.3 %; allowed 2 %)" in decision.headline.en.replace("\xa0", " ")
    assert decision.headline.de.startswith("Der harte Filter auf „locale“ verdeckt in 60 von 400 Fällen")
    recall = next(check for check in decision.checks if check.check_id == "recall@5/band")
    assert "60 of the 61 cases that lose required evidence lose it at the relevance filter" in recall.reason.en


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        (policy(), "the policy has no checks"),
        (policy({"metric": "recal@5", "margin": 0.02}), "Did you mean recall"),
        (policy({"metric": "hit@5", "margin": 0.02, "where": {"langauge": "de"}}), "Use one of: language"),
        (
            policy({"metric": "hit@5", "margin": 0.02}, protected_segments=[{"where": {"language": "de"}}]),
            "no check has",
        ),
        (policy({"metric": "hit@5", "margin": 0.02, "protected": {"margin": 0.1}}), "protects no segment"),
        (policy({"metric": "hit@5", "pass_at": 0.7, "block_at": 0.8}), "Exchange pass_at and block_at"),
        (policy({"metric": "false_exclusion", "pass_at": 0.05, "block_at": 0.02}), "Exchange pass_at and block_at"),
        (policy({"metric": "hit@5", "pass_at": 85, "block_at": 78}), "lies between 0.0 and 1.0"),
        (policy(MARGIN, MARGIN), "stands twice"),
        (policy({"metric": "hit@5", "margin": 1.0}), "tolerates any"),
        (policy({"metric": "recall@5", "zero_tolerance": True}), "counts what must not happen"),
        (policy({"metric": "latency_ms", "zero_tolerance": True}), "counts what must not happen"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused_and_never_passes(rules: Policy, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        decided(rules, [1.0] * 100, [1.0] * 100)


def test_a_run_without_cases_cannot_be_decided_on() -> None:
    with pytest.raises(EvidenceError, match="holds no case"):
        decide(
            policy(BAND),
            evaluation([], {"hit@5": []}),
            None,
            decided_at=datetime(2026, 11, 30, tzinfo=UTC),
            beleg_version="0",
        )


def test_a_metric_that_was_not_computed_is_an_error_not_a_pass() -> None:
    with pytest.raises(ConfigError, match="not scored with this metric"):
        decided(policy(BAND), [1.0] * 50, None, metric="mrr")


def with_manifest(rules: Policy, **fields: Any) -> Decision:
    """Decides between like runs whose candidate has other fields in its manifest than the baseline has."""
    chosen = cases()
    values = {"hit@5": repeated(MOSTLY_RIGHT)}
    new, old = evaluation(chosen, values, "new"), evaluation(chosen, values, "old")
    given = {"top_k": 5, "chunker": "words"}
    made = [
        replace(run, header=run.header.model_copy(update={"manifest": Manifest(name=run.header.run_id, **more)}))
        for run, more in ((new, given | fields), (old, given))
    ]
    return decide(rules, made[0], made[1], decided_at=datetime(2026, 11, 30, tzinfo=UTC), beleg_version="0")


def test_every_metric_says_whether_it_is_compared() -> None:
    decision = with_manifest(policy(MARGIN), top_k=8)
    assert state_of(decision, "hit@5/no_regression") is CheckState.PASS
    (told,) = decision.comparability or ()
    assert (told.metric, told.comparable, told.treatment) == ("hit@5", True, ("top_k",))
    assert decided(policy(MARGIN), repeated(MOSTLY_RIGHT), None).comparability is None


def test_a_metric_that_differs_in_more_than_the_treatment_is_not_compared() -> None:
    decision = with_manifest(policy(MARGIN, treatment=["chunker"]), top_k=8)
    assert decision.verdict is Verdict.REVIEW
    assert state_of(decision, "comparability") is CheckState.PASS
    assert state_of(decision, "comparability/metrics") is CheckState.ERROR
    check = next(item for item in decision.checks if item.check_id == "hit@5/no_regression")
    assert (check.state, check.baseline, check.difference) == (CheckState.NOT_EVALUATED, None, None)
    assert "differs and is not the treatment: top_k" in check.reason.en
    assert "verschieden und nicht das Treatment: top_k" in check.reason.de


def test_a_band_needs_no_baseline_and_stands_where_a_metric_is_not_compared() -> None:
    decision = with_manifest(policy(BAND | {"margin": 0.05}, treatment=["chunker"]), top_k=8)
    assert state_of(decision, "hit@5/band") is CheckState.PASS


def test_what_is_not_known_keeps_a_metric_apart_only_where_the_policy_is_strict() -> None:
    assert with_manifest(policy(MARGIN), reranker="r").verdict is Verdict.PASS
    strict = with_manifest(policy(MARGIN, require_comparable="strict"), reranker="r")
    assert strict.verdict is Verdict.REVIEW
    assert "reranker" in next(item for item in strict.checks if item.check_id == "comparability/metrics").reason.en


def test_a_treatment_that_cannot_be_one_is_refused_before_anything_is_decided() -> None:
    with pytest.raises(ConfigError, match="never a treatment"):
        with_manifest(policy(MARGIN, treatment=["suite"]))
