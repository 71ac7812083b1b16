"""JSON without its traps: no repeated keys, no NaN or infinity, bounded depth, valid text.

Python's own reader takes the last of two equal keys, accepts ``NaN`` and turns ``1e999`` into infinity; each of these
can turn a threshold into one that nobody wrote.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Never

from beleg.adapters.formats.files import decode_utf8
from beleg.adapters.formats.limits import MAX_DEPTH, MAX_NUMBER_CHARS, MAX_STRING_CHARS
from beleg.core.errors import DataError, Problem, shown

# The closing quote is optional and the repeats possessive, so that text that never ends is passed in one step.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_BRACKETS = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)
_TOKENS = re.compile(rf"({_STRING})|([\[\]{{}},:])", re.DOTALL)
_NUMBERS = re.compile(rf"{_STRING}|(-?Infinity|NaN|-?\d[\d.eE+-]*)", re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
_SPACE = re.compile(r"[ \t\n\r]*")


class _RepeatedKeyError(ValueError):
    """A mapping names a key twice."""


class _NumberError(ValueError):
    """A number is not finite or absurdly long."""


def parse_json(text: str, *, file: str | None = None, line: int | None = None) -> Any:
    """Reads one JSON value.

    Args:
        text: the JSON text; a byte order mark at its start is passed over.
        file: named in errors.
        line: the line of the file on which the text begins; 1 when left out.

    Raises:
        DataError: naming file, line, field and remedy for a repeated key, NaN, an infinite number, nesting beyond
            `MAX_DEPTH`, half a surrogate pair, or text that is no JSON.

    Example:
        >>> parse_json('{"a": [1, 2.5]}')
        {'a': [1, 2.5]}
    """
    text = text.removeprefix("\ufeff")
    reader = _Reader(text, file, line or 1)
    reader.check_depth()
    value, end = reader.value_at(_skip_space(text, 0))
    rest = _skip_space(text, end)
    if rest != len(text):
        reader.refuse(rest, "there is more text after the JSON value", "Write one value, or one value a line as .jsonl")
    reader.check_text(value)
    return value


def parse_json_bytes(data: bytes, *, file: str | None = None, line: int | None = None) -> Any:
    """Reads one JSON value from UTF-8 bytes; see `parse_json`."""
    return parse_json(decode_utf8(data, file=file, line=line), file=file, line=line)


def parse_json_list(text: str, *, file: str | None = None) -> Iterator[tuple[int, Any]]:
    r"""Reads a JSON list item by item, each with the line on which it begins.

    Raises:
        DataError: as `parse_json` does, and if the text is no list.

    Example:
        >>> list(parse_json_list('[\n1,\n2]'))
        [(2, 1), (3, 2)]
    """
    text = text.removeprefix("\ufeff")
    reader = _Reader(text, file, 1)
    reader.check_depth()
    at = _skip_space(text, 0)
    if text[at : at + 1] != "[":
        reader.refuse(at, "a list of rows is expected", "Write the rows as [ {…}, {…} ]")
    at = _skip_space(text, at + 1)
    counted_to, line = 0, 1
    while text[at : at + 1] != "]":
        line += text.count("\n", counted_to, at)
        counted_to = at
        value, end = reader.value_at(at)
        reader.check_text(value)
        yield line, value
        at = _skip_space(text, end)
        if text[at : at + 1] == ",":
            at = _skip_space(text, at + 1)
        elif text[at : at + 1] != "]":
            reader.refuse(at, "a comma or ] is expected after a list item", "Check that the file is complete")
    rest = _skip_space(text, at + 1)
    if rest != len(text):
        reader.refuse(rest, "there is more text after the list", "Write one list")


class _Reader:
    """One text with the place it stands in; finds out the exact position of a fault only once there is one."""

    def __init__(self, text: str, file: str | None, first_line: int) -> None:
        self._text = text
        self._file = file
        self._first_line = first_line

    def value_at(self, start: int) -> tuple[Any, int]:
        """The value that begins at ``start`` and the position after it."""
        try:
            return _DECODER.raw_decode(self._text, start)
        except _RepeatedKeyError:
            self._refuse_repeated_key()
        except _NumberError:
            self._refuse_number()
        except json.JSONDecodeError as error:
            self.refuse(error.pos, f"this is no valid JSON: {error.msg}", "Check that the text is complete")

    def check_depth(self) -> None:
        """Refuses deep nesting before the decoder recurses into it."""
        if self._text.count("[") + self._text.count("{") <= MAX_DEPTH:
            return
        depth = 0
        for match in _BRACKETS.finditer(self._text):
            mark = match[0]
            if mark in ("[", "{"):
                depth += 1
                if depth > MAX_DEPTH:
                    self.refuse(match.start(), f"the data nests deeper than {MAX_DEPTH} levels", "Flatten it")
            elif mark in ("]", "}"):
                depth -= 1

    def check_text(self, value: object) -> None:
        """Refuses halves of surrogate pairs, which only escapes can bring in, and over-long strings."""
        if not _SURROGATE_ESCAPE.search(self._text) and len(self._text) <= MAX_STRING_CHARS:
            return
        for path, text in _strings_of(value, ""):
            if len(text) > MAX_STRING_CHARS:
                self._refuse_field(path, f"the text has more than {MAX_STRING_CHARS:,} characters", text, "Shorten it")
            if not _is_valid_text(text):
                self._refuse_field(
                    path, "the text holds half a surrogate pair", text, "Write the whole character, or drop it"
                )

    def refuse(
        self, at: int, message: str, remedy: str, *, field: str | None = None, value: str | None = None
    ) -> Never:
        """Raises with the line and column of a position in the text."""
        column = at - (self._text.rfind("\n", 0, at) + 1) + 1
        raise DataError(
            Problem(
                file=self._file,
                line=self._first_line + self._text.count("\n", 0, at),
                field=field,
                message=f"{message} (column {column})",
                value=value,
                remedy=remedy,
            )
        )

    def _refuse_field(self, path: str, message: str, value: object, remedy: str) -> Never:
        raise DataError(
            Problem(
                file=self._file,
                line=self._first_line,
                field=path or None,
                message=message,
                value=shown(value),
                remedy=remedy,
            )
        )

    def _refuse_repeated_key(self) -> Never:
        open_mappings: list[set[str] | None] = []
        expects_key = False
        for match in _TOKENS.finditer(self._text):
            text, mark = match.groups()
            if text is not None:
                seen = open_mappings[-1] if open_mappings else None
                if expects_key and seen is not None:
                    key = json.loads(text)
                    if key in seen:
                        self.refuse(match.start(), "the key stands twice", "Keep one of them", field=key)
                    seen.add(key)
                expects_key = False
            elif mark in ("[", "{"):
                open_mappings.append(set() if mark == "{" else None)
                expects_key = mark == "{"
            elif mark in ("]", "}"):
                open_mappings.pop()
            else:
                expects_key = mark == "," and open_mappings[-1] is not None
        raise AssertionError("a key was reported as repeated and is not")

    def _refuse_number(self) -> Never:
        for match in _NUMBERS.finditer(self._text):
            number = match[1]
            if number is not None and _is_unusable_number(number):
                self.refuse(
                    match.start(),
                    "numbers must be finite and of ordinary length",
                    "Leave the field out where there is no number",
                    value=shown(number),
                )
        raise AssertionError("a number was reported as unusable and is not")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise _RepeatedKeyError
    return mapping


def _finite_float(text: str) -> float:
    if _is_unusable_number(text):
        raise _NumberError
    return float(text)


def _bounded_int(text: str) -> int:
    if len(text) > MAX_NUMBER_CHARS:
        raise _NumberError
    return int(text)


def _no_constant(_: str) -> Never:
    raise _NumberError


def _is_unusable_number(text: str) -> bool:
    if len(text) > MAX_NUMBER_CHARS or "N" in text or "I" in text:
        return True
    return any(mark in text for mark in ".eE") and math.isinf(float(text))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_float=_finite_float, parse_int=_bounded_int, parse_constant=_no_constant
)


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _is_valid_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _strings_of(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = f"{path}.{key}" if path else key
            yield (path, key)
            yield from _strings_of(item, inner)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _strings_of(item, f"{path}[{position}]")
