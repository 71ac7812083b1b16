"""Evidence sheets: built from a run case by case, and read back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.app.sheet_index import open_index
from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.core.run import RunHeader
from beleg.core.suite import Suite
from beleg.evidence.judged import MEASURES
from beleg.evidence.naming import SheetNames
from beleg.evidence.passages import Sources
from beleg.evidence.sheet import RunMaterial, case_of
from beleg.run.checked_lines import digest_of_whole_lines
from beleg.run.findings import FINDINGS
from beleg.run.folder import RunFolder
from beleg.run.line_index import LineIndex
from beleg.run.sheet_folder import SheetFolder, SheetSize


def build_sheet(run: Path) -> SheetFolder:
    """Builds the evidence sheet of a run, or builds it anew: one row per material claim of every answer.

    What judges found is taken where it is about these very answers; where nobody judged, the claims are the sentences
    of the answers, and there is no proposal on support. A sheet of before stays until the new one is whole. Built again
    from the same run, all bytes but the time are the same.

    Args:
        run: the folder of the run.

    Raises:
        UsageError: if there is no run, or another process is writing to it.
        EvidenceError: if the run is damaged, or the disk takes no more.
    """
    folder = RunFolder(run)
    header, suite = folder.header(), folder.suite()
    sheet = SheetFolder(folder.evidence_folder)
    with folder.locked():
        sheet.write(_cases(folder, header, suite), lambda size: _header(folder, header, size))
        # Now and not when somebody waits for the first page.
        open_index(run)
    return sheet


def read_sheet(run: Path) -> tuple[SheetHeader, Iterator[EvidenceCase]]:
    """The header of a run's sheet, and its cases one by one.

    Raises:
        UsageError: if no sheet was built.
        EvidenceError: while reading, if a line is damaged or the cases are not those of the header.
    """
    sheet = SheetFolder(RunFolder(run).evidence_folder)
    header = sheet.header()
    return header, sheet.cases(header)


def evidence_of(run: Path) -> Iterator[EvidenceCase]:
    """The evidence cases of a run: of its sheet where that is of today, else made anew without being stored.

    Raises:
        UsageError: if there is no run.
        EvidenceError: if the run or its sheet is damaged.
    """
    if SheetFolder(RunFolder(run).evidence_folder).exists() and not stale_parts(run):
        return read_sheet(run)[1]
    return evidence_made_anew(run)


def evidence_made_anew(run: Path) -> Iterator[EvidenceCase]:
    """The evidence cases of a run by its traces and findings alone, whatever a stored sheet says.

    For whatever lets something pass: a sheet is a file beside the run, and may be older than it, or another's.

    Raises:
        UsageError: if there is no run.
        EvidenceError: if the run is damaged.
    """
    folder = RunFolder(run)
    return _cases(folder, folder.header(), folder.suite())


def stale_parts(run: Path) -> tuple[str, ...]:
    """What of a run changed after its sheet was built: ``traces``, ``findings`` or ``inventory``; empty if nothing did.

    Raises:
        UsageError: if there is no run or no sheet.
    """
    folder = RunFolder(run)
    header = SheetFolder(folder.evidence_folder).header()
    today = {
        "traces": (header.traces_digest, folder.traces_digest()),
        "findings": (header.findings_digest, _findings_digest(folder)),
        "inventory": (header.inventory_digest, folder.header().inventory_digest),
    }
    return tuple(name for name, (built, now) in today.items() if built != now)


def _cases(folder: RunFolder, header: RunHeader, suite: Suite) -> Iterator[EvidenceCase]:
    by_id = suite.case_by_id()
    repeats = header.settings.repeats
    material = RunMaterial(
        names=SheetNames.of(header.case_ids, repeats=repeats),
        collection=header.manifest.corpus_snapshot,
        sources=Sources(folder.inventory()),
    )
    traces = folder.trace_places()
    findings = LineIndex.of(folder.findings_file, FINDINGS, lambda found: (found.case_id, found.repeat, found.measure))
    with traces.opened() as trace_lines, findings.opened() as finding_lines:
        for case_id in header.case_ids:
            for repeat in range(repeats):
                found = {name: finding_lines.get((case_id, repeat, name)) for name in MEASURES}
                held = {name: finding for name, finding in found.items() if finding is not None}
                trace = trace_lines.get((case_id, repeat))
                yield case_of(by_id[case_id], trace, held, material, repeat=repeat)


def _header(folder: RunFolder, header: RunHeader, size: SheetSize) -> SheetHeader:
    return SheetHeader(
        run_id=header.run_id,
        manifest=header.manifest,
        manifest_digest=header.manifest_digest,
        suite_name=header.suite_name,
        suite_version=header.suite_version,
        suite_digest=header.suite_digest,
        traces_digest=folder.traces_digest(),
        findings_digest=_findings_digest(folder),
        inventory_digest=header.inventory_digest,
        case_count=size.cases,
        claim_count=size.claims,
        cases_digest=size.digest,
        beleg_version=version("beleg"),
        created_at=datetime.now(UTC),
    )


def _findings_digest(folder: RunFolder) -> str | None:
    return digest_of_whole_lines(folder.findings_file) if folder.findings_file.exists() else None
