"""What signing a decision costs, beside the signature alone.

usage: python benchmarks/bench_signing.py [--smoke]

A decision of 60 checks, once with names and states alone and once as a gate makes them, each check with a figure, a
difference and its counts. "Sign" begins at the statement: its canonical form, the envelope, and the check of what
was just signed; "decision to envelope" makes the statement too, with the digest of the whole stored decision. The peer
is `cryptography` signing and verifying the same bytes, which nobody can be faster than.
"""

from __future__ import annotations

import base64
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from measuring import Row, is_smoke, show

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from beleg.adapters.signing.envelopes import sign_payload
from beleg.adapters.signing.verification import verified_keys
from beleg.core.attestation import PAYLOAD_TYPE
from beleg.core.decision import Bounds, CheckResult, Counts, Decision, Sentence
from beleg.core.policy import Policy
from beleg.core.score import ScoreStatus
from beleg.release.statements import Issue, decision_statement, payload_of
from support.signing import PlainSigner, check, decision, pae, policy

CHECKS = 60
BUDGET_MS = 2.0


def measured_check(number: int) -> CheckResult:
    """A check with all that a decision on a real run says of it."""
    estimate = 0.9 + number / 1_007
    bounds = {"confidence": 0.95, "method": "tango", "n": 640, "clusters": 211, "degrees_of_freedom": 208.7}
    figure = Bounds(estimate=estimate, lower=estimate - 0.017 / 3, upper=1.0, **bounds)
    difference = Bounds(estimate=0.0, lower=-0.013 / 7, upper=1e-05 * number, **bounds)
    counts = Counts(expected=640, scored=637, reasons={ScoreStatus.JUDGE_ERROR: 2, ScoreStatus.TIMEOUT: 1})
    reason = Sentence(
        en=f"The estimate of {estimate:.3f} lies above the floor, and its lower bound does not fall below it.",
        de=f"Der Schätzwert {estimate:.3f} liegt über der Schwelle, und die untere Grenze fällt nicht darunter.",
    )
    return check(
        f"recall@{number}", reason=reason, figure=figure, difference=difference, counts=counts, pass_at=0.9,
        block_at=0.8, margin=0.02, p_not_inferior=0.0012345678901234, worst_cases=("q-001", "q-017"),
    )  # fmt: skip


def cpu_ms(work: Callable[[], object], repeats: int) -> float:
    """The median processor time of one call."""
    taken = []
    for _ in range(repeats):
        started = time.process_time_ns()
        work()
        taken.append((time.process_time_ns() - started) / 1e6)
    return statistics.median(taken)


def rows_of(name: str, made: Decision, by: Policy, repeats: int) -> list[Row]:
    """The rows of one decision."""
    key = Ed25519PrivateKey.generate()
    signer = PlainSigner(key)
    issue = Issue(environment="production", issued_at=datetime.now(UTC), sequence=1)
    statement = decision_statement(made, by, issue)
    payload = payload_of(statement)
    envelope = sign_payload(payload, PAYLOAD_TYPE, [signer])
    raw, keys = [base64.b64decode(envelope.signatures[0].sig)], {signer.key_id: signer.public_key}
    encoded = pae(payload, PAYLOAD_TYPE)
    public, alone = key.public_key(), key.sign(encoded)

    def sign() -> None:
        sign_payload(payload_of(statement), PAYLOAD_TYPE, [signer])

    def decision_to_envelope() -> None:
        sign_payload(payload_of(decision_statement(made, by, issue)), PAYLOAD_TYPE, [signer])

    signature_ms = cpu_ms(lambda: key.sign(encoded), repeats)
    signing: list[tuple[str, Callable[[], None]]] = [
        (f"sign, CPU time{name}", sign),
        (f"the same from the decision on{name}", decision_to_envelope),
    ]
    return [
        Row(
            what=what,
            measured=cpu_ms(work, repeats),
            unit="ms",
            budget=BUDGET_MS,
            peer="cryptography, the signature alone",
            peer_measured=signature_ms,
            note=f"{len(payload):,} bytes",
        )
        for what, work in signing
    ] + [
        Row(
            what=f"verify, CPU time{name}",
            measured=cpu_ms(lambda: verified_keys(payload, PAYLOAD_TYPE, raw, keys), repeats),
            unit="ms",
            budget=BUDGET_MS,
            peer="cryptography, the check alone",
            peer_measured=cpu_ms(lambda: public.verify(alone, encoded), repeats),
        )
    ]


def main() -> int:
    """Measures and prints one table."""
    smoke = is_smoke(__doc__)
    repeats = 3 if smoke else 300
    by = policy()
    numbers = range(1, CHECKS + 1)
    rows = [
        *rows_of("", decision(*(measured_check(n) for n in numbers), by=by), by, repeats),
        *rows_of(", names and states alone", decision(*(check(f"recall@{n}") for n in numbers), by=by), by, repeats),
    ]
    show("signing", f"{CHECKS} checks", rows, packages=["cryptography", "securesystemslib"], smoke=smoke)
    return 0


if __name__ == "__main__":
    sys.exit(main())
