"""The reference of the API of the workbench, from the document that it serves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from schema_tables import body_words, default_words, page, prose, references, table, type_words

from beleg.web.api.routers import document


def api_page() -> str:
    """Every operation, and every object that stands in a body or an answer."""
    made = document()
    parts = [prose(made["info"]["description"])]
    parts += [
        f"The same as an OpenAPI {made['openapi']} document is served at `/api/v1/openapi.json`, to anybody; it says "
        "nothing of any project.",
        "## Problems",
        table(
            ("Status", "When"),
            ((code, told["description"]) for code, told in _problems(made)),
        ),
    ]
    for tag in made["tags"]:
        parts += [f"## {tag['name']}", tag["description"]]
        for path, method, operation in _operations(made):
            if tag["name"] in operation["tags"]:
                parts += _operation(path, method, operation)
    parts += ["## Objects"]
    schemas = made["components"]["schemas"]
    for name in _reached(made):
        parts += [f"### {name}", prose(schemas[name].get("description")), body_words(schemas[name])]
    return page("API of the workbench", *(part for part in parts if part))


def _operations(made: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _problems(made: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    found = {
        code: told
        for *_, operation in _operations(made)
        for code, told in operation["responses"].items()
        if not code.startswith("2")
    }
    return sorted(found.items())


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> list[str]:
    parts = [f"### {operation['operationId']}", f"`{method} {path}`", operation["summary"], operation["description"]]
    if operation["parameters"]:
        rows = (
            (
                f"`{each['name']}`",
                each["in"],
                type_words(each["schema"]),
                "**required**" if each["required"] else default_words(each["schema"]),
                prose(each["description"]),
            )
            for each in operation["parameters"]
        )
        parts.append(table(("Parameter", "In", "Type", "Default", "Meaning"), rows))
    if "requestBody" in operation:
        told = operation["requestBody"]["content"]["application/json"]
        parts += [f"Takes {type_words(told['schema'])}:", f"```json\n{json.dumps(told['example'], indent=2)}\n```"]
    code, answer = next(iter(operation["responses"].items()))
    kinds = [type_words(told["schema"]) for told in answer["content"].values()]
    what = kinds[0] if "application/json" in answer["content"] and len(kinds) == 1 else ", ".join(answer["content"])
    parts.append(f"Answers `{code}` with {what}.")
    return parts


def _reached(made: Mapping[str, Any]) -> list[str]:
    """Every object that a body or an answer leads to, in the order in which one meets them."""
    schemas = made["components"]["schemas"]
    found: dict[str, None] = {}
    waiting = references(made["paths"])
    while waiting:
        name = waiting.pop(0)
        if name not in found and name != "JsonValue":
            found[name] = None
            waiting += references(schemas[name])
    return list(found)
