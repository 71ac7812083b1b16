"""Loading suites from wherever they are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from beleg.adapters.formats.models import build_all, load_document
from beleg.adapters.formats.rows import read_rows
from beleg.app.places import placed
from beleg.core.case import Case, Identifier
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.suite import Suite, SuiteHeader

RELEASE_FILE = "release.json"
HEADER_SUFFIXES = (".yaml", ".yml")
SCHEMES = ("beir", "squad")
SEAL_MARK = b'{"beleg_seal"'
"""How a sealed suite begins."""


class SuiteFile(SuiteHeader):
    """A suite file: the header, and the files that hold the cases, counted from the folder of the suite file."""

    cases: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    """The files of the cases; none may lie outside the folder of the suite file."""


def load_suite(source: str | Path) -> Suite:
    """Loads a suite.

    Args:
        source: a suite file (YAML), a file of cases (JSONL, JSON, CSV, Parquet), the folder of a released version,
            ``beir:FOLDER[:LANGUAGE]`` or ``squad:FILE[:LANGUAGE]``.

    Returns:
        The suite; nothing of it is used if any row is wrong.

    Raises:
        UsageError: if there is nothing there, or its kind is not known.
        DataError: naming file, line, field, value and remedy for everything that is wrong.
        EvidenceError: if a released suite was changed after its release.

    Example:
        >>> load_suite("missing.yaml")
        Traceback (most recent call last):
        ...
        beleg.core.errors.UsageError: missing.yaml: there is no such file or folder
    """
    scheme, _, rest = str(source).partition(":")
    if rest and scheme in SCHEMES:
        return _from_scheme(scheme, rest)
    path = Path(source)
    if not path.exists():
        raise UsageError(
            f"{path}: there is no such file or folder",
            hint="Give a suite file (suite.yaml), a file of cases (cases.jsonl), beir:FOLDER or squad:FILE",
        )
    if path.is_dir():
        return _from_folder(path)
    if path.suffix.lower() in HEADER_SUFFIXES:
        return _from_suite_file(path)
    _refuse_sealed(path)
    header = SuiteHeader(name=path.name.split(".")[0])
    return Suite(header=header, cases=tuple(build_all(Case, read_rows(path), key="case_id")))


def _refuse_sealed(path: Path) -> None:
    if not path.is_file():
        return
    with path.open("rb") as file:
        if file.read(len(SEAL_MARK)) == SEAL_MARK:
            raise UsageError(
                f"{path} is a sealed suite: its cases can be asked, and not looked at",
                hint="Decide on it with: beleg suite decide",
            )


def _from_folder(path: Path) -> Suite:
    if (path / RELEASE_FILE).exists():
        from beleg.suites.release import load_release

        version = path.name.removeprefix("v")
        if not version.isdecimal():
            raise UsageError(f"{path}: the folder of a released version is named v1, v2, …")
        return load_release(path.parent.parent, path.parent.name, int(version)).suite
    for name in ("suite.yaml", "suite.yml"):
        if (path / name).exists():
            return _from_suite_file(path / name)
    raise UsageError(f"{path}: the folder holds neither a suite.yaml nor a released suite")


def _from_suite_file(path: Path) -> Suite:
    described = load_document(SuiteFile, path)
    rows = (row for place, name in enumerate(described.cases) for row in read_rows(_beside(path, place, name)))
    header = SuiteHeader.model_validate(described.model_dump(exclude={"cases"}, exclude_none=True))
    return Suite(header=header, cases=tuple(build_all(Case, rows, key="case_id")))


def _beside(suite_file: Path, position: int, name: str) -> Path:
    """A file of cases, which may not lie outside the folder of the suite file."""
    folder = suite_file.parent.resolve()
    target = (folder / name).resolve()
    message, remedy = None, "Move it beside the suite file"
    if not target.is_relative_to(folder):
        message = "the file lies outside the folder of the suite"
    elif not target.exists():
        message, remedy = "there is no such file", "Paths are counted from the folder of the suite file"
    if message is None:
        return suite_file.parent / name
    problem = Problem(field=f"cases[{position}]", message=message, value=shown(name), remedy=remedy)
    raise DataError(placed((problem,), suite_file))


def _from_scheme(scheme: str, rest: str) -> Suite:
    place, _, language = rest.partition(":")
    path = Path(place)
    if scheme == "beir":
        from beleg.adapters.formats.beir import read_beir_cases

        cases = tuple(read_beir_cases(path, language=language or None))
    else:
        from beleg.adapters.formats.squad import read_squad

        cases = read_squad(path, language=language or None).cases
    return Suite(header=SuiteHeader(name=path.name.removesuffix(".json")), cases=cases)
