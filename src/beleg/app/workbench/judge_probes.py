"""Probes of judges as a page shows them: for each judge and probe the newest finding, and those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from beleg.app.probe_records import SUFFIX, read_probes
from beleg.app.workbench.judges import WIDTH
from beleg.app.workbench.walking import project_folders
from beleg.app.workbench.workspace import Unreadable
from beleg.core.decision import Sentence
from beleg.core.errors import Error
from beleg.core.probes import ProbeRecord, ProbeReport
from beleg.report.probes import direction_text, probe_missing, probe_rate
from beleg.report.runs_compared import p_text

MOST_ROUNDS = 50
"""Rounds that are listed of one probe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeRound:
    """One round of one probe."""

    at: datetime
    run_id: str
    path: str
    """Its place in the project."""
    settings: str
    """The digest of the judge with its settings, shortened."""
    rate: Sentence | None
    """``None`` where nothing was probed."""
    low: float
    high: float
    point: float
    n: int
    events: int
    directions: tuple[Sentence, ...]
    missing: tuple[tuple[int, Sentence], ...]
    p_value: Sentence | None
    """Of the changes leaning one way, where the probe tests it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeView:
    """One probe of one judge."""

    probe: str
    asks: Sentence
    changed: Sentence
    newest: ProbeRound
    before: tuple[ProbeRound, ...]
    """Earlier rounds, the newest first."""
    before_in_all: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedJudge:
    """A judge and everything that was probed."""

    judge: str | None
    """``None`` where the record names no model."""
    probes: tuple[ProbeView, ...]


def probed_judges(root: Path) -> tuple[tuple[ProbedJudge, ...], tuple[Unreadable, ...]]:
    """Every probe of every judge of a project, and the files that cannot be read as one."""
    found: dict[str | None, dict[str, list[tuple[ProbeRound, ProbeReport]]]] = {}
    records, unreadable = _records(root)
    for place, record in records:
        for report in record.reports:
            rounds = found.setdefault(record.judge_name, {}).setdefault(report.probe, [])
            rounds.append((_round(place, record, report), report))
    judges = [
        ProbedJudge(judge=judge, probes=tuple(_view(rounds) for rounds in probes.values()))
        for judge, probes in sorted(found.items(), key=lambda each: each[0] or "")
    ]
    return tuple(judges), unreadable


def _records(root: Path) -> tuple[list[tuple[Path, ProbeRecord]], tuple[Unreadable, ...]]:
    """The newest first."""
    found: list[tuple[Path, ProbeRecord]] = []
    unreadable: list[Unreadable] = []
    for place, files in project_folders(root):
        for path in (place / name for name in files if name.endswith(SUFFIX)):
            try:
                found.append((path.relative_to(root), read_probes(path)))
            except (Error, OSError) as error:
                unreadable.append(Unreadable(path=path, why=str(error)))
    found.sort(key=lambda each: (each[1].created_at, each[1].digest), reverse=True)
    return found, tuple(unreadable)


def _view(rounds: Sequence[tuple[ProbeRound, ProbeReport]]) -> ProbeView:
    newest, report = rounds[0]
    return ProbeView(
        probe=report.probe,
        asks=Sentence(en=report.asks, de=report.asks_de),
        changed=Sentence(en=report.changed, de=report.changed_de),
        newest=newest,
        before=tuple(each for each, _ in rounds[1 : MOST_ROUNDS + 1]),
        before_in_all=len(rounds) - 1,
    )


def _round(place: Path, record: ProbeRecord, report: ProbeReport) -> ProbeRound:
    """A share that is not known is drawn as the whole scale: it may be anything."""
    low, high, point = 0.0 if report.lower is None else report.lower, report.upper, report.rate
    tested = report.figures.get("p_value")
    return ProbeRound(
        at=record.created_at,
        run_id=record.run_id,
        path=place.as_posix(),
        settings="" if record.judge is None else record.judge.digest.removeprefix("sha256:")[:12],
        rate=probe_rate(report),
        low=round(low * WIDTH, 1),
        high=round((1.0 if high is None else high) * WIDTH, 1),
        point=round((0.0 if point is None else point) * WIDTH, 1),
        n=report.n,
        events=report.events,
        directions=tuple(direction_text(each, report) for each in report.directions if each.events),
        missing=probe_missing(report),
        p_value=None if tested is None else p_text(tested, named=True),
    )
