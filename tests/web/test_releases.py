"""The first page: what may ship, told as it is stored."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beleg.app.signing import stored_decision
from support.packs import decided
from support.workbench import application, signed_in


def test_the_first_line_is_the_stored_decision(browser: TestClient, project: Path) -> None:
    decision = stored_decision(project / "new" / "decision")
    page = browser.get("/", headers={"accept-language": "en"}).text
    assert f"{decision.verdict.value}:" in page
    assert decision.candidate.name in page
    assert "Not signed" in page
    assert '<html lang="en">' in page


@pytest.mark.parametrize(
    ("address", "header", "language"),
    [("/", "de-AT, en;q=0.5", "de"), ("/?lang=en", "de", "en"), ("/?lang=fr", "fr", "en"), ("/", "", "en")],
)
def test_a_page_speaks_the_readers_language(browser: TestClient, address: str, header: str, language: str) -> None:
    answer = browser.get(address, headers={"accept-language": header})
    assert answer.headers["content-language"] == language
    assert ("Freigaben" in answer.text) is (language == "de")


def test_the_language_that_was_chosen_stays(app: object) -> None:
    browser = signed_in(app)  # type: ignore[arg-type]
    browser.get("/?lang=de")
    assert "Freigaben" in browser.get("/").text


def test_a_project_without_decisions_says_what_to_do(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        assert "beleg gate" in signed_in(app).get("/").text


def test_a_decision_that_cannot_be_read_is_told_and_not_left_out(tmp_path: Path) -> None:
    folder = decided(tmp_path).folder
    (folder / "new" / "decision" / "decision.json").write_text("{", encoding="utf-8")
    with application(folder) as app:
        page = signed_in(app).get("/").text
    assert "Cannot be read" in page
    assert "new/decision/decision.json" in page
    # Where the project lies on the server is nobody's business.
    assert str(folder) not in page


def test_texts_of_strangers_are_only_text(tmp_path: Path) -> None:
    folder = decided(tmp_path).folder
    path = folder / "new" / "decision" / "decision.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["candidate"]["name"] = "<script>alert(1)</script>\u202e{{ 7 * 7 }}"
    path.write_text(json.dumps(stored), encoding="utf-8")
    with application(folder) as app:
        page = signed_in(app).get("/").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;⟦U+202E⟧{{ 7 * 7 }}" in page


def test_what_changes_on_the_disk_shows_at_the_next_look(tmp_path: Path) -> None:
    folder = decided(tmp_path).folder
    with application(folder) as app:
        browser = signed_in(app)
        assert "/releases/" in browser.get("/").text
        shutil.rmtree(folder / "new" / "decision")
        assert "/releases/" not in browser.get("/").text
