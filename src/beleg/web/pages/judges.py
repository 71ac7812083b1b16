"""Judges: calibration against people, drift on control cases, and probes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from beleg.app.workbench.judge_curves import curves_view
from beleg.app.workbench.judge_drift import drifts
from beleg.app.workbench.judge_probes import probed_judges
from beleg.app.workbench.judges import WIDTH, calibrations
from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import language_of, render
from beleg.web.state import workbench

router = APIRouter()


@router.get("/judges")
@requires(Access.READ)
def judges(request: Request) -> Response:
    """How far each judge is to be believed."""
    root = workbench(request).workspace.root
    found, unreadable = calibrations(root)
    probed, damaged = probed_judges(root)
    return render(
        request,
        "judges.html",
        records=found,
        drifts=drifts(root, language_of(request)),
        probed=probed,
        unreadable=(*unreadable, *damaged),
        width=WIDTH,
    )


@router.get("/judges/records/{key}")
@requires(Access.READ)
def record(request: Request, key: Annotated[str, Path(max_length=64)]) -> Response:
    """One calibration record with its curves."""
    view = curves_view(workbench(request).workspace.root, key, language_of(request))
    return render(request, "judge_record.html", view=view)
