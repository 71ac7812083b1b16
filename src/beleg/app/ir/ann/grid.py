"""Which indexes are built, and with which settings each is searched."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from beleg.adapters.formats.models import load_document
from beleg.adapters.indexes.catalogue import kind_named
from beleg.core.errors import UsageError, shown
from beleg.core.nearest import IndexKind, Parameter

MAX_POINTS = 2_000
SettingValues = Annotated[list[int], Field(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedIndex:
    """One index to build, and the settings to search it with."""

    kind: IndexKind
    build: Mapping[str, int]
    searches: tuple[Mapping[str, int], ...]


class GridEntry(BaseModel):
    """One kind of index in a grid file, with the values of each of its settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    settings: dict[str, SettingValues] = Field(default_factory=dict)


class Grid(BaseModel):
    """A grid file: every combination of the values of an entry is measured."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    indexes: Annotated[list[GridEntry], Field(min_length=1, max_length=100)]


def parse_index(text: str) -> list[PlannedIndex]:
    """The indexes that ``kind:setting=value,value;setting=value`` names; a setting left out has its default.

    Raises:
        UsageError: if the kind, a setting or a value is unknown or out of its limits.

    Example:
        >>> planned = parse_index("faiss-hnsw:M=16,32;efSearch=16,64")
        >>> [(dict(each.build), len(each.searches)) for each in planned]
        [({'M': 16, 'efConstruction': 100}, 2), ({'M': 32, 'efConstruction': 100}, 2)]
    """
    name, _, rest = text.partition(":")
    values: dict[str, list[int]] = {}
    for part in rest.split(";") if rest else ():
        setting, equals, numbers = (piece.strip() for piece in part.partition("="))
        if not equals or not setting:
            raise UsageError(
                f"the index {shown(text)} cannot be read at {shown(part)}",
                hint="Write kind:setting=value,value;setting=value and quote it, as ; ends a command of the shell",
            )
        if setting in values:
            raise UsageError(f"the index {shown(text)} names {setting} twice", hint="Give all its values in one place")
        values[setting] = [_whole(text, setting, number) for number in numbers.split(",")]
    return _combined(name.strip(), values)


def read_grid(path: Path) -> list[PlannedIndex]:
    """The indexes that a YAML or JSON file names.

    Raises:
        UsageError: if there is no such file, or a kind, a setting or a value is unknown or out of its limits.
        ConfigError: if the file does not have the fields of `Grid`.
    """
    entries = load_document(Grid, path).indexes
    return [planned for entry in entries for planned in _combined(entry.kind, entry.settings)]


def default_grid(total: int) -> list[PlannedIndex]:
    """Where tuning begins: graphs of two widths, and cells by the rule of thumb of 4 √N.

    Example:
        >>> [each.kind.name for each in default_grid(10_000)], default_grid(10_000)[2].build
        (['faiss-hnsw', 'faiss-hnsw', 'faiss-ivf'], {'nlist': 400})
    """
    cells = max(1, min(total, round(4 * math.sqrt(total))))
    probes = [probe for probe in (1, 4, 16, 64) if probe <= cells]
    return [
        *_combined("faiss-hnsw", {"M": [16, 32], "efConstruction": [200], "efSearch": [16, 32, 64, 128, 256]}),
        *_combined("faiss-ivf", {"nlist": [cells], "nprobe": probes}),
    ]


def merged(planned: Iterable[PlannedIndex]) -> list[PlannedIndex]:
    """The same indexes, each built once and each of its searches measured once.

    Raises:
        UsageError: if that is more than `MAX_POINTS` searches.
    """
    found: dict[tuple[str, tuple[tuple[str, int], ...]], tuple[PlannedIndex, dict[Any, Mapping[str, int]]]] = {}
    for each in planned:
        key = each.kind.name, tuple(sorted(each.build.items()))
        _, searches = found.setdefault(key, (each, {}))
        searches.update({tuple(sorted(search.items())): search for search in each.searches})
    indexes = [
        PlannedIndex(kind=first.kind, build=first.build, searches=tuple(searches.values()))
        for first, searches in found.values()
    ]
    points = sum(len(each.searches) for each in indexes)
    if points > MAX_POINTS:
        raise UsageError(f"the sweep has {points:,} points, more than {MAX_POINTS:,}", hint="Name fewer values")
    return indexes


def _combined(name: str, values: Mapping[str, Sequence[int]]) -> list[PlannedIndex]:
    kind = kind_named(name)
    known = [parameter.name for parameter in (*kind.build, *kind.search)]
    for setting in values:
        if setting not in known:
            raise UsageError(f"{name} has no setting {shown(setting)}", hint=f"It has: {', '.join(known) or 'none'}")
    searches = tuple(_combinations(kind.search, values))
    return [PlannedIndex(kind=kind, build=build, searches=searches) for build in _combinations(kind.build, values)]


def _combinations(parameters: Sequence[Parameter], values: Mapping[str, Sequence[int]]) -> list[dict[str, int]]:
    chosen = []
    for parameter in parameters:
        given = list(dict.fromkeys(values.get(parameter.name, [parameter.default])))
        for value in given:
            parameter.require(value)
        chosen.append(given)
    names = [parameter.name for parameter in parameters]
    if math.prod(map(len, chosen)) > MAX_POINTS:
        raise UsageError(f"the settings {', '.join(names)} have more than {MAX_POINTS:,} combinations")
    return [dict(zip(names, combination, strict=True)) for combination in itertools.product(*chosen)]


def _whole(text: str, setting: str, number: str) -> int:
    word = number.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise UsageError(f"the index {shown(text)} gives {setting} the value {shown(word)}, which is no whole number")
    return int(word)
