"""YAML without its traps: what stands there is what is meant.

Only ``true``, ``false``, ``null`` (or nothing), whole numbers and decimals are more than text. ``no``, ``on``,
``12:30``, ``007``, ``0x1f``, ``~`` and ``2027-06-30`` stay text. Repeated keys, anchors, aliases, tags, merge keys and
second documents are refused. Built on the parser events of libyaml, whose parser does not recurse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Never, Protocol

import yaml

from beleg.adapters.formats.limits import MAX_DEPTH, MAX_NUMBER_CHARS, MAX_STRING_CHARS
from beleg.core.errors import DataError, Problem, shown

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.inf|\.nan", re.IGNORECASE)
_NOTHING = object()

FieldPath = tuple[str | int, ...]


class _Mark(Protocol):
    """A place in the text, counted from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A parsed document with the line of every value in it."""

    value: Any
    lines: dict[FieldPath, int]
    """The line on which the value at a path begins; the empty path is the whole document."""

    def line_of(self, path: FieldPath) -> int | None:
        """The line of the value at ``path``, or of the nearest thing around it that exists."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return None


def parse_yaml(text: str, *, file: str | None = None) -> YamlDocument:
    r"""Reads one YAML document.

    Raises:
        DataError: naming file, line, column and remedy for everything that is refused.

    Example:
        >>> parse_yaml("a: no\nb: [1, 1e3]").value
        {'a': 'no', 'b': [1, 1000.0]}
    """
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):
            # The scanner runs ahead of the events and has a limit of its own.
            builder.refuse_depth(error.problem_mark)
        message = " ".join(part for part in (error.context, error.problem) if part)
        builder.refuse(error.problem_mark or error.context_mark, f"this is no valid YAML: {message}", "Mend the syntax")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DataError(
            Problem(
                file=file,
                line=line,
                message=f"this is no valid YAML: {error.reason}",
                value=shown(error.character if isinstance(error.character, str) else f"0x{error.character:x}"),
                remedy="Remove the character",
            )
        ) from error
    return builder.document()


@dataclass(slots=True)
class _Open:
    """A list or mapping that is still being filled."""

    container: list[Any] | dict[str, Any]
    path: FieldPath
    key: str | None = None

    @property
    def expects_key(self) -> bool:
        return isinstance(self.container, dict) and self.key is None

    def path_of_next(self) -> FieldPath:
        if isinstance(self.container, dict):
            return (*self.path, self.key) if self.key is not None else self.path
        return (*self.path, len(self.container))


@dataclass(slots=True)
class _Builder:
    """Builds plain data from parser events without recursion."""

    file: str | None
    value: Any = _NOTHING
    open: list[_Open] = field(default_factory=list)
    lines: dict[FieldPath, int] = field(default_factory=dict)

    def take(self, event: yaml.Event) -> None:
        """Adds one event."""
        if isinstance(event, yaml.AliasEvent):
            self.refuse(event.start_mark, f"aliases are not read (*{event.anchor})", "Write the value out")
        if isinstance(event, yaml.NodeEvent):
            self._take_node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
        elif isinstance(event, yaml.DocumentStartEvent) and self.value is not _NOTHING:
            self.refuse(event.start_mark, "the file holds a second document", "Keep one document in a file")

    def document(self) -> YamlDocument:
        """The finished document."""
        if self.value is _NOTHING:
            raise DataError(Problem(file=self.file, message="the file holds no data", remedy="Write the content"))
        return YamlDocument(self.value, self.lines)

    def refuse(self, mark: _Mark | None, message: str, remedy: str, *, field: str | None = None) -> Never:
        """Raises with the line and column of a mark."""
        raise DataError(
            Problem(
                file=self.file,
                line=None if mark is None else mark.line + 1,
                field=field,
                message=message if mark is None else f"{message} (column {mark.column + 1})",
                remedy=remedy,
            )
        )

    def refuse_depth(self, mark: _Mark | None) -> Never:
        """Raises for data that nests too deeply."""
        self.refuse(mark, f"the data nests deeper than {MAX_DEPTH} levels", "Flatten it")

    def _take_node(self, event: yaml.NodeEvent) -> None:
        mark = event.start_mark
        if event.anchor is not None:
            self.refuse(mark, f"anchors are not read (&{event.anchor})", "Remove the anchor")
        tag = getattr(event, "tag", None)
        if tag is not None:
            self.refuse(mark, f"tags are not read ({tag})", "Remove the tag; quote a value to make it text")
        if self.open and self.open[-1].expects_key:
            self._take_key(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._place(self._scalar(event), event)
        else:
            self._open_collection(event)

    def _open_collection(self, event: yaml.NodeEvent) -> None:
        if len(self.open) >= MAX_DEPTH:
            self.refuse_depth(event.start_mark)
        container: list[Any] | dict[str, Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = self._place(container, event)
        self.open.append(_Open(container, path))

    def _take_key(self, event: yaml.NodeEvent) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            self.refuse(event.start_mark, "a key must be text", "Write a plain word as the key")
        around, key = self.open[-1], event.value
        if key == "<<" and _is_plain(event):
            self.refuse(event.start_mark, "merge keys are not read (<<)", "Write the fields out")
        if key in around.container:
            self.refuse(event.start_mark, "the key stands twice", "Keep one of them", field=dotted((*around.path, key)))
        around.key = key

    def _place(self, value: object, event: yaml.NodeEvent) -> FieldPath:
        if not self.open:
            self.value = value
            path: FieldPath = ()
        else:
            around = self.open[-1]
            path = around.path_of_next()
            if isinstance(around.container, list):
                around.container.append(value)
            elif around.key is not None:
                around.container[around.key] = value
                around.key = None
        if event.start_mark is not None:
            self.lines[path] = event.start_mark.line + 1
        return path

    def _scalar(self, event: yaml.ScalarEvent) -> str | int | float | bool | None:
        text: str = event.value
        if len(text) > MAX_STRING_CHARS:
            self.refuse(event.start_mark, f"the text has more than {MAX_STRING_CHARS:,} characters", "Shorten it")
        if not _is_plain(event):
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_FINITE.fullmatch(text):
            self._refuse_number(event)
        if _DECIMAL.fullmatch(text):
            return self._number(text, event)
        return text

    def _number(self, text: str, event: yaml.ScalarEvent) -> int | float:
        if len(text) > MAX_NUMBER_CHARS or math.isinf(float(text)):
            self._refuse_number(event)
        return int(text) if _WHOLE.fullmatch(text) else float(text)

    def _refuse_number(self, event: yaml.ScalarEvent) -> Never:
        self.refuse(
            event.start_mark,
            f"numbers must be finite and of ordinary length, not {shown(event.value)}",
            "Leave the field out where there is no number, or quote the value to make it text",
        )


def _is_plain(event: yaml.ScalarEvent) -> bool:
    # The C parser and the Python parser name the plain style differently; both say the same here.
    return bool(event.implicit[0])


def dotted(path: FieldPath) -> str:
    """A path as it is named in messages.

    Example:
        >>> dotted(("checks", 0, "pass_at"))
        'checks[0].pass_at'
    """
    return "".join(_steps(path)).removeprefix(".")


def _steps(path: FieldPath) -> Iterator[str]:
    for step in path:
        yield f"[{step}]" if isinstance(step, int) else f".{step}"
