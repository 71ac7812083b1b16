"""Feedback of users on the answers of a run: taken in from a file, appended beside the run, never rewritten (E7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.row import Row
from beleg.adapters.formats.rows import read_rows
from beleg.core.errors import DataError, Problem, shown
from beleg.core.feedback import Feedback, Rating, StoredFeedback
from beleg.run.checked_lines import LineKind, LineWriter, digest_of_whole_lines, read_lines
from beleg.run.folder import RunFolder

FEEDBACK_FILE = "feedback.jsonl"

LINES: LineKind[StoredFeedback] = LineKind(
    name="feedback",
    model=StoredFeedback,
    told=lambda line: f"the feedback on case {line.feedback.case_id!r}",
    go_on="take the file in again with: beleg review feedback RUN FILE",
    anew="remove the file, then take all feedback in again with: beleg review feedback RUN FILE",
    file="the feedback of the run",
)

AnswerKey = tuple[str, int]
"""A case and the attempt at it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of a file of feedback."""

    new: int
    known: int
    """Lines that stood there already."""
    down: int
    """Thumbs down beside the run now."""
    path: Path
    digest: str
    """The content address of all feedback of the run."""


def take_in_feedback(run: Path, file: Path) -> TakenIn:
    """Appends the feedback of a file to that of a run: all lines, or none of them.

    Args:
        run: the folder of the run.
        file: JSON Lines, CSV or another known format: ``case_id``, ``rating`` (``up``, ``down``), ``at``, ``source``,
            and where known ``repeat`` and ``comment``.

    Raises:
        UsageError: if there is no such run or file, or another command is writing to the run.
        DataError: naming file, line, field and remedy for everything that is wrong, a case that the run does not hold
            included.
        EvidenceError: if what stands beside the run is damaged, or cannot be written.
    """
    header = RunFolder(run).header()
    cases, repeats = frozenset(header.case_ids), header.settings.repeats

    def known(row: Row) -> Row:
        _require_answer(row, cases, repeats)
        return row

    return store_feedback(run, build_all(Feedback, read_rows(file), prepare=known))


def store_feedback(run: Path, given: Iterable[Feedback], *, at: datetime | None = None) -> TakenIn:
    """Appends feedback beside a run; what stands there already is not written again.

    Raises:
        UsageError: if another command is writing to the run.
        EvidenceError: if what stands there is damaged, or cannot be written.
    """
    folder, path = RunFolder(run), run / FEEDBACK_FILE
    moment = datetime.now(UTC) if at is None else at
    listed = list(given)
    with folder.locked():
        content = read_lines(path, LINES) if path.exists() else None
        held = set() if content is None else {line.feedback for line in content.records}
        fresh = [each for each in dict.fromkeys(listed) if each not in held]
        with LineWriter(LINES, path, keep_bytes=0 if content is None else content.whole_bytes) as writer:
            for each in fresh:
                writer.append(StoredFeedback(feedback=each, imported_at=moment))
        return TakenIn(
            new=len(fresh),
            known=len(listed) - len(fresh),
            down=sum(each.rating is Rating.DOWN for each in (*held, *fresh)),
            path=path,
            digest=digest_of_whole_lines(path),
        )


def feedback_of(run: Path) -> Mapping[AnswerKey, tuple[Feedback, ...]]:
    """All feedback of a run by answer, in the order in which it was taken in; empty where there is none.

    Raises:
        EvidenceError: if it is damaged.
    """
    path = run / FEEDBACK_FILE
    found: dict[AnswerKey, list[Feedback]] = {}
    if path.exists():
        for line in read_lines(path, LINES).records:
            found.setdefault((line.feedback.case_id, line.feedback.repeat), []).append(line.feedback)
    return {key: tuple(each) for key, each in found.items()}


def _require_answer(row: Row, cases: frozenset[str], repeats: int) -> None:
    """A line about an answer that the run does not hold would be counted nowhere."""
    case_id, repeat = row.data.get("case_id"), row.data.get("repeat", 0)
    if isinstance(case_id, str) and case_id not in cases:
        raise DataError(
            Problem(
                file=row.file, line=row.line, field="case_id", value=shown(case_id),
                message="the run holds no such case", remedy="See them with: beleg show --run RUN",
            )
        )  # fmt: skip
    attempt = int(repeat) if isinstance(repeat, int | str) and str(repeat).isdecimal() else None
    if attempt is not None and attempt >= repeats:
        raise DataError(
            Problem(
                file=row.file, line=row.line, field="repeat", value=shown(repeat),
                message=f"the run has {repeats} attempts at a case, counted from 0",
                remedy="Leave it out for the first",
            )
        )  # fmt: skip
