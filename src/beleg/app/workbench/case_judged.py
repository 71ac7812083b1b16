"""What judges found out about an attempt, and every reply as it came."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.app.workbench.marking import Part, marked
from beleg.core.findings import ClaimFinding, Finding
from beleg.core.judging import Attempt, Call
from beleg.core.run_index import FindingPlace
from beleg.core.score import ScoreStatus
from beleg.run.findings import FINDINGS
from beleg.run.folder import RunFolder
from beleg.run.line_index import LinePlace, record_at

REPLY_CHARS = 20_000
MAX_CLAIMS = 200
SHAPES = {"supported": "●", "partially_supported": "◐", "contradicted": "■", "not_in_context": "○"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """The judge's verdict on one claim."""

    claim: str
    support: str
    shape: str
    quotes: tuple[tuple[str, str], ...]
    """Words and the passage that they are quoted from."""
    rationale: str | None
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyView:
    """One attempt to have an answer of the judge."""

    task: str
    attempt: Attempt
    parts: tuple[Part, ...]
    """The reply, word for word; none where nothing came back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedView:
    """What one measure found out."""

    finding: Finding
    judge: str | None
    reason: ScoreStatus | None
    """Why there is no evidence."""
    claims: tuple[JudgedClaim, ...]
    claims_more: int
    others: tuple[tuple[str, tuple[Part, ...]], ...]
    """Evidence of any other shape, by name, as JSON."""
    replies: tuple[ReplyView, ...]
    was_asked: bool
    """Whether the finding rests on calls; they may be recorded or not."""


def findings_of(folder: RunFolder, places: Sequence[FindingPlace]) -> tuple[Finding, ...]:
    """The findings of a case; no other line is read.

    Raises:
        EvidenceError: if a line was changed since the run was indexed.
    """
    return tuple(
        record_at(folder.findings_file, FINDINGS, LinePlace(place.line, place.start, place.length)) for place in places
    )


def quotes_of(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """What judges quoted, by passage."""
    found: dict[str, list[str]] = {}
    for finding in findings:
        for claim in _claims(finding):
            for quote in claim.quotes:
                found.setdefault(quote.passage_id, []).append(quote.text)
    return found


def judged(folder: RunFolder, findings: Sequence[Finding]) -> tuple[JudgedView, ...]:
    """The findings of one attempt with the replies behind them.

    Raises:
        EvidenceError: if the record of calls is damaged.
    """
    keys = list(dict.fromkeys(key for finding in findings for key in finding.calls))
    calls: dict[str, list[Call]] = {}
    if keys and folder.calls_file.exists():
        with SqliteCallStore.open(folder.calls_file, is_read_only=True) as store:
            for call in store.calls_of(keys):
                calls.setdefault(call.key, []).append(call)
    return tuple(_view(finding, calls) for finding in findings)


def _view(finding: Finding, calls: Mapping[str, Sequence[Call]]) -> JudgedView:
    claims = _claims(finding)
    others = {name: value for name, value in (finding.evidence or {}).items() if not (name == "claims" and claims)}
    return JudgedView(
        finding=finding,
        judge=None if finding.judge is None else finding.judge.model,
        reason=None if finding.status is ScoreStatus.SCORED else finding.status,
        claims=tuple(_claim(each) for each in claims[:MAX_CLAIMS]),
        claims_more=max(len(claims) - MAX_CLAIMS, 0),
        others=tuple((name, marked(_text(value))) for name, value in others.items()),
        replies=tuple(reply for key in finding.calls for call in calls.get(key, ()) for reply in _replies(call)),
        was_asked=bool(finding.calls),
    )


def _claims(finding: Finding) -> list[ClaimFinding]:
    """The claims of a finding that has any; evidence of another shape is shown as it is."""
    listed = (finding.evidence or {}).get("claims")
    if not isinstance(listed, list | tuple):
        return []
    try:
        return [ClaimFinding.model_validate_json(json.dumps(each)) for each in listed]
    except (ValidationError, TypeError):
        return []


def _claim(found: ClaimFinding) -> JudgedClaim:
    return JudgedClaim(
        claim=found.claim,
        support=found.support.value,
        shape=SHAPES[found.support.value],
        quotes=tuple((quote.text, quote.passage_id) for quote in found.quotes),
        rationale=found.rationale,
        flags=found.flags,
    )


def _replies(call: Call) -> Iterator[ReplyView]:
    for attempt in call.attempts:
        parts = () if attempt.reply is None else marked(attempt.reply, limit=REPLY_CHARS)
        yield ReplyView(task=call.task.task, attempt=attempt, parts=parts)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)
