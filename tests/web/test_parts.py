"""Parts of pages for the script: only what was asked for, said to be that, and whole pages for everything else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from support.run_pages import RUN, indexed, project
from support.workbench import application, client, signed_in


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("runs"))
    indexed(folder)
    return folder


@pytest.fixture(scope="module")
def app(judged: Path) -> Iterator[FastAPI]:
    with application(judged) as made:
        yield made


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    return signed_in(app)


@pytest.mark.parametrize("part", ["listed", "content"])
def test_a_part_is_the_same_as_in_the_page(browser: TestClient, part: str) -> None:
    address = f"/runs/{RUN}?q=item&sort=mrr"
    whole, alone = browser.get(address), browser.get(address, headers={"X-Fragment": part})
    assert (alone.headers["x-fragment"], alone.headers["vary"]) == (part, "x-fragment")
    assert alone.text.strip() in whole.text
    assert "x-fragment" not in whole.headers


@pytest.mark.parametrize("part", ["", "nothing", "../layout", "run_listed.html"])
def test_what_is_no_part_gets_the_page(browser: TestClient, part: str) -> None:
    answer = browser.get(f"/runs/{RUN}", headers={"X-Fragment": part})
    assert "x-fragment" not in answer.headers
    assert answer.text.startswith("<!doctype html>")


def test_a_fault_is_a_page_and_no_part(browser: TestClient) -> None:
    answer = browser.get(f"/runs/{RUN}?page=x", headers={"X-Fragment": "listed"})
    assert answer.status_code == 404
    assert "x-fragment" not in answer.headers


def test_a_part_is_refused_as_its_page_is(app: FastAPI) -> None:
    assert client(app).get(f"/runs/{RUN}", headers={"X-Fragment": "listed"}).headers["location"].startswith("/sign-in")


def test_a_run_that_is_not_indexed_has_no_list_to_hand_out(tmp_path: Path) -> None:
    with application(project(tmp_path)) as app:
        answer = signed_in(app).get(f"/runs/{RUN}", headers={"X-Fragment": "listed"})
        assert "x-fragment" not in answer.headers
        assert "data-refresh" in answer.text
