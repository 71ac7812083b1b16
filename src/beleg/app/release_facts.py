"""Reading what a decision may rest on beside the runs: reviews, incidents, registered policies, the decision before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from beleg.adapters.formats.chained import PREVIOUS, append_chained, read_chained
from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import build_all, validated
from beleg.adapters.formats.rows import read_rows
from beleg.app.decision_files import DECISION_FILE, POLICY_FILE
from beleg.app.sheets import evidence_made_anew
from beleg.core.decision import Decision, Verdict
from beleg.core.digest import digest_of
from beleg.core.errors import Error, EvidenceError
from beleg.core.governance import DecidedBefore, Incident, PolicyRegistration
from beleg.core.model import StoredModel
from beleg.core.policy import Policy
from beleg.core.review import ReviewEvent
from beleg.gating.facts import Facts
from beleg.gating.reviewed import reviewed_claims
from beleg.run.folder import RunFolder, read_model

Entry = TypeVar("Entry", bound=StoredModel)

DECIDED_PLACE = Path("decision") / "policies.jsonl"
FACTS_FILE = "facts.json"


def read_facts(policy: Policy, beside: Path, run: Path, *, reviews: Path | None, registered: Path | None) -> Facts:
    """Everything that a policy asks for and everything that was given.

    Args:
        policy: the policy.
        beside: the folder in which the policy names its files.
        run: the folder of the candidate's run.
        reviews: review events, exported from a ledger.
        registered: the file of registered policies.

    Raises:
        UsageError: if a file that was named is not there.
        DataError: if a file holds anything else.
        EvidenceError: if a file was changed, or does not fit the run.
    """
    events = None if reviews is None else _reviewed(reviews)
    ledger = None if policy.error_budget is None else beside / policy.error_budget.ledger
    return Facts(
        reviews=None if events is None else _claims(run, events),
        reviews_digest=None if events is None else digest_of([event.to_json_dict() for event in events]),
        incidents=None if ledger is None or not ledger.exists() else read_entries(Incident, ledger),
        registrations=None if registered is None else read_entries(PolicyRegistration, registered),
        decided_before=decided_by_others(run, policy),
    )


def _reviewed(path: Path) -> list[ReviewEvent]:
    """The events of an export, each as it was hashed when it was recorded, in the order of the ledger.

    Whoever rewrites an event and every hash behind it is found out by a checkpoint that was kept elsewhere.
    """
    events = sorted(build_all(ReviewEvent, read_rows(path), key="sequence"), key=lambda event: event.sequence)
    before: ReviewEvent | None = None
    for event in events:
        follows_next = before is not None and event.sequence == before.sequence + 1
        linked = before is None or not follows_next or event.previous_hash == before.hash
        if event.hash != event.content_hash() or not linked:
            raise EvidenceError(
                f"{path}: event {event.sequence} is not what was recorded: its hash is another",
                hint="Export the reviews again with: beleg review export",
            )
        before = event
    return events


def _claims(run: Path, events: list[ReviewEvent]) -> Any:
    # By the traces and findings themselves: a stored sheet may be older than they are, or lack a claim that somebody
    # took out, and then nobody would have looked at it.
    return reviewed_claims(RunFolder(run).header().run_id, evidence_made_anew(run), events)


def decided_by_others(run: Path, policy: Policy) -> tuple[DecidedBefore, ...]:
    """By which other policies a run was decided before: other states of this one, and any that did not let it pass.

    A bar is lowered just as well by another policy as by another state of the same one.

    Raises:
        EvidenceError: if the record was changed.
    """
    path = run / DECIDED_PLACE
    entries = read_entries(DecidedBefore, path) if path.exists() else ()
    return tuple(
        entry
        for entry in (*entries, *_unrecorded(path.parent, {entry.digest for entry in entries}))
        if entry.digest != policy.digest and (entry.policy == policy.policy or entry.verdict is not Verdict.PASS)
    )


def _unrecorded(folder: Path, known: set[str]) -> tuple[DecidedBefore, ...]:
    """The decision that stands in a folder, where the record does not know of it: somebody took it away."""
    try:
        decision = read_model(Decision, folder / DECISION_FILE)
    except Error:
        return ()
    if decision.policy_digest in known:
        return ()
    try:
        content: Policy | None = read_model(Policy, folder / POLICY_FILE)
    except Error:
        content = None
    return (_entry(decision, content if content and content.digest == decision.policy_digest else None),)


def _entry(decision: Decision, content: Policy | None) -> DecidedBefore:
    return DecidedBefore(
        policy=decision.policy_name,
        version=decision.policy_version,
        digest=decision.policy_digest,
        at=decision.decided_at,
        verdict=decision.verdict,
        content=content,
    )


def record_deciding_policy(
    decision: Decision, policy: Policy, folder: Path, before: Sequence[DecidedBefore] = ()
) -> None:
    """Notes by which policy a run was decided, once for each state of it.

    Args:
        decision: the decision.
        policy: the policy that it was made by.
        folder: where the record stands.
        before: what is known to have decided before; what the record lost of it is noted again.
    """
    for entry in (*before, _entry(decision, policy)):
        _record(entry, folder / DECIDED_PLACE.name)


def _record(entry: DecidedBefore, path: Path) -> None:
    append_chained(
        path,
        lambda entries: None if any(old.get("digest") == entry.digest for old in entries) else entry.to_json_dict(),
        may_be_empty=True,
    )


def read_entries(model: type[Entry], path: Path) -> tuple[Entry, ...]:
    """The entries of a file that only grows.

    Raises:
        UsageError: if there is no such file.
        DataError: if a line is no such entry.
        EvidenceError: if a line was changed or taken out.
    """
    return tuple(
        validated(model, {name: value for name, value in entry.items() if name != PREVIOUS}, Place(str(path), line))
        for line, entry in enumerate(read_chained(path, may_be_empty=True), start=1)
    )


def register_policy(policy: Policy, register: Path, *, at: datetime) -> tuple[PolicyRegistration, bool]:
    """Registers a policy, unless this very state is registered already.

    Returns:
        The registration that counts, and whether it is new.
    """
    entry = PolicyRegistration(
        policy=policy.policy, version=policy.version, digest=policy.digest, at=at, content=policy
    )
    before = append_chained(
        register,
        lambda entries: None if any(old.get("digest") == policy.digest for old in entries) else entry.to_json_dict(),
    )
    if not any(old.get("digest") == policy.digest for old in before):
        return entry, True
    return next(old for old in read_entries(PolicyRegistration, register) if old.digest == policy.digest), False


def record_incident(incident: Incident, ledger: Path) -> int:
    """Appends an incident to the file from which the error budget is counted.

    Returns:
        How many entries the file has now.
    """
    return len(append_chained(ledger, lambda _: incident.to_json_dict(), may_be_empty=True)) + 1
