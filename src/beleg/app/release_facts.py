"""Reading what a decision may rest on beside the runs: reviews, incidents, registered policies, the decision before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from beleg.adapters.formats.chained import PREVIOUS, append_chained, read_chained
from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import build_all, validated
from beleg.adapters.formats.rows import read_rows
from beleg.app.sheets import evidence_of_today
from beleg.core.decision import Decision
from beleg.core.digest import digest_of
from beleg.core.governance import DecidedBefore, Incident, PolicyRegistration
from beleg.core.model import StoredModel
from beleg.core.policy import Policy
from beleg.core.review import ReviewEvent
from beleg.gating.facts import Facts
from beleg.gating.reviewed import reviewed_claims
from beleg.run.folder import RunFolder

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
    events = None if reviews is None else build_all(ReviewEvent, read_rows(reviews), key="sequence")
    ledger = None if policy.error_budget is None else beside / policy.error_budget.ledger
    return Facts(
        reviews=None if events is None else _claims(run, events),
        reviews_digest=None if events is None else digest_of([event.to_json_dict() for event in events]),
        incidents=None if ledger is None or not ledger.exists() else read_entries(Incident, ledger),
        registrations=None if registered is None else read_entries(PolicyRegistration, registered),
        decided_before=decided_by_others(run, policy),
    )


def _claims(run: Path, events: list[ReviewEvent]) -> Any:
    """What people decided about each claim that the run gives today; a stored sheet is not taken at its word."""
    return reviewed_claims(RunFolder(run).header().run_id, evidence_of_today(run), events)


def decided_by_others(run: Path, policy: Policy) -> tuple[DecidedBefore, ...]:
    """By which other states of this policy a run was decided before.

    Raises:
        EvidenceError: if the record was changed.
    """
    path = run / DECIDED_PLACE
    if not path.exists():
        return ()
    entries = read_entries(DecidedBefore, path)
    return tuple(entry for entry in entries if entry.policy == policy.policy and entry.digest != policy.digest)


def record_deciding_policy(decision: Decision, policy: Policy, folder: Path) -> None:
    """Notes by which policy a run was decided, once for each state of it."""
    entry = DecidedBefore(
        policy=policy.policy,
        version=policy.version,
        digest=policy.digest,
        at=decision.decided_at,
        verdict=decision.verdict,
        content=policy,
    )
    append_chained(
        folder / DECIDED_PLACE.name,
        lambda entries: None if any(old.get("digest") == policy.digest for old in entries) else entry.to_json_dict(),
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
