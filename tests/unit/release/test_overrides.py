"""What a named owner can answer for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from beleg.core.attestation import OVERRIDE_TYPE, ReleaseOverride, Statement
from beleg.core.decision import CheckKind, CheckState
from beleg.core.errors import DataError
from beleg.core.release_terms import ReleaseTerms
from beleg.release.canonical import read_as
from beleg.release.overrides import OverrideRequest, override_statement
from beleg.release.statements import Issue, decision_statement
from support.signing import HEX, WHEN, check, decision, policy

TERMS = {"waivable": ("latency_ms", "hit@5"), "max_override_hours": 48, "owners": ("A. Weiss",)}
CHECKS = (check("latency_ms", CheckState.FAIL), check("hit@5", CheckState.INCONCLUSIVE), check("ndcg@10"))
REQUEST: dict[str, Any] = {
    "checks": ("latency_ms/band", "hit@5/band"), "owner": "A. Weiss", "reason": "Peak week", "ticket": "OPS-1",
    "compensating_control": "Support watches the queue", "hours": 24,
}  # fmt: skip


def signed(*checks: Any) -> Statement:
    by = policy(**TERMS)
    return decision_statement(
        decision(*(checks or CHECKS), by=by), by, Issue(environment="production", issued_at=WHEN, sequence=1)
    )


def made(at: datetime = WHEN, statement: Statement | None = None, **changes: Any) -> Statement:
    request = OverrideRequest(**REQUEST | changes)
    return override_statement(statement or signed(), HEX, request, ReleaseTerms(**TERMS), at)


def test_it_names_decision_checks_owner_reason_ticket_control_and_end() -> None:
    statement = made()
    assert statement.predicate_type == OVERRIDE_TYPE
    assert statement.subject == signed().subject
    told = read_as(ReleaseOverride, statement.predicate)
    assert told.overrides == HEX
    assert told.checks == ("latency_ms/band", "hit@5/band")
    assert told.expires_at - told.issued_at == timedelta(hours=24)
    assert (told.owner, told.ticket, told.environment) == ("A. Weiss", "OPS-1", "production")


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"checks": ("latency_ms/band",)}, "not covered"),
        ({"checks": ()}, "not covered"),
        ({"checks": ("latency_ms/band", "hit@5/band", "ndcg@10/band")}, "did not fail"),
        ({"owner": "B. Grau"}, "does not let this owner"),
        ({"owner": " "}, "is empty"),
        ({"reason": ""}, "is empty"),
        ({"ticket": ""}, "is empty"),
        ({"compensating_control": "\n"}, "is empty"),
        ({"hours": 49}, "1 to 48 hours"),
        ({"hours": 0}, "1 to 48 hours"),
        ({"at": WHEN + timedelta(hours=72)}, "has expired"),
    ],
)
def test_what_would_not_count_is_refused_before_it_is_signed(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(DataError, match=word):
        made(**changes)


def test_a_certain_fault_cannot_be_overridden_even_beside_others() -> None:
    leak = check("entitlement_leak", CheckState.FAIL, kind=CheckKind.ZERO_TOLERANCE, check_id="leak")
    with pytest.raises(DataError, match="nobody may override this check"):
        made(statement=signed(*CHECKS, leak), checks=("latency_ms/band", "hit@5/band", "leak"))


def test_a_pass_needs_no_override() -> None:
    with pytest.raises(DataError, match="nothing to override"):
        made(statement=signed(check("hit@5")))


def test_everything_wrong_is_named_at_once() -> None:
    with pytest.raises(DataError) as caught:
        made(owner="", hours=0, checks=())
    assert len(caught.value.problems) >= 4
