"""A gate that was never seen to block is decoration: each kind of check and each rule of a policy is seen to block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from beleg.core.case import RiskTier
from beleg.core.decision import CheckKind, CheckState, Decision, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.evidence import SupportVerdict
from beleg.core.governance import Incident, IncidentKind, ReviewedClaim
from beleg.core.policy import Policy, PolicyCheck
from beleg.core.policy_rules import RecordedPlace
from beleg.core.score import ScoreStatus
from beleg.gating.decide import decide
from beleg.gating.facts import NO_FACTS, Facts
from support.builders import case, evaluation, header
from unit.gating.building import policy

N = 400
AT = datetime(2026, 12, 1, tzinfo=UTC)
CASES = tuple(
    case(f"c{i}", language="de" if i % 2 else "en", risk_tier=RiskTier.HIGH, required_clauses=(("yes",),))
    for i in range(N)
)
GOOD, BAD = [1.0] * N, [0.0] * N
NONE: list[ScoreStatus] = [ScoreStatus.MISSING] * N
BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}
WORSE_IN_GERMAN = [0.0 if i % 2 else 1.0 for i in range(N)]


def run(name: str = "new", **scores: Any) -> Evaluation:
    return evaluation(CASES, {key.replace("_at_", "@"): values for key, values in scores.items()}, name)


@dataclass(frozen=True)
class Tried:
    """A policy, what must make it block, and what must keep it from a silent PASS."""

    rules: Policy
    blocks: Callable[[Policy], Decision]
    unseen: Callable[[Policy], Decision]


def decided(
    rules: Policy, candidate: Evaluation, *, facts: Facts = NO_FACTS, baseline: Evaluation | None = None
) -> Decision:
    return decide(rules, candidate, baseline, decided_at=AT, beleg_version="0", facts=facts)


def on(candidate: Evaluation, **given: Any) -> Callable[[Policy], Decision]:
    return lambda rules: decided(rules, candidate, **given)


def against(candidate: Evaluation) -> Callable[[Policy], Decision]:
    return on(candidate, baseline=run("old", hit_at_5=GOOD))


def alone(*checks: dict[str, Any], **fields: Any) -> Policy:
    return policy(*checks, **({"require_baseline": False} | fields))


def reviewed(verdict: SupportVerdict) -> Facts:
    claim = ReviewedClaim(case_id="c1", claim_id="C-1", wording=("w",), verdict=verdict)
    return Facts(reviews={"c1": (claim,)}, reviews_digest="sha256:1")


CLAIMS = alone(BAND, critical_claims={"where": {"risk_tier": "high"}})
JUDGED = {"metric": "faithfulness", "pass_at": 0.9, "block_at": 0.8}
EVALUATORS = alone(
    BAND, JUDGED, evaluator_failures={"ceiling": 0.02}, block_when_open=["evaluator"], minimum_coverage=0.0
)
FAULTY = [ScoreStatus.JUDGE_ERROR if i < N // 2 else 1.0 for i in range(N)]
BUDGET = alone(BAND, error_budget={"period_days": 30, "allowed": 0}, block_when_open=["error_budget"])
INCIDENT = Incident(at=AT - timedelta(days=1), kind=IncidentKind.FAILED_RELEASE, note="rolled back")
PROMPTLESS = replace(run(hit_at_5=GOOD), unrecorded={RecordedPlace.PROMPT: ("c1",)})
PART = replace(run(hit_at_5=GOOD), suite_cases=N + 1)
UNRESOLVED = run(hit_at_5=GOOD)
OTHER_SUITE = replace(run("old", hit_at_5=GOOD), header=header(CASES, "old", suite_digest="sha256:other"))

OF_KIND: dict[CheckKind, Tried] = {
    CheckKind.BAND: Tried(alone(BAND), on(run(hit_at_5=BAD)), on(run(hit_at_5=NONE))),
    CheckKind.NO_REGRESSION: Tried(
        policy({"metric": "hit@5", "margin": 0.05}), against(run(hit_at_5=BAD)), against(run(hit_at_5=NONE))
    ),
    CheckKind.ZERO_TOLERANCE: Tried(
        alone({"metric": "entitlement_leak", "zero_tolerance": True}),
        on(run(entitlement_leak=[1.0, *BAD[1:]])),
        on(run(entitlement_leak=NONE)),
    ),
    CheckKind.COVERAGE: Tried(
        alone(BAND, block_when_open=["coverage"]), on(run(hit_at_5=NONE)), on(run(hit_at_5=NONE))
    ),
    CheckKind.COMPARABILITY: Tried(
        policy(BAND, block_when_open=["comparability"]),
        on(run(hit_at_5=GOOD), baseline=OTHER_SUITE),
        on(run(hit_at_5=GOOD)),
    ),
    CheckKind.COMPLETENESS: Tried(alone(BAND, block_when_open=["completeness"]), on(PART), on(PART)),
    CheckKind.REPRODUCIBILITY: Tried(
        alone(BAND, require_reproducible=True, block_when_open=["reproducibility"]), on(UNRESOLVED), on(UNRESOLVED)
    ),
    CheckKind.CALIBRATION: Tried(
        alone(JUDGED, block_when_open=["calibration"]), on(run(faithfulness=GOOD)), on(run(faithfulness=NONE))
    ),
    CheckKind.CRITICAL_CLAIMS: Tried(
        CLAIMS,
        on(run(hit_at_5=GOOD, faithfulness=NONE), facts=reviewed(SupportVerdict.NOT_SUPPORTED)),
        on(run(hit_at_5=GOOD, faithfulness=NONE)),
    ),
    CheckKind.EVALUATOR: Tried(
        EVALUATORS,
        on(run(hit_at_5=GOOD, faithfulness=FAULTY, failed=BAD)),
        on(run(hit_at_5=GOOD, faithfulness=NONE, failed=BAD)),
    ),
    CheckKind.RECORD: Tried(
        alone(BAND, required_record=["prompt"], block_when_open=["record"]), on(PROMPTLESS), on(PROMPTLESS)
    ),
    CheckKind.ERROR_BUDGET: Tried(
        BUDGET, on(run(hit_at_5=GOOD), facts=Facts(incidents=(INCIDENT,))), on(run(hit_at_5=GOOD))
    ),
    CheckKind.REVIEW_DATES: Tried(
        alone(BAND, require_review_dates=True, block_when_open=["review_dates"]),
        on(run(hit_at_5=GOOD)),
        on(run(hit_at_5=GOOD)),
    ),
    CheckKind.REGISTRATION: Tried(
        alone(BAND, require_registration=True, block_when_open=["registration"]),
        on(run(hit_at_5=GOOD), facts=Facts(registrations=())),
        on(run(hit_at_5=GOOD)),
    ),
    CheckKind.SEQUENTIAL: Tried(
        alone(JUDGED, sequential={}, block_when_open=["sequential"]),
        on(run(faithfulness=NONE)),
        on(run(faithfulness=NONE)),
    ),
}
"""One fixture per kind of check. A new kind fails the tests below until it is seen to block here."""


def test_every_kind_of_check_has_a_fixture() -> None:
    assert set(OF_KIND) == set(CheckKind)


@pytest.mark.parametrize("kind", list(CheckKind))
def test_every_kind_of_check_is_seen_to_block(kind: CheckKind) -> None:
    decision = OF_KIND[kind].blocks(OF_KIND[kind].rules)
    assert decision.verdict is Verdict.BLOCK
    assert kind in {check.kind for check in decision.by_state(CheckState.FAIL)}


@pytest.mark.parametrize("kind", list(CheckKind))
def test_every_kind_of_check_asks_for_a_person_where_evidence_is_missing(kind: CheckKind) -> None:
    """Without ``block_when_open`` nothing blocks that says nothing about the candidate, and nothing passes either."""
    lenient = OF_KIND[kind].rules.model_copy(update={"block_when_open": None})
    decision = OF_KIND[kind].unseen(lenient)
    assert decision.verdict is Verdict.REVIEW
    assert any(check.kind is kind and check.state is not CheckState.PASS for check in decision.checks)


@pytest.mark.parametrize("kind", list(CheckKind))
def test_what_does_not_pass_says_what_would_change_it(kind: CheckKind) -> None:
    lenient = OF_KIND[kind].rules.model_copy(update={"block_when_open": None})
    for check in OF_KIND[kind].unseen(lenient).checks:
        if check.state is not CheckState.PASS and check.kind is kind:
            assert check.remedy is not None
            assert check.remedy.en != check.remedy.de


WELL = run(hit_at_5=GOOD)


def made_with(name: str, embedding: str) -> Evaluation:
    made = run(name, hit_at_5=GOOD)
    manifest = made.header.manifest.model_copy(update={"embedding_model": embedding})
    changes = {"manifest": manifest, "manifest_digest": manifest.digest}
    return replace(made, header=made.header.model_copy(update=changes))


IN_GERMAN = run(hit_at_5=WORSE_IN_GERMAN)
SCORED = {"hit_at_5": GOOD, "required_clauses": GOOD}
LARGE = [*([0.01] * (N - 1)), 9.0]

RULES: dict[str, tuple[Policy, Callable[[Policy], Decision]]] = {
    "check.pass_at": (alone(BAND), on(run(hit_at_5=[1.0, 0.0, 1.0, 1.0] * (N // 4)))),
    "check.block_at": (alone(BAND), on(run(hit_at_5=BAD))),
    "check.margin": (policy({"metric": "hit@5", "margin": 0.05}), against(run(hit_at_5=[1.0, 0.0] * (N // 2)))),
    "check.where": (alone(BAND | {"where": {"language": "de"}}), on(IN_GERMAN)),
    "check.having": (alone(BAND | {"having": ["required_clauses"]}), on(run(hit_at_5=BAD))),
    "check.aggregate": (
        alone({"metric": "cost_usd", "aggregate": "p50", "pass_at": 0.1, "block_at": 0.2}), on(run(cost_usd=[9.0] * N))
    ),
    "check.largest": (
        alone({"metric": "cost_usd", "aggregate": "mean", "pass_at": 0.1, "block_at": 0.2, "largest": 1.0}),
        on(run(cost_usd=LARGE)),
    ),
    "check.zero_tolerance": (OF_KIND[CheckKind.ZERO_TOLERANCE].rules, OF_KIND[CheckKind.ZERO_TOLERANCE].blocks),
    "check.protected": (
        alone(
            BAND | {"pass_at": 0.3, "block_at": 0.2, "protected": {"pass_at": 0.8, "block_at": 0.7}},
            protected_segments=[{"where": {"language": "de"}}, {"where": {"language": "en"}}],
        ),
        on(IN_GERMAN),
    ),
    "check.minimum_n": (alone(BAND | {"minimum_n": N + 1}), on(WELL)),
    "check.together_with": (
        alone(BAND | {"together_with": ["required_clauses"]},
              {"metric": "required_clauses", "pass_at": 0.8, "block_at": 0.7}),
        on(run(**SCORED | {"required_clauses": [1.0, 1.0, 1.0, 0.0] * (N // 4)})),
    ),
    "minimum_n": (alone(BAND, minimum_n=N + 1), on(WELL)),
    "minimum_coverage": (alone(BAND), on(run(hit_at_5=[*GOOD[20:], *NONE[:20]]))),
    "allow_subset": (alone(BAND), on(PART)),
    "require_baseline": (policy(BAND), on(WELL)),
    "require_reproducible": (alone(BAND, require_reproducible=True), on(UNRESOLVED)),
    "protected_segments": (
        alone(BAND | {"pass_at": 0.3, "block_at": 0.2, "protected": {"pass_at": 0.8, "block_at": 0.7}},
              protected_segments=[{"where": {"language": "de"}}]),
        on(IN_GERMAN),
    ),
    "judge": (alone(JUDGED), on(run(faithfulness=GOOD))),
    "critical_claims": (CLAIMS, OF_KIND[CheckKind.CRITICAL_CLAIMS].blocks),
    "evaluator_failures": (EVALUATORS, OF_KIND[CheckKind.EVALUATOR].blocks),
    "required_record": (alone(BAND, required_record=["prompt"]), on(PROMPTLESS)),
    "error_budget": (BUDGET, OF_KIND[CheckKind.ERROR_BUDGET].blocks),
    "require_review_dates": (alone(BAND, require_review_dates=True), on(WELL)),
    "require_registration": (alone(BAND, require_registration=True), on(WELL)),
    "block_when_open": (policy(BAND, block_when_open=["comparability"]), on(WELL)),
    "sequential": (alone(BAND, JUDGED, sequential={}), on(run(hit_at_5=GOOD, faithfulness=NONE))),
    "treatment": (
        policy({"metric": "hit@5", "margin": 0.05}, treatment=["prompt"]),
        on(made_with("new", "e2"), baseline=made_with("old", "e1")),
    ),
    "require_comparable": (
        policy({"metric": "hit@5", "margin": 0.05}, require_comparable="strict"),
        on(run(hit_at_5=GOOD), baseline=run("old", hit_at_5=GOOD)),
    ),
    "confidence": (alone(BAND | {"pass_at": 0.9999, "block_at": 0.5}), on(WELL)),
}  # fmt: skip
"""For each rule of a policy a run that it keeps from PASS."""

NO_RULE = {
    "policy": "its name", "version": "its version", "seed": "of resampling", "resamples": "of resampling",
    "checks": "the checks themselves", "owner": "who answers", "rationale": "why", "review_by": "until when",
    "check.metric": "what is measured", "check.owner": "who answers", "check.rationale": "why",
    "check.review_by": "until when", "release": "of what is signed afterwards",
}  # fmt: skip
"""Fields that limit nothing by themselves."""


def test_every_field_of_a_policy_has_a_fixture_or_limits_nothing() -> None:
    fields = set(Policy.model_fields) | {f"check.{name}" for name in PolicyCheck.model_fields}
    assert fields == set(RULES) | set(NO_RULE)


@pytest.mark.parametrize("name", list(RULES))
def test_every_rule_of_a_policy_is_seen_to_keep_a_run_from_pass(name: str) -> None:
    rules, decide_by = RULES[name]
    strict = rules.model_copy(update={"block_when_open": tuple(CheckKind)})
    assert decide_by(rules).verdict is not Verdict.PASS
    assert decide_by(strict).verdict is Verdict.BLOCK


def test_the_runs_at_hand_pass_where_no_rule_stands_against_them() -> None:
    assert decided(alone(BAND), WELL).verdict is Verdict.PASS
    assert decided(alone(BAND), UNRESOLVED).verdict is Verdict.PASS
    assert decided(alone(BAND), PROMPTLESS).verdict is Verdict.PASS
    assert decided(alone(BAND | {"pass_at": 0.3, "block_at": 0.2}), IN_GERMAN).verdict is Verdict.PASS
