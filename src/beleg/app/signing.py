"""Signing a decision: made again from the rows first, so that nothing but what the runs give is ever signed (P5)."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.formats.atomic import write_bytes
from beleg.adapters.signing.envelopes import sign_payload, sigstore_bundle
from beleg.app.decision_files import BUNDLE_FILE, DECISION_FILE, STATEMENT_FILE, SUMMARY_FILE
from beleg.app.gating import GateOutcome, as_of, gate_runs
from beleg.app.log.appending import enter_documents
from beleg.app.signers import open_signers
from beleg.core.attestation import PAYLOAD_TYPE, Envelope, ReleaseDecision
from beleg.core.decision import Decision
from beleg.core.errors import EvidenceError, UsageError, shown
from beleg.release.statements import Issue, decision_statement, payload_of, verification_summary
from beleg.run.folder import make_folder, read_model

FORMER_FOLDER = "former"

MAX_SEQUENCE = 10**18 - 1
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningRequest:
    """By which keys a decision is signed, and for which environment."""

    keys: tuple[str, ...]
    environment: str | None = None
    """``None`` for the policy's first one."""
    sequence: int | None = None
    """``None`` for the time in microseconds, which rises with every decision wherever it is made."""
    pack_digest: str | None = None
    bundle: bool = False
    """Whether the statement is written as a Sigstore bundle too."""
    log: Path | None = None
    """The decision log into which everything is entered before it is written anywhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedDecision:
    """What was signed, and where it stands."""

    predicate: ReleaseDecision
    key_ids: tuple[str, ...]
    paths: tuple[Path, ...]


def sign_outcome(
    outcome: GateOutcome, folder: Path, request: SigningRequest, *, at: datetime | None = None
) -> SignedDecision:
    """Signs a decision that was just made, and writes statement, summary and bundle beside it.

    Args:
        outcome: the decision with its policy.
        folder: where the decision is stored.
        request: by which keys, and for where.
        at: the time of issue; now where it is left out.

    Raises:
        UsageError: if a key, a sequence or the digest of a pack cannot be used.
        ConfigError: if the policy does not decide for this environment.
        DataError: if no key is given, or one twice.
        EvidenceError: if a signature does not verify, or the log is damaged or takes no entry.
    """
    _require_usable(request)
    signers = open_signers(request.keys)
    at = at or datetime.now(UTC)
    # An empty name is not the same as none: it is a variable of CI that nobody set.
    first = outcome.policy.release_terms.environments[0]
    environment = first if request.environment is None else request.environment
    sequence = request.sequence if request.sequence is not None else int(at.timestamp() * 1e6)
    issue = Issue(environment=environment, issued_at=at, sequence=sequence, pack_digest=request.pack_digest)
    statement = decision_statement(outcome.decision, outcome.policy, issue)
    payload = payload_of(statement)
    envelope = sign_payload(payload, PAYLOAD_TYPE, signers)
    made = {STATEMENT_FILE: _text(envelope)}
    summary = verification_summary(outcome.decision, statement, hashlib.sha256(payload).hexdigest(), at)
    if summary is not None:
        made[SUMMARY_FILE] = _text(sign_payload(payload_of(summary), PAYLOAD_TYPE, signers))
    if request.log is not None:
        enter_documents(request.log, made)
    retire_statements(folder)
    make_folder(folder)
    paths = []
    for name, data in made.items():
        write_bytes(folder / name, data)
        paths.append(folder / name)
    if request.bundle:
        write_bytes(folder / BUNDLE_FILE, sigstore_bundle(envelope).encode())
        paths.append(folder / BUNDLE_FILE)
    return SignedDecision(
        predicate=ReleaseDecision.model_validate_json(json.dumps(statement.predicate)),
        key_ids=tuple(signer.key_id for signer in signers),
        paths=tuple(paths),
    )


def _require_usable(request: SigningRequest) -> None:
    if request.sequence is not None and not 1 <= request.sequence <= MAX_SEQUENCE:
        raise UsageError(
            f"a sequence is a whole number from 1 to {MAX_SEQUENCE}",
            hint="Leave it out to take the time in microseconds",
        )
    if request.pack_digest is not None and not _DIGEST.fullmatch(request.pack_digest):
        raise UsageError(
            f"{shown(request.pack_digest)} is no digest of a pack",
            hint="Write it as sha256: and 64 digits in lower case, as sha256sum NAME.pack.zip gives them",
        )
    if request.bundle and len(request.keys) != 1:
        raise UsageError("a Sigstore bundle holds one signature", hint="Sign with one key, or without --bundle")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedFrom:
    """What a stored decision was made from beside run and policy, as it was given to the gate."""

    baseline: Path | None = None
    calibrations: tuple[Path, ...] = ()
    labels: Path | None = None
    reviews: Path | None = None
    registered: Path | None = None


def sign_stored(
    run: Path, policy: Path, request: SigningRequest, given: DecidedFrom = DecidedFrom(), *, at: datetime | None = None
) -> SignedDecision:
    """Signs the stored decision of a run, after making it again from the rows: as of its own time, and as of now.

    Args:
        run: the folder of the run.
        policy: the policy that decided.
        request: by which keys, and for where.
        given: what else it was made from.
        at: now, for tests.

    Raises:
        UsageError: if there is no decision, or a key cannot be used.
        EvidenceError: if the runs do not give the decision that is stored, or gave it once and give another one now.
    """
    folder = run / "decision"
    stored = stored_decision(folder)
    now = at or datetime.now(UTC)
    outcome = gate_runs(
        run,
        given.baseline,
        policy,
        calibrations=given.calibrations,
        labels=given.labels,
        reviews=given.reviews,
        registered=given.registered,
        decided_at=stored.decided_at,
    )
    differing = differences(stored, outcome.decision)
    if differing:
        raise EvidenceError(
            f"{folder / DECISION_FILE} is not what the runs give; it differs in {', '.join(differing)}",
            hint="It was edited, or made of other runs, calibrations, labels, reviews or registrations; decide again "
            "with: beleg gate",
        )
    _require_today(outcome, folder, now)
    return sign_outcome(outcome, folder, request, at=now)


def _require_today(outcome: GateOutcome, folder: Path, now: datetime) -> None:
    """Refuses a decision that would end otherwise today: its time is only what its file says."""
    decided_at = outcome.decision.decided_at
    if decided_at > now:
        raise EvidenceError(
            f"{folder / DECISION_FILE} was decided at {decided_at:%Y-%m-%d %H:%M} UTC, which is still to come",
            hint="Check the clocks, and decide again with: beleg gate",
        )
    today = as_of(outcome, now)
    states = {check.check_id: check.state for check in outcome.decision.checks}
    changed = [check.check_id for check in today.checks if states.get(check.check_id) is not check.state]
    if changed or today.verdict is not outcome.decision.verdict:
        raise EvidenceError(
            f"{folder / DECISION_FILE} says {outcome.decision.verdict.value} as of {decided_at:%Y-%m-%d}; as of today "
            f"the same rows give {today.verdict.value}, for {', '.join(changed)} ended otherwise",
            hint="Decide again with: beleg gate",
        )


def stored_decision(folder: Path) -> Decision:
    """The decision in a folder.

    Raises:
        UsageError: if there is none.
        EvidenceError: if it is damaged.
    """
    path = folder / DECISION_FILE
    if not path.exists():
        raise UsageError(f"{path} is missing: nothing was decided there", hint="Decide with: beleg gate")
    return read_model(Decision, path)


def differences(stored: Decision, made: Decision) -> tuple[str, ...]:
    """The fields in which a stored decision is not the one that the rows give."""
    one, other = stored.to_json_dict(), made.to_json_dict()
    return tuple(name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name))


def retire_statements(folder: Path) -> tuple[Path, ...]:
    """Moves what was signed about an earlier decision out of the way, so that it is not taken for this one's.

    It is kept under the digest of what it says: a controller that has it may hold it until it expires.
    """
    moved = []
    # The statement last: what rests on it must not outlive it where this is cut short.
    for name in (SUMMARY_FILE, BUNDLE_FILE, STATEMENT_FILE):
        path = folder / name
        if path.exists():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            make_folder(folder / FORMER_FOLDER)
            path.replace(folder / FORMER_FOLDER / f"{digest}-{name}")
            moved.append(path)
    return tuple(moved)


def _text(envelope: Envelope) -> bytes:
    return json.dumps(envelope.to_json_dict(), indent=1).encode() + b"\n"
