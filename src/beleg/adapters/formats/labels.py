"""Labels that people gave, as JSON Lines of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from beleg.adapters.formats.jsonl import read_jsonl
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.row import Row
from beleg.core.case import Identifier, Nugget
from beleg.core.errors import DataError, Problem
from beleg.core.labels import HumanLabel, LabelText, LabelValue
from beleg.core.model import StoredModel


class _Passage(StoredModel):
    passage_id: Identifier
    text: LabelText


class _LabelRow(StoredModel):
    """One line: what was labelled, against which passages, by whom, and how."""

    case_id: Annotated[str, Field(min_length=1, max_length=512)]
    question: LabelText = ""
    answer: LabelText | None = None
    claim: LabelText | None = None
    passages: tuple[_Passage | LabelText, ...] = ()
    reference_answer: LabelText | None = None
    rubric: LabelText | None = None
    nuggets: tuple[Nugget, ...] = ()
    label: LabelValue
    annotator: Identifier | None = None
    segments: dict[Identifier, str] = Field(default_factory=dict)


def read_label_rows(path: Path) -> list[HumanLabel]:
    """The labels of a JSON Lines file, one label a line.

    A line holds ``case_id``, ``answer`` or ``claim`` or both, ``passages`` (texts, or ``passage_id`` and ``text``),
    ``label`` (``supported``, ``not_supported``, ``pass`` or ``fail``), and where they are known ``question``,
    ``annotator`` and ``segments``. Judges that compare an answer with more than passages need ``reference_answer``,
    ``rubric`` or ``nuggets``. Several people may label one item; one person labels an item once.

    Raises:
        UsageError: if there is no such file.
        DataError: naming file, line, field and remedy for everything that is wrong.
    """
    rows = build_all(_LabelRow, read_jsonl(path), key=("case_id", "claim", "annotator"), prepare=_prepared)
    return [_label(row) for row in rows]


def _prepared(row: Row) -> Row:
    if row.data.get("answer") is None and row.data.get("claim") is None:
        raise DataError(
            Problem(
                file=row.file,
                line=row.line,
                field="answer",
                message="there is neither an answer nor a claim",
                remedy="Add what was labelled",
            )
        )
    return row


def _label(row: _LabelRow) -> HumanLabel:
    return HumanLabel(
        item_id=row.case_id,
        question=row.question,
        answer=row.answer if row.answer is not None else row.claim or "",
        claim=row.claim,
        passages=tuple(
            (str(number), passage) if isinstance(passage, str) else (passage.passage_id, passage.text)
            for number, passage in enumerate(row.passages, start=1)
        ),
        reference_answer=row.reference_answer,
        rubric=row.rubric,
        nuggets=row.nuggets,
        label=row.label,
        annotator=row.annotator,
        segments=row.segments,
    )
