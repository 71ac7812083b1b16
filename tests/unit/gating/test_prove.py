from __future__ import annotations

from typing import Any

import pytest

from beleg.core.decision import CheckKind, CheckState
from beleg.core.errors import ConfigError
from beleg.gating.prove import Proof, prove
from support.builders import case
from unit.gating.building import policy

BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}
SEGMENTS = [{"where": {"language": "de"}}, {"where": {"language": "en"}}]
EVERYTHING: dict[str, Any] = {
    "protected_segments": SEGMENTS,
    "critical_claims": {},
    "evaluator_failures": {"ceiling": 0.02},
    "error_budget": {"period_days": 30, "allowed": 0},
    "require_review_dates": True,
    "require_registration": True,
    "required_record": ["prompt"],
    "owner": "A",
    "rationale": "b",
    "review_by": "2027-01-01",
}


def by_id(*checks: dict[str, Any], **fields: Any) -> dict[str, Proof]:
    return {proof.check_id: proof for proof in prove(policy(*checks, **fields))}


def test_every_kind_that_a_policy_can_ask_for_guards() -> None:
    proofs = by_id(
        BAND | {"margin": 0.05, "protected": {"pass_at": 0.7, "block_at": 0.6, "margin": 0.05}},
        {"metric": "entitlement_leak", "zero_tolerance": True},
        {"metric": "faithfulness", "pass_at": 0.9, "block_at": 0.8},
        {"metric": "latency_ms", "pass_at": 1e3, "block_at": 2e3, "margin": 100},
        {"metric": "cost_usd", "aggregate": "p99", "pass_at": 0.1, "block_at": 0.2},
        **EVERYTHING,
    )  # fmt: skip
    assert all(proof.is_guarding for proof in proofs.values())
    asked = {CheckKind.EVALUATOR, CheckKind.ERROR_BUDGET, CheckKind.REVIEW_DATES, CheckKind.REGISTRATION,
             CheckKind.RECORD}  # fmt: skip
    assert {proof.kind for proof in proofs.values() if not proof.blocks} == asked


def test_a_collapse_in_one_segment_blocks_there_although_all_else_is_perfect() -> None:
    rules = BAND | {"pass_at": 0.2, "block_at": 0.1, "protected": {"pass_at": 0.8, "block_at": 0.7}}
    proofs = by_id(rules, protected_segments=SEGMENTS)
    assert proofs["hit@5/band/language=de"].collapse is CheckState.FAIL
    assert proofs["hit@5/band/language=en"].collapse is CheckState.FAIL


def test_one_event_is_enough_to_block_where_none_is_allowed() -> None:
    assert by_id({"metric": "entitlement_leak", "zero_tolerance": True})["entitlement_leak/zero_tolerance"].blocks


def test_a_rule_that_only_asks_for_a_person_blocks_where_the_policy_says_so() -> None:
    given = {"error_budget": {"period_days": 30, "allowed": 0}}
    assert by_id(BAND, **given)["error_budget"].collapse is CheckState.INCONCLUSIVE
    assert by_id(BAND, **given, block_when_open=["error_budget"])["error_budget"].blocks


def test_on_a_suite_that_is_too_small_a_check_is_seen_not_to_guard() -> None:
    found = prove(policy(BAND), [case(f"c{i}") for i in range(3)])
    assert [(proof.healthy, proof.is_guarding) for proof in found] == [(CheckState.INCONCLUSIVE, False)]


def test_a_policy_that_nobody_could_carry_out_proves_nothing() -> None:
    with pytest.raises(ConfigError):
        prove(policy({"metric": "no_such_metric", "margin": 0.1}))
