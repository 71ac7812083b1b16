"""The files of a decision by their names, and reading the signed one without believing anybody."""

from __future__ import annotations

import hashlib
from pathlib import Path

from beleg.core.attestation import Envelope, Statement
from beleg.core.errors import UsageError
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.opening import open_envelope

DECISION_FILE = "decision.json"
STATEMENT_FILE = "decision.dsse.json"
SUMMARY_FILE = "vsa.dsse.json"
BUNDLE_FILE = "decision.sigstore.json"
POLICY_FILE = "policy.json"


def read_statement(path: Path) -> tuple[Envelope, Statement, str]:
    """An envelope with the statement in it and the SHA-256 of its payload; whose signatures they are is not checked.

    Raises:
        UsageError: if there is no such file.
        DataError: if it is no statement in canonical form.
    """
    if not path.exists():
        raise UsageError(f"{path} is missing: nothing was signed there", hint="Sign with: beleg sign")
    data = path.read_bytes()
    opened = open_envelope(data)
    statement = read_as(Statement, parse_canonical(opened.payload))
    return Envelope.model_validate_json(data), statement, hashlib.sha256(opened.payload).hexdigest()
