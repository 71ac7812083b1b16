"""The store of released suites: content-addressed and never changed in place (G2, G3).

    <store>/<suite name>/v<version>/suite.json      the header
                                    cases.jsonl     one case a line in canonical form, sorted by case id
                                    release.json    the record with the digest of every case

A version appears by one rename of a complete folder, so that two releases of one version cannot both win and a
release that was cut off leaves nothing that is taken for one.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn
from urllib.parse import quote

from pydantic import AwareDatetime, Field, ValidationError

from beleg.core.case import Case, Identifier
from beleg.core.digest import canonical_json, digest_of, digest_of_bytes
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError, shown
from beleg.core.model import StoredModel
from beleg.core.suite import Suite, SuiteHeader, SuiteKind
from beleg.suites.durable import sync_folder, write_read_only
from beleg.suites.questions import question_fingerprint
from beleg.suites.validate import errors_in, validate

_HEADER_FILE = "suite.json"
_CASES_FILE = "cases.jsonl"
_RECORD_FILE = "release.json"
_VERSION_FOLDER = re.compile(r"v([1-9][0-9]*)")
_LONGEST_FOLDER_NAME = 200


class ReleaseRecord(StoredModel):
    """What was released, when, and what it follows."""

    name: Identifier
    version: Annotated[int, Field(ge=1)]
    kind: SuiteKind
    digest: str
    """The digest of the whole suite, header and cases."""
    content_digest: str
    """The same without the version number, by which a second release of the same content is found."""
    case_digests: dict[Identifier, str]
    previous_version: int | None = None
    previous_digest: str | None = None
    guided_tuning: dict[str, Identifier] = Field(default_factory=dict)
    """Fingerprints of the questions that have guided tuning up to this version, with the id of their case."""
    note: str = ""
    released_at: AwareDatetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A released suite that was read back and found unchanged."""

    record: ReleaseRecord
    suite: Suite


def release(suite: Suite, store: Path, *, note: str, released_at: datetime) -> ReleaseRecord:
    """Puts a suite into the store under its version; releasing the same suite again changes nothing.

    Args:
        suite: The suite, with the version that it shall have.
        store: The folder of all released suites.
        note: Why there is a new version.
        released_at: When, with a time zone.

    Returns:
        The record of the release; the first one if the same suite had been released before.

    Raises:
        DataError: if the suite has errors, the version is taken by another content or is not the next one, the same
            content is already released, or a case that guided tuning is no longer marked.
        UsageError: if ``released_at`` has no time zone.
        EvidenceError: if the store is damaged or cannot be written.
    """
    if released_at.tzinfo is None:
        raise UsageError("released_at has no time zone", hint="Pass an aware datetime")
    past = history(store, suite.header.name)
    if suite.header.version in {record.version for record in past}:
        return _same_release(suite, store, past)
    errors = errors_in(validate(suite, today=released_at.date()))
    if errors:
        raise DataError((finding.to_problem() for finding in errors), hint="The suite was not released")
    folder = _suite_folder(store, suite.header.name)
    _require_next(suite, past, folder)
    _require_marks(suite, store)
    record = _record(suite, past[-1] if past else None, note=note, released_at=released_at)
    if _publish(suite, record, folder):
        return record
    # Another release of this version was faster. It is either the same suite or bars this one, as if it came first.
    return release(suite, store, note=note, released_at=released_at)


def load_release(store: Path, name: str, version: int | None = None) -> Release:
    """Reads a released suite and proves that it is the one that was released.

    Args:
        store: The folder of all released suites.
        name: The name of the suite.
        version: Which version; the latest by default.

    Raises:
        EvidenceError: if the version is not there, or naming the first case that is not as it was released.
    """
    folder = _suite_folder(store, name)
    versions = released_versions(store, name)
    if not versions or (version is not None and version not in versions):
        wanted = f"version {version} of suite {shown(name)}" if version is not None else f"suite {shown(name)}"
        known = ", ".join(str(known) for known in versions) or "none"
        raise EvidenceError(f"{wanted} is not released in {store}", hint=f"Released versions: {known}")
    chosen = versions[-1] if version is None else version
    place = folder / f"v{chosen}"
    record = _read_record(place)
    header_bytes = _read(place / _HEADER_FILE)
    lines = _read(place / _CASES_FILE).split(b"\n")
    _verify_cases(record, lines, place)
    _verify_header(record, header_bytes, place)
    _verify_successor(record, folder, versions)
    try:
        suite = Suite(
            header=SuiteHeader.model_validate_json(header_bytes),
            cases=tuple(Case.model_validate_json(line) for line in lines[:-1]),
        )
    except ValidationError as error:
        raise EvidenceError(f"{place}: this version of Beleg cannot read the released suite: {error}") from error
    if (suite.header.name, suite.header.version, suite.header.kind) != (record.name, record.version, record.kind):
        _changed(place / _RECORD_FILE, "the record names another suite than the header")
    return Release(record=record, suite=suite)


def released_versions(store: Path, name: str) -> tuple[int, ...]:
    """The versions of a suite that are in the store, oldest first."""
    return _versions_in(_suite_folder(store, name))


def history(store: Path, name: str) -> tuple[ReleaseRecord, ...]:
    """The records of all versions of a suite, oldest first.

    Raises:
        EvidenceError: if a record is missing or damaged.
    """
    folder = _suite_folder(store, name)
    return tuple(_read_record(folder / f"v{version}") for version in released_versions(store, name))


def _versions_in(folder: Path) -> tuple[int, ...]:
    if not folder.is_dir():
        return ()
    matches = (_VERSION_FOLDER.fullmatch(entry.name) for entry in folder.iterdir())
    return tuple(sorted(int(match.group(1)) for match in matches if match))


def _suite_folder(store: Path, name: str) -> Path:
    # Any name is allowed for a suite; quoting keeps "../x" and "a/b" from leaving or nesting in the store.
    safe = quote(name, safe=" ")
    if safe.startswith("."):
        safe = f"%2E{safe[1:]}"
    if len(safe) > _LONGEST_FOLDER_NAME:
        raise DataError(
            Problem(
                message=f"the suite name is too long for a folder ({len(safe)} bytes when quoted)",
                field="name",
                value=shown(name),
                remedy=f"Use at most {_LONGEST_FOLDER_NAME} bytes",
            )
        )
    return store / safe


def _content_digest(suite: Suite) -> str:
    header = suite.header.to_json_dict()
    del header["version"]
    return digest_of({"header": header, "cases": suite.case_digests})


def _same_release(suite: Suite, store: Path, past: tuple[ReleaseRecord, ...]) -> ReleaseRecord:
    record = next(record for record in past if record.version == suite.header.version)
    # Two cases with one id would hide behind the digest of one of them.
    if record.digest != suite.digest or len(suite.cases) != len(record.case_digests):
        _refuse_version(
            suite,
            "the version is released with other content; a released suite is never changed in place",
            _suite_folder(store, suite.header.name) / f"v{record.version}",
            remedy=f"Raise the version to {past[-1].version + 1}",
        )
    return load_release(store, suite.header.name, record.version).record


def _require_next(suite: Suite, past: tuple[ReleaseRecord, ...], folder: Path) -> None:
    content = _content_digest(suite)
    for record in past:
        if record.content_digest == content:
            _refuse_version(
                suite,
                f"the same content is already released as version {record.version}",
                folder,
                remedy=f"Use version {record.version}",
            )
    following = past[-1].version + 1 if past else 1
    if suite.header.version != following:
        _refuse_version(suite, "versions follow each other without gaps", folder, remedy=f"Set it to {following}")
    if past and past[-1].kind is not suite.header.kind and suite.header.kind is not SuiteKind.DEVELOPMENT:
        raise DataError(
            Problem(
                file=str(folder),
                field="kind",
                message=f"version {past[-1].version} is a {past[-1].kind.value} suite; kinds are never mixed",
                value=shown(suite.header.kind.value),
                remedy="Give the suite another name, or make it a development suite",
            )
        )


def _refuse_version(suite: Suite, message: str, place: Path, *, remedy: str) -> NoReturn:
    raise DataError(
        Problem(file=str(place), field="version", message=message, value=str(suite.header.version), remedy=remedy)
    )


def _require_marks(suite: Suite, store: Path) -> None:
    """Refuses unmarked cases that guided tuning: by question in any suite of the store, by id in this one."""
    by_question: dict[str, str] = {}
    by_id: set[str] = set()
    for record in _latest_records(store):
        by_question.update(dict.fromkeys(record.guided_tuning, record.name))
        if record.name == suite.header.name:
            by_id.update(record.guided_tuning.values())
    problems = []
    for case in suite.cases:
        source = by_question.get(question_fingerprint(case))
        if source is None and case.case_id in by_id:
            source = suite.header.name
        if source is None or case.guided_tuning:
            continue
        problems.append(
            Problem(
                message=f"case {shown(case.case_id)} guided tuning in a release of suite {shown(source)}, "
                "so it is a development case for good",
                field="guided_tuning",
                value="false",
                remedy="Mark it in a development suite, remove it from any other",
            )
        )
    if problems:
        raise DataError(problems, hint="The suite was not released")


def _latest_records(store: Path) -> Iterator[ReleaseRecord]:
    if not store.is_dir():
        return
    for folder in sorted(store.iterdir()):
        versions = _versions_in(folder)
        if versions:
            yield _read_record(folder / f"v{versions[-1]}")


def _record(suite: Suite, previous: ReleaseRecord | None, *, note: str, released_at: datetime) -> ReleaseRecord:
    marks = dict(previous.guided_tuning) if previous else {}
    marks.update({question_fingerprint(case): case.case_id for case in suite.cases if case.guided_tuning})
    return ReleaseRecord(
        name=suite.header.name,
        version=suite.header.version,
        kind=suite.header.kind,
        digest=suite.digest,
        content_digest=_content_digest(suite),
        case_digests=dict(sorted(suite.case_digests.items())),
        previous_version=previous.version if previous else None,
        previous_digest=previous.digest if previous else None,
        guided_tuning=marks,
        note=note,
        released_at=released_at,
    )


def _publish(suite: Suite, record: ReleaseRecord, folder: Path) -> bool:
    """Makes the version appear at once and whole; False when another release of it came first."""
    draft = folder / f".draft-v{record.version}-{secrets.token_hex(8)}"
    try:
        draft.mkdir(parents=True)
        cases = sorted(suite.cases, key=lambda case: case.case_id)
        write_read_only(draft / _CASES_FILE, b"".join(canonical_json(case.to_json_dict()) + b"\n" for case in cases))
        write_read_only(draft / _HEADER_FILE, canonical_json(suite.header.to_json_dict()))
        write_read_only(draft / _RECORD_FILE, canonical_json(record.to_json_dict()))
        sync_folder(draft)
        final = folder / f"v{record.version}"
        try:
            draft.rename(final)
        except OSError:
            # A folder cannot be renamed onto a folder that holds files, which is what makes one release win.
            if not final.exists():
                raise
            return False
        sync_folder(folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise EvidenceError(f"{folder}: version {record.version} could not be written: {error.strerror}") from error
    else:
        return True
    finally:
        if draft.exists():
            shutil.rmtree(draft)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EvidenceError(
            f"{path}: cannot be read: {error.strerror}", hint="Restore the store from a copy"
        ) from error


def _read_record(place: Path) -> ReleaseRecord:
    path = place / _RECORD_FILE
    try:
        record = ReleaseRecord.model_validate_json(_read(path))
    except ValidationError as error:
        raise EvidenceError(
            f"{path}: is not a release record: {error}", hint="Restore the store from a copy"
        ) from error
    if f"v{record.version}" != place.name:
        _changed(path, f"the record is that of version {record.version}")
    return record


def _changed(path: Path, what: str) -> NoReturn:
    raise EvidenceError(
        f"{path}: {what}; the suite is not the one that was released",
        hint="Restore the store from a copy, and release the change as a new version",
    )


def _verify_cases(record: ReleaseRecord, lines: list[bytes], place: Path) -> None:
    path = place / _CASES_FILE
    found = [digest_of_bytes(line) for line in lines[:-1]]
    present = set(found)
    for case_id, digest in sorted(record.case_digests.items()):
        if digest not in present:
            _changed(path, f"case {shown(case_id)} was changed or removed")
    if lines[-1] or found != [digest for _, digest in sorted(record.case_digests.items())]:
        _changed(path, "cases were added or moved")


def _verify_header(record: ReleaseRecord, header_bytes: bytes, place: Path) -> None:
    # Over the stored bytes, not over the parsed model: a field that a later Beleg adds must not damage old releases.
    path = place / _HEADER_FILE
    try:
        header = json.loads(header_bytes)
    except ValueError:
        _changed(path, "the header is not JSON")
    digests = sorted(record.case_digests.values())
    if canonical_json(header) != header_bytes or digest_of({"header": header, "cases": digests}) != record.digest:
        _changed(path, "the header or the record was changed")


def _verify_successor(record: ReleaseRecord, folder: Path, versions: tuple[int, ...]) -> None:
    """The next release vouches for this one: editing cases and record together does not go unnoticed."""
    if record.version + 1 in versions:
        following = _read_record(folder / f"v{record.version + 1}")
        if following.previous_digest != record.digest:
            _changed(folder / f"v{record.version}", f"version {following.version} follows another content")
