"""Overrides: what is let through and until when, and requests that an owner signs in a step of their own."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from beleg.app.overriding import OverrideRequest
from beleg.app.workbench.overrides import ask_override, overridable, overridable_decision
from beleg.core.access import Access
from beleg.core.errors import DataError, Problem
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.auditing import note
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()

MAX_TEXT_CHARS = 20_000
NO_HOURS = 0

Text = Annotated[str, Form(max_length=MAX_TEXT_CHARS)]


@router.get("/overrides")
@requires(Access.READ)
def overrides(request: Request) -> Response:
    """Every signed decision that is no PASS, with its overrides and requests."""
    bench = workbench(request)
    found = overridable(bench.holdings().decisions, bench.workspace.root)
    person = principal_of(request)
    mine = {view.name for each in found for view in each.asked if bench.signing.may_sign(view, person)}
    return render(
        request, "overrides.html", decisions=found, now=datetime.now(UTC), may_ask=_may_ask(request), mine=mine
    )


@router.post("/overrides/{key}/sign")
@requires(Access.OWN)
def sign_override(request: Request, key: str, asked: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Signs a request as the owner that it names, with their key in a key service."""
    bench = workbench(request)
    made = bench.signing.sign(bench.workspace.decision(key), asked, principal_of(request), bench.workspace.root)
    note(request, AuditAction.OVERRIDE_SIGNED, f"{key}/{made.name}")
    return RedirectResponse("/overrides", status_code=HTTPStatus.SEE_OTHER)


@router.get("/overrides/{key}")
@requires(Access.OWN)
def override_form(request: Request, key: str) -> Response:
    """The form that asks for an override of one decision."""
    return _form(request, key, given={}, problems=())


@router.post("/overrides/{key}")
@requires(Access.OWN)
def override_asked(  # noqa: PLR0913 - the fields of the form
    request: Request,
    key: str,
    owner: Text = "",
    reason: Text = "",
    ticket: Text = "",
    compensating_control: Text = "",
    hours: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Writes the request down, or says at each field why it would not count."""
    workspace = workbench(request).workspace
    entry = workspace.decision(key)
    given = {
        "owner": owner.strip(),
        "reason": reason.strip(),
        "ticket": ticket.strip(),
        "compensating_control": compensating_control.strip(),
        "hours": hours.strip(),
    }
    wanted = OverrideRequest(
        checks=overridable_decision(entry, workspace.root).failed,
        **{name: value for name, value in given.items() if name != "hours"},
        hours=int(given["hours"]) if given["hours"].isdecimal() else NO_HOURS,
    )
    try:
        ask_override(entry, wanted, by=principal_of(request).name, at=datetime.now(UTC))
    except DataError as error:
        return _form(request, key, given=given, problems=error.problems)
    note(request, AuditAction.OVERRIDE_ASKED, key)
    return RedirectResponse("/overrides", status_code=HTTPStatus.SEE_OTHER)


def _form(request: Request, key: str, *, given: dict[str, str], problems: tuple[Problem, ...]) -> Response:
    workspace = workbench(request).workspace
    decision = overridable_decision(workspace.decision(key), workspace.root)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
    by_field: dict[str, list[Problem]] = {}
    for problem in problems:
        by_field.setdefault(problem.field or "", []).append(problem)
    return render(request, "override_form.html", status=status, decision=decision, given=given, problems=by_field)


def _may_ask(request: Request) -> bool:
    return principal_of(request).may(Access.OWN)
