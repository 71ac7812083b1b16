"""What the workbench remembers is typed, and closed tokens open nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from beleg.core.access import Access, Role
from beleg.core.workbench_state import Account, ApiToken, AuditAction, AuditEvent, OpenSession

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def token(**fields: object) -> ApiToken:
    """A token for a day."""
    given: dict[str, object] = {
        "token_id": "t1",
        "tenant": "acme",
        "label": "nightly",
        "roles": frozenset({Role.AUDITOR}),
        "created_by": "ada",
        "created_at": NOW,
        "expires_at": NOW + timedelta(days=1),
    }
    return ApiToken.model_validate(given | fields)


@pytest.mark.parametrize(
    ("fields", "at", "is_open"),
    [
        ({}, NOW, True),
        ({}, NOW + timedelta(days=1) - timedelta(microseconds=1), True),
        ({}, NOW + timedelta(days=1), False),
        ({"revoked_at": NOW}, NOW, False),
    ],
)
def test_a_token_opens_until_it_ends_or_is_taken_back(fields: dict[str, object], at: datetime, is_open: bool) -> None:
    assert token(**fields).is_open(at) is is_open


def test_a_program_has_the_rights_of_its_token_and_the_tenant_of_it() -> None:
    program = token().principal
    assert (program.name, program.tenant) == ("program:nightly", "acme")
    assert program.may(Access.AUDIT)
    assert not program.may(Access.OWN)


def test_a_token_acts_as_its_maker_alone_and_as_no_other_person() -> None:
    assert token(label="ada").principal.name == "ada"
    assert token(label="bob").principal.name == "program:bob"


@pytest.mark.parametrize("name", ["", "Acme", "a.b", "a/b", "1a", "-a", "a" * 41, "ä", "a\n"])
def test_a_tenant_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValidationError):
        token(tenant=name)


def test_what_opens_something_is_shown_nowhere() -> None:
    account = Account(
        tenant="acme", name="ada", roles=frozenset({Role.OWNER}), password_hash="scrypt-secret", created_at=NOW
    )
    session = OpenSession(principal=token().principal, form_token="form-secret", began_at=NOW, seen_at=NOW)
    assert "secret" not in repr((account, session))


def test_the_target_of_a_line_of_the_audit_log_is_capped() -> None:
    with pytest.raises(ValidationError):
        AuditEvent(at=NOW, actor="ada", action=AuditAction.PACK_READ, target="x" * 1_001)
