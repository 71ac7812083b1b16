"""The description of the API in OpenAPI 3.1, made when somebody asks for it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response

from beleg.core.access import Access
from beleg.web.access import declared, requires, served_routes
from beleg.web.api import deciding, looking, reviewing, running
from beleg.web.api.parts import PREFIX
from beleg.web.faults import PROBLEM

router = APIRouter(prefix=PREFIX, tags=["project"])

DESCRIBED: tuple[APIRouter, ...] = (deciding.router, running.router, looking.router, reviewing.router)

DESCRIPTION = """Everything that the pages of the workbench show and do, for programs.

Send a token with every request: `Authorization: Bearer beleg_…`; whoever administers the workbench makes it on the page
*People*. A token sees the projects of its tenant only, and may do what its roles allow. A score that is missing is
`null` with a reason. What is refused is told as `application/problem+json`.
"""


@router.get("/openapi.json", include_in_schema=False)
@requires(Access.PUBLIC)
def openapi() -> Response:
    """The description itself; it tells nothing of what is served here."""
    return JSONResponse(described())


@cache
def described() -> dict[str, Any]:
    """The document: every route with its access, and refusals in their media type."""
    routes = served_routes(DESCRIBED)
    made: dict[str, Any] = get_openapi(
        title="Beleg workbench", version=version("beleg"), description=DESCRIPTION, routes=routes
    )
    made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"token": []}]
    needs = {route.operation_id: declared(route) for route in routes}
    for operations in made["paths"].values():
        for operation in operations.values():
            operation["x-access"] = needs[operation["operationId"]].value
            for status, answer in operation["responses"].items():
                if status.startswith("4") and "application/json" in answer.get("content", {}):
                    answer["content"] = {PROBLEM: answer["content"]["application/json"]}
    return made
