"""One operation of the API: its name, what it takes and what it answers, said beside the function that does it."""

from __future__ import annotations

import email.message
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import Depends, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

from beleg.app.workbench.request_bodies import NoJson, read_body
from beleg.core.errors import DataError
from beleg.web.api.base import Asked, Sent, Told
from beleg.web.problems import Refused
from beleg.web.rendering import preferred

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

API = "/api/v1"
_OPERATION = "__operation__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What a program must know to call it."""

    name: str
    """The name of the method of a client."""
    answers: type[Told] | None
    """``None`` for a file or a description."""
    asks: type[Asked]
    """What may stand behind the question mark."""
    takes: type[Sent] | None
    """The body."""
    status: HTTPStatus
    files: tuple[str, ...]
    """The media types of a file."""


def operation(
    name: str,
    answers: type[Told] | None = None,
    *,
    asks: type[Asked] = Asked,
    takes: type[Sent] | None = None,
    status: HTTPStatus = HTTPStatus.OK,
    files: tuple[str, ...] = (),
) -> Callable[[Endpoint], Endpoint]:
    """Says what an endpoint is to a program."""

    def declare(endpoint: Endpoint) -> Endpoint:
        made = Operation(name=name, answers=answers, asks=asks, takes=takes, status=status, files=files)
        setattr(endpoint, _OPERATION, made)
        return endpoint

    return declare


def operation_of(route: APIRoute) -> Operation:
    """What a route is to a program.

    Raises:
        LookupError: if it does not say.
    """
    found: Operation | None = getattr(route.endpoint, _OPERATION, None)
    if found is None:
        raise LookupError(f"{route.path} does not say what it is to a program: add @operation(…)")
    return found


def language_of(request: Request, asked: Asked) -> str:
    """The language of sentences: as the address says, else as the header prefers; no cookie is looked at."""
    return asked.lang or preferred(request.headers.get("accept-language", ""))


def tell(request: Request, asked: Asked, found: Any) -> Response:
    """An answer of the shape that the operation says, read off what a service returned.

    Args:
        request: leads to the operation.
        asked: what stood behind the question mark.
        found: an object or mapping with the fields of the answer.
    """
    told, language = operation_of(request.scope["route"]), language_of(request, asked)
    if told.answers is None:
        raise LookupError(f"{told.name} answers nothing that has a shape")
    made = told.answers.model_validate(found, context={"language": language})
    headers = {"content-language": language, "vary": "accept-language"}
    return Response(made.model_dump_json(), status_code=told.status, media_type="application/json", headers=headers)


def body(kind: type[Sent]) -> Any:
    """The body of a request as a parameter of an endpoint.

    It is read after the guard let the request through, and never before.
    """

    async def read(request: Request) -> Sent:
        _require_json(request.headers.get("content-type", ""))
        try:
            return read_body(kind, await request.body())
        except NoJson as error:
            raise Refused(HTTPStatus.BAD_REQUEST, "The body is no JSON", fields=_fields(error)) from error
        except DataError as error:
            raise wrong_fields(error) from error

    return Depends(read)


def wrong_fields(error: DataError, status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY) -> Refused:
    """What a body lacks, field by field."""
    return Refused(status, "Some fields cannot be used", hint=error.hint, fields=_fields(error))


def _fields(error: DataError) -> list[tuple[str, str]]:
    return [
        (".".join(["body", *([each.field] if each.field else [])]), str(replace(each, field=None)))
        for each in error.problems
    ]


def _require_json(content_type: str) -> None:
    message = email.message.Message()
    message["content-type"] = content_type
    if message.get_content_type() != "application/json":
        raise Refused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body is JSON", hint="Send: Content-Type: application/json"
        )
