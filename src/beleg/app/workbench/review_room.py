"""The reviews of a project: one ledger that all requests share, and the claims of each run beside it (E7)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock

from beleg.app.feedback import FEEDBACK_FILE, AnswerKey, feedback_of
from beleg.app.review_ledgers import open_ledger
from beleg.app.review_subjects import subjects_of
from beleg.app.reviewing import ReviewDesk, now
from beleg.app.workbench.workspace import RunEntry
from beleg.core.errors import EvidenceError
from beleg.core.evidence import SheetHeader
from beleg.core.feedback import Feedback
from beleg.core.review import ClaimReview, ReviewEvent, ReviewLedger
from beleg.evidence.review_state import folded
from beleg.run.folder import RunFolder
from beleg.run.sheet_folder import SheetFolder

LEDGER_FILE = Path(".beleg") / "workbench" / "reviews.db"
"""Where the workbench keeps what people decided, unless another ledger is named; every command may open it too."""
MOST_HELD = 8
"""Sheets that are held at once; the one that was asked for longest ago makes room."""

Streams = Mapping[str, tuple[ReviewEvent, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReview:
    """The claims of one run with everything that happened to them."""

    run: RunEntry
    desk: ReviewDesk
    reviews: Mapping[str, ClaimReview]
    """By claim, in the order of the sheet."""
    streams: Streams
    """The events of every claim that has some, by ``run_id/claim_id``; those of claims that are gone included."""
    feedback: Mapping[AnswerKey, tuple[Feedback, ...]]
    """What users said of each answer."""

    @property
    def gone(self) -> int:
        """How many claims were reviewed and are not on the sheet any more."""
        return len(self.streams.keys() - {subject.stream for subject in self.desk.subjects.values()})

    def events(self, claim_id: str) -> tuple[ReviewEvent, ...]:
        """Everything that happened to a claim.

        Raises:
            UsageError: if the sheet does not hold it.
        """
        return self.streams.get(self.desk.subject(claim_id).stream, ())

    def feedback_on(self, claim_id: str) -> tuple[Feedback, ...]:
        """What users said of the answer that a claim stands in.

        Raises:
            UsageError: if the sheet does not hold it.
        """
        case = self.desk.subject(claim_id).case
        return self.feedback.get((case.case_id, case.repeat), ())


@dataclass(slots=True)
class _Held:
    """What is kept of one run between requests."""

    stamp: tuple[int, ...]
    desk: ReviewDesk
    reviews: dict[str, ClaimReview]
    feedback: Mapping[AnswerKey, tuple[Feedback, ...]]
    seen: int
    """How many events of its streams the reviews hold."""


@dataclass(slots=True)
class ReviewRoom:
    """Opens the reviews of runs, many requests at a time.

    The ledger is read on from where it was read last, whoever wrote to it in between, a command included.

    Args:
        root: the folder of the project.
        ledger: the address of the ledger.
        clock: tells the time.
    """

    root: Path
    ledger: str
    clock: Callable[[], datetime] = now
    _ledger: ReviewLedger | None = None
    _read: int = 0
    _streams: dict[str, dict[str, tuple[ReviewEvent, ...]]] = field(default_factory=dict)
    _held: OrderedDict[Path, _Held] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, root: Path) -> ReviewRoom:
        """The reviews of a project in the ledger of the workbench."""
        return cls(root, str(root / LEDGER_FILE))

    def close(self) -> None:
        """Closes the ledger."""
        with self._lock:
            if self._ledger is not None:
                self._ledger.close()
                self._ledger = None

    def header(self, run: RunEntry) -> SheetHeader | None:
        """The header of a run's sheet; ``None`` where none was built.

        Raises:
            EvidenceError: if it is damaged.
        """
        folder = SheetFolder(RunFolder(run.path).evidence_folder)
        return folder.header() if folder.exists() else None

    def streams(self, run_id: str) -> Streams:
        """The events of every claim of a run that has some.

        Raises:
            EvidenceError: if the ledger is damaged or cannot be opened.
        """
        with self._lock:
            return self._streams_now(run_id)

    def open(self, run: RunEntry) -> RunReview:
        """The claims of a run, as the sheet holds them and as they are reviewed now.

        Raises:
            UsageError: if no sheet was built.
            EvidenceError: if sheet or ledger are damaged.
        """
        with self._lock:
            streams = self._streams_now(run.run_id)
            held, size = self._held_of(run), sum(len(events) for events in streams.values())
            if held.seen != size:
                held.reviews, held.seen = held.reviews | _folded(held, streams), size
            return RunReview(run=run, desk=held.desk, reviews=held.reviews, streams=streams, feedback=held.feedback)

    def desk(self, run: RunEntry) -> ReviewDesk:
        """The claims of a run, to act on; what happened to them is read when it is needed.

        Raises:
            UsageError: if no sheet was built.
            EvidenceError: if sheet or ledger are damaged.
        """
        with self._lock:
            return self._held_of(run).desk

    def _opened(self) -> ReviewLedger:
        if self._ledger is None:
            if "://" not in self.ledger:
                self._make_folder(Path(self.ledger).parent)
            self._ledger = open_ledger(self.ledger)
        return self._ledger

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EvidenceError(
                f"{folder} cannot be made: {error.strerror}", hint="Check the rights on the folder of the project"
            ) from error

    def _streams_now(self, run_id: str) -> Streams:
        group, _, rest = run_id.partition("/")
        self._read_on()
        found = self._streams.get(group, {})
        return {name: each for name, each in found.items() if name.startswith(f"{run_id}/")} if rest else found

    def _read_on(self) -> None:
        changed: dict[str, dict[str, tuple[ReviewEvent, ...]]] = {}
        for event in self._opened().events(after=self._read):
            group, stream = event.action.stream.partition("/")[0], event.action.stream
            if group not in changed:
                # Replaced and never changed, so that whoever reads the former ones is not disturbed.
                changed[group] = dict(self._streams.get(group, {}))
            changed[group][stream] = (*changed[group].get(stream, ()), event)
            self._read = event.sequence
        self._streams |= changed

    def _held_of(self, run: RunEntry) -> _Held:
        stamp = _stamp(run.path)
        held = self._held.get(run.path)
        if held is None or held.stamp != stamp:
            run_id, subjects = subjects_of(run.path)
            desk = ReviewDesk(run_id, subjects, self._opened(), self.clock)
            untouched = {name: ClaimReview(stream=subject.stream, version=0) for name, subject in desk.subjects.items()}
            held = self._held[run.path] = _Held(stamp, desk, untouched, feedback_of(run.path), 0)
        self._held.move_to_end(run.path)
        while len(self._held) > MOST_HELD:
            self._held.popitem(last=False)
        return held


def _folded(held: _Held, streams: Streams) -> dict[str, ClaimReview]:
    """The review of every claim whose stream is longer than it was."""
    found = {}
    for stream, events in streams.items():
        claim_id = stream.removeprefix(f"{held.desk.run_id}/")
        subject = held.desk.subjects.get(claim_id)
        if subject is not None and held.reviews[claim_id].version != len(events):
            found[claim_id] = folded(stream, events, evidence_digest=subject.digest)
    return found


def _stamp(run: Path) -> tuple[int, ...]:
    folder = SheetFolder(RunFolder(run).evidence_folder)
    files = folder.header_file, folder.cases_file, run / FEEDBACK_FILE
    states = [path.stat() for path in files if path.exists()]
    return tuple(part for state in states for part in (state.st_mtime_ns, state.st_size))
