"""A workbench of two tenants, each with a project that holds the same kinds of things under names of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.team import load_workbench_settings, open_team
from beleg.core.access import Principal, Role
from beleg.web.application import create_app
from beleg.web.settings import WebSettings

ADDRESS = "http://127.0.0.1"


def write_settings(folder: Path, **changes: Any) -> Path:
    """A settings file over two empty projects."""
    for name in ("acme", "other"):
        (folder / name).mkdir(exist_ok=True)
    given: dict[str, Any] = {
        "kind": "beleg.workbench/1",
        "address": ADDRESS,
        "tenants": {name: {"project": name} for name in ("acme", "other")},
        "sign_in": {"accounts": True},
    }
    path = folder / "workbench.yaml"
    path.write_text(yaml.safe_dump(given | changes), encoding="utf-8")
    return path


@contextmanager
def team(path: Path) -> Iterator[FastAPI]:
    """The application that a settings file describes."""
    settings = load_workbench_settings(path)
    installation = open_team(settings, path)
    try:
        yield create_app(installation, WebSettings.of_team(settings))
    finally:
        installation.close()


def of_tenant(app: FastAPI, tenant: str, *roles: Role, headers: Mapping[str, str] | None = None) -> TestClient:
    """A browser of somebody of a tenant; without roles named, with every role."""
    browser = TestClient(
        app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=False, headers=dict(headers or {})
    )
    person = Principal(name=f"{tenant}-person", tenant=tenant, roles=frozenset(roles or Role))
    browser.cookies.set("beleg-session", app.state.sessions.begin(person))
    return browser
