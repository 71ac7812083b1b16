"""Judges: calibration against people."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from beleg.app.workbench.judges import WIDTH, calibrations
from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()


@router.get("/judges")
@requires(Access.READ)
def judges(request: Request) -> Response:
    """How far each judge is to be believed."""
    found, unreadable = calibrations(workbench(request).workspace.root)
    return render(request, "judges.html", records=found, unreadable=unreadable, width=WIDTH)
