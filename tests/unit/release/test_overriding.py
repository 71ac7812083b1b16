"""An override counts for one decision, in date, for every check that failed."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from beleg.core.attestation import ReleaseDecision, ReleaseOverride, TrustFile
from beleg.release.overriding import fault_of_override
from support.vector_tools import NOW, parts

TRUST = TrustFile.model_validate_json(json.dumps(parts.trust()))
DECISION = ReleaseDecision.model_validate_json(json.dumps(parts.decision("BLOCK")))
DIGEST = parts.digest(parts.BLOCKED)


def fault(at: object = NOW, **changes: object) -> str | None:
    override = ReleaseOverride.model_validate_json(json.dumps(parts.override(**changes)))
    return fault_of_override(override, DECISION, DIGEST, TRUST, at)


def test_it_counts_between_its_times() -> None:
    assert fault() is None
    assert fault(NOW - timedelta(hours=2)) is None
    assert fault(NOW - timedelta(hours=2, microseconds=1)) == "override_not_yet_valid"
    assert fault(NOW + timedelta(hours=22)) == "override_expired"


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        (["faithfulness", "latency"], None), (["latency", "faithfulness", "cost"], None),
        (["latency"], "override_incomplete"), (["Faithfulness", "latency"], "override_incomplete"),
    ],
)  # fmt: skip
def test_every_failed_check_must_be_covered(checks: list[str], expected: str | None) -> None:
    assert fault(checks=checks) == expected


def test_a_life_is_counted_from_when_it_was_signed() -> None:
    assert fault(issuedAt="2026-11-30T11:59:59Z", expiresAt="2026-12-03T11:59:59Z") is None
    assert fault(issuedAt="2026-11-30T11:59:58Z", expiresAt="2026-12-03T11:59:59Z") == "override_too_long"
