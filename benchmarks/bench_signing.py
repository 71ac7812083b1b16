"""What signing a decision costs, beside the signature alone.

usage: python benchmarks/bench_signing.py [--smoke]

One statement with 60 checks: the predicate, its canonical form, the envelope and the verification of what was just
signed. The peer is `cryptography` signing and verifying the same bytes, which nobody can be faster than.
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
from beleg.release.statements import Issue, decision_statement, payload_of
from support.signing import PlainSigner, check, decision, pae, policy

CHECKS = 60
BUDGET_MS = 2.0


def cpu_ms(work: Callable[[], object], repeats: int) -> float:
    """The median processor time of one call."""
    taken = []
    for _ in range(repeats):
        started = time.process_time_ns()
        work()
        taken.append((time.process_time_ns() - started) / 1e6)
    return statistics.median(taken)


def main() -> int:
    """Measures and prints one table."""
    smoke = is_smoke(__doc__)
    repeats = 3 if smoke else 300
    key = Ed25519PrivateKey.generate()
    signer, by = PlainSigner(key), policy()
    made = decision(*(check(f"recall@{number}") for number in range(1, CHECKS + 1)), by=by)
    issue = Issue(environment="production", issued_at=datetime.now(UTC), sequence=1)
    payload = payload_of(decision_statement(made, by, issue))
    envelope = sign_payload(payload, PAYLOAD_TYPE, [signer])
    raw, keys = [base64.b64decode(envelope.signatures[0].sig)], {signer.key_id: signer.public_key}
    encoded = pae(payload, PAYLOAD_TYPE)
    public, alone = key.public_key(), key.sign(encoded)

    def sign() -> None:
        sign_payload(payload_of(decision_statement(made, by, issue)), PAYLOAD_TYPE, [signer])

    rows = [
        Row(
            what="sign, CPU time",
            measured=cpu_ms(sign, repeats),
            unit="ms",
            budget=BUDGET_MS,
            peer="cryptography, the signature alone",
            peer_measured=cpu_ms(lambda: key.sign(encoded), repeats),
        ),
        Row(
            what="verify, CPU time",
            measured=cpu_ms(lambda: verified_keys(payload, PAYLOAD_TYPE, raw, keys), repeats),
            unit="ms",
            budget=BUDGET_MS,
            peer="cryptography, the check alone",
            peer_measured=cpu_ms(lambda: public.verify(alone, encoded), repeats),
        ),
    ]
    setting = f"{CHECKS} checks, {len(payload):,} bytes"
    show("signing", setting, rows, packages=["cryptography", "securesystemslib"], smoke=smoke)
    return 0


if __name__ == "__main__":
    sys.exit(main())
