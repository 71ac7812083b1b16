"""The claims of the cases that a decision names first, read from the candidate's evidence sheet."""

from __future__ import annotations

import shlex
from pathlib import Path

from beleg.app.sheet_views import sheet_view
from beleg.app.sheets import stale_parts
from beleg.core.decision import Decision
from beleg.core.errors import Error
from beleg.core.sheet_export import SheetFilter
from beleg.report.look_at import ClaimsToLookAt, claims_to_look_at
from beleg.report.view import worst_cases
from beleg.run.folder import RunFolder
from beleg.run.sheet_folder import SheetFolder

MAX_NAMED = 200


def claims_of(decision: Decision, run: Path) -> ClaimsToLookAt | None:
    """What the sheet says of the worst cases of failed and inconclusive checks.

    ``None`` where no sheet was built or no case is named. A sheet that is damaged, or older than what it was built
    from, says nothing but that.
    """
    named = worst_cases(decision, limit=MAX_NAMED)
    if not named or not SheetFolder(RunFolder(run).evidence_folder).exists():
        return None
    command = shlex.join(["beleg", "sheet", "show", str(run), "--case", named[0]])
    try:
        stale = stale_parts(run)
        if stale:
            again = shlex.join(["beleg", "sheet", "build", str(run)])
            return ClaimsToLookAt(command=again, unreadable=f"{', '.join(stale)}: changed since it was built")
        return claims_to_look_at(sheet_view(run, SheetFilter(cases=named)).cases(), named, command)
    except Error as error:
        return ClaimsToLookAt(command=command, unreadable=str(error))
