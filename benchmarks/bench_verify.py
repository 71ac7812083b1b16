"""What a deployment controller spends on one question: trust file, decision, override.

usage: python benchmarks/bench_verify.py [--smoke]

From the bytes of the trust file and of the envelopes to the answer and what is to be remembered of it: strict reading,
every signature, every rule. Reading the files, the memory on the disk and starting Python are left out. The decisions
have 2 checks, as the vectors that other verifiers are held against, and 60, as a gate with segments makes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import rfc8785
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from pydantic import TypeAdapter
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import ControllerState
from beleg.core.attestation import Instant
from beleg.release.controller import NamedBytes, Question, admit
from measuring import Row, is_smoke, show, spend

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import vector_parts as parts

VECTORS = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "release"
BUDGET_MS = 2.0
CHECKS = 60
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


def many_checks(*, is_overridden: bool) -> Question:
    """The same with a decision of 60 checks, which passed, or all of which one owner waives."""
    names = [f"recall@{number}" for number in range(1, CHECKS + 1)]
    state, failed = ("FAIL", names) if is_overridden else ("PASS", [])
    checks = [parts.check(name, state) for name in names]
    verdict = "BLOCK" if is_overridden else "PASS"
    predicate = parts.decision(verdict, checks=checks, failedChecks=failed, waivableChecks=failed)
    payload = parts.payload_of(predicate)
    envelopes = [parts.signed(payload, parts.GATE)]
    if is_overridden:
        envelopes.append(parts.over(overrides=parts.digest(payload), checks=names))
    return Question(
        trust=parts.text(parts.signed(rfc8785.dumps(parts.trust()), parts.ROOT, payload_type=parts.TRUST)).encode(),
        roots=(parts.ROOT.pem,),
        envelopes=tuple(NamedBytes(f"{n}.dsse.json", parts.text(one).encode()) for n, one in enumerate(envelopes)),
        subject=parts.CANDIDATE,
        environment="production",
        at=TypeAdapter(Instant).validate_python(parts.NOW),
        state=ControllerState(),
    )


def questions() -> dict[str, Question]:
    """What is asked, by the name of its row."""
    return {what: question(name) for what, name in QUESTIONS.items()} | {
        f"one decision of {CHECKS} checks": many_checks(is_overridden=False),
        f"a decision of {CHECKS} checks and its override": many_checks(is_overridden=True),
    }


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
    for what, asked in questions().items():
        if not admit(asked, verified_keys).admission.admitted:
            sys.exit(f"{what} is not admitted: the figures would mean nothing")
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
    setting = (
        "From the bytes of a trust file of four keys and of the envelopes to the answer; without reading files, and "
        f"without the memory on the disk. Least of {rounds} rounds of {times}."
    )
    show("verify", setting, rows, packages=("securesystemslib", "cryptography", "pydantic"), smoke=smoke)


if __name__ == "__main__":
    main()
