"""Verdicts of people and of a judge side by side in one file, when nobody needs to be asked any more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, field_validator

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Identifier
from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, shown
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus
from beleg.judges.calibration import LabelledScores

Word = Literal["pass", "fail"]
WORDS: dict[str, Word] = {
    "pass": "pass",
    "supported": "pass",
    "true": "pass",
    "1": "pass",
    "fail": "fail",
    "not_supported": "fail",
    "false": "fail",
    "0": "fail",
}
"""What counts as pass and what as fail."""


class VerdictRow(StoredModel):
    """One verdict of a judge on one item, with what people say of the item."""

    item_id: Identifier
    """The item; with repeats it stands in several rows."""
    human: Word
    """What people say: ``pass`` or ``fail`` (also ``supported``, ``not_supported``, 1, 0)."""
    judge: Word | None = None
    """What the judge says; left out where it gave no verdict, or where there is a score."""
    score: float | None = None
    """The judge's score, higher for better; verdicts then follow from a threshold."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which time the judge was asked."""
    group: Identifier | None = None
    """What the item shares with others that are not independent of it, such as its answer."""
    status: ScoreStatus | None = None
    """Why there is no verdict."""
    segments: dict[Identifier, str] = Field(default_factory=dict)
    """By what the items may be told apart, such as ``language``."""

    @field_validator("human", "judge", mode="before")
    @classmethod
    def _in_words(cls, value: Any) -> Any:
        return WORDS.get(str(value).strip().lower(), value) if isinstance(value, str | int) else value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VerdictFile:
    """A file of verdicts, read."""

    scores: LabelledScores
    without_verdict: dict[ScoreStatus, int]
    digest: str


def read_verdicts(path: Path) -> VerdictFile:
    """Reads verdicts from JSON Lines, CSV, Parquet or a list in JSON or YAML.

    Raises:
        UsageError: if there is no such file, or its suffix is unknown.
        DataError: naming file, line, field and remedy for everything that is wrong: an item with two labels, some rows
            with a score and some without.
    """
    rows = build_all(VerdictRow, read_rows(path), key=("item_id", "repeat"))
    _require_one_label(rows, path)
    graded = any(row.score is not None for row in rows)
    missing: Counter[ScoreStatus] = Counter()
    kept = []
    for row in rows:
        if (row.score if graded else row.judge) is not None:
            kept.append(row)
        elif graded and row.judge is not None:
            raise DataError(_problem(path, row, "some rows have a score and this one has only a verdict"))
        else:
            missing[row.status or ScoreStatus.MISSING] += 1
    return VerdictFile(
        scores=_scores(kept, graded=graded),
        without_verdict=dict(sorted(missing.items())),
        digest=digest_of([row.to_json_dict() for row in rows]),
    )


def _scores(rows: list[VerdictRow], *, graded: bool) -> LabelledScores:
    names = sorted({name for row in rows for name in row.segments})
    values = [(row.score or 0.0) if graded else float(row.judge == "pass") for row in rows]
    return LabelledScores(
        items=tuple(row.item_id for row in rows),
        human=np.array([row.human == "pass" for row in rows], dtype=np.bool_),
        scores=np.array(values, dtype=np.float64),
        repeats=tuple(row.repeat for row in rows),
        groups=tuple(row.group or row.item_id for row in rows),
        segments={name: tuple(row.segments.get(name) for row in rows) for name in names},
    )


def _require_one_label(rows: list[VerdictRow], path: Path) -> None:
    seen: dict[str, str] = {}
    for row in rows:
        if seen.setdefault(row.item_id, row.human) != row.human:
            raise DataError(_problem(path, row, "the item has two labels of people"))


def _problem(path: Path, row: VerdictRow, message: str) -> Problem:
    return Problem(file=str(path), field="item_id", value=shown(row.item_id), message=message)
