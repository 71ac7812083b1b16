"""Every request that the guide on the API shows gets the answer that it tells of."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.core.access import Role
from beleg.web.api.operations import API
from support.api_projects import ApiProject, api_project
from support.review_projects import RUN_ID
from support.run_pages import OLDER, RUN
from support.workbench import application, with_token

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "workbench-api.md").read_text("utf-8")


def requests() -> list[list[str]]:
    """Every line of the guide that asks, as its words."""
    blocks = (part.split("```")[0].replace("\\\n", " ") for part in GUIDE.split("```sh\n")[1:])
    return [shlex.split(line) for block in blocks for line in block.splitlines() if line.startswith("curl ")]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> ApiProject:
    return api_project(tmp_path_factory.mktemp("guide"))


@pytest.fixture(scope="module")
def app(given: ApiProject) -> Iterator[FastAPI]:
    with application(given.folder) as made:
        yield made


def test_every_request_is_answered(app: FastAPI, given: ApiProject) -> None:
    asking = with_token(app, Role.REVIEWER, label="ci", maker="ada")
    claim = asking.get(f"{API}/review/{RUN_ID}/claims/C-017-1").json()
    names = {
        "$BELEG": API, "KEY": given.addresses["key"][0], "RUN17": RUN_ID, "RUN": RUN, "OLDER": OLDER, "CASE": "c02",
        "CLAIM": "C-017-1", "DIGEST": claim["digest"],
    }  # fmt: skip
    assert len(requests()) == 11
    for words in requests():
        asked = " ".join(words)
        url, sent = next(word for word in words if word.startswith("$BELEG")), None
        assert "Authorization: Bearer $TOKEN" in words, asked
        if "-d" in words:
            assert "Content-Type: application/json" in words, asked
            sent = filled(words[words.index("-d") + 1], names)
        answer = send(asking, filled(url, names), sent)
        assert answer in (200, 201), (asked, answer)


def filled(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\$BELEG|\b(KEY|RUN17|RUN|OLDER|CASE|CLAIM|DIGEST)\b", lambda found: names[found[0]], text)


def send(asking: TestClient, path: str, sent: str | None) -> int:
    if sent is None:
        return asking.get(path).status_code
    return asking.post(path, content=sent, headers={"content-type": "application/json"}).status_code


def test_what_it_shows_is_what_is_answered(app: FastAPI) -> None:
    shown = [json.loads(part.split("```")[0]) for part in GUIDE.split("```json\n")[1:]]
    asking = with_token(app, Role.REVIEWER, label="ci", maker="ada")
    identity = asking.get(f"{API}/whoami").json()
    assert identity | {"expires_at": ""} == shown[0] | {"expires_at": ""}
    (score,) = asking.get(f"{API}/runs/{RUN}/cases?status=timeout&show=recall%405&limit=1").json()["cases"][0]["scores"]
    assert score == shown[1]
    refused = asking.post(f"{API}/review/{RUN_ID}/claims/C-017-1/verdicts", json={}).json()
    assert refused | {"fields": refused["fields"][:1]} == shown[2]
