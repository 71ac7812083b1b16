from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.case import Case, ExpectedPassage, Nugget, Principal, Role, Turn
from beleg.core.policy import Policy, PolicyCheck
from beleg.core.policy_rules import CaseProperty, CriticalClaims, ErrorBudget, EvaluatorFailures

BARE = Case(case_id="c", user_input="?")
HOLDING = {
    CaseProperty.REQUIRED_EVIDENCE: {"expected_passages": (ExpectedPassage(document_id="d"),)},
    CaseProperty.REQUIRED_CLAUSES: {"required_clauses": (("x",),)},
    CaseProperty.REFERENCE_ANSWER: {"reference_answer": "x"},
    CaseProperty.RUBRIC: {"rubric": "x"},
    CaseProperty.NUGGETS: {"nuggets": (Nugget(nugget_id="n", text="x"),)},
    CaseProperty.FORBIDDEN_SOURCES: {"forbidden_sources": ("d",)},
    CaseProperty.RESTRICTED_PRINCIPAL: {"principal": Principal(tenant="acme")},
}


@pytest.mark.parametrize("held", [each for each in CaseProperty if each is not CaseProperty.CONVERSATION])
def test_a_property_holds_where_the_case_has_it_and_nowhere_else(held: CaseProperty) -> None:
    assert not held.holds(BARE)
    assert held.holds(BARE.model_copy(update=HOLDING[held]))


def test_a_conversation_is_one_that_has_turns() -> None:
    assert CaseProperty.CONVERSATION.holds(Case(case_id="c", turns=(Turn(role=Role.USER, content="?"),)))
    assert not CaseProperty.CONVERSATION.holds(BARE)


def test_evidence_that_may_be_missing_is_not_required() -> None:
    optional = BARE.model_copy(update={"expected_passages": (ExpectedPassage(document_id="d", required=False),)})
    assert not CaseProperty.REQUIRED_EVIDENCE.holds(optional)


@pytest.mark.parametrize(
    "make",
    [
        lambda: CriticalClaims(where={}),
        lambda: EvaluatorFailures(ceiling=1.0),
        lambda: EvaluatorFailures(ceiling=-0.1),
        lambda: ErrorBudget(period_days=0, allowed=1),
        lambda: ErrorBudget(period_days=30, allowed=-1),
        lambda: PolicyCheck(metric="hit@5", margin=0.1, having=()),
        lambda: PolicyCheck(metric="hit@5", margin=0.1, together_with=()),
    ],
)
def test_a_rule_that_says_nothing_or_anything_is_refused(make) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValidationError):
        make()


def test_a_policy_without_the_new_rules_has_the_digest_that_it_always_had() -> None:
    """Digests of policies that were stored before must stay what they were."""
    plain = Policy(policy="p", checks=(PolicyCheck(metric="mrr", margin=0.02),))
    names = set(plain.to_json_dict()) | set(plain.to_json_dict()["checks"][0])
    assert names.isdisjoint({"critical_claims", "error_budget", "having", "together_with", "block_when_open"})
    assert plain.digest == "sha256:819f0fa9bd2b69d7a3b39eec7b46e854391245a037450a40a748f6d81a171886"
