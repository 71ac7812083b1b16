"""Suites: what they cover, what is due, what changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from support.workbench import application, signed_in

HOSTILE = "<img src=x onerror=alert(1)>\u202e{{ 7 * 7 }}"


def write(folder: Path, **fields: object) -> None:
    folder.mkdir()
    case = {
        "case_id": "c1", "user_input": "?", "expected_passages": [{"document_id": "d1"}], "language": "de",
        "document_class": HOSTILE, "owner": HOSTILE, "review_by": "2026-01-01", **fields,
    }  # fmt: skip
    (folder / "cases.jsonl").write_text(json.dumps(case), encoding="utf-8")
    (folder / "suite.yaml").write_text("name: help\ncases: [cases.jsonl]\n", encoding="utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("shelf")
    write(folder / "old")
    write(folder / "new", reference_answer=HOSTILE)
    with application(folder) as app:
        yield app


@pytest.fixture
def shelf(served: FastAPI) -> TestClient:
    return signed_in(served)


def test_the_list_leads_to_each_suite(shelf: TestClient) -> None:
    page = shelf.get("/suites").text
    assert "/suites/one?place=old/suite.yaml" in page
    assert "/suites/one?place=new/suite.yaml" in page


@pytest.mark.parametrize(
    "path",
    [
        "/suites/one?place=new/suite.yaml&by=document_class&by=language",
        "/suites/one?place=new/suite.yaml&by=document_class&by=",
        "/suites/changes?old=old/suite.yaml&new=new/suite.yaml",
    ],
)
def test_texts_of_strangers_are_only_text(shelf: TestClient, path: str) -> None:
    answer = shelf.get(path)
    assert answer.status_code == 200
    assert "<img" not in answer.text
    assert "&lt;img src=x onerror=alert(1)&gt;⟦U+202E⟧{{ 7 * 7 }}" in answer.text


def test_a_review_that_is_over_is_told(shelf: TestClient) -> None:
    page = shelf.get("/suites/one?place=new/suite.yaml&lang=de").text
    assert "1 Prüfung ist binnen 30 Tagen fällig oder überfällig." in page
    assert "01.01.2026" in page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/suites/one?place=../../etc/passwd", 404),
        ("/suites/one?place=new/suite.yaml&by=nothing", 404),
        ("/suites/one?place=new/suite.yaml&minimum=0", 422),
        ("/suites/one?place=new/suite.yaml&minimum=x", 422),
        ("/suites/one", 422),
        ("/suites/changes?old=x&new=y", 404),
    ],
)
def test_an_address_that_asks_for_nothing_is_told_so(shelf: TestClient, path: str, status: int) -> None:
    answer = shelf.get(path)
    assert answer.status_code == status
    assert "This cannot be shown" in answer.text


def test_the_other_language_is_the_same_page(shelf: TestClient) -> None:
    page = shelf.get("/suites/one?place=new/suite.yaml&by=language&lang=en").text
    assert 'href="/suites/one?place=new%2Fsuite.yaml&amp;by=language&amp;lang=de"' in page
