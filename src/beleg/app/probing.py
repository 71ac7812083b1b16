"""Probing a judge on the answers of a run: which changes move its verdicts that should not (J5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.app.judge_opening import Opening, load_judge_file, open_panel
from beleg.app.scoring import ScoredRun, score_run
from beleg.core.digest import digest_of
from beleg.core.errors import UsageError, shown
from beleg.core.judging import JudgeSpec
from beleg.core.probes import ProbeRecord, ProbeReport
from beleg.core.score import Score
from beleg.judges.panel import Panel
from beleg.judges.probes.probe import Probe, run_probe
from beleg.judges.probes.registry import PROBES, probes_named
from beleg.judges.probes.self_preference import LabelledPair, probe_self_preference
from beleg.metrics.batch import Row
from beleg.report.probes import probe_missing, probe_rate
from beleg.run.folder import RunFolder

SELF_PREFERENCE = "self_preference"
DEFAULT_PROBES: tuple[str, ...] = tuple(PROBES)
PROBE_NAMES: tuple[str, ...] = (*PROBES, "drift", SELF_PREFERENCE)

_UNKNOWN = {"en": "not measured", "de": "nicht gemessen"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeCommand:
    """What is to be probed, as the command line asks for it."""

    run: Path
    judge: Path
    probes: tuple[str, ...] = DEFAULT_PROBES
    cases: tuple[str, ...] = ()
    sample: int = 1
    """For ``drift``: which repetition the new round is."""
    pairs: Path | None = None
    """For ``self_preference``: the labelled pairs."""


PanelOpener = Callable[[ProbeCommand], AbstractAsyncContextManager[Panel]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbePlan:
    """What probing would take at most."""

    rows: int
    calls: dict[str, int]
    """The most calls of each probe."""

    def lines(self, language: str) -> list[str]:
        """The plan in a few lines."""
        total = sum(self.calls.values())
        head = f"{self.rows} answers · at most {total} calls to the judge"
        if language == "de":
            head = f"{self.rows} Antworten · höchstens {total} Aufrufe des Judges"
        return [
            head,
            *(f"  {name}: {calls}" for name, calls in self.calls.items()),
        ]


@asynccontextmanager
async def configured_panel(command: ProbeCommand) -> AsyncIterator[Panel]:
    """The panel that a judge file describes; every call is kept with those of the run."""
    settings = load_judge_file(command.judge)
    async with open_panel(Opening(settings=settings, calls=RunFolder(command.run).calls_file)) as opened:
        yield opened.panel


def plan_probes(command: ProbeCommand) -> ProbePlan:
    """What probing would take at most; nobody is asked.

    Raises:
        UsageError: if there is no such run, case or probe.
        DataError: if the file of labelled pairs is wrong.
    """
    rows, _ = _rows(command)
    there = [row for row in rows if isinstance(row, Row)]
    calls = {probe.name: sum(probe.calls(row) for row in there) for probe in _probes(command)}
    if SELF_PREFERENCE in command.probes:
        calls[SELF_PREFERENCE] = 2 * sum(pair.own_label == pair.other_label for pair in _pairs(command))
    return ProbePlan(rows=len(rows), calls=calls)


def probe_run(command: ProbeCommand, opened: PanelOpener | None = None) -> ProbeRecord:
    """Asks the judge about every answer of a run and about changed forms of it.

    Args:
        command: the run, the judge and what is probed.
        opened: opens the panel; the one that the judge file describes unless given.

    Returns:
        The record of this round, with one report for each probe.

    Raises:
        UsageError: if there is no such run, case or probe.
        ConfigError: if the judge file is wrong.
        DataError: if the file of labelled pairs is wrong.
        CandidateError: if the judge cannot be used at all.
        EvidenceError: if the run folder is damaged.
    """
    rows, names = _rows(command)
    probes, pairs = _probes(command), _pairs(command)

    async def probed() -> tuple[tuple[ProbeReport, ...], JudgeSpec | None]:
        reports: list[ProbeReport] = []
        async with (opened or configured_panel)(command) as panel:
            for probe in probes:
                reports.append(await run_probe(probe, panel, rows, names))
            if pairs and panel.judge is not None:
                reports.append(await probe_self_preference(panel.judge, pairs))
            return tuple(reports), None if panel.judge is None else panel.judge.spec

    reports, judge = asyncio.run(probed())
    header = RunFolder(command.run).header()
    return ProbeRecord(
        run_id=header.run_id,
        suite_digest=header.suite_digest,
        cases=len(names),
        judge=judge,
        sample=command.sample,
        pairs_digest=digest_of([pair.to_json_dict() for pair in pairs]) if pairs else None,
        reports=reports,
        created_at=datetime.now(UTC),
        beleg_version=version("beleg"),
    )


def is_known(reports: tuple[ProbeReport, ...]) -> bool:
    """Whether something was measured, and no probe failed on every case that it could have been asked of."""
    return any(report.n for report in reports) and all(report.n or report.highest is None for report in reports)


def report_row(report: ProbeReport, language: str) -> tuple[str, str, str, str]:
    """A report as one row of a table: what is probed, the rate with its interval, of how many, what is missing."""
    german = language == "de"
    asks = report.asks_de if german else report.asks
    found = probe_rate(report)
    rate = _UNKNOWN[language] if found is None else found.in_language(language)
    cases = f"{report.events} von {report.n}" if german else f"{report.events} of {report.n}"
    return f"{report.probe}: {asks}", rate, cases, _missing_text(report, language)


def report_details(report: ProbeReport, language: str) -> list[str]:
    """The further counts and figures of a report, and the first cases on which it happened."""
    lines = [f"  {name} {value}" for name, value in report.counts.items() if value]
    lines += [f"  {name} {value:.4g}" for name, value in report.figures.items()]
    if report.cases:
        word = "Fälle" if language == "de" else "cases"
        named, more = ", ".join(report.cases[:5]), len(report.cases) - 5
        lines.append(f"  {word}: {named}{f' … +{more}' if more > 0 else ''}")
    return [f"{report.probe}:", *lines] if lines else []


def _missing_text(report: ProbeReport, language: str) -> str:
    return ", ".join(f"{count} {why.in_language(language)}" for count, why in probe_missing(report))


def _probes(command: ProbeCommand) -> list[Probe]:
    unknown = [name for name in command.probes if name not in PROBE_NAMES]
    if unknown:
        raise UsageError(f"there is no probe {shown(unknown[0])}", hint=f"Choose from {', '.join(PROBE_NAMES)}")
    named = [name for name in dict.fromkeys(command.probes) if name != SELF_PREFERENCE]
    return [probe for name in named for probe in probes_named(name, sample=command.sample)]


def _pairs(command: ProbeCommand) -> list[LabelledPair]:
    if SELF_PREFERENCE not in command.probes:
        return []
    if command.pairs is None:
        raise UsageError(
            "self_preference needs answers of the judge's own model beside those of another, with labels by people",
            hint="Give a file with --pairs: case_id, question, own, other, own_label, other_label",
        )
    return build_all(LabelledPair, read_rows(command.pairs), key="case_id")


def _rows(command: ProbeCommand) -> tuple[list[Row | Score], list[str]]:
    """The first attempt at each case."""
    scored = score_run(command.run, ("failed",), only=_chosen(command))
    count = len(scored.evaluation.cases)
    _require_cases(command, scored)
    return list(scored.batch.rows[:count]), [case.case_id for case in scored.batch.cases[:count]]


def _chosen(command: ProbeCommand) -> frozenset[str] | None:
    return frozenset(command.cases) if command.cases else None


def _require_cases(command: ProbeCommand, scored: ScoredRun) -> None:
    known = {case.case_id for case in scored.evaluation.cases}
    missing = [name for name in command.cases if name not in known]
    if missing:
        raise UsageError(f"the run {command.run} has no case {shown(missing[0])}", hint="See them with: beleg show")
