"""A project with two runs and a decision, and the application over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from support.packs import decided
from support.workbench import application, signed_in


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that nobody changes."""
    return decided(tmp_path_factory.mktemp("project")).folder


@pytest.fixture(scope="session")
def app(project: Path) -> Iterator[FastAPI]:
    """The application over it."""
    with application(project) as made:
        yield made


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    """Somebody with every role."""
    return signed_in(app)
