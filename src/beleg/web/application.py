"""The application: routes, guards and headers put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from beleg.app.workbench.installation import Installation
from beleg.core.errors import MissingExtra
from beleg.web.access import guard, served_routes
from beleg.web.api.routers import API_ROUTERS
from beleg.web.bodies import LimitedBodies
from beleg.web.faults import add_fault_handlers
from beleg.web.headers import SafeHeaders
from beleg.web.pages import (
    audit,
    compare,
    decisions,
    judges,
    labelling,
    overrides,
    people,
    releases,
    review,
    runs,
    signing_in,
    signing_in_provider,
    suites,
)
from beleg.web.sessions import Sessions
from beleg.web.settings import WebSettings

if TYPE_CHECKING:
    from beleg.app.workbench.provider import ProviderDoor

ROUTERS: tuple[APIRouter, ...] = (
    signing_in.router,
    signing_in_provider.router,
    releases.router,
    decisions.router,
    runs.router,
    suites.router,
    labelling.router,
    compare.router,
    judges.router,
    overrides.router,
    review.router,
    people.router,
    audit.router,
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
        UsageError: if the secret by which a provider knows this workbench is not there.
        MissingExtra: if people sign in by a provider, and the packages for it are not installed.
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
    app.state.sessions, app.state.door = Sessions(settings, installation.state), _door(installation, settings)
    app.state.served = served_routes(ROUTERS)
    for router in ROUTERS:
        app.include_router(router)
    add_fault_handlers(app)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*settings.allowed_hosts], www_redirect=False)
    app.add_middleware(LimitedBodies)
    app.add_middleware(SafeHeaders)
    return app


def _door(installation: Installation, settings: WebSettings) -> ProviderDoor | None:
    """The way in by a provider; on a laptop nothing of it is loaded."""
    if settings.oidc is None:
        return None
    try:
        from beleg.app.workbench.provider import ProviderDoor
    except ImportError as error:
        raise MissingExtra("signing in by a provider", "serve") from error
    return ProviderDoor.of(settings.oidc, settings.address, installation.tenants)
