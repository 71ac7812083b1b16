"""Rows and documents as models, or errors that name file, line, field, value and remedy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from beleg.adapters.formats.cells import from_cells
from beleg.adapters.formats.faults import Place, problems_of
from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.row import Faults, Row
from beleg.adapters.formats.strict_json import parse_json
from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.core.errors import ConfigError, DataError, Problem, UsageError, shown

Model = TypeVar("Model", bound=BaseModel)

DOCUMENT_SUFFIXES = (".yaml", ".yml", ".json")


def validated(model_class: type[Model], data: dict[str, Any], place: Place) -> Model:
    """Plain JSON data as a model.

    Raises:
        DataError: with every field that is wrong.
    """
    # Strict models take lists for tuples and words for enumerations only when they read JSON.
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    try:
        return model_class.model_validate_json(text)
    except ValidationError as error:
        raise DataError(problems_of(error, model_class, data, place)) from error


def build(model_class: type[Model], row: Row) -> Model:
    """One row as a model.

    Raises:
        DataError: with every field that is wrong.

    Example:
        >>> from beleg.core.case import Turn
        >>> build(Turn, Row("turns.jsonl", 1, {"role": "user", "content": "Why?"})).content
        'Why?'
    """
    data = row.data
    if row.text_cells:
        data = from_cells(model_class, data, file=row.file, line=row.line)
    return validated(model_class, data, Place(row.file, row.line))


def build_all(
    model_class: type[Model],
    rows: Iterable[Row],
    *,
    key: str | tuple[str, ...] | None = None,
    prepare: Callable[[Row], Row] | None = None,
) -> list[Model]:
    """All rows as models, or none of them.

    Args:
        model_class: what a row is.
        rows: as `read_rows` gives them.
        key: the field, or fields together, that may not be the same in two rows.
        prepare: brings a row into the form of the model; it may raise `DataError`.

    Raises:
        DataError: with the problems of all rows, up to `MAX_PROBLEMS`.
    """
    names = (key,) if isinstance(key, str) else key or ()
    faults = Faults()
    built: list[Model] = []
    first_places: dict[tuple[object, ...], Row] = {}
    for row in _until_broken(rows, faults):
        try:
            model = build(model_class, prepare(row) if prepare else row)
            if names:
                _require_first(tuple(getattr(model, name) for name in names), names, row, first_places)
        except DataError as error:
            faults.add(error)
            continue
        built.append(model)
    faults.raise_if_any()
    return built


def load_document(model_class: type[Model], path: Path) -> Model:
    """A whole YAML or JSON file as one model; a top-level ``$schema`` is for editors and is left out.

    Raises:
        UsageError: if there is no such file or its suffix is none of `DOCUMENT_SUFFIXES`.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    suffix = path.suffix.lower()
    if suffix not in DOCUMENT_SUFFIXES:
        raise UsageError(f"{path}: a document is expected", hint=f"Supported are {', '.join(DOCUMENT_SUFFIXES)}")
    place = Place(str(path))
    try:
        text = read_document_text(path)
        if suffix == ".json":
            value = parse_json(text, file=str(path))
        else:
            document = parse_yaml(text, file=str(path))
            value = document.value
            place = Place(str(path), line_of=document.line_of)
        return validated(model_class, _without_schema(value, place), place)
    except DataError as error:
        raise ConfigError(error.problems, hint=error.hint) from error


def _until_broken(rows: Iterable[Row], faults: Faults) -> Iterator[Row]:
    try:
        yield from rows
    except DataError as error:
        faults.add(error)


def _require_first(
    found: tuple[object, ...], names: tuple[str, ...], row: Row, first_places: dict[tuple[object, ...], Row]
) -> None:
    first = first_places.setdefault(found, row)
    if first is row:
        return
    where = f"line {first.line}" if first.file == row.file else f"{first.file}:{first.line}"
    raise DataError(
        Problem(
            file=row.file,
            line=row.line,
            field=", ".join(names),
            message=f"the row repeats the one on {where}",
            value=shown(found[0] if len(found) == 1 else found),
            remedy="Keep one of them, or give the other an id of its own",
        )
    )


def _without_schema(value: object, place: Place) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(
            Problem(
                file=place.file,
                line=place.at(()),
                message="a mapping of fields is expected",
                value=shown(value),
                remedy="Write 'field: value' lines",
            )
        )
    return {name: item for name, item in value.items() if name != "$schema"}
