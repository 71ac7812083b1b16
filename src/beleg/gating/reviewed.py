"""What people decided about the claims of a run, folded from their review events and laid beside the sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beleg.core.errors import EvidenceError, shown
from beleg.core.evidence import ClaimRow, EvidenceCase, SupportVerdict
from beleg.core.governance import ReviewedClaim
from beleg.core.review import ReviewEvent, ReviewEventKind
from beleg.evidence.review_rows import evidence_digest

HUMAN = "human"


def reviewed_claims(
    run_id: str, cases: Iterable[EvidenceCase], events: Sequence[ReviewEvent]
) -> dict[str, tuple[ReviewedClaim, ...]]:
    """Every claim of a sheet with what people decided about it, by case id.

    Only verdicts of people count, each reviewer's last one; where reviewers differ, the one that settled it does.

    Args:
        run_id: the run; events about other runs are left out.
        cases: the sheet of the run.
        events: review events, as a ledger exports them.

    Raises:
        EvidenceError: if a stream has a gap, or a verdict is about a claim that the sheet does not hold.
    """
    streams = _streams(run_id, events)
    found: dict[str, list[ReviewedClaim]] = {}
    for case in cases:
        for row in case.claims:
            found.setdefault(case.case_id, []).append(_claim(case, row, streams.pop(row.claim_id, [])))
    if streams:
        raise EvidenceError(
            f"the review holds verdicts on {len(streams)} claims that the sheet of {run_id} does not have, such as "
            f"{shown(sorted(streams)[0])}",
            hint="Export the review of this very sheet, or build the sheet again",
        )
    return {case_id: tuple(claims) for case_id, claims in found.items()}


def _streams(run_id: str, events: Sequence[ReviewEvent]) -> dict[str, list[ReviewEvent]]:
    head = f"{run_id}/"
    streams: dict[str, list[ReviewEvent]] = {}
    for event in events:
        if event.action.stream.startswith(head):
            streams.setdefault(event.action.stream.removeprefix(head), []).append(event)
    for claim_id, listed in streams.items():
        listed.sort(key=lambda event: event.version)
        if [event.version for event in listed] != list(range(1, len(listed) + 1)):
            raise EvidenceError(
                f"the review of claim {shown(claim_id)} has a gap or a repeated event",
                hint="Export the whole ledger: an event that is left out may be the one that takes a verdict back",
            )
    return streams


@dataclass(frozen=True, slots=True)
class _Standing:
    """The verdicts in force on one claim."""

    events: tuple[ReviewEvent, ...]
    is_disputed: bool


def _claim(case: EvidenceCase, row: ClaimRow, events: Sequence[ReviewEvent]) -> ReviewedClaim:
    standing = _standing(events)
    verdicts = {_support(event) for event in standing.events}
    # A verdict that something is not supported stands until a person takes it back, whatever became of the evidence.
    agreed = next(iter(verdicts)) if len(verdicts) == 1 else None
    current = evidence_digest(case, row)
    return ReviewedClaim(
        case_id=row.case_id,
        claim_id=row.claim_id,
        wording=tuple(text for text in (row.text, row.restated) if text is not None),
        verdict=None if standing.is_disputed else agreed,
        is_disputed=standing.is_disputed or len(verdicts) > 1,
        is_stale=any(event.action.evidence_digest != current for event in standing.events),
    )


def _support(event: ReviewEvent) -> SupportVerdict:
    if event.action.support is None:
        raise ValueError("only events with a verdict on support stand")
    return event.action.support.verdict


def _standing(events: Sequence[ReviewEvent]) -> _Standing:
    standing: dict[str, ReviewEvent] = {}
    settled: ReviewEvent | None = None
    disputed = False
    for event in events:
        kind, about = event.action.kind, event.action.supersedes
        if kind is ReviewEventKind.DISPUTED:
            disputed, settled = True, None
        elif kind is ReviewEventKind.WITHDRAWN:
            standing = {actor: other for actor, other in standing.items() if other.version != about}
            settled = None if settled is not None and settled.version == about else settled
        elif _is_of_a_person(event) and kind is ReviewEventKind.ADJUDICATED:
            settled, disputed = event, False
        elif _is_of_a_person(event):
            standing[event.action.actor] = event
    return _Standing((settled,) if settled is not None else tuple(standing.values()), disputed)


def _is_of_a_person(event: ReviewEvent) -> bool:
    return event.action.support is not None and event.action.support.decider.kind == HUMAN
