"""The folder of calibration records: one file each, named by its content, never changed once it is there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from beleg.core.calibration import CalibrationRecord
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.run.folder import make_folder, read_model, write_model

SUFFIX = ".calibration.json"
DEFAULT_FOLDER = Path("calibrations")


def store_record(record: CalibrationRecord, target: Path) -> Path:
    """Writes a record; into a folder under the name of its measure and digest.

    Nothing is ever overwritten: a file that holds the same record stays, one that holds another is refused.

    Args:
        record: what is written.
        target: a folder, or a file whose name ends in ``.json``.

    Raises:
        UsageError: if the file holds something else, or cannot be written.
    """
    is_file = target.suffix == ".json"
    make_folder(target.parent if is_file else target)
    short = record.digest.removeprefix("sha256:")[:12]
    path = target if is_file else target / f"{record.measure}-{short}{SUFFIX}"
    if path.exists():
        if read_record(path).digest == record.digest:
            return path
        raise UsageError(
            f"{path} holds another calibration, and records are never overwritten",
            hint="Name another file, or a folder, with --out",
        )
    write_model(path, record, indent=2)
    return path


def load_records(paths: Iterable[Path]) -> tuple[CalibrationRecord, ...]:
    """All records of some files and folders, each once.

    Raises:
        UsageError: if there is no such file or folder.
        EvidenceError: if a record is damaged, or its name tells of another content than it has.
    """
    found: dict[str, CalibrationRecord] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such calibration record or folder of records")
        for file in sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]:
            record = read_record(file)
            found.setdefault(record.digest, record)
    return tuple(found.values())


def read_record(path: Path) -> CalibrationRecord:
    """One record, held against its name.

    Raises:
        EvidenceError: if it is damaged, or was changed since it was named by its content.
    """
    try:
        record = read_model(CalibrationRecord, path)
    except DataError as error:
        raise EvidenceError(error.message, hint="Calibrate again") from error
    told = path.name.removesuffix(SUFFIX).rpartition("-")[2] if path.name.endswith(SUFFIX) else ""
    short = record.digest.removeprefix("sha256:")[:12]
    if path.name.startswith(f"{record.measure}-") and told != short:
        problem = Problem(
            file=str(path),
            message="the record is not the one that its name tells of",
            value=short,
            remedy=f"It says {told}",
        )
        raise EvidenceError(str(problem), hint="The file was changed; restore it, or calibrate again")
    return record
