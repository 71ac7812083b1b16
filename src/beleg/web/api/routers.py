"""Every router of the API, and the one that describes them."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.api import (
    audit,
    comparisons,
    description,
    identity,
    judges,
    overrides,
    releases,
    review,
    review_deeds,
    runs,
    suites,
)
from beleg.web.api.operations import API

DESCRIBED: tuple[APIRouter, ...] = (
    identity.router,
    releases.router,
    runs.router,
    comparisons.router,
    suites.router,
    judges.router,
    overrides.router,
    review.router,
    review_deeds.router,
    audit.router,
)
"""What the description tells of."""


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, made when somebody asks for it first."""
    return description.description(DESCRIBED)


describing = APIRouter(prefix=API)


@describing.get("/openapi.json", include_in_schema=False)
@requires(Access.PUBLIC)
def openapi(_: Request) -> Response:
    """The OpenAPI document. It tells nothing of any project, and is the same for everybody."""
    return JSONResponse(document())


API_ROUTERS: tuple[APIRouter, ...] = (*DESCRIBED, describing)
"""Everything below ``/api/v1``."""
