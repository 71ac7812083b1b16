"""Only a yes deploys, and the exit code of a no says whose it was."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from beleg.core.admission import Admission, ControllerState, EnvironmentMemory, SeenDecision
from beleg.core.attestation import AdmissionReason
from beleg.core.decision import Verdict


def admission(**changes: object) -> Admission:
    usual = {
        "admitted": False, "reason": AdmissionReason.EXPIRED, "subject": "a" * 64, "environment": "production",
        "at": datetime(2026, 11, 30, tzinfo=UTC),
    }  # fmt: skip
    return Admission(**{**usual, **changes})


@pytest.mark.parametrize(
    ("admitted", "decision", "code"),
    [
        (True, Verdict.PASS, 0), (True, Verdict.BLOCK, 0), (False, Verdict.REVIEW, 10), (False, Verdict.BLOCK, 20),
        (False, Verdict.PASS, 30), (False, None, 30),
    ],
)  # fmt: skip
def test_the_exit_code_follows(*, admitted: bool, decision: Verdict | None, code: int) -> None:
    assert admission(admitted=admitted, decision=decision).exit_code == code


def test_memory_survives_its_file() -> None:
    seen = SeenDecision(sequence="7", statement="b" * 64)
    state = ControllerState(
        trust_version="3",
        trust_payload="c" * 64,
        environments={"production": EnvironmentMemory(admitted=seen, held_back={"a" * 64: seen})},
    )
    assert ControllerState.model_validate_json(json.dumps(state.to_json_dict())) == state
    assert ControllerState().to_json_dict() == {"environments": {}}
