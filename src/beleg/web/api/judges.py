"""Judges for programs: how far each is to be believed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.judges import calibrations
from beleg.core.access import Access
from beleg.core.calibration import CalibrationRecord
from beleg.web.access import requires
from beleg.web.api.base import Asked, Said, Told, UnreadableTold
from beleg.web.api.operations import API, operation, tell
from beleg.web.api.shared import unreadable
from beleg.web.state import workbench

router = APIRouter(prefix=API, tags=["Judges"])


class CalibrationTold(Told):
    """A judge against people."""

    path: str
    """The place of the record in the project."""
    metric: Said
    """The metric in words."""
    judge: str
    """The judge as people call it."""
    sentence: Said
    """What the record says first."""
    notes: tuple[Said, ...]
    """What else is to be known of it."""
    record: CalibrationRecord
    """The stored record, word for word."""


class CalibrationsTold(Told):
    """Every calibration record of the project."""

    records: tuple[CalibrationTold, ...]
    """The newest first."""
    unreadable: tuple[UnreadableTold, ...]
    """Files that should be records and cannot be read."""


@router.get("/judges")
@requires(Access.READ)
@operation("list_calibrations", CalibrationsTold)
def judges(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """How far each judge is to be believed, by its calibration against people."""
    bench = workbench(request)
    records, broken = calibrations(bench.workspace.root)
    return tell(request, asked, {"records": records, "unreadable": unreadable(bench, broken)})
