"""Memory binds: nothing older than what was let in, nothing older than a no on the same candidate."""

from __future__ import annotations

import json

from beleg.core.admission import Admission, ControllerState, EnvironmentMemory, SeenDecision
from beleg.core.attestation import AdmissionReason, TrustFile
from beleg.release.memory import is_another, least_sequence, remembered
from beleg.release.trust_files import BelievedTrust
from support.vector_tools import NOW, parts

TRUST = TrustFile.model_validate_json(json.dumps(parts.trust(minimumSequence={"production": "5"})))
ONE, TWO = "1" * 64, "2" * 64


def seen(sequence: int, statement: str = ONE) -> SeenDecision:
    return SeenDecision(sequence=str(sequence), statement=statement)


def state(admitted: SeenDecision | None = None, **held_back: SeenDecision) -> ControllerState:
    memory = EnvironmentMemory(admitted=admitted, held_back={name * 64: one for name, one in held_back.items()})
    return ControllerState(environments={"production": memory})


def answer(sequence: int, *, admitted: bool, subject: str = "a") -> Admission:
    return Admission(
        admitted=admitted, reason=AdmissionReason.PASS, subject=subject * 64, environment="production", at=NOW,
        sequence=str(sequence), statement=ONE,
    )  # fmt: skip


def test_the_highest_of_memory_and_trust_file_binds() -> None:
    assert least_sequence(ControllerState(), "a" * 64, "production", TRUST) == 5
    assert least_sequence(state(seen(7)), "a" * 64, "production", TRUST) == 7
    assert least_sequence(state(seen(3), a=seen(9)), "a" * 64, "production", TRUST) == 9
    assert least_sequence(state(seen(3), b=seen(9)), "a" * 64, "production", TRUST) == 5
    assert least_sequence(state(seen(7)), "a" * 64, "staging", TRUST) == 0


def test_one_sequence_is_one_statement() -> None:
    assert is_another(TWO, 7, state(seen(7)), "a" * 64, "production")
    assert is_another(TWO, 7, state(a=seen(7)), "a" * 64, "production")
    assert not is_another(ONE, 7, state(seen(7)), "a" * 64, "production")
    assert not is_another(TWO, 8, state(seen(7)), "a" * 64, "production")


def test_a_yes_drops_what_it_makes_superfluous() -> None:
    before = state(seen(3), a=seen(6), b=seen(9))
    after = remembered(before, answer(7, admitted=True), BelievedTrust(TRUST, TWO)).environments["production"]
    assert after == EnvironmentMemory(admitted=seen(7), held_back={"b" * 64: seen(9)})


def test_a_no_binds_its_candidate_alone() -> None:
    after = remembered(state(seen(3)), answer(7, admitted=False), BelievedTrust(TRUST, TWO)).environments["production"]
    assert after == EnvironmentMemory(admitted=seen(3), held_back={"a" * 64: seen(7)})


def test_without_a_trust_file_nothing_is_remembered() -> None:
    assert remembered(state(seen(3)), answer(7, admitted=False), None) == state(seen(3))
