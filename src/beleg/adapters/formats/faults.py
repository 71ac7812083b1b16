"""What pydantic found wrong, in words that name the field, the value and the way to mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from beleg.adapters.formats.annotations import model_at
from beleg.adapters.formats.strict_yaml import FieldPath, dotted
from beleg.core.errors import Problem, shown

MAX_NAMES_LISTED = 12

_NOTHING = object()

_SENSITIVE = re.compile(r"authori[sz]ation|secret|token\b|password|api[-_]?key|cookie|headers", re.IGNORECASE)

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "none_required": "nothing",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where the validated data stand."""

    file: str | None = None
    line: int | None = None
    line_of: Callable[[FieldPath], int | None] | None = None
    """Gives the line of a field, where the format knows it."""

    def at(self, path: FieldPath) -> int | None:
        """The line of a field, or of the whole row."""
        return self.line if self.line_of is None else self.line_of(path)


def problems_of(
    error: ValidationError, model_class: type[BaseModel], data: dict[str, Any], place: Place
) -> tuple[Problem, ...]:
    """One problem for every field that pydantic refused; the members of a union are reported together."""
    by_path: dict[FieldPath, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        by_path.setdefault(_path_in_data(detail, data), []).append(detail)
    return tuple(
        _problem(details, path, model_class, place)
        for path, details in by_path.items()
        if not _follows_from_another(details[0], path, by_path)
    )


def _follows_from_another(detail: ErrorDetails, path: FieldPath, faulty: Iterable[FieldPath]) -> bool:
    """Whether a list is called too short only because its items were refused."""
    return detail["type"] == "too_short" and any(
        len(other) > len(path) and other[: len(path)] == path for other in faulty
    )


def _path_in_data(detail: ErrorDetails, data: object) -> FieldPath:
    """The location without the names of union members that pydantic appends to it."""
    location: FieldPath = detail["loc"]
    walked = data
    for length, step in enumerate(location):
        walked = _step_into(walked, step)
        if walked is _NOTHING:
            is_absent_field = detail["type"] == "missing" and length == len(location) - 1
            return location if is_absent_field else location[:length]
    return location


def _step_into(around: object, step: str | int) -> object:
    if isinstance(around, dict):
        return around.get(step, _NOTHING)
    return around[step] if isinstance(around, list) and isinstance(step, int) else _NOTHING


def _problem(details: list[ErrorDetails], path: FieldPath, model_class: type[BaseModel], place: Place) -> Problem:
    first = details[0]
    message: str
    remedy: str | None
    if len(details) > 1:
        kinds = list(dict.fromkeys(_EXPECTED.get(detail["type"], detail["msg"]) for detail in details))
        message, remedy = "the value is of no kind that the field takes", f"Write {_either(kinds)}"
    else:
        message, remedy = _described(first, path, model_class)
    return Problem(
        file=place.file,
        line=place.at(path),
        field=dotted(path) or None,
        message=message,
        value=_value_shown(first, path),
        remedy=remedy,
    )


def _value_shown(detail: ErrorDetails, path: FieldPath) -> str | None:
    value = detail["input"]
    # What our own validators refuse they describe themselves, and it may be a URL with a password in it.
    if (
        detail["type"] in ("missing", "value_error")
        or isinstance(value, (dict, list))
        or _SENSITIVE.search(dotted(path))
    ):
        return None
    return shown(value)


def _described(detail: ErrorDetails, path: FieldPath, model_class: type[BaseModel]) -> tuple[str, str | None]:
    kind, value = detail["type"], detail["input"]
    if kind == "missing":
        return "the field is missing", "Add it"
    if kind == "extra_forbidden":
        return "there is no such field", _nearest(str(path[-1]), _known_fields(model_class, path[:-1]))
    if kind in ("enum", "literal_error"):
        return "the word is not one of those allowed", f"Write {detail['ctx']['expected']}"
    if kind == "too_short":
        return (
            f"the list has too few entries, {detail['ctx']['min_length']} or more are expected",
            "Add what is missing, or drop the field",
        )
    if kind == "value_error":
        return str(detail["ctx"]["error"]), None
    if kind.startswith(("date_", "datetime_")):
        return "a date is expected", "Write it as YYYY-MM-DD"
    if kind in _EXPECTED:
        return f"{_EXPECTED[kind]} is expected", None if _SENSITIVE.search(dotted(path)) else _retyped(kind, value)
    return detail["msg"].replace("Input should", "the value should"), None


def _retyped(kind: str, value: object) -> str | None:
    """How to write the value so that it has the expected type."""
    written = str(value)
    if kind == "string_type" and isinstance(value, (bool, int, float)):
        text = written.lower() if isinstance(value, bool) else written
        return f'Write "{text}" with quotes'
    if kind == "bool_type":
        return "Write true or false without quotes"
    if kind.startswith("int_") and re.fullmatch(r"-?\d{1,18}(\.0*)?", written):
        return f"Write {int(float(written))} instead of {shown(value)}"
    if kind == "float_type" and re.fullmatch(r"-?\d{1,18}(\.\d{1,18})?", written):
        return f"Write {written} instead of {shown(value)}"
    if kind in ("tuple_type", "list_type"):
        return "Write [ … ] around it"
    return f"Write {_EXPECTED[kind]}"


def _known_fields(model_class: type[BaseModel], path: FieldPath) -> list[str]:
    found = model_at(model_class, path)
    return [] if found is None else list(found.model_fields)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"Did you mean '{near[0]}'?"
    if not known:
        return "Remove it"
    listed = ", ".join(known[:MAX_NAMES_LISTED])
    return f"Known fields are {listed}{' and more' if len(known) > MAX_NAMES_LISTED else ''}"


def _either(kinds: Iterable[str]) -> str:
    *most, last = kinds
    return f"{', '.join(most)} or {last}" if most else last
