"""What a named owner signs to let a candidate pass in spite of checks, and when that is refused (P6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError

from beleg.core.attestation import OVERRIDE_TYPE, ReleaseDecision, ReleaseOverride, Statement
from beleg.core.decision import Verdict
from beleg.core.errors import DataError, Problem, shown
from beleg.core.release_terms import ReleaseTerms
from beleg.release.canonical import read_as


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideRequest:
    """What an owner answers for."""

    checks: tuple[str, ...]
    owner: str
    reason: str
    ticket: str
    compensating_control: str
    hours: int


def override_statement(
    signed: Statement, payload_digest: str, request: OverrideRequest, terms: ReleaseTerms, at: datetime
) -> Statement:
    """The statement ``release-override/v1`` about one signed decision.

    Args:
        signed: the statement of the decision.
        payload_digest: the SHA-256 of its payload, in hex.
        request: what the owner answers for.
        terms: what the policy lets be overridden, by whom and for how long.
        at: the time of issue.

    Raises:
        DataError: naming everything for which it would not count.
    """
    decision = read_as(ReleaseDecision, signed.predicate)
    problems = tuple(_problems(decision, request, terms, at))
    if problems:
        raise DataError(problems)
    try:
        predicate = ReleaseOverride(
            overrides=payload_digest,
            environment=decision.environment,
            checks=request.checks,
            owner=request.owner,
            reason=request.reason,
            ticket=request.ticket,
            compensating_control=request.compensating_control,
            issued_at=at,
            expires_at=at + timedelta(hours=request.hours),
        )
    except ValidationError as error:
        raise DataError([_too_much(fault["loc"], fault["msg"]) for fault in error.errors()]) from error
    return Statement(subject=signed.subject, predicate_type=OVERRIDE_TYPE, predicate=predicate.to_json_dict())


def _too_much(place: Sequence[int | str], message: str) -> Problem:
    return Problem(
        field=".".join(str(step) for step in place), message=message, remedy="Write it shorter, in plain text"
    )


def _problems(
    decision: ReleaseDecision, request: OverrideRequest, terms: ReleaseTerms, at: datetime
) -> Iterator[Problem]:
    if decision.decision is Verdict.PASS:
        yield Problem(message="the decision is PASS, so there is nothing to override", remedy="Deploy it")
        return
    if at >= decision.expires_at:
        yield Problem(
            message="the decision has expired, and an override of it would let nothing through",
            value=f"{decision.expires_at:%Y-%m-%d %H:%M} UTC",
            remedy="Decide again, and sign that decision",
        )
    yield from _wrong_checks(decision, request.checks)
    for field in ("owner", "reason", "ticket", "compensating_control"):
        if not getattr(request, field).strip():
            yield Problem(message="is empty", field=field, remedy="Somebody has to answer for what is let through")
    if terms.owners and request.owner not in terms.owners:
        yield Problem(
            message="the policy does not let this owner override",
            field="owner",
            value=shown(request.owner),
            remedy=f"Ask one of {', '.join(terms.owners)}",
        )
    if not 1 <= request.hours <= terms.max_override_hours:
        yield Problem(
            message=f"an override holds for 1 to {terms.max_override_hours} hours",
            field="hours",
            value=str(request.hours),
            remedy="Name fewer hours; a longer need takes a decision on the thresholds",
        )


def _wrong_checks(decision: ReleaseDecision, checks: Sequence[str]) -> Iterator[Problem]:
    failed, waivable = set(decision.failed_checks), set(decision.waivable_checks)
    for name in checks:
        if name not in failed:
            yield Problem(
                message="this check did not fail",
                field="checks",
                value=shown(name),
                remedy=f"The checks that did not pass are {', '.join(decision.failed_checks)}",
            )
    for name in decision.failed_checks:
        if name not in waivable:
            yield Problem(
                message="nobody may override this check",
                field="checks",
                value=shown(name),
                remedy="Mend what it found, or let the policy's release.waivable name it before the next decision",
            )
        elif name not in checks:
            yield Problem(
                message="this check did not pass and is not covered; an override covers all of them or lets nothing in",
                field="checks",
                value=shown(name),
                remedy="Name it as well, and answer for it",
            )
