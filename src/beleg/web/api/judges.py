"""Judges for programs: how far each is to be believed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.app.workbench.judge_drift import drifts
from beleg.app.workbench.judge_probes import probe_records
from beleg.app.workbench.judges import calibrations
from beleg.core.access import Access
from beleg.core.calibration import CalibrationRecord
from beleg.core.probes import ProbeRecord
from beleg.web.access import requires
from beleg.web.api.base import Asked, Said, Told, UnreadableTold
from beleg.web.api.operations import API, language_of, operation, tell
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


class DriftPointTold(Told):
    """One calibration among those on the same control cases."""

    key: str
    """The key of its record, by which the page of the record is asked for."""
    at: datetime
    """When it was made."""
    n: int
    """How many control cases."""
    agreement: Said
    """Agreement with people, with its interval."""
    false_pass: Said
    """Share of what people fail that the judge passes, with its interval."""


class DriftTold(Told):
    """One judge and metric on the same control cases over time."""

    judge: str
    """The judge as people call it."""
    metric: Said
    """The metric in words."""
    labels_source: str
    """Where the labels of the control cases come from."""
    sentences: tuple[Said, ...]
    """Whether it moved between the first and the latest calibration."""
    rows: tuple[DriftPointTold, ...]
    """The oldest first."""


class DriftsTold(Told):
    """Every judge and metric that was calibrated on the same labels more than once."""

    drifts: tuple[DriftTold, ...]
    """The latest first."""


class ProbesTold(Told):
    """A round of probes of a judge."""

    path: str
    """The place of the record in the project."""
    record: ProbeRecord
    """The stored record, word for word."""


class AllProbesTold(Told):
    """Every round of probes of the project."""

    records: tuple[ProbesTold, ...]
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


@router.get("/judges/drift")
@requires(Access.READ)
@operation("list_drift", DriftsTold)
def drift(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """Whether judges moved on control cases, by calibrations on the very same labels."""
    found = drifts(workbench(request).workspace.root, language_of(request, asked))
    return tell(request, asked, {"drifts": found})


@router.get("/judges/probes")
@requires(Access.READ)
@operation("list_probes", AllProbesTold)
def probes(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """What moved each judge that must not move it, round by round."""
    bench = workbench(request)
    records, broken = probe_records(bench.workspace.root)
    told = [{"path": path.as_posix(), "record": record} for path, record in records]
    return tell(request, asked, {"records": told, "unreadable": unreadable(bench, broken)})
