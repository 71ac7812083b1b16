"""Claims of a sheet and review events about them, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from beleg.core.evidence import (
    AttributionDecision,
    AttributionVerdict,
    ClaimRow,
    Condition,
    Decider,
    EvidenceCase,
    SupportDecision,
    SupportVerdict,
)
from beleg.core.locators import Span
from beleg.core.review import ReviewAction, ReviewEvent, ReviewEventKind
from beleg.evidence.review_rows import evidence_digest

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
CODE = Decider(kind="code", name="citations", version="1")
ATTACHED = AttributionDecision(verdict=AttributionVerdict.ATTACHED, rationale="A mark stands there.", decider=CODE)


def row(case_id: str = "c1", claim_id: str = "C-1", text: str = "Games: 14 days.", **fields: Any) -> ClaimRow:
    """One claim of an answer that says nothing else."""
    given: dict[str, Any] = {
        "answer_id": f"{case_id}-a", "spans": (Span(start=0, end=len(text)),), "answer_digest": "sha256:a",
        "attribution": ATTACHED,
    }  # fmt: skip
    return ClaimRow(case_id=case_id, claim_id=claim_id, text=text, **{**given, **fields})


def sheet(*rows: ClaimRow) -> list[EvidenceCase]:
    """A sheet of these claims, case by case."""
    ids = dict.fromkeys(each.case_id for each in rows)
    return [
        EvidenceCase(
            case_id=name, query_id=f"{name}-q", answer_id=f"{name}-a", question="?",
            claims=tuple(each for each in rows if each.case_id == name),
        )
        for name in ids
    ]  # fmt: skip


def support(verdict: SupportVerdict, *, by: str = "human", who: str = "R. Ito") -> SupportDecision:
    """A verdict with a reason."""
    missing = ("the passage",) if verdict is SupportVerdict.NOT_ASSESSABLE else ()
    return SupportDecision(
        verdict=verdict,
        rationale="By the passage.",
        missing=missing,
        decider=Decider(kind=by, name=who),
        condition=Condition.BLIND if by == "human" else None,
    )


def event(
    kind: ReviewEventKind = ReviewEventKind.VERDICT_RECORDED,
    *,
    version: int = 1,
    run: str = "run-1",
    about: ClaimRow | None = None,
    case: EvidenceCase | None = None,
    **fields: Any,
) -> ReviewEvent:
    """One event of a ledger; its hashes are none of anybody's business here."""
    claim = about or row()
    given: dict[str, Any] = {
        "kind": kind, "stream": f"{run}/{claim.claim_id}", "expected_version": version - 1,
        "idempotency_key": f"{claim.claim_id}-{version}", "actor": "R. Ito",
        "evidence_digest": evidence_digest(case or sheet(claim)[0], claim),
    }  # fmt: skip
    if kind not in (ReviewEventKind.VERDICT_RECORDED, ReviewEventKind.NOTE_ADDED):
        given |= {"supersedes": 1, "reason": "Looked at again."}
    return ReviewEvent(
        sequence=version, version=version, recorded_at=WHEN, action=ReviewAction(**{**given, **fields}),
        previous_hash="0" * 64, hash="1" * 64,
    )  # fmt: skip


def verdicts(
    *decided: tuple[str, SupportVerdict], about: ClaimRow | None = None, case: EvidenceCase | None = None
) -> Sequence[ReviewEvent]:
    """Verdicts of several reviewers on one claim, one after the other."""
    return [
        event(version=place, about=about, case=case, actor=actor, support=support(verdict, who=actor))
        for place, (actor, verdict) in enumerate(decided, start=1)
    ]
