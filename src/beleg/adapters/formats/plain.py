"""Foreign Python values as plain JSON data, or a problem that names the field."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from beleg.adapters.formats.limits import MAX_DEPTH
from beleg.adapters.formats.strict_yaml import FieldPath, dotted
from beleg.core.errors import DataError, Problem, shown

_AS_TEXT: dict[type, Callable[[Any], str]] = {datetime: datetime.isoformat, date: date.isoformat, UUID: str}


def plain(value: object, *, file: str | None = None, line: int | None = None) -> Any:
    """Turns a value into dicts, lists, text, finite numbers, booleans and None.

    Dates become ISO text, decimals become numbers, tuples become lists, models become mappings. A number from numpy
    is taken as the Python number it holds.

    Raises:
        DataError: naming the field for NaN, infinity, bytes, keys that are no text, invalid text, nesting beyond
            `MAX_DEPTH`, or any other type.

    Example:
        >>> plain({"day": date(2027, 6, 30), "ids": ("a", "b")})
        {'day': '2027-06-30', 'ids': ['a', 'b']}
    """
    return _Walk(file, line).convert(value, ())


class _Walk:
    def __init__(self, file: str | None, line: int | None) -> None:
        self._file = file
        self._line = line

    def convert(self, value: object, path: FieldPath) -> Any:
        if len(path) > MAX_DEPTH:
            raise self._problem(path, f"the data nests deeper than {MAX_DEPTH} levels", "…", "Flatten it")
        if isinstance(value, BaseModel):
            return self._mapping(value.model_dump(exclude_none=True, warnings=False), path)
        if isinstance(value, Enum):
            return self.convert(value.value, path)
        if isinstance(value, Mapping):
            return self._mapping(value, path)
        if isinstance(value, (list, tuple)):
            return self._sequence(value, path)
        return self._scalar(value, path)

    def _mapping(self, value: Mapping[Any, object], path: FieldPath) -> dict[str, Any]:
        converted = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise self._problem(path, "keys must be text", key, "Write the key as text")
            self._require_text(key, path)
            converted[str(key)] = self.convert(item, (*path, key))
        return converted

    def _sequence(self, value: Iterable[object], path: FieldPath) -> list[Any]:
        return [self.convert(item, (*path, position)) for position, item in enumerate(value)]

    def _scalar(self, value: object, path: FieldPath) -> Any:
        if value is None or isinstance(value, (bool, int)):
            return value
        if isinstance(value, str):
            self._require_text(value, path)
            return str(value)
        if isinstance(value, (float, Decimal)):
            return self._number(value, path)
        for kind, as_text in _AS_TEXT.items():
            if isinstance(value, kind):
                return as_text(value)
        item = getattr(value, "item", None)
        if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0 and item is not None:
            return self._scalar(item(), path)
        raise self._problem(
            path,
            f"a value of type {type(value).__name__} cannot be taken",
            value,
            "Give text, a number, a boolean, a list or a mapping",
        )

    def _number(self, value: float | Decimal, path: FieldPath) -> int | float:
        if not math.isfinite(value):
            raise self._problem(path, "numbers must be finite", value, "Leave the field out where there is no number")
        if isinstance(value, Decimal) and value == value.to_integral_value() and value.as_tuple().exponent == 0:
            return int(value)
        return float(value)

    def _require_text(self, text: str, path: FieldPath) -> None:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise self._problem(
                path, "the text holds half a surrogate pair", text, "Write the whole character, or drop it"
            ) from None

    def _problem(self, path: FieldPath, message: str, value: object, remedy: str) -> DataError:
        return DataError(
            Problem(
                file=self._file,
                line=self._line,
                field=dotted(path) or None,
                message=message,
                value=shown(value),
                remedy=remedy,
            )
        )
