"""Overrides by programs: asked for under the policy's terms, signed by their owner alone, told until they end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from beleg.web.api.operations import API
from cli.projects import beleg
from support.blocked import ASKED, blocked
from support.workbench import application, signed_in, with_token

WANTED: dict[str, Any] = ASKED | {"hours": 6}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return blocked(tmp_path)


@pytest.fixture
def app(folder: Path) -> Iterator[FastAPI]:
    with application(folder) as made:
        yield made


@pytest.fixture
def path(folder: Path) -> str:
    return f"{API}/overrides/{Workspace(folder).holdings().decisions[0].key}"


def only(asking: TestClient) -> Any:
    (decision,) = asking.get(f"{API}/overrides").json()["decisions"]
    return decision


def test_a_request_lets_nothing_through_until_its_owner_signs_it(app: FastAPI, folder: Path, path: str) -> None:
    asking = with_token(app, Role.OWNER, label="pipeline")
    made = asking.post(path, json=WANTED)
    assert made.status_code == 201
    assert (made.json()["asked"]["asked_by"], made.json()["asked"]["hours"]) == ("pipeline", 6)
    told = only(asking)
    assert (told["verdict"], told["overrides"]) == ("BLOCK", [])
    words = ["keys/owner.pem" if word == "KEY" else word for word in shlex.split(told["asked"][0]["command"])[1:]]
    done = beleg(*words, cwd=folder)
    assert done.code == 0, done.err
    told = only(asking)
    assert told["asked"] == []
    (signed,) = told["overrides"]
    assert (signed["is_active"], signed["note"]["owner"]) == (True, "A. Weiss")
    assert 5 < signed["hours_left"] <= 6
    assert "Peak week <b>" in signed["note"]["reason"]


def test_it_stands_on_the_page_and_in_the_audit_log_under_the_name_of_the_token(app: FastAPI, path: str) -> None:
    with_token(app, Role.OWNER, label="pipeline").post(path, json=WANTED)
    assert "Asked by pipeline" in signed_in(app).get("/overrides?lang=en").text
    newest = with_token(app, Role.AUDITOR).get(f"{API}/audit?limit=1").json()["lines"][0]["event"]
    assert (newest["action"], newest["actor"]) == ("override_asked", "pipeline")


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"owner": "Mallory"}, 409, "body.owner"),
        ({"hours": 49}, 409, "body.hours"),
        ({"hours": 0}, 422, "body.hours"),
        ({"hours": "6"}, 422, "body.hours"),
        ({"reason": " "}, 422, "body.reason"),
        ({"checks": ["hit@5"]}, 422, "body.checks"),
    ],
)
def test_what_would_not_count_is_told_at_its_field(
    app: FastAPI, path: str, changes: dict[str, Any], status: int, field: str
) -> None:
    asking = with_token(app, Role.OWNER)
    refused = asking.post(path, json=WANTED | changes)
    assert refused.status_code == status, refused.text
    assert [each["field"] for each in refused.json()["fields"]] == [field]
    assert only(asking)["asked"] == []


def test_asking_takes_the_role_of_an_owner(app: FastAPI, path: str) -> None:
    asking = with_token(app, Role.REVIEWER)
    assert only(asking)["terms"]["owners"] == ["A. Weiss"]
    assert asking.get(path).status_code == asking.post(path, json=WANTED).status_code == 403
    assert with_token(app, Role.OWNER).get(path).json()["failed"] == only(asking)["failed"]


def test_there_is_nothing_to_override_where_nothing_is_signed(app: FastAPI, folder: Path, path: str) -> None:
    (folder / "runs" / "worse" / "decision" / "decision.dsse.json").unlink()
    asking = with_token(app, Role.OWNER)
    assert asking.get(f"{API}/overrides").json() == {"decisions": []}
    assert asking.post(path, json=WANTED).status_code == 404
