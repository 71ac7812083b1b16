"""Faults for programs: problem details as JSON (RFC 9457), whatever part of the server tells them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from beleg.core.errors import Error

API_PREFIX = "/api/"
PROBLEM_TYPE = "application/problem+json"
MOST_FIELDS = 50

FieldProblems = Sequence[tuple[str, str]]
"""What is wrong with each field."""


class Refused(Error):
    """A request of a program that cannot be done, with what is wrong and what to do."""

    def __init__(
        self, status: HTTPStatus, message: str, *, hint: str | None = None, fields: FieldProblems = ()
    ) -> None:
        super().__init__(message, hint=hint)
        self.status, self.fields = status, fields


def problem(
    status: HTTPStatus,
    detail: str | None = None,
    *,
    hint: str | None = None,
    fields: FieldProblems = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer that says what is wrong."""
    content: dict[str, Any] = {"status": status.value, "title": status.phrase}
    content |= {name: value for name, value in (("detail", detail), ("hint", hint)) if value}
    if fields:
        content["fields"] = [{"field": field, "message": message} for field, message in fields[:MOST_FIELDS]]
    # Text that is no text, such as half a pair, is written as an escape and never breaks the answer.
    return Response(json.dumps(content), status_code=status, media_type=PROBLEM_TYPE, headers=headers)
