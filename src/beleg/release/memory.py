"""What a controller remembers, and what follows from it: nobody brings back what was replaced."""

from __future__ import annotations

from collections.abc import Iterator

from beleg.core.admission import Admission, ControllerState, EnvironmentMemory, SeenDecision
from beleg.core.attestation import TrustFile
from beleg.release.trust_files import BelievedTrust


def least_sequence(state: ControllerState, subject: str, environment: str, trust: TrustFile) -> int:
    """The sequence below which no decision on the candidate counts, by memory and trust file together."""
    named = int(trust.minimum_sequence.get(environment, "0"))
    return max([named, *(int(seen.sequence) for seen in _binding(state, subject, environment))])


def is_another(payload: str, sequence: int, state: ControllerState, subject: str, environment: str) -> bool:
    """Whether another statement was seen under this very sequence."""
    seen = _binding(state, subject, environment)
    return any(int(one.sequence) == sequence and one.statement != payload for one in seen)


def remembered(state: ControllerState, admission: Admission, trust: BelievedTrust | None) -> ControllerState:
    """The memory after an answer. A trust file that was refused leaves no trace in it."""
    if trust is None:
        return state
    environments = dict(state.environments)
    if admission.statement is not None and admission.sequence is not None:
        seen = SeenDecision(sequence=admission.sequence, statement=admission.statement)
        before = environments.get(admission.environment, EnvironmentMemory())
        environments[admission.environment] = _after(before, seen, admission)
    return ControllerState(trust_version=trust.file.version, trust_payload=trust.payload, environments=environments)


def _binding(state: ControllerState, subject: str, environment: str) -> Iterator[SeenDecision]:
    memory = state.environments.get(environment, EnvironmentMemory())
    if memory.admitted is not None:
        yield memory.admitted
    if subject in memory.held_back:
        yield memory.held_back[subject]


def _after(before: EnvironmentMemory, seen: SeenDecision, admission: Admission) -> EnvironmentMemory:
    if not admission.admitted:
        return before.model_copy(update={"held_back": {**before.held_back, admission.subject: seen}})
    # What is older than the decision that let something in is refused by that one alone.
    newer = {name: one for name, one in before.held_back.items() if int(one.sequence) > int(seen.sequence)}
    return EnvironmentMemory(admitted=seen, held_back=newer)
