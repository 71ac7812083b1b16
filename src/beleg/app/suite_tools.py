"""What `beleg suite` does, as plain results."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import write_text
from beleg.app.suites import load_suite
from beleg.core.errors import UsageError
from beleg.core.suite import Suite
from beleg.run.folder import make_folder
from beleg.suites.cover import Cell, Coverage, coverage
from beleg.suites.diff import SuiteDiff, diff
from beleg.suites.release import ReleaseRecord, release
from beleg.suites.split import Split, part_suites, split
from beleg.suites.subset import Subset, fast_subset
from beleg.suites.validate import Finding, Severity, errors_in, validate

PART_NAME = re.compile(r"\w[\w.-]{0,99}")
"""A part names a file in the folder that the parts are written to."""

__all__ = [
    "Cell",
    "Coverage",
    "Finding",
    "ReleaseRecord",
    "Severity",
    "Split",
    "Subset",
    "SuiteDiff",
    "cover_suite",
    "diff_suites",
    "release_suite",
    "split_suite",
    "subset_suite",
    "validate_suite",
]


def validate_suite(source: str) -> tuple[Suite, tuple[Finding, ...]]:
    """Loads a suite and lists what is wrong or weak in it."""
    suite = load_suite(source)
    return suite, validate(suite, today=datetime.now(UTC).date())


def release_suite(source: str, store: Path, *, note: str) -> ReleaseRecord:
    """Releases a suite without errors as an immutable version.

    Raises:
        UsageError: if validation finds an error.
    """
    suite, findings = validate_suite(source)
    errors = errors_in(findings)
    if errors:
        raise UsageError(
            f"the suite has {len(errors)} errors, the first: {errors[0].to_problem()}",
            hint=f"See all of them with: beleg suite validate {source}",
        )
    return release(suite, store, note=note, released_at=datetime.now(UTC))


def diff_suites(old: str, new: str) -> SuiteDiff:
    """What changed between two suites."""
    return diff(load_suite(old), load_suite(new))


def cover_suite(source: str, dimensions: list[str], *, minimum_n: int) -> Coverage:
    """How many cases stand in every combination of labels."""
    return coverage(load_suite(source), dimensions, minimum_n=minimum_n)


def subset_suite(source: str, *, size: int, seed: int, out: Path | None) -> tuple[Suite, Subset]:
    """Chooses the fast subset, and writes its cases where a file is named."""
    suite = load_suite(source)
    chosen = fast_subset(suite, seed=seed, size=size)
    if out is not None:
        wanted = set(chosen.case_ids)
        _write_cases(out, [case.to_json_dict() for case in suite.cases if case.case_id in wanted])
    return suite, chosen


def split_suite(source: str, shares: dict[str, float], *, seed: int, out: Path | None) -> Split:
    """Splits a suite, and writes one file of cases for each part where a folder is named."""
    suite = load_suite(source)
    result = split(suite, shares, seed=seed)
    if out is not None:
        make_folder(out)
        for name, part in part_suites(suite, result).items():
            _write_cases(out / f"{name}.jsonl", [case.to_json_dict() for case in part.cases])
    return result


def parse_shares(texts: list[str]) -> dict[str, float]:
    """Reads ``development=0.6`` and the like.

    Raises:
        UsageError: naming the text that cannot be read.
    """
    shares: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.partition("=")
        try:
            value = float(number)
        except ValueError:
            equals = ""
        if not equals or name in shares:
            raise UsageError(f"{text!r} is no share", hint="Write each part once, as NAME=SHARE, such as release=0.7")
        if not PART_NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name of a part", hint="Use letters, digits, '.', '_' and '-'; it names a file"
            )
        shares[name] = value
    return shares


def as_json(result: Any) -> dict[str, Any]:
    """A result as JSON data."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(result), default=str))
    return data


def _write_cases(path: Path, cases: list[dict[str, Any]]) -> None:
    if path.exists():
        raise UsageError(f"{path} exists already", hint="Name another file; nothing is overwritten")
    write_text(path, "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases))
