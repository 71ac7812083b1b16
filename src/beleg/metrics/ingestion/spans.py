"""Labelled spans of many documents as columns: names, places, personal data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_LARGEST = 1 << 40


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Spans of documents, one entry a span; documents are numbered, and ends are one behind the last unit.

    Attributes:
        documents: how many documents there are, those without a span too.
        document: the number of each span's document.
        start: the first character or token.
        end: one behind the last.
        label: the place of the label in ``labels``.
        labels: the labels.
    """

    documents: int
    document: Integers
    start: Integers
    end: Integers
    label: Integers
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        columns = (self.document, self.start, self.end, self.label)
        if any(column.ndim != 1 or len(column) != len(self.document) for column in columns):
            raise DataError(Problem(message="the columns of spans are of different lengths"))
        limits = (
            ("document", self.document, self.documents),
            ("start", self.start, _LARGEST),
            ("end", self.end, _LARGEST),
            ("label", self.label, len(self.labels)),
        )
        for field, column, limit in limits:
            self._require((column >= 0) & (column < limit), field, column, f"a number from 0 to {limit - 1} is needed")
        self._require(self.start < self.end, "end", self.end, "a span holds at least one unit: end lies behind start")

    def _require(self, sound: Flags, field: str, column: Integers, message: str) -> None:
        if not sound.all():
            row = int(sound.argmin())
            raise DataError(Problem(message=f"span {row}: {message}", field=field, value=str(column[row])))

    def __len__(self) -> int:
        return len(self.document)

    @classmethod
    def of(cls, documents: Sequence[Sequence[tuple[int, int, str]]]) -> Spans:
        """Spans from lists of start, end and label, one list a document.

        Example:
            >>> spans = Spans.of([[(0, 4, "PER")], [], [(3, 9, "ORG"), (0, 2, "PER")]])
            >>> spans.document.tolist(), [spans.labels[label] for label in spans.label]
            ([0, 2, 2], ['PER', 'ORG', 'PER'])
        """
        rows = [(number, *span) for number, spans in enumerate(documents) for span in spans]
        known: dict[str, int] = {}
        for number, _, _, label in rows:
            if not label:
                raise DataError(
                    Problem(message=f"document {number}: a span needs a label", field="label", value=shown(label))
                )
            known.setdefault(label, len(known))
        try:
            columns = np.array([(*row[:3], known[row[3]]) for row in rows], dtype=np.int64).reshape(-1, 4).T
        except (OverflowError, TypeError, ValueError) as error:
            raise DataError(Problem(message="start and end of a span are whole numbers", value=str(error))) from error
        return cls(len(documents), columns[0], columns[1], columns[2], columns[3], tuple(known))

    def with_label(self, label: str) -> Spans:
        """The spans of one type.

        Example:
            >>> len(Spans.of([[(0, 1, "A"), (1, 2, "B")]]).with_label("B"))
            1
        """
        return self.kept(np.array([name == label for name in self.labels], dtype=np.bool_)[self.label])

    def kept(self, rows: Flags) -> Spans:
        """The spans of some rows, with the same documents and labels."""
        return Spans(
            self.documents, self.document[rows], self.start[rows], self.end[rows], self.label[rows], self.labels
        )


def labels_of_both(gold: Spans, predicted: Spans) -> tuple[tuple[str, ...], Integers, Integers]:
    """All labels in their order by name, and for each side the number of every span's label among them.

    Raises:
        DataError: if both sides are not of the same number of documents.

    Example:
        >>> labels, gold, predicted = labels_of_both(Spans.of([[(0, 1, "B")]]), Spans.of([[(0, 1, "A")]]))
        >>> labels, gold.tolist(), predicted.tolist()
        (('A', 'B'), [1], [0])
    """
    if gold.documents != predicted.documents:
        raise DataError(
            Problem(
                message=f"{gold.documents} documents with gold spans and {predicted.documents} with predicted ones",
                remedy="Give a list for every document, an empty one where there is no span",
            )
        )
    labels = tuple(sorted({*gold.labels, *predicted.labels}))
    place = {label: number for number, label in enumerate(labels)}
    one, other = (
        np.array([place[label] for label in side.labels], dtype=np.int64)[side.label] if len(side) else side.label
        for side in (gold, predicted)
    )
    return labels, one, other
