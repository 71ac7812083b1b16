"""A subset of JSONPath (RFC 9535): ``$.a.b[0].c``, ``$['a key']``, ``$.items[*].id``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator

MAX_PATH_CHARS = 500

_STEP = re.compile(r"\.([^\W\d][\w-]*)|\['([^'\\]+)'\]|\[(-?\d{1,6})\]|\[(\*)\]")


class _Every:
    """All items of a list."""


EVERY = _Every()

Step = str | int | _Every


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A parsed path.

    Example:
        >>> JsonPath.parse("$.items[*].id").select({"items": [{"id": "a"}, {"id": "b"}]})
        ['a', 'b']
    """

    text: str
    steps: tuple[Step, ...]

    @classmethod
    def parse(cls, text: str) -> JsonPath:
        """Reads a path.

        Raises:
            ValueError: saying what a path may look like.
        """
        steps: list[Step] = []
        at = 1
        if not text.startswith("$") or len(text) > MAX_PATH_CHARS:
            raise ValueError("a path begins with $, such as $.answer or $.items[*].id")
        while at < len(text):
            match = _STEP.match(text, at)
            if match is None:
                raise ValueError(
                    f"the path cannot be read from {text[at:]!r}; steps are .name, ['name'], [0], [-1] and [*]"
                )
            name, quoted, position, _ = match.groups()
            steps.append(EVERY if match[4] else int(position) if position is not None else name or quoted)
            at = match.end()
        return cls(text, tuple(steps))

    @property
    def is_single(self) -> bool:
        """Whether the path leads to one value at most."""
        return EVERY not in self.steps

    @property
    def first_list(self) -> JsonPath:
        """The path up to its first ``[*]``."""
        steps = self.steps if self.is_single else self.steps[: self.steps.index(EVERY)]
        return JsonPath(self.text, steps)

    def select(self, data: object) -> list[Any]:
        """All values that the path leads to, in order; a step that leads nowhere selects nothing."""
        found = [data]
        for step in self.steps:
            found = [inner for value in found for inner in _inside(value, step)]
        return found

    def select_whole(self, data: object) -> list[Any]:
        """All values that the path leads to, where no step may lead nowhere.

        Raises:
            LookupError: if a name or position is not there, or ``[*]`` does not stand on a list.
        """
        found = [data]
        for step in self.steps:
            for value in found:
                if not (isinstance(value, list) if step is EVERY else _inside(value, step)):
                    raise LookupError(self.text)
            found = [inner for value in found for inner in _inside(value, step)]
        return found


def _inside(value: Any, step: Step) -> list[Any]:
    if isinstance(step, str):
        return [value[step]] if isinstance(value, dict) and step in value else []
    if not isinstance(value, list):
        return []
    if isinstance(step, int):
        return [value[step]] if -len(value) <= step < len(value) else []
    return value


def _checked(text: str) -> str:
    JsonPath.parse(text)
    return text


def _checked_single(text: str) -> str:
    if not JsonPath.parse(text).is_single:
        raise ValueError("the path must lead to one value, without [*]")
    return text


PathText = Annotated[str, AfterValidator(_checked)]
"""A path as it is written in a file."""

SinglePathText = Annotated[str, AfterValidator(_checked_single)]
"""A path that leads to one value at most."""
