"""The vectors of the deployment controller, asked of Beleg itself."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import ControllerState
from beleg.core.attestation import Instant
from beleg.release.controller import Answer, NamedBytes, Question, admit

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "release"


@cache
def names() -> tuple[str, ...]:
    """Every vector there is."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def vector(name: str) -> Any:
    """One vector as data."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))


def question(data: Any) -> Question:
    """What the controller is asked in a vector."""
    return Question(
        trust=data["trust"].encode(),
        roots=tuple(data["roots"]),
        envelopes=tuple(NamedBytes(one["name"], one["text"].encode()) for one in data["envelopes"]),
        subject=data["subject"],
        environment=data["environment"],
        at=TypeAdapter(Instant).validate_json(json.dumps(data["at"])),
        state=ControllerState.model_validate_json(json.dumps(data["state"])),
    )


def answer(name: str) -> Answer:
    """What Beleg answers."""
    return admit(question(vector(name)), verified_keys)


def outcome_of(data: Any) -> dict[str, object]:
    """The answer to a vector in the words that it expects."""
    admission = admit(question(data), verified_keys).admission
    return {"admitted": admission.admitted, "reason": admission.reason.value, "exit_code": admission.exit_code}
