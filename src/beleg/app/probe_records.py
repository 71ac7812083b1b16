"""The records of probes: one file each beside the run, named by judge, time and content, never changed."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path

from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.core.probes import ProbeRecord
from beleg.run.folder import RunFolder, make_folder, read_model, write_model

SUFFIX = ".probe.json"
FOLDER = "probes"
"""Within the evidence of a run."""
SHORT = 12
MAX_NAME = 60


def probes_folder(run: Path) -> Path:
    """Where the records of a run stand unless another place is named."""
    return RunFolder(run).evidence_folder / FOLDER


def store_probes(record: ProbeRecord, target: Path) -> Path:
    """Writes a record; into a folder under the name of its judge, its time and its digest.

    Nothing is ever overwritten: a file that holds the same record stays, one that holds another is refused.

    Args:
        record: what is written.
        target: a folder, or a file whose name ends in ``.json``.

    Raises:
        UsageError: if the file holds something else, or cannot be written.
    """
    is_file = target.suffix == ".json"
    make_folder(target.parent if is_file else target)
    path = target if is_file else target / _name(record)
    if path.exists():
        if read_probes(path).digest == record.digest:
            return path
        raise UsageError(
            f"{path} holds another record of probes, and records are never overwritten",
            hint="Name another file, or a folder, with --out",
        )
    write_model(path, record, indent=2)
    return path


def read_probes(path: Path) -> ProbeRecord:
    """One record, held against its name.

    Raises:
        EvidenceError: if it is damaged, or was changed since it was named by its content.
    """
    try:
        record = read_model(ProbeRecord, path)
    except DataError as error:
        raise EvidenceError(error.message, hint="Probe again") from error
    if path.name.endswith(SUFFIX):
        told, short = path.name.removesuffix(SUFFIX).rpartition("-")[2], _short(record)
        if told != short:
            problem = Problem(
                file=str(path),
                message="the record is not the one that its name tells of",
                value=short,
                remedy=f"It says {told}",
            )
            raise EvidenceError(str(problem), hint="The file was changed; restore it, or probe again")
    return record


def _name(record: ProbeRecord) -> str:
    judge = re.sub(r"[^A-Za-z0-9._-]+", "_", record.judge_name or "no judge")[:MAX_NAME].strip("._-") or "judge"
    return f"{judge}-{record.created_at.astimezone(UTC):%Y%m%dT%H%M%SZ}-{_short(record)}{SUFFIX}"


def _short(record: ProbeRecord) -> str:
    return record.digest.removeprefix("sha256:")[:SHORT]
