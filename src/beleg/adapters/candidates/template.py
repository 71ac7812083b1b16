"""Request templates: JSON in which text such as ``{{query.text}}`` stands for a part of the query.

A template is filled after it was parsed and before it is written as JSON, and what was filled in is not looked at
again. A question can therefore neither leave its string nor bring in variables of its own.
"""

from __future__ import annotations

import difflib
import re
from typing import Any

from beleg.core.trace import Query

_VARIABLE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")

_VARIABLES = (
    "query.case_id",
    "query.text",
    "query.turns",
    "query.language",
    "query.retrieve_only",
    "query.principal",
    "query.principal.tenant",
    "query.principal.entitlements",
    "query.principal.jurisdiction",
    "query.principal.locale",
)

_WHOLE_ONLY = frozenset({"query.turns", "query.retrieve_only", "query.principal", "query.principal.entitlements"})
"""Values that are no text: they can only stand for a whole JSON value."""


def check_template(template: object) -> None:
    """Refuses unknown variables, and lists or mappings within a longer text.

    Raises:
        ValueError: naming the variable.
    """
    if isinstance(template, dict):
        for value in template.values():
            check_template(value)
    elif isinstance(template, list):
        for value in template:
            check_template(value)
    elif isinstance(template, str):
        _check_text(template)


def fill(template: Any, query: Query) -> Any:
    """The template with the query in it.

    A text that is one variable and nothing else becomes its value, which may be a list, or null where the query has
    none; within a longer text an absent value is empty.

    Example:
        >>> fill({"q": "{{query.text}}", "l": "{{query.language}}"}, Query(case_id="c", text='a "b"'))
        {'q': 'a "b"', 'l': None}
    """
    if isinstance(template, dict):
        return {key: fill(value, query) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, query) for value in template]
    if not isinstance(template, str):
        return template
    whole = _VARIABLE.fullmatch(template)
    if whole:
        return _value(whole[1], query)
    return _VARIABLE.sub(lambda match: _value(match[1], query) or "", template)


def _check_text(text: str) -> None:
    whole = _VARIABLE.fullmatch(text) is not None
    for match in _VARIABLE.finditer(text):
        name = match[1]
        if name not in _VARIABLES:
            near = difflib.get_close_matches(name, _VARIABLES, n=1)
            raise ValueError(f"there is no variable {name!r}; {_advice(near)}")
        if name in _WHOLE_ONLY and not whole:
            raise ValueError(f"{name} is no text, so {{{{{name}}}}} must stand alone")
    if "{{" in _VARIABLE.sub("", text):
        raise ValueError(f"a variable is not closed or not named in {text!r}; write it as {{{{query.text}}}}")


def _advice(near: list[str]) -> str:
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_VARIABLES)}"


def _value(name: str, query: Query) -> Any:
    value: Any = query.model_dump(mode="json")
    for step in name.split(".")[1:]:
        value = value[step]
    return value
