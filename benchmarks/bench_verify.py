"""What a deployment controller spends on one question: trust file, decision, override.

usage: python benchmarks/bench_verify.py [--smoke]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from pydantic import TypeAdapter
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import ControllerState
from beleg.core.attestation import Instant
from beleg.release.controller import NamedBytes, Question, admit
from measuring import Row, is_smoke, show, spend

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "release"
BUDGET_MS = 2.0
QUESTIONS = {"one decision": "pass", "one decision, P-256": "p256", "a decision and its override": "override_ok"}


def question(name: str) -> Question:
    """What a vector asks."""
    data = json.loads((VECTORS / f"{name}.json").read_text(encoding="ascii"))
    return Question(
        trust=data["trust"].encode(),
        roots=tuple(data["roots"]),
        envelopes=tuple(NamedBytes(one["name"], one["text"].encode()) for one in data["envelopes"]),
        subject=data["subject"],
        environment=data["environment"],
        at=TypeAdapter(Instant).validate_python(data["at"]),
        state=ControllerState(),
    )


def signatures_alone(asked: Question) -> None:
    """The same envelopes held against their keys by securesystemslib, and nothing else of what a controller checks."""
    trust = json.loads(asked.trust)
    # The library turns signatures around in the very data that it is given, so each key id is taken out before.
    signer = trust["signatures"][0]["keyid"]
    opened = Envelope.from_dict(trust)
    opened.verify([_key(signer, asked.roots[0])], 1)
    keys = json.loads(opened.payload)["keys"]
    for one in asked.envelopes:
        envelope = json.loads(one.data)
        signer = envelope["signatures"][0]["keyid"]
        Envelope.from_dict(envelope).verify([_key(signer, keys[signer]["publicKey"])], 1)


def _key(key_id: str, pem: str) -> SSlibKey:
    return SSlibKey.from_crypto(load_pem_public_key(pem.encode()), keyid=key_id)


def milliseconds(work: Callable[[], object], *, rounds: int, times: int) -> float:
    """The least processor time of one call."""

    def often() -> None:
        for _ in range(times):
            work()

    return min(spend(often)[1].cpu_s for _ in range(rounds)) / times * 1_000


def main() -> None:
    """Asks each question many times."""
    smoke = is_smoke(__doc__)
    rounds, times = (1, 3) if smoke else (7, 100)
    rows = []
    for what, name in QUESTIONS.items():
        asked = question(name)
        if not admit(asked, verified_keys).admission.admitted:
            sys.exit(f"{name} is not admitted: the figures would mean nothing")
        ours = milliseconds(lambda asked=asked: admit(asked, verified_keys), rounds=rounds, times=times)
        theirs = milliseconds(lambda asked=asked: signatures_alone(asked), rounds=rounds, times=times)
        rows.append(
            Row(
                what=what,
                measured=ours,
                unit="CPU ms",
                budget=BUDGET_MS,
                peer="signatures alone",
                peer_measured=theirs,
            )
        )
    setting = f"A trust file of four keys each time; least of {rounds} rounds of {times}; nothing is kept."
    show("verify", setting, rows, packages=("securesystemslib", "cryptography", "pydantic"), smoke=smoke)


if __name__ == "__main__":
    main()
