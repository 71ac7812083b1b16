"""Overrides for programs: what is let through and until when, and asking an owner for one."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from beleg.app.overriding import OverrideRequest
from beleg.app.workbench.overrides import (
    AskedOverride,
    OverridableDecision,
    ask_override,
    overridable,
    overridable_decision,
)
from beleg.core.access import Access
from beleg.core.decision import Verdict
from beleg.core.errors import DataError
from beleg.core.override_note import OverrideNote
from beleg.core.release_terms import ReleaseTerms
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.api.base import WHOLE, WORDS, Asked, Sent, Told
from beleg.web.api.operations import API, body, operation, tell, wrong_fields
from beleg.web.auditing import note
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Overrides"])

MAX_TEXT_CHARS = 20_000
MAX_HOURS = 1_000_000
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS, pattern=WORDS)]


class SignedOverrideTold(Told):
    """A signed override. Whether its signatures count, ``beleg verify`` tells."""

    note: OverrideNote
    """What it says."""
    is_active: bool
    """Whether it lets anything through now."""
    hours_left: float
    """The hours until it ends; 0 once it has."""


class AskedOverrideTold(Told):
    """A request that no owner has signed. It lets nothing through."""

    asked: AskedOverride
    """What was asked."""
    command: str
    """By which the owner signs it, with a key of their own in place of ``KEY``."""


class OverridableTold(Told):
    """A signed decision that is no PASS."""

    key: str
    """By which the decision is asked for."""
    verdict: Verdict
    """What was decided."""
    candidate: str
    """On which candidate."""
    environment: str
    """For which environment."""
    decided_at: datetime
    """When."""
    failed: tuple[str, ...]
    """The checks that did not pass; an override covers all of them."""
    not_waivable: tuple[str, ...]
    """Those that nobody may override."""
    terms: ReleaseTerms | None
    """By whom and for how long it may be overridden; ``None`` where the policy is not kept beside the decision."""
    overrides: tuple[SignedOverrideTold, ...]
    """Signed overrides, the one that ends last first."""
    asked: tuple[AskedOverrideTold, ...]
    """Requests that nobody has signed, the newest first."""


class OverridesTold(Told):
    """Every signed decision that is no PASS."""

    decisions: tuple[OverridableTold, ...]
    """The newest first."""


class OverrideAsked(Sent):
    """What an owner is asked to answer for."""

    owner: Text
    """Who is asked."""
    reason: Text
    """Why it may pass nevertheless."""
    ticket: Text
    """Where it is followed up."""
    compensating_control: Text
    """What protects users in the meantime."""
    hours: Annotated[int, Field(ge=1, le=MAX_HOURS), WHOLE]
    """For how long."""


class OverrideRequestTold(Told):
    """A request as it was written down."""

    asked: AskedOverride
    """What is asked, by whom and when."""


@router.get("/overrides")
@requires(Access.READ)
@operation("list_overrides", OverridesTold)
def overrides(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Every signed decision that is no PASS, with its overrides, when they end, and the requests that wait."""
    bench = workbench(request)
    found = overridable(bench.holdings().decisions, bench.workspace.root)
    return tell(request, asked, {"decisions": [_told(each, datetime.now(UTC)) for each in found]})


@router.get("/overrides/{key}")
@requires(Access.OWN)
@operation("get_overridable", OverridableTold)
def override(request: Request, key: str, asked: Annotated[Asked, Query()]) -> Response:
    """What of one decision may be overridden, by whom and for how long."""
    workspace = workbench(request).workspace
    decision = overridable_decision(workspace.decision(key), workspace.root)
    return tell(request, asked, _told(decision, datetime.now(UTC)))


@router.post("/overrides/{key}")
@requires(Access.OWN)
@operation("ask_override", OverrideRequestTold, takes=OverrideAsked, status=HTTPStatus.CREATED)
def ask(
    request: Request,
    key: str,
    asked: Annotated[Asked, Query()],
    given: Annotated[OverrideAsked, body(OverrideAsked)],
) -> Response:
    """Asks an owner for an override of all checks that did not pass; only their signature lets anything through."""
    workspace = workbench(request).workspace
    entry = workspace.decision(key)
    wanted = OverrideRequest(
        checks=overridable_decision(entry, workspace.root).failed,
        owner=given.owner.strip(),
        reason=given.reason.strip(),
        ticket=given.ticket.strip(),
        compensating_control=given.compensating_control.strip(),
        hours=given.hours,
    )
    try:
        made = ask_override(entry, wanted, by=principal_of(request).name, at=datetime.now(UTC))
    except DataError as error:
        raise wrong_fields(error, HTTPStatus.CONFLICT) from error
    note(request, AuditAction.OVERRIDE_ASKED, key)
    return tell(request, asked, {"asked": made})


def _told(decision: OverridableDecision, at: datetime) -> dict[str, Any]:
    entry, signed = decision.entry, decision.entry.signed
    return {
        "key": entry.key,
        "verdict": entry.decision.verdict,
        "candidate": entry.decision.candidate.name,
        "environment": "" if signed is None else signed.environment,
        "decided_at": entry.decision.decided_at,
        "failed": decision.failed,
        "not_waivable": decision.not_waivable,
        "terms": decision.terms,
        "overrides": [
            {"note": note, "is_active": not note.is_over(at), "hours_left": note.hours_left(at)}
            for note in decision.notes
        ],
        "asked": decision.asked,
    }
