"""What is taken away: audit packs by auditors alone, evidence sheets by readers, and every time it is noted."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.decision_files import POLICY_FILE
from beleg.app.pack_verifying import verify_pack
from beleg.app.policy_files import load_policy
from beleg.app.sheets import build_sheet
from beleg.app.workbench import packs as workbench_packs
from beleg.app.workbench.packs import PACKS_FOLDER
from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from beleg.core.workbench_state import AuditAction
from beleg.run.folder import write_model
from support.packs import decided
from support.run_pages import RUN, project
from support.workbench import application, client, form_token, signed_in
from unit.report.test_sheet_html import PAYLOADS

FORMULAS = ("=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", " =1+1", "＝1+1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run that was decided on, with its policy beside the decision, as ``beleg gate`` leaves it."""
    made = decided(tmp_path)
    write_model(made.folder / "new" / "decision" / POLICY_FILE, load_policy(made.policy))
    return made.folder


def key_of(folder: Path) -> str:
    return Workspace(folder).holdings().decisions[0].key


def ask(browser: TestClient, key: str) -> Any:
    token = form_token(browser.get(f"/releases/{key}").text)
    return browser.post(f"/releases/{key}/pack", data={"form_token": token})


def made(browser: TestClient, key: str) -> Any:
    """The pack, once it is there."""
    assert ask(browser, key).headers["location"] == f"/releases/{key}#files"
    for _ in range(400):
        answer = browser.get(f"/releases/{key}/pack")
        if answer.status_code == 200:
            return answer
        time.sleep(0.05)
    raise AssertionError("no pack was made")


def noted(app: FastAPI) -> list[tuple[str, str]]:
    lines = app.state.sessions.state.audit_log("local")
    return [(line.event.actor, line.event.target) for line in lines if line.event.action is AuditAction.PACK_READ]


def packs_in(folder: Path) -> list[Path]:
    return sorted((folder / PACKS_FOLDER).glob("*"))


def test_an_auditor_has_a_pack_made_that_verifies_and_is_made_once(folder: Path, tmp_path: Path) -> None:
    with application(folder) as app:
        browser, key = signed_in(app, Role.AUDITOR, name="aud"), key_of(folder)
        assert browser.get(f"/releases/{key}/pack").status_code == 404
        answer = made(browser, key)
        assert answer.headers["content-disposition"] == f'attachment; filename="{key}.pack.zip"'
        assert answer.headers["cache-control"] == "no-store"
        (stored,) = packs_in(folder)
        before = stored.stat()
        assert stored.read_bytes() == answer.content
        made(browser, key)
        assert (packs_in(folder), stored.stat().st_mtime_ns) == ([stored], before.st_mtime_ns)
        assert f"{key}.pack.zip" in browser.get(f"/releases/{key}").text
        digest = stored.name.split(".")[1]
        assert set(noted(app)) == {("aud", f"{key}/{digest}")}
    copy = tmp_path / "copy.pack.zip"
    copy.write_bytes(answer.content)
    assert verify_pack(copy).holds


def test_the_head_alone_and_a_range_are_reads_too(folder: Path) -> None:
    with application(folder) as app:
        browser, key = signed_in(app), key_of(folder)
        whole, before = made(browser, key).content, len(noted(app))
        head = browser.head(f"/releases/{key}/pack")
        part = browser.get(f"/releases/{key}/pack", headers={"range": "bytes=2-5"})
        assert (head.status_code, head.content) == (200, b"")
        assert (part.status_code, part.content) == (206, whole[2:6])
        assert len(noted(app)) == before + 2


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.OWNER, Role.ADMIN])
def test_nobody_else_has_one_made_or_takes_one(folder: Path, role: Role) -> None:
    with application(folder) as app:
        key = key_of(folder)
        made(signed_in(app), key)
        other, before = signed_in(app, role), noted(app)
        page = other.get(f"/releases/{key}?lang=en").text
        assert "Only people with the role of an auditor" in page
        assert f"/releases/{key}/pack" not in page
        assert other.get(f"/releases/{key}/pack").status_code == 403
        assert other.head(f"/releases/{key}/pack").status_code == 403
        assert other.post(f"/releases/{key}/pack", data={"form_token": form_token(page)}).status_code == 403
        assert noted(app) == before


def test_what_changed_is_packed_anew_and_few_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbench_packs, "KEPT_PACKS", 1)
    with application(folder) as app:
        browser, key = signed_in(app), key_of(folder)
        first = made(browser, key).content
        build_sheet(folder / "new")
        assert browser.get(f"/releases/{key}/pack").status_code == 404
        assert made(browser, key).content != first
        assert len(packs_in(folder)) == 1


def test_why_there_is_no_pack_is_told(folder: Path) -> None:
    (folder / "alone").mkdir()
    (folder / "new" / "decision").rename(folder / "alone" / "decision")
    with application(folder) as app:
        browser, key = signed_in(app), key_of(folder)
        ask(browser, key)
        for _ in range(200):
            page = browser.get(f"/releases/{key}?lang=en").text
            if "is being made" not in page:
                break
            time.sleep(0.05)
        assert "could not be made" in page
        assert "does not stand in the folder of its run" in page
        assert browser.get(f"/releases/{key}/pack").status_code == 404


def test_a_link_in_place_of_a_pack_is_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    with application(folder) as app:
        browser, key = signed_in(app), key_of(folder)
        made(browser, key)
        (stored,) = packs_in(folder)
        stored.unlink()
        stored.symlink_to(secret)
        assert browser.get(f"/releases/{key}/pack").status_code == 404


class TestSheets:
    """The evidence sheet of a run as a file."""

    def test_it_is_taken_as_csv_and_json_and_noted(self, folder: Path) -> None:
        build_sheet(folder / "new")
        with application(folder) as app:
            browser = signed_in(app, Role.REVIEWER, name="rev")
            table = browser.get("/runs/new-1/sheet.csv")
            assert table.headers["content-disposition"] == 'attachment; filename="sheet.csv"'
            assert len(list(csv.reader(io.StringIO(table.text)))) > 1
            stored = browser.get("/runs/new-1/sheet.json")
            assert json.loads(stored.text)["header"]["run_id"] == "new-1"
            assert noted(app) == [("rev", "new-1/sheet.json"), ("rev", "new-1/sheet.csv")]

    @pytest.mark.parametrize("payload", [*FORMULAS, *PAYLOADS])
    def test_no_cell_is_a_formula(self, tmp_path: Path, payload: str) -> None:
        folder = project(tmp_path, payload)
        build_sheet(folder / "run")
        with application(folder) as app:
            answer = signed_in(app).get(f"/runs/{RUN}/sheet.csv")
        cells = [cell for row in csv.reader(io.StringIO(answer.text)) for cell in row]
        assert any(payload.strip()[-8:] in cell for cell in cells)
        assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r＝＋－＠")] == []

    @pytest.mark.parametrize("kind", ["html", "md", "jsonl", "..", "csv%00"])
    def test_other_kinds_are_not_there(self, folder: Path, kind: str) -> None:
        build_sheet(folder / "new")
        with application(folder) as app:
            browser = signed_in(app)
            assert browser.get(f"/runs/new-1/sheet.{kind}").status_code == 404
            assert noted(app) == []

    def test_without_a_sheet_nothing_is_noted_and_the_reason_told(self, folder: Path) -> None:
        with application(folder) as app:
            browser = signed_in(app)
            assert browser.get("/runs/new-1/sheet.csv").status_code == 404
            assert noted(app) == []

    def test_nothing_is_left_on_the_disk(self, folder: Path) -> None:
        build_sheet(folder / "new")
        with application(folder) as app:
            signed_in(app).get("/runs/new-1/sheet.csv")
            names = {path.name for path in (folder / ".beleg" / "workbench").iterdir()}
        assert not {name for name in names if "tmp" in name or "sheet" in name}

    def test_strangers_take_nothing(self, folder: Path) -> None:
        build_sheet(folder / "new")
        with application(folder) as app:
            assert client(app).get("/runs/new-1/sheet.csv").status_code == 303
