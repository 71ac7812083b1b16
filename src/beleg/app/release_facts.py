"""Reading what a decision may rest on beside the runs: reviews, incidents, registered policies, the decision before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from beleg.adapters.formats.chained import PREVIOUS, append_chained, read_chained
from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import build_all, validated
from beleg.adapters.formats.rows import read_rows
from beleg.core.decision import Decision
from beleg.core.digest import digest_of
from beleg.core.errors import EvidenceError
from beleg.core.evidence import EvidenceCase
from beleg.core.governance import Incident, PolicyRegistration
from beleg.core.model import StoredModel
from beleg.core.policy import Policy
from beleg.core.review import ReviewEvent
from beleg.gating.facts import Facts
from beleg.gating.reviewed import reviewed_claims
from beleg.run.checked_lines import LineKind, read_lines
from beleg.run.folder import RunFolder

Entry = TypeVar("Entry", bound=StoredModel)

SHEET_CASES: LineKind[EvidenceCase] = LineKind(
    name="evidence_case",
    model=EvidenceCase,
    told=lambda case: f"the evidence of case {case.case_id!r}",
    go_on="build the sheet again",
    anew="build the sheet again",
)
SHEET_PLACE = Path("evidence") / "cases.jsonl"
DECISION_PLACE = Path("decision") / "decision.json"
POLICY_PLACE = Path("decision") / "policy.json"


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
        earlier=_stored(Decision, run / DECISION_PLACE),
        earlier_policy=_stored(Policy, run / POLICY_PLACE),
    )


def _claims(run: Path, events: list[ReviewEvent]) -> Any:
    sheet = run / SHEET_PLACE
    if not sheet.exists():
        raise EvidenceError(
            f"{sheet} is not there, so nobody knows which claims the review is about",
            hint="Build the sheet of the run with: beleg sheet",
        )
    return reviewed_claims(RunFolder(run).header().run_id, read_lines(sheet, SHEET_CASES).records, events)


def _stored(model: type[Entry], path: Path) -> Entry | None:
    """What an earlier decision left beside the run; what cannot be read tells nothing, and is replaced by this one."""
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


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
