"""What is stored of a sweep: its setting, and one record for each point that was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from beleg.adapters.formats.atomic import write_bytes
from beleg.adapters.formats.jsonl import read_lines
from beleg.core.digest import canonical_json, digest_of
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.model import StoredModel

JOURNAL = "points.jsonl"
Count = Annotated[int, Field(ge=0)]
Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class SweepSetting(StoredModel):
    """Everything that two points must share to be compared."""

    format: Literal[1] = 1
    corpus: str
    """Digest of the vectors."""
    rows: Count
    width: Count
    queries: str
    """Digest of the vectors."""
    query_count: Count
    similarity: str
    k: Count
    seed: Count
    threads: Count
    rounds: Count
    filters: str
    """Digest of the filters and the queries under each; of nothing where there are none."""
    machine: str
    exact: str | None = None
    """Digest of the exact neighbours that recall was measured against; None until they are known."""


class Searched(StoredModel):
    """What one setting found for a group of queries, one entry a query."""

    wanted: Count
    hits: tuple[Count, ...]
    hits_by_id: tuple[Count, ...]
    missing: Count
    repeated: Count
    foreign: Count
    latencies_ms: tuple[Figure, ...]
    """One entry for each call; each query was asked alone, once a round."""


class FilteredSearch(StoredModel):
    """What one setting found under one filter."""

    name: str
    share: Figure
    bucket: Figure
    found: Searched


class Memory(StoredModel):
    """What the index takes."""

    bytes: Count
    how: str


class Point(StoredModel):
    """One index with one setting of its search."""

    kind: str
    version: str
    """Of the package behind the index."""
    build: dict[str, int]
    search: dict[str, int]
    build_s: Figure
    build_cpu_s: Figure
    memory: Memory | None = None
    found: Searched
    queries_per_s: Figure
    """When all queries are handed over at once."""
    filtered: tuple[FilteredSearch, ...] = ()

    @property
    def key(self) -> str:
        """What the point is, for finding it again."""
        return point_key(self.kind, self.version, self.build, self.search)

    @property
    def settings(self) -> str:
        """Its settings on one line."""
        return " ".join(f"{name}={value}" for name, value in {**self.build, **self.search}.items())


def point_key(kind: str, version: str, build: dict[str, int], search: dict[str, int]) -> str:
    """Names a point: two with one key are the same measurement."""
    return digest_of({"kind": kind, "version": version, "build": build, "search": search})


class _Record(StoredModel):
    """One line of the journal: first the setting, then points."""

    setting: SweepSetting | None = None
    point: Point | None = None


class Journal:
    """The points of a sweep, stored after each one; the file is whole at any moment."""

    def __init__(self, folder: Path, setting: SweepSetting) -> None:
        self.path = folder / JOURNAL
        self.setting = setting
        self._before: SweepSetting | None = None
        self._points = self._read() if self.path.exists() else {}

    def settle(self, exact: str) -> None:
        """Says which exact neighbours recall is measured against.

        Raises:
            UsageError: if the stored points were measured against others.
        """
        self.setting = self.setting.model_copy(update={"exact": exact})
        if self._before is not None:
            self._require_same(self._before)

    def get(self, key: str) -> Point | None:
        """A point that was measured before."""
        return self._points.get(key)

    def add(self, point: Point) -> None:
        """Stores a point at once."""
        self._points[point.key] = point
        records = [_Record(setting=self.setting), *(_Record(point=each) for each in self._points.values())]
        write_bytes(self.path, b"".join(canonical_json(record.to_json_dict()) + b"\n" for record in records))

    def _read(self) -> dict[str, Point]:
        before: SweepSetting | None = None
        points: dict[str, Point] = {}
        for number, line in read_lines(self.path):
            try:
                record = _Record.model_validate_json(line)
            except ValidationError as error:
                raise self._unusable(number) from error
            if (record.setting is None) is (number == 1) or (record.point is None) is (number > 1):
                raise self._unusable(number)
            before = before or record.setting
            if record.point is not None:
                points[record.point.key] = record.point
        if before is None:
            raise self._unusable(1)
        self._before = before
        self._require_same(before)
        return points

    def _unusable(self, line: int) -> EvidenceError:
        return EvidenceError(
            f"{self.path}:{line}: this is no record of a sweep, or one of another version of Beleg",
            hint="Choose another folder with --out",
        )

    def _require_same(self, before: SweepSetting) -> None:
        now, then = self.setting.model_dump(exclude_none=True), before.model_dump()
        differing = [name for name in now if now[name] != then[name]]
        if differing:
            told = ", ".join(f"{name} {then[name]} there, {now[name]} now" for name in differing[:3])
            raise UsageError(
                f"{self.path.parent} holds a sweep of another setting: {told}", hint="Choose another folder with --out"
            )
