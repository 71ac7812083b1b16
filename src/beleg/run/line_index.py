"""Where the record of each key stands in a file of checked lines, so that one is read without holding them all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Generic, NamedTuple, Self, TypeVar

from beleg.core.errors import EvidenceError
from beleg.core.model import StoredModel
from beleg.run.checked_lines import LineKind, decoded, each_line

Record = TypeVar("Record", bound=StoredModel)
Key = TypeVar("Key", bound=Hashable)


class LinePlace(NamedTuple):
    """A line by its number, and where it stands in bytes."""

    number: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class LineIndex(Generic[Key, Record]):
    """The places of records by key; of several with one key the last one counts.

    Every line is checked when the index is made, and the line that is read is checked again.
    """

    path: Path
    kind: LineKind[Record]
    places: Mapping[Key, LinePlace]

    @classmethod
    def of(
        cls,
        path: Path,
        kind: LineKind[Record],
        key: Callable[[Record], Key],
        *,
        told_twice: Callable[[Record], str] | None = None,
    ) -> Self:
        """Reads a file once and notes where each record stands; nothing is there where there is no file.

        Args:
            path: the file.
            kind: what its lines hold.
            key: by what a record is found again.
            told_twice: how a person is told of a second record with one key; ``None`` where the last one counts.

        Raises:
            EvidenceError: if a line other than the last is damaged, or a key stands twice and must not.
        """
        places: dict[Key, LinePlace] = {}
        if path.exists():
            for number, placed in enumerate(each_line(path, kind), start=1):
                found = key(placed.record)
                if told_twice is not None and found in places:
                    raise EvidenceError(f"{path}: {told_twice(placed.record)}")
                places[found] = LinePlace(number, placed.start, placed.length)
        return cls(path, kind, places)

    def opened(self) -> LineReader[Key, Record]:
        """A reader on the file, to be closed."""
        return LineReader(self)


def record_at(path: Path, kind: LineKind[Record], place: LinePlace) -> Record:
    """The record of one line by its place; the line is checked again, and no other one is read.

    Args:
        path: the file.
        kind: what its lines hold.
        place: where the line stands.

    Raises:
        EvidenceError: if there is no file, or the line was changed since its place was noted.
    """
    try:
        with path.open("rb") as file:
            file.seek(place.start)
            line = file.read(place.length)
    except FileNotFoundError as error:
        raise EvidenceError(f"{path} is missing", hint="The run folder is not whole; restore it") from error
    return decoded(path, place.number, line, kind)


class LineReader(Generic[Key, Record]):
    """Reads records by key from a file that stays open."""

    def __init__(self, index: LineIndex[Key, Record]) -> None:
        self._index = index
        self._file: BinaryIO | None = index.path.open("rb") if index.places else None

    def get(self, key: Key) -> Record | None:
        """The record with a key; ``None`` where there is none.

        Raises:
            EvidenceError: if its line was changed since the index was made.
        """
        place = self._index.places.get(key)
        if place is None or self._file is None:
            return None
        self._file.seek(place.start)
        return decoded(self._index.path, place.number, self._file.read(place.length), self._index.kind)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
