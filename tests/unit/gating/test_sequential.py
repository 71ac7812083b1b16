"""A sequential policy: the first settled look decides, and nothing that was judged in part decides anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from beleg.core.decision import CheckKind, CheckState, Decision, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.score import STATUS_CODE, ScoreColumn, ScoreStatus
from beleg.gating.decide import decide
from beleg.gating.looks import plan_looks
from support.builders import column
from support.calibrations import METRIC, WHEN, judged, record
from unit.gating.building import policy

N = 400
MARGIN = {"metric": METRIC, "margin": 0.05}
BAND = {"metric": METRIC, "pass_at": 0.85, "block_at": 0.7}
MISSING = ScoreStatus.MISSING


def rules(*checks: dict[str, Any], **plan: Any) -> Policy:
    return policy(*checks, sequential=plan, require_baseline=False)


def decided(by: Policy, candidate: Evaluation, baseline: Evaluation | None = None) -> Decision:
    return decide(by, candidate, baseline, decided_at=WHEN, beleg_version="0", calibrations=(record(),))


def only_first(by: Policy, values: Sequence[float], looks: int) -> list[float | ScoreStatus]:
    """The scores with nothing judged beyond a look."""
    whole = judged(list(values))
    assert by.sequential is not None
    order = plan_looks(by, by.sequential, whole.cases)
    inside = set(order.members(looks).tolist()) if looks else set()
    return [value if place in inside else MISSING for place, value in enumerate(values)]


def good(seed: int = 0) -> list[float]:
    return np.where(np.random.default_rng(seed).random(N) < 0.96, 1.0, 0.0).tolist()


def test_an_unchanged_candidate_passes_early_and_saves_the_rest() -> None:
    by = rules(MARGIN)
    same = good()
    found = decided(by, judged(same), judged(same, name="old"))
    assert found.verdict is Verdict.PASS
    assert found.sequential is not None
    assert found.sequential.outcome == "settled"
    assert found.sequential.cases_saved >= 0.4 * N
    line = next(check for check in found.checks if check.kind is CheckKind.SEQUENTIAL)
    assert line.reason.en == "Settled at look 2 of 5, with 160 of 400 cases judged"


def test_what_was_judged_beyond_the_settled_look_changes_nothing() -> None:
    by = rules(BAND)
    values = good()
    values_late_bad = [
        value if kept is not MISSING else 0.0 for value, kept in zip(values, only_first(by, values, 2), strict=True)
    ]
    settled = decided(by, judged(only_first(by, values, 2)))
    assert settled.verdict is Verdict.PASS
    assert decided(by, judged(values_late_bad)).checks == settled.checks


def test_a_bad_candidate_is_blocked_early() -> None:
    found = decided(rules(BAND), judged([0.0, 1.0] * (N // 2)))
    assert found.verdict is Verdict.BLOCK
    assert found.sequential is not None
    assert found.sequential.looks[-1].number == 1
    assert found.sequential.cases_saved == 320


def test_a_mere_estimate_blocks_only_when_all_cases_were_judged() -> None:
    """22 of 80 wrong lies beyond the level that blocks, and proves nothing yet."""
    by = rules({**BAND, "block_at": 0.74})
    start = only_first(by, [1.0] * N, 1)
    first = [place for place, value in enumerate(start) if value is not MISSING]
    for place in first[:22]:
        start[place] = 0.0
    found = decided(by, judged(start))
    assert found.verdict is Verdict.REVIEW
    band = next(check for check in found.checks if check.kind is CheckKind.BAND)
    assert (band.state, band.figure.estimate if band.figure else None) == (
        CheckState.INCONCLUSIVE,
        pytest.approx(0.725),
    )
    assert "when all cases are judged" in band.reason.en


def test_a_look_waits_until_all_its_cases_are_judged_and_says_for_how_many() -> None:
    by = rules({**BAND, "pass_at": 0.955, "block_at": 0.9})
    values = only_first(by, good(), 2)
    first_judged = next(place for place, value in enumerate(values) if value is not MISSING)
    values[first_judged] = MISSING
    found = decided(by, judged(values))
    assert found.verdict is Verdict.REVIEW
    assert found.sequential is not None
    assert (found.sequential.outcome, found.sequential.cases_saved) == ("waiting", 0)
    line = next(check for check in found.checks if check.kind is CheckKind.SEQUENTIAL)
    assert line.state is CheckState.NOT_EVALUATED
    assert "waits for " in line.reason.en


def test_nothing_judged_decides_nothing_and_asks_for_the_first_look() -> None:
    by = rules(BAND)
    bare = replace(judged([MISSING] * N), judges={})
    found = decided(by, bare)
    assert found.verdict is Verdict.REVIEW
    assert found.sequential is not None
    assert (found.sequential.outcome, found.sequential.looks) == ("waiting", ())


def test_a_judge_that_nobody_calibrated_settles_nothing_however_much_it_judges() -> None:
    by = rules(BAND)
    found = decide(by, judged(good()), None, decided_at=WHEN, beleg_version="0")
    assert found.verdict is Verdict.REVIEW
    assert found.sequential is not None
    assert found.sequential.outcome == "pointless"


def test_a_certain_fault_blocks_before_anything_is_judged() -> None:
    by = rules(BAND, {"metric": "forbidden_passages", "zero_tolerance": True})
    run = judged([MISSING] * N)
    leak = column([1.0] + [0.0] * (N - 1))
    found = decided(by, replace(run, scores={**run.scores, "forbidden_passages": leak}))
    assert found.verdict is Verdict.BLOCK
    assert found.sequential is not None
    assert found.sequential.cases_saved == N


def test_after_the_last_look_what_is_open_stays_open() -> None:
    by = rules({**BAND, "pass_at": 0.955, "block_at": 0.9})
    found = decided(by, judged(good()))
    assert found.verdict is Verdict.REVIEW
    assert found.sequential is not None
    assert found.sequential.outcome == "exhausted"
    assert [look.cases for look in found.sequential.looks] == [80, 160, 240, 320, 400]


def test_bounds_are_those_of_the_look_and_the_decision_names_their_confidence() -> None:
    found = decided(rules(BAND), judged([0.0, 1.0] * (N // 2)))
    band = next(check for check in found.checks if check.kind is CheckKind.BAND)
    assert band.figure is not None
    assert band.figure.n == 80
    assert band.figure.confidence == pytest.approx(1 - 0.01477, abs=1e-5)


def test_a_policy_without_judged_metrics_takes_no_looks() -> None:
    by = rules({"metric": "forbidden_passages", "zero_tolerance": True})
    run = judged(good())
    scores = {**run.scores, "forbidden_passages": column([0.0] * N)}
    assert decided(by, replace(run, scores=scores)).sequential is None


class TestErrorUnderPeeking:
    """Candidates that are exactly as bad as the margin, decided by the real gate."""

    def test_they_pass_as_seldom_as_promised(self) -> None:
        by, n, samples = rules(MARGIN), 200, 300
        rng = np.random.default_rng(5)
        one, other = judged([1.0] * n), judged([1.0] * n, name="old")
        passed = 0
        for _ in range(samples):
            chance = rng.random(n)
            old = np.where(chance < 0.9, 1.0, 0.0)
            new = np.where(chance < 0.08, 0.0, np.where(chance > 0.97, 1.0, old))
            found = decided(by, with_scores(one, new), with_scores(other, old))
            passed += found.verdict is Verdict.PASS
        assert passed / samples <= 0.06 + 3 * np.sqrt(0.06 * 0.94 / samples)


def with_scores(run: Evaluation, values: np.ndarray) -> Evaluation:
    every = np.full(len(values), STATUS_CODE[ScoreStatus.SCORED], dtype=np.uint8)
    return replace(run, scores={METRIC: ScoreColumn.from_parts(values, every)})
