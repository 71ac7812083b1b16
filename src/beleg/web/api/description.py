"""The OpenAPI document: made from what the operations say of themselves, when somebody asks for it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from beleg.core.access import Access
from beleg.web.access import SAFE_METHODS, declared, served_routes
from beleg.web.api.base import MAX_NAME_CHARS, Problem
from beleg.web.api.examples import BODIES, PARAMETERS
from beleg.web.api.operations import operation_of
from beleg.web.problems import PROBLEM_TYPE

SCHEMAS = "#/components/schemas/"
JSON = "application/json"
INTRODUCTION = """\
All that the pages of the workbench show and do, for programs: the same numbers from the same services.

Send a token of yours with every request: `Authorization: Bearer beleg_<tenant>_<secret>`. Cookies are not looked at.
Bodies are JSON. What is wrong is told as problem details (RFC 9457).

A name in a path is one segment: letters, digits, `-`, `_` and `.` stand for themselves, and every other byte of it in
UTF-8 is `~` with two digits in upper case: `a/b` is `a~2Fb`. Answers hold the name and this form of it as `address`.

A score that is missing is `{"value": null, "reason": "timeout"}`, and never 0 or NaN. Sentences are in the language of
`lang`, else of `Accept-Language`. Questions, passages, answers and replies of judges are texts of strangers.
"""
TAGS = {
    "Identity": "Who asks.",
    "Releases": "May this ship, and why.",
    "Runs": "What was measured, down to a single case.",
    "Suites": "The questions, and what they cover.",
    "Judges": "How far each is to be believed.",
    "Overrides": "What is let through in spite of a decision, and until when.",
    "Review": "What people decide about claims.",
    "Audit": "Who read and did what.",
}
_WHY: dict[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read.",
    HTTPStatus.UNAUTHORIZED: "No token that is open was sent.",
    HTTPStatus.FORBIDDEN: "The token does not grant this.",
    HTTPStatus.NOT_FOUND: "There is no such thing in your project.",
    HTTPStatus.CONFLICT: "It does not follow from the state of things as it is now; nothing was recorded.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is no JSON by its content type.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Some fields cannot be used; `fields` names each.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests; ask again later.",
}
_OF_BODIES = frozenset({HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE})
_OF_TOKENS = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


def description(routers: Sequence[APIRouter]) -> dict[str, Any]:
    """The OpenAPI 3.1 document of some routers; it says nothing of any project.

    Raises:
        LookupError: if a route does not say what it is to a program.
    """
    routes = [route for route in served_routes(routers) if route.include_in_schema]
    schemas, named = _schemas(routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        for method in sorted(route.methods or ()):
            paths.setdefault(route.path, {})[method.lower()] = _operation(route, method, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Beleg workbench", "version": version("beleg"), "description": INTRODUCTION},
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "beleg_<tenant>_<secret>",
                    "description": "A token that somebody of the tenant made; it ends by itself.",
                }
            },
        },
        "security": [{"token": []}],
    }


def _schemas(routes: Iterable[APIRoute]) -> tuple[dict[str, Any], Mapping[type[BaseModel], dict[str, Any]]]:
    told = [operation_of(route) for route in routes]
    answers: dict[type[BaseModel], None] = dict.fromkeys(each.answers for each in told if each.answers is not None)
    bodies: dict[type[BaseModel], None] = dict.fromkeys(each.takes for each in told if each.takes is not None)
    wanted = [(Problem, "serialization"), *((kind, "serialization") for kind in answers)]
    found, schema = models_json_schema(
        [*wanted, *((kind, "validation") for kind in bodies)],  # type: ignore[list-item]
        ref_template=f"{SCHEMAS}{{model}}",
    )
    return _said(schema.get("$defs", {})), {
        kind: each for (kind, _), each in found.items() if issubclass(kind, BaseModel)
    }


def _said(schemas: dict[str, Any]) -> dict[str, Any]:
    """Fields that mean what their type means say so too."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if "$ref" in field:
                field.setdefault("description", schemas[str(field["$ref"]).rsplit("/", 1)[-1]].get("description", ""))
    return schemas


def _operation(route: APIRoute, method: str, named: Mapping[type[BaseModel], dict[str, Any]]) -> dict[str, Any]:
    told, access = operation_of(route), declared(route)
    summary, _, more = _told(route.endpoint).partition("\n\n")
    made: dict[str, Any] = {
        "operationId": told.name,
        "tags": list(route.tags),
        "summary": summary.replace("\n", " "),
        "description": "\n\n".join([*([more] if more else []), f"Takes the right `{access.value}`."]),
        "parameters": [*_path_parameters(route.path), *_query_parameters(told.asks)],
        "responses": {str(told.status.value): _answer(route, named)} | _problems(method, access),
    }
    if told.takes is not None:
        content: dict[str, Any] = {"schema": named[told.takes]}
        if told.name in BODIES:
            content["example"] = BODIES[told.name]
        made["requestBody"] = {"required": True, "content": {JSON: content}}
    return made


def _told(what: object) -> str:
    return inspect.cleandoc(what.__doc__ or "").replace("``", "`")


def _answer(route: APIRoute, named: Mapping[type[BaseModel], dict[str, Any]]) -> dict[str, Any]:
    told = operation_of(route)
    if told.answers is None:
        content = {kind: {"schema": {"type": "object" if kind == JSON else "string"}} for kind in told.files}
        return {"description": "The file as it stands on the disk.", "content": content}
    text = _told(told.answers).partition("\n\n")[0]
    return {"description": text.replace("\n", " "), "content": {JSON: {"schema": named[told.answers]}}}


def _problems(method: str, access: Access) -> dict[str, Any]:
    left_out = (_OF_BODIES if method in SAFE_METHODS else frozenset()) | (
        _OF_TOKENS if access is Access.PUBLIC else frozenset()
    )
    content = {PROBLEM_TYPE: {"schema": {"$ref": f"{SCHEMAS}Problem"}}}
    return {
        str(status.value): {"description": why, "content": content}
        for status, why in _WHY.items()
        if status not in left_out
    }


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PARAMETERS[name][0],
            "schema": {"type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS},
            "example": PARAMETERS[name][1],
        }
        for name in re.findall(r"\{(\w+)\}", path)
    ]


def _query_parameters(asks: type[BaseModel]) -> list[dict[str, Any]]:
    schema = asks.model_json_schema(ref_template=f"{SCHEMAS}{{model}}")
    definitions = schema.get("$defs", {})
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": field.get("description", ""),
            "schema": _inlined(field, definitions),
        }
        for name, field in schema["properties"].items()
    ]


def _inlined(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a parameter by itself: nothing behind a question mark is null."""
    made = {name: value for name, value in field.items() if name not in ("description", "title")}
    if "$ref" in made:
        found = dict(definitions[str(made.pop("$ref")).rsplit("/", 1)[-1]])
        made = {name: value for name, value in found.items() if name not in ("description", "title")} | made
    choices = [each for each in made.pop("anyOf", ()) if each.get("type") != "null"]
    if choices:
        made = choices[0] | {name: value for name, value in made.items() if value is not None}
    return made
