"""One decision in the browser is the stored one, drawn as its report draws it, and leads to its run."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beleg.app.signing import stored_decision
from beleg.app.workbench.workspace import Workspace
from support.packs import decided
from support.workbench import application, signed_in

HOSTILE = '"><img src=x onerror=alert(1)>'


def key_of(folder: Path) -> str:
    return Workspace(folder).holdings().decisions[0].key


def measured(browser: TestClient, path: str) -> str:
    """The page once segments and cases are measured; it says so itself until then."""
    for _ in range(200):
        page = browser.get(path).text
        if "being measured" not in page:
            return page
        time.sleep(0.05)
    raise AssertionError("nothing was measured")


def test_the_page_says_what_the_stored_decision_says(browser: TestClient, project: Path) -> None:
    decision = stored_decision(project / "new" / "decision")
    page = browser.get(f"/releases/{key_of(project)}?lang=en").text
    for check in decision.checks:
        assert check.reason.en.replace("'", "&#39;")[:40] in page.replace("\u00a0", " ")
    assert page.count("<h1>") == 1


def test_every_case_and_stage_leads_to_the_run(browser: TestClient, project: Path) -> None:
    page = measured(browser, f"/releases/{key_of(project)}?lang=en")
    led = [target for target in re.findall(r'href="([^"]+)"', page) if target.startswith("/runs/")]
    assert led
    for target in set(led):
        assert browser.get(target.partition("#")[0].replace("&amp;", "&")).status_code == 200, target
    ids = set(re.findall(r'id="([^"]+)"', page))
    assert {target[1:] for target in re.findall(r'href="(#[^"]+)"', page)} <= ids


def test_a_decision_without_its_runs_shows_all_that_it_holds(tmp_path: Path) -> None:
    folder = decided(tmp_path / "whole").folder
    (tmp_path / "alone").mkdir()
    (folder / "new" / "decision").rename(tmp_path / "alone" / "decision")
    with application(tmp_path / "alone") as app:
        page = signed_in(app).get(f"/releases/{key_of(tmp_path / 'alone')}?lang=en").text
    assert "not in this project" in page
    assert "All checks" in page


def test_texts_of_strangers_are_only_text(tmp_path: Path) -> None:
    folder = decided(tmp_path).folder
    path = folder / "new" / "decision" / "decision.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["candidate"]["name"] = stored["suite_name"] = HOSTILE
    stored["checks"][0]["worst_cases"] = [HOSTILE]
    stored["checks"][0]["state"] = "FAIL"
    path.write_text(json.dumps(stored), encoding="utf-8")
    with application(folder) as app:
        page = signed_in(app).get(f"/releases/{key_of(folder)}").text
    assert "<img" not in page
    assert "&lt;img" in page


def test_files_are_kept_and_never_shown(browser: TestClient, project: Path) -> None:
    answer = browser.get(f"/releases/{key_of(project)}/files/decision.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="decision.json"'
    assert answer.content == (project / "new" / "decision" / "decision.json").read_bytes()


@pytest.mark.parametrize("name", ["report.html", "policy.json", "..%2f..%2frun.json", "overrides", "x"])
def test_nothing_else_of_the_folder_is_handed_out(browser: TestClient, project: Path, name: str) -> None:
    assert browser.get(f"/releases/{key_of(project)}/files/{name}").status_code == 404


def test_a_key_that_names_nothing_is_told(browser: TestClient) -> None:
    assert browser.get("/releases/nothing").status_code == 404
