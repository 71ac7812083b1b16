from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from beleg.core.governance import Incident, IncidentKind, PolicyRegistration
from beleg.core.policy import Policy, PolicyCheck

AT = datetime(2026, 12, 1, tzinfo=UTC)


def test_an_incident_uses_up_something_and_says_when_with_a_time_zone() -> None:
    assert Incident(at=AT, kind=IncidentKind.INCIDENT, note="n").weight == 1.0
    with pytest.raises(ValidationError):
        Incident(at=AT, kind=IncidentKind.INCIDENT, note="n", weight=0.0)
    with pytest.raises(ValidationError):
        Incident(at=AT.replace(tzinfo=None), kind=IncidentKind.INCIDENT, note="n")


def test_a_registration_gives_the_policy_back_unchanged() -> None:
    rules = Policy(policy="p", checks=(PolicyCheck(metric="mrr", margin=0.02),))
    entry = PolicyRegistration(policy="p", version=1, digest=rules.digest, at=AT, content=rules)
    again = PolicyRegistration.model_validate_json(entry.model_dump_json(exclude_none=True))
    assert again.content is not None
    assert again.content.digest == rules.digest
