"""Comparing two runs case by case and claim row by claim row, and keeping the result beside the new run (E8, E9)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.adapters.formats.atomic import write_text
from beleg.app.run_sources import link_to, opened_run
from beleg.app.sheets import evidence_of
from beleg.core.errors import UsageError
from beleg.core.run_comparison import ComparedCase, ComparedRun, RunComparison
from beleg.core.trace import Output, Trace, TraceStatus
from beleg.evidence.case_comparing import Attempt, RunContext, compare_attempts
from beleg.evidence.run_comparing import configuration_aspect, configuration_of, snapshot_aspect, todays_sources
from beleg.report.cases_markdown import cases_markdown
from beleg.report.cases_page import cases_page
from beleg.run.findings import read_findings
from beleg.run.folder import RunFolder, read_model, write_model

COMPARISON_FILE = "comparison.json"


def compare_cases(new: Path, old: Path) -> RunComparison:
    """Compares two runs of the same frozen cases.

    Args:
        new: the run that was made later, such as a replay.
        old: the run that it is held against.

    Raises:
        UsageError: if either is no run, or both are the same folder.
        EvidenceError: if either was changed after it began, or its sheet is damaged.
    """
    with opened_run(old) as old_folder, opened_run(new) as new_folder:
        if old_folder.path.resolve() == new_folder.path.resolve():
            raise UsageError(
                f"{new} is compared with itself", hint="Name two runs: first the new one, then the old one"
            )
        return _compared(old_folder, new_folder)


def store_comparison(comparison: RunComparison, run: Path, *, language: str = "en") -> tuple[Path, ...]:
    """Writes the comparison beside the new run: as data, where a pack finds it, as HTML and as Markdown.

    An earlier comparison of the run is replaced, file by file as a whole: it can be made again at any time.

    Args:
        comparison: what was compared.
        run: the folder of the new run.
        language: of the reports, ``en`` or ``de``.

    Raises:
        EvidenceError: if the disk takes no more.
    """
    stored = run / COMPARISON_FILE
    write_model(stored, comparison)
    page, text = stored.with_suffix(".html"), stored.with_suffix(".md")
    write_text(page, cases_page(comparison, language=language))
    write_text(text, cases_markdown(comparison, language=language))
    return stored, page, text


def stored_comparison(run: Path) -> RunComparison | None:
    """The comparison that is kept beside a run; ``None`` where there is none.

    Raises:
        EvidenceError: if the file is damaged.
    """
    path = run / COMPARISON_FILE
    return read_model(RunComparison, path) if path.exists() else None


def _compared(old: RunFolder, new: RunFolder) -> RunComparison:
    old_header, new_header = old.header(), new.header()
    inventories = old.inventory(), new.inventory()
    snapshot = snapshot_aspect((old_header.manifest, inventories[0]), (new_header.manifest, inventories[1]))
    configuration = configuration_of(old_header, new_header)
    context = RunContext(
        snapshot=snapshot,
        configuration=configuration_aspect(configuration, snapshot),
        today=todays_sources(inventories[1]),
        before=todays_sources(inventories[0]),
    )
    in_old, in_new = set(old_header.case_ids), set(new_header.case_ids)
    return RunComparison(
        old=_told(old),
        new=_told(new),
        made_from_old=new_header.made_from is not None
        and new_header.made_from
        == link_to(old, new_header.made_from.kind).model_copy(
            update={"findings_digest": new_header.made_from.findings_digest}
        ),
        configuration=configuration,
        cases=tuple(_cases(old, new, context)),
        only_old=tuple(name for name in old_header.case_ids if name not in in_new),
        only_new=tuple(name for name in new_header.case_ids if name not in in_old),
        beleg_version=version("beleg"),
        created_at=datetime.now(UTC),
    )


def _cases(old: RunFolder, new: RunFolder, context: RunContext) -> Iterator[ComparedCase]:
    before = {(each.case.case_id, each.evidence.repeat): each for each in _attempts(old)}
    for attempt in _attempts(new):
        other = before.get((attempt.case.case_id, attempt.evidence.repeat))
        if other is not None:
            yield compare_attempts(other, attempt, context)


def _attempts(folder: RunFolder) -> Iterator[Attempt]:
    by_id = folder.suite().case_by_id()
    traces = {(trace.case_id, trace.repeat): trace for trace in folder.traces().traces}
    for evidence in evidence_of(folder.path):
        trace = traces.get((evidence.case_id, evidence.repeat))
        yield Attempt(case=by_id[evidence.case_id], evidence=evidence, output=_output(trace))


def _output(trace: Trace | None) -> Output | None:
    return None if trace is None or trace.status is not TraceStatus.OK else trace.output


def _told(folder: RunFolder) -> ComparedRun:
    header = folder.header()
    return ComparedRun(
        run_id=header.run_id,
        name=header.manifest.name,
        created_at=header.created_at,
        manifest_digest=header.manifest_digest,
        suite_digest=header.suite_digest,
        traces_digest=folder.traces_digest(),
        findings_digest=read_findings(folder.findings_file).digest,
        inventory_digest=header.inventory_digest,
        made_from=header.made_from,
    )
