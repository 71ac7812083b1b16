"""Two runs side by side in the browser tell what `beleg compare --claims` tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beleg.app.case_comparing import compare_cases, store_comparison
from support.packs import cases, write_run
from support.workbench import application, signed_in


def test_the_answer_is_that_of_the_command(browser: TestClient, project: Path) -> None:
    page = browser.get("/compare?new=new-1&old=released-1").text
    told = len([case for case in compare_cases(project / "new", project / "released").cases if not case.is_same])
    assert told > 0
    assert f"{told} of 40 cases are not the same" in page
    assert "Compared just now." in page


def test_a_comparison_that_is_kept_beside_the_run_is_shown(tmp_path: Path) -> None:
    new, old = (write_run(tmp_path, name, cases(3)) for name in ("new", "old"))
    store_comparison(compare_cases(new, old), new)
    with application(tmp_path) as app:
        assert "As stored beside the new run." in signed_in(app).get("/compare?new=new-1&old=old-1").text


def test_large_runs_are_not_compared_while_somebody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.app.workbench.comparisons.MAX_CASES", 2)
    for name in ("new", "old"):
        write_run(tmp_path, name, cases(3))
    with application(tmp_path) as app:
        page = signed_in(app).get("/compare?new=new-1&old=old-1").text
    assert "beleg compare --claims" in page


@pytest.mark.parametrize("query", ["new=new-1&old=new-1", "new=new-1&old=x", "new=<script>&old=new-1"])
def test_what_cannot_be_compared_is_told(browser: TestClient, query: str) -> None:
    answer = browser.get(f"/compare?{query}")
    assert answer.status_code == 404
    assert "<script>&" not in answer.text


def test_a_run_that_changes_is_compared_anew(tmp_path: Path) -> None:
    for name in ("new", "old"):
        write_run(tmp_path, name, cases(2))
    with application(tmp_path) as app:
        browser = signed_in(app)
        assert "answer not comparable" not in browser.get("/compare?new=new-1&old=old-1").text
        journal = tmp_path / "new" / "traces.jsonl"
        journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
        assert "answer not comparable in 1" in browser.get("/compare?new=new-1&old=old-1").text
