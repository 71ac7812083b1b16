"""The application: routes, guards and headers put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from beleg.app.workbench.installation import Installation
from beleg.web.access import guard, served_routes
from beleg.web.api.routers import API_ROUTERS
from beleg.web.bodies import LimitedBodies
from beleg.web.faults import add_fault_handlers
from beleg.web.headers import SafeHeaders
from beleg.web.pages import compare, decisions, judges, overrides, releases, review, runs, signing_in, suites
from beleg.web.sessions import Sessions
from beleg.web.settings import WebSettings

ROUTERS: tuple[APIRouter, ...] = (
    signing_in.router,
    releases.router,
    decisions.router,
    runs.router,
    suites.router,
    compare.router,
    judges.router,
    overrides.router,
    review.router,
    *API_ROUTERS,
)
"""Everything that is served."""


def create_app(installation: Installation, settings: WebSettings) -> FastAPI:
    """The workbench as an ASGI application.

    Args:
        installation: the projects that are looked at; they are closed when the application ends.
        settings: how it is served.

    Raises:
        LookupError: if a route does not say who may ask for it.
    """

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        installation.close()

    app = FastAPI(
        title="Beleg",
        dependencies=[Depends(guard)],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=life,
    )
    app.state.installation, app.state.settings = installation, settings
    app.state.sessions = Sessions(settings, installation.state)
    app.state.served = served_routes(ROUTERS)
    for router in ROUTERS:
        app.include_router(router)
    add_fault_handlers(app)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*settings.allowed_hosts], www_redirect=False)
    app.add_middleware(LimitedBodies)
    app.add_middleware(SafeHeaders)
    return app
