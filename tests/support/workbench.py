"""The workbench for tests: a project, and somebody who is signed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.installation import Installation
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.tokens import create_token
from beleg.core.access import Principal, Role
from beleg.core.workbench_state import LOCAL_TENANT
from beleg.web.access import FORM_FIELD
from beleg.web.application import create_app
from beleg.web.settings import WebSettings

ADDRESS = "http://127.0.0.1"
TOKEN = "the-start-token"


@contextmanager
def application(
    project: Path, *, override_keys: Mapping[str, str] | None = None, **settings: object
) -> Iterator[FastAPI]:
    """The application over a project folder, closed at the end."""
    installation = Installation.local(project, override_keys=override_keys)
    app = create_app(installation, WebSettings(start_token=TOKEN, **settings))  # type: ignore[arg-type]
    try:
        yield app
    finally:
        installation.close()


def workbench_of(app: FastAPI, tenant: str = LOCAL_TENANT) -> Workbench:
    """The project behind the application."""
    found: Workbench = app.state.installation.workbench(tenant)
    return found


def client(app: FastAPI) -> TestClient:
    """A browser that nobody has signed in with; it follows no redirect by itself."""
    return TestClient(app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=False)


def signed_in(app: FastAPI, *roles: Role, name: str = "ada") -> TestClient:
    """A browser with a session of a person; without roles named, of one with every role."""
    browser = client(app)
    person = Principal(name=name, tenant="local", roles=frozenset(roles or Role))
    browser.cookies.set("beleg-session", app.state.sessions.begin(person))
    return browser


def token_of(
    app: FastAPI, *roles: Role, tenant: str = LOCAL_TENANT, label: str = "program", maker: str | None = None
) -> str:
    """What opens the API for a program; without roles named, with every role that a program may have."""
    chosen = frozenset(roles or (role for role in Role if role is not Role.ADMIN))
    creator = Principal(name=maker or label, tenant=tenant, roles=chosen)
    state = app.state.sessions.state
    return create_token(state, creator, label=label, roles=chosen, days=1, at=datetime.now(UTC))[1]


def with_token(
    app: FastAPI, *roles: Role, tenant: str = LOCAL_TENANT, label: str = "program", maker: str | None = None
) -> TestClient:
    """A program with a token."""
    made = client(app)
    made.headers["authorization"] = f"Bearer {token_of(app, *roles, tenant=tenant, label=label, maker=maker)}"
    return made


def form_token(text: str) -> str:
    """The token that the forms of a page carry."""
    found = re.search(rf'name="{FORM_FIELD}" value="([^"]+)"', text)
    assert found is not None, "the page has no form token"
    return found.group(1)
