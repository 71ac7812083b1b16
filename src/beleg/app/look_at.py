"""What a report takes of the candidate's evidence sheet: the claims to look at first, and the sheet as a whole."""

from __future__ import annotations

import shlex
from pathlib import Path

from beleg.app.sheet_views import sheet_view
from beleg.app.sheets import stale_parts
from beleg.core.decision import Decision
from beleg.core.errors import Error
from beleg.core.sheet_export import SheetFilter
from beleg.report.look_at import ClaimsToLookAt, claims_to_look_at
from beleg.report.view import ReportSheet, worst_cases
from beleg.run.folder import RunFolder
from beleg.run.sheet_folder import SheetFolder

MAX_NAMED = 200


def claims_of(decision: Decision, run: Path, *, reviews: Path | None = None) -> ClaimsToLookAt | None:
    """What the sheet says of the worst cases of failed and inconclusive checks.

    ``None`` where no sheet was built or no case is named. A sheet that is damaged, or older than what it was built
    from, says nothing but that.

    Args:
        decision: what was decided.
        run: the folder of the candidate's run.
        reviews: review events, exported from a ledger.
    """
    named = worst_cases(decision, limit=MAX_NAMED)
    if not named or not _was_built(run):
        return None
    command = _command("show", run, "--case", named[0])
    try:
        old = _what_is_old(run)
        if old is not None:
            return ClaimsToLookAt(command=_command("build", run), unreadable=old)
        cases = sheet_view(run, SheetFilter(cases=named), reviews=reviews).cases()
        return claims_to_look_at(cases, named, command)
    except Error as error:
        return ClaimsToLookAt(command=command, unreadable=str(error))


def report_sheet(run: Path, *, reviews: Path | None = None) -> ReportSheet:
    """The whole evidence sheet of a run for its report, or why there is none to show.

    A sheet that is damaged, or older than what it was built from, is not shown: its claims could be those of other
    answers.

    Args:
        run: the folder of the candidate's run.
        reviews: review events, exported from a ledger.
    """
    if not _was_built(run):
        return ReportSheet(command=_command("build", run))
    try:
        old = _what_is_old(run)
        if old is not None:
            return ReportSheet(command=_command("build", run), unreadable=old)
        view = sheet_view(run, reviews=reviews)
        # Read here, so that a damaged line is told in the report instead of ending it.
        return ReportSheet(command=_command("show", run), header=view.header, cases=tuple(view.cases()))
    except Error as error:
        return ReportSheet(command=_command("build", run), unreadable=str(error))


def _was_built(run: Path) -> bool:
    return SheetFolder(RunFolder(run).evidence_folder).exists()


def _what_is_old(run: Path) -> str | None:
    stale = stale_parts(run)
    return f"{', '.join(stale)}: changed since it was built" if stale else None


def _command(verb: str, run: Path, *options: str) -> str:
    return shlex.join(["beleg", "sheet", verb, str(run), *options])
