"""Markdown tables of the fields of stored models, from their JSON Schemas."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from beleg.core.case import Identifier

LONGEST_DEFAULT = 60
NOTICE = "<!-- Made from the source by tools/generate_reference.py; change the source and run it again. -->"


def cell(text: str) -> str:
    """Text that cannot break out of its cell."""
    return re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split())).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(title: str, *parts: str) -> str:
    """A page with its notice."""
    return "\n\n".join([f"# {title}", NOTICE, *parts]) + "\n"


def prose(docstring: str | None) -> str:
    """The part of a docstring that reads as prose: up to the first section such as ``Args``."""
    text = inspect.cleandoc(docstring or "")
    text = re.split(r"^(?:Args|Returns|Raises|Example|Examples|Attributes):\s*$", text, maxsplit=1, flags=re.MULTILINE)[
        0
    ]
    return re.sub(r"``(.+?)``", r"`\1`", text).strip()


LEGEND = (
    "An *identifier* is a text of 1 to 512 characters without control characters; a *single value* is a text, a "
    "number, `true`, `false` or `null`. Fields that are not listed are refused, and so are values of another type."
)
IDENTIFIER_PATTERN = next(item.pattern for item in get_args(Identifier)[1:])
SINGLE_VALUE = ["string", "integer", "number", "boolean", "null"]


def files_page(title: str, intro: str, *roots: Mapping[str, Any]) -> str:
    """The fields of models, and of every model that they lead to."""
    parts, shown = [intro, LEGEND], set[str]()
    for root in roots:
        waiting = [(str(root["title"]), root)]
        for name, schema in waiting:
            if name in shown:
                continue
            shown.add(name)
            parts += [f"## {name}", prose(schema.get("description")), body_words(schema)]
            definitions = root.get("$defs", {})
            waiting += [(found, definitions[found]) for found in references(schema) if found != "JsonValue"]
    return page(title, *(part for part in parts if part))


def body_words(schema: Mapping[str, Any]) -> str:
    """The fields of an object as a table, or its values."""
    if "enum" in schema:
        return "One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + "."
    required = schema.get("required", ())
    rows = (
        (
            f"`{name}`",
            type_words(field),
            "**required**" if name in required else default_words(field),
            prose(field.get("description")),
        )
        for name, field in schema.get("properties", {}).items()
    )
    return table(("Field", "Type", "Default", "Meaning"), rows)


def references(schema: Any) -> list[str]:
    """The models that a model names, in order; its own nested definitions left out."""
    if isinstance(schema, Mapping):
        named = [str(schema["$ref"]).rsplit("/", 1)[-1]] if "$ref" in schema else []
        return named + [name for key, value in schema.items() if key != "$defs" for name in references(value)]
    return [name for value in schema for name in references(value)] if isinstance(schema, list) else []


def type_words(schema: Mapping[str, Any]) -> str:
    """A JSON Schema type in words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return "any JSON" if name == "JsonValue" else f"[{name}](#{name.lower()})"
    if [each.get("type") for each in schema.get("anyOf", ())] == SINGLE_VALUE:
        return "single value"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(each) for each in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    form = _FORMS.get(schema.get("type", ""))
    return form(schema) if form else "any JSON"


def _text_words(schema: Mapping[str, Any]) -> str:
    if schema.get("pattern") == IDENTIFIER_PATTERN:
        return "identifier"
    if "format" in schema:
        return {"date": "date, as in `2026-11-30`", "date-time": "time, ISO 8601"}.get(schema["format"], "text")
    if "pattern" in schema:
        return f"text like `{schema['pattern']}`"
    return f"text{_limits(schema.get('minLength'), schema.get('maxLength'), 'characters')}"


def _number_words(schema: Mapping[str, Any]) -> str:
    words = ["whole number" if schema["type"] == "integer" else "number"]
    for key, form in (("minimum", "from {}"), ("exclusiveMinimum", "above {}"), ("exclusiveMaximum", "below {}")):
        words += [form.format(f"{schema[key]:,g}")] if key in schema else []
    return " ".join([*words, *([f"up to {schema['maximum']:,}"] if "maximum" in schema else [])])


def _list_words(schema: Mapping[str, Any]) -> str:
    kind = type_words(schema.get("items", {}))
    return f"list of {kind}{_limits(schema.get('minItems'), schema.get('maxItems'), 'entries')}"


def _mapping_words(schema: Mapping[str, Any]) -> str:
    patterns = list(schema.get("patternProperties", {}).values())
    values = patterns[0] if patterns else schema.get("additionalProperties", {})
    kind = type_words(values if isinstance(values, Mapping) else {})
    return f"mapping of names to {kind}{_limits(schema.get('minProperties'), None, 'entries')}"


_FORMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "string": _text_words,
    "integer": _number_words,
    "number": _number_words,
    "boolean": lambda schema: "`true` or `false`",
    "null": lambda schema: "`null`",
    "array": _list_words,
    "object": _mapping_words,
}


def _limits(low: int | None, high: int | None, unit: str) -> str:
    if high is not None:
        return f" of {low or 0:,} to {high:,} {unit}" if low else f" of up to {high:,} {unit}"
    return f", at least {low:,}" if low else ""


def default_words(schema: Mapping[str, Any]) -> str:
    """The default of a field; a long one is that of the model the field leads to."""
    if "default" not in schema:
        return "empty"
    value = schema["default"]
    if isinstance(value, dict):
        value = {name: item for name, item in value.items() if item not in (None, [], {})}
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if len(text) <= LONGEST_DEFAULT else "as listed there"
