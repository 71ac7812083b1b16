"""What the runs of a suite returned near the top and no judgement of the suite names, and labelling it blind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock

from beleg.app.suite_labels import add_label, labels_file, read_labels
from beleg.app.workbench.suites import SuiteEntry
from beleg.app.workbench.workspace import RunEntry
from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.relevance_labels import RelevanceLabel, RelevanceVerdict, question_digest
from beleg.core.trace import Passage, Trace
from beleg.metrics.matching import EvidenceMatcher
from beleg.run.folder import RunFolder

MAX_ROWS = 10_000
"""Answers that are looked through; the newest runs first."""
KEY_DIGITS = 24
MAX_QUOTE_CHARS = 2_000
KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class UnjudgedItem:
    """A passage that nobody judged for a case. Which system returned it is not told: whoever labels it is blind."""

    key: str
    case_id: str
    question: str
    document_id: str
    passage_id: str
    text: str | None
    lists: int
    """In how many ranked lists it stands within the depth."""
    best_rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """Everything unjudged in the runs of a suite."""

    items: tuple[UnjudgedItem, ...]
    """In the most lists first, then the highest ranked."""
    depth: int
    runs: int
    """Runs that were looked through."""
    runs_left_out: int
    """Runs that were not, because they and newer ones hold more than `MAX_ROWS` answers."""
    lists: int
    judged: float | None
    """Mean share of judged passages within the depth; ``None`` without any list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelForm:
    """What was typed."""

    verdict: str = ""
    quote: str = ""


@dataclass(slots=True)
class UnjudgedShelf:
    """Looks through the runs of suites, anew only where one of the files changed."""

    root: Path
    _kept: dict[tuple[object, ...], Unjudged] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, entry: SuiteEntry, runs: Sequence[RunEntry], *, depth: int) -> Unjudged:
        """What nobody judged at rank ``depth`` or better.

        Args:
            entry: the suite.
            runs: the runs of the project, the newest first; those that asked other questions count for nothing.
            depth: how far down each list is looked at.

        Raises:
            EvidenceError: if a run or the labels are damaged.
        """
        suite, path = entry.suite, labels_file(self.root, entry.suite.header.name)
        own = [run for run in runs if run.header.suite_name == suite.header.name]
        chosen = _within(own)
        key = (suite.digest, depth, _stamp(path), *(_stamp(RunFolder(run.path).journal_file) for run in chosen))
        with self._lock:
            if key not in self._kept:
                while len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                labels = read_labels(path)
                self._kept[key] = _collected(suite.cases, chosen, labels, depth, left_out=len(own) - len(chosen))
            return self._kept[key]


def label_item(root: Path, entry: SuiteEntry, item: UnjudgedItem, form: LabelForm, *, by: str, at: datetime) -> None:
    """Writes down what somebody says of an item.

    Raises:
        DataError: naming the field that cannot be used.
        EvidenceError: if the labels are damaged or cannot be written.
    """
    case = next(case for case in entry.suite.cases if case.case_id == item.case_id)
    quote = form.quote.strip()
    label = RelevanceLabel(
        suite_name=entry.suite.header.name,
        suite_digest=entry.suite.digest,
        case_id=item.case_id,
        question_digest=question_digest(case),
        document_id=item.document_id,
        passage_id=item.passage_id,
        text_digest=None if item.text is None else digest_of(item.text),
        verdict=_verdict(form.verdict),
        quote=_quote(quote, form.verdict, item.text) if quote else None,
        actor=by,
        at=at,
    )
    add_label(labels_file(root, entry.suite.header.name), label)


def item_of(found: Unjudged, key: str) -> UnjudgedItem:
    """An item by its key.

    Raises:
        UsageError: if it is not there, or not any more.
    """
    item = next((each for each in found.items if each.key == key), None)
    if item is None:
        raise UsageError(f"there is no unjudged passage {shown(key)}", hint="Somebody may have labelled it")
    return item


def _verdict(text: str) -> RelevanceVerdict:
    if text not in [each.value for each in RelevanceVerdict]:
        raise DataError(Problem(message="choose one", field="verdict", value=shown(text)))
    return RelevanceVerdict(text)


def _quote(quote: str, verdict: str, text: str | None) -> str:
    if verdict == RelevanceVerdict.NOT_RELEVANT.value:
        raise DataError(Problem(message="not relevant", field="quote", value=shown(quote), remedy="leave it empty"))
    if len(quote) > MAX_QUOTE_CHARS:
        raise DataError(Problem(message="too long", field="quote", value=shown(len(quote))))
    if text is None or quote not in text:
        raise DataError(Problem(message="not in the passage", field="quote", value=shown(quote)))
    return quote


def _within(runs: Sequence[RunEntry]) -> list[RunEntry]:
    chosen, rows = [], 0
    for run in runs:
        rows += len(run.header.case_ids) * run.header.settings.repeats
        if rows > MAX_ROWS:
            break
        chosen.append(run)
    return chosen


def _collected(
    cases: Sequence[Case], runs: Sequence[RunEntry], labels: Sequence[RelevanceLabel], depth: int, *, left_out: int
) -> Unjudged:
    known = {case.case_id: case for case in cases}
    questions = {case.case_id: question_digest(case) for case in cases}
    labelled = {label.item for label in labels if questions.get(label.case_id) == label.question_digest}
    open_items: dict[tuple[str, str, str], UnjudgedItem] = {}
    shares: list[float] = []
    for run in runs:
        folder = RunFolder(run.path)
        asked = {case.case_id: question_digest(case) for case in folder.suite().cases}
        matcher = EvidenceMatcher(folder.inventory())
        for trace in folder.traces().traces:
            case = known.get(trace.case_id)
            if case is None or asked.get(trace.case_id) != questions[trace.case_id]:
                continue
            for listed in _lists(trace, depth):
                is_judged = [_is_judged(passage, case, matcher, labelled) for passage in listed]
                shares.append(sum(is_judged) / len(listed))
                for rank, (passage, judged) in enumerate(zip(listed, is_judged, strict=True), start=1):
                    if not judged:
                        _note(open_items, case, passage, matcher.text_of(passage), rank)
    ordered = sorted(open_items.values(), key=lambda item: (-item.lists, item.best_rank, item.case_id, item.passage_id))
    return Unjudged(
        items=tuple(ordered),
        depth=depth,
        runs=len(runs),
        runs_left_out=left_out,
        lists=len(shares),
        judged=sum(shares) / len(shares) if shares else None,
    )


def _lists(trace: Trace, depth: int) -> Iterator[tuple[Passage, ...]]:
    """What was retrieved, and what was delivered where it is another list."""
    if trace.output is None:
        return
    retrieved, delivered = trace.output.retrieved[:depth], trace.output.final_passages()[:depth]
    if retrieved:
        yield retrieved
    if delivered and [each.passage_id for each in delivered] != [each.passage_id for each in retrieved]:
        yield delivered


def _is_judged(passage: Passage, case: Case, matcher: EvidenceMatcher, labelled: set[tuple[str, str, str]]) -> bool:
    """Whether evidence, a forbidden source or a label names it."""
    if passage.document_id in case.forbidden_sources:
        return True
    if (case.case_id, passage.document_id, passage.passage_id) in labelled:
        return True
    return any(matcher.holds(passage, expected) for expected in case.expected_passages)


def _note(
    found: dict[tuple[str, str, str], UnjudgedItem], case: Case, passage: Passage, text: str | None, rank: int
) -> None:
    name = case.case_id, passage.document_id, passage.passage_id
    before = found.get(name)
    found[name] = UnjudgedItem(
        key=digest_of(list(name)).removeprefix("sha256:")[:KEY_DIGITS],
        case_id=case.case_id,
        question=case.question,
        document_id=passage.document_id,
        passage_id=passage.passage_id,
        text=text if before is None or before.text is None else before.text,
        lists=1 if before is None else before.lists + 1,
        best_rank=rank if before is None else min(rank, before.best_rank),
    )


def _stamp(path: Path) -> tuple[str, int, int]:
    if not path.exists():
        return str(path), 0, -1
    state = path.stat()
    return str(path), state.st_mtime_ns, state.st_size
