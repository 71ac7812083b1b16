"""What the routes of the API share: prefix, and the ways in which they refuse."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from beleg.web.api.shapes import ApiProblem

PREFIX = "/api/v1"

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": ApiProblem, "description": "The body is nested too deeply, or the host is not served here."},
    401: {"model": ApiProblem, "description": "There is no token, or it opens nothing."},
    403: {"model": ApiProblem, "description": "The token has no role for this."},
    404: {"model": ApiProblem, "description": "There is no such thing, or it is of another tenant."},
    413: {"model": ApiProblem, "description": "The body is larger than anything that could be meant."},
    422: {"model": ApiProblem, "description": "Something in the address or the body cannot be used."},
}

MAX_NAME_CHARS = 1_600
"""A name of 512 characters, each escaped."""

RunName = Annotated[
    str,
    Path(
        max_length=MAX_NAME_CHARS,
        description="The run; every character but letters, digits, - _ . is written as ~ and two hexadecimal digits.",
    ),
]
CaseName = Annotated[str, Path(max_length=MAX_NAME_CHARS, description="The case, written as the run is.")]
DecisionKey = Annotated[str, Path(max_length=64, description="The key of a decision, as /releases lists it.")]


def api_router(tag: str) -> APIRouter:
    """A router whose routes stand under the prefix, and say how they refuse."""
    return APIRouter(prefix=PREFIX, tags=[tag], responses=REFUSALS)
