"""Labels of unjudged evidence: appended beside the project, and taken into a new copy of the suite, never in place."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.atomic import create_bytes
from beleg.app.suites import RELEASE_FILE, load_suite
from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import UsageError
from beleg.core.relevance_labels import RelevanceLabel, RelevanceVerdict, question_digest
from beleg.core.suite import Suite
from beleg.run.checked_lines import LineKind, LineWriter, read_lines
from beleg.run.folder import make_folder

LABELS_FOLDER = Path(".beleg") / "workbench" / "labels"
MAX_NAME = 80

LINES: LineKind[RelevanceLabel] = LineKind(
    name="label",
    model=RelevanceLabel,
    told=lambda label: f"the label of passage {label.passage_id!r} for case {label.case_id!r}",
    go_on="label it again",
    anew="move the file away and label again",
    file="the file of labels",
)


def labels_file(root: Path, suite_name: str) -> Path:
    """Where the labels of a suite stand in a project; no name of a suite leads out of the folder.

    Example:
        >>> labels_file(Path("p"), "../shop").name
        'shop-f256d94b.jsonl'
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", suite_name).strip("_-")[:MAX_NAME] or "suite"
    return root / LABELS_FOLDER / f"{plain}-{digest_of(suite_name).removeprefix('sha256:')[:8]}.jsonl"


def add_label(path: Path, label: RelevanceLabel) -> None:
    """Appends one label.

    Raises:
        EvidenceError: if the file is damaged or cannot be written.
        UsageError: if the folder cannot be made.
    """
    make_folder(path.parent)
    with _locked(path):
        kept = read_lines(path, LINES).whole_bytes if path.exists() else 0
        with LineWriter(LINES, path, keep_bytes=kept) as writer:
            writer.append(label)


def read_labels(path: Path) -> tuple[RelevanceLabel, ...]:
    """All labels in the order in which they were given; none where there is no file.

    Raises:
        EvidenceError: if the file is damaged.
    """
    return read_lines(path, LINES).records if path.exists() else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsApplied:
    """What a new copy of a suite took over, and what it did not."""

    folder: str
    added: int
    """Passages that are now evidence."""
    cases: int
    """Cases that have new evidence."""
    not_relevant: int
    """Passages that people find not relevant; a suite keeps only what is relevant, the labels keep them."""
    disputed: int
    """Passages on which people differ; left out."""
    stale: int
    """Labels of another question or of a case that is gone; left out."""
    named: int
    """Passages that the suite names already."""


def apply_labels(source: str, labels: Path, out: Path) -> LabelsApplied:
    """Writes a working copy of a suite that holds what people labelled as evidence; the suite itself stays as it is.

    Of each person the last label of a passage counts; where people differ the passage is left out. A copy of a released
    suite has the next version, so that it can be released in turn.

    Args:
        source: the suite, released or not.
        labels: the file of labels, as the workbench writes it.
        out: the folder of the copy; one that holds anything is refused.

    Raises:
        UsageError: if there is no such file or suite, or the folder is not empty.
        DataError: if the suite is faulty.
        EvidenceError: if the labels are damaged.
    """
    if not labels.is_file():
        raise UsageError(f"{labels}: there is no such file of labels", hint="Label in the workbench: beleg serve")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} holds something already", hint="Name a new folder; a suite is never overwritten")
    suite = load_suite(source)
    taken = _Taken(suite.cases, read_labels(labels))
    is_released = (Path(source) / RELEASE_FILE).is_file()
    version = suite.header.version + (1 if is_released else 0)
    _write(suite.model_copy(update={"cases": tuple(taken.written())}), version, out)
    return LabelsApplied(
        folder=str(out),
        added=sum(len(each) for each in taken.fresh.values()),
        cases=len(taken.fresh),
        not_relevant=taken.not_relevant,
        disputed=taken.disputed,
        stale=taken.stale,
        named=taken.named,
    )


class _Taken:
    """Which labels go into which case."""

    def __init__(self, cases: Sequence[Case], labels: Iterable[RelevanceLabel]) -> None:
        self._cases = cases
        self.fresh: dict[str, list[RelevanceLabel]] = {}
        self.not_relevant = self.disputed = self.stale = self.named = 0
        known = {case.case_id: case for case in cases}
        questions = {case.case_id: question_digest(case) for case in cases}
        latest: dict[tuple[str, str, str], dict[str, RelevanceLabel]] = {}
        for label in labels:
            if questions.get(label.case_id) == label.question_digest:
                latest.setdefault(label.item, {})[label.actor] = label
            else:
                self.stale += 1
        for people in latest.values():
            self._take(list(people.values()), known)

    def _take(self, given: Sequence[RelevanceLabel], known: dict[str, Case]) -> None:
        label = given[-1]
        if len({each.verdict for each in given}) > 1:
            self.disputed += 1
        elif label.verdict is RelevanceVerdict.NOT_RELEVANT:
            self.not_relevant += 1
        elif label.evidence() in known[label.case_id].expected_passages:
            self.named += 1
        else:
            self.fresh.setdefault(label.case_id, []).append(label)

    def written(self) -> Iterator[Case]:
        """The cases, those with new evidence anew."""
        for case in self._cases:
            more = tuple(label.evidence() for label in self.fresh.get(case.case_id, ()))
            yield case.model_copy(update={"expected_passages": (*case.expected_passages, *more)}) if more else case


def _write(suite: Suite, version: int, out: Path) -> None:
    """The cases first: a folder without a suite file is no suite."""
    make_folder(out)
    lines = "".join(json.dumps(case.to_json_dict(), ensure_ascii=False) + "\n" for case in suite.cases)
    create_bytes(out / "cases.jsonl", lines.encode())
    header = {**suite.header.to_json_dict(), "version": version, "cases": ["cases.jsonl"]}
    described = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in header.items())
    create_bytes(out / "suite.yaml", described.encode())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time; two people may label at once."""
    descriptor = os.open(path.parent / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
