"""Overrides: asked for in the browser, signed by the owner with their own key, seen by everybody."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from securesystemslib.signer import SIGNER_FOR_URI_SCHEME
from starlette.testclient import TestClient

from beleg.adapters.signing.new_keys import make_key
from beleg.app.workbench.override_signing import key_of_owner
from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from beleg.core.errors import UsageError
from beleg.core.workbench_state import AuditAction
from cli.projects import beleg
from support.blocked import ASKED, blocked
from support.workbench import application, form_token, signed_in
from unit.adapters.signing.test_key_references import FakeService


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return blocked(tmp_path)


def key_of(folder: Path) -> str:
    return Workspace(folder).holdings().decisions[0].key


def ask(browser: TestClient, key: str, **changes: str) -> Any:
    token = form_token(browser.get(f"/overrides/{key}").text)
    return browser.post(f"/overrides/{key}", data=ASKED | changes | {"form_token": token})


def test_a_request_lets_nothing_through_until_its_owner_signs_it(folder: Path) -> None:
    with application(folder) as app:
        browser = signed_in(app, Role.OWNER, name="bob")
        assert ask(browser, key_of(folder)).status_code == 303
        page = browser.get("/overrides?lang=en").text
        assert "Asked by bob" in page
        assert "in force" not in page
        assert str(folder) not in page
        command = page.partition("<bdi>beleg override")[2].partition("</bdi>")[0]
        words = shlex.split(command.replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">"))
        done = beleg("override", *(word if word != "KEY" else "keys/owner.pem" for word in words), cwd=folder)
        assert done.code == 0, done.err
        page = browser.get("/overrides").text
        assert re.search(r"in force</span> <time [^>]+>(6 hours|5 hours, 59 minutes) left</time>", page)
        assert "Asked by bob" not in page
        assert "Override in force" in browser.get("/").text
        assert "<b>" not in page
        assert "Peak week &lt;b&gt;" in page


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"owner": "Mallory"}, "does not let this owner override"),
        ({"hours": "49"}, "holds for 1 to 48 hours"),
        ({"hours": "-1"}, "holds for 1 to 48 hours"),
        ({"hours": "²"}, "holds for 1 to 48 hours"),
        ({"reason": " "}, "is empty"),
    ],
)
def test_what_would_not_count_is_told_at_its_field_and_nothing_typed_is_lost(
    folder: Path, changes: dict[str, str], problem: str
) -> None:
    with application(folder) as app:
        browser = signed_in(app)
        answer = ask(browser, key_of(folder), **changes)
        assert answer.status_code == 422
        assert problem in answer.text
        assert 'aria-invalid="true"' in answer.text
        assert "Support watches" in answer.text
        assert "Asked by" not in browser.get("/overrides?lang=en").text


def test_checks_that_nobody_may_override_are_named(tmp_path: Path) -> None:
    folder = blocked(tmp_path, waivable=[])
    with application(folder) as app:
        browser = signed_in(app)
        assert "Nobody may override these checks" in browser.get("/overrides?lang=en").text
        assert "nobody may override this check" in ask(browser, key_of(folder)).text


def test_asking_takes_the_role_of_an_owner(folder: Path) -> None:
    with application(folder) as app:
        browser = signed_in(app, Role.REVIEWER)
        assert f"/overrides/{key_of(folder)}" not in browser.get("/overrides").text
        assert browser.get(f"/overrides/{key_of(folder)}").status_code == 403


def test_there_is_nothing_to_override_where_nothing_is_signed(app: FastAPI, project: Path) -> None:
    browser = signed_in(app)
    assert "nothing to override" in browser.get("/overrides?lang=en").text
    assert browser.get(f"/overrides/{key_of(project)}").status_code == 404


def test_a_policy_that_did_not_decide_is_not_believed(folder: Path) -> None:
    path = folder / "runs" / "worse" / "decision" / "policy.json"
    path.write_text(path.read_text(encoding="utf-8").replace("48", "480"), encoding="utf-8")
    with application(folder) as app:
        answer = signed_in(app).get("/overrides?lang=en")
    assert answer.status_code == 404
    assert "is not the policy that decided" in answer.text


class TestSigningHere:
    """The owner signs on the page, with a key in a key service that is named for them."""

    OWNER = "A. Weiss"

    @pytest.fixture(autouse=True)
    def key_service(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(SIGNER_FOR_URI_SCHEME, "awskms", FakeService)

    @staticmethod
    def keys(folder: Path) -> dict[str, str]:
        signer = make_key(folder / "s.pem", folder / "s.pub.pem")
        FakeService.key, FakeService.fails = signer._signer, False
        return {"A. Weiss": f"awskms:alias/weiss@{folder / 's.pub.pem'}"}

    @staticmethod
    def sign(browser: TestClient, key: str) -> Any:
        page = browser.get("/overrides?lang=en").text
        found = re.search(r'name="asked" value="([^"]+)"', page)
        asked = found.group(1) if found else ""
        return browser.post(f"/overrides/{key}/sign", data={"form_token": form_token(page), "asked": asked})

    def test_it_is_in_force_signed_once_and_noted(self, folder: Path) -> None:
        with application(folder, override_keys=self.keys(folder)) as app:
            browser, key = signed_in(app, Role.OWNER, name=self.OWNER), key_of(folder)
            ask(browser, key)
            page = browser.get("/overrides?lang=en").text
            assert "Sign now" in page
            data = {
                "form_token": form_token(page),
                "asked": page.partition('name="asked" value="')[2].partition('"')[0],
            }
            answers = [browser.post(f"/overrides/{key}/sign", data=data) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [303, 404]
            assert "signed already" in answers[1].text
            (made,) = (folder / "runs" / "worse" / "decision" / "overrides").glob("*.dsse.json")
            page = browser.get("/overrides?lang=en").text
            assert "in force" in page
            assert "Sign now" not in page
            lines = app.state.sessions.state.audit_log("local")
            noted = [each.event for each in lines if each.event.action is AuditAction.OVERRIDE_SIGNED]
            assert [(each.actor, each.target) for each in noted] == [(self.OWNER, f"{key}/{made.name}")]

    @pytest.mark.parametrize(("name", "role"), [("bob", Role.OWNER), ("A. Weiss", Role.REVIEWER)])
    def test_nobody_signs_for_the_owner(self, folder: Path, name: str, role: Role) -> None:
        with application(folder, override_keys=self.keys(folder)) as app:
            key = key_of(folder)
            owner = signed_in(app, Role.OWNER, name=self.OWNER)
            ask(owner, key)
            asked = re.search(r'name="asked" value="([^"]+)"', owner.get("/overrides").text)
            other = signed_in(app, role, name=name)
            page = other.get("/overrides?lang=en").text
            assert "Sign now" not in page
            data = {"form_token": form_token(page), "asked": asked.group(1) if asked else ""}
            assert other.post(f"/overrides/{key}/sign", data=data).status_code in {403, 404}
            assert not list((folder / "runs" / "worse" / "decision" / "overrides").glob("*.dsse.json"))

    def test_without_a_key_for_them_the_command_is_shown(self, folder: Path) -> None:
        with application(folder) as app:
            browser = signed_in(app, Role.OWNER, name=self.OWNER)
            ask(browser, key_of(folder))
            page = browser.get("/overrides?lang=en").text
            assert "Sign now" not in page
            assert "<bdi>beleg override" in page
            assert self.sign(browser, key_of(folder)).status_code == 404

    def test_a_service_that_does_not_sign_leaves_nothing_and_tells_no_secret(self, folder: Path) -> None:
        with application(folder, override_keys=self.keys(folder)) as app:
            browser = signed_in(app, Role.OWNER, name=self.OWNER)
            ask(browser, key_of(folder))
            FakeService.fails = True
            answer = self.sign(browser, key_of(folder))
            assert "did not sign" in answer.text
            assert "CANARY" not in answer.text
            assert not list((folder / "runs" / "worse" / "decision" / "overrides").glob("*.dsse.json"))

    @pytest.mark.parametrize("text", ["A. Weiss=keys/owner.pem", "A. Weiss=env:KEY", "awskms:a@b", "=awskms:a@b", "x"])
    def test_only_keys_in_a_service_are_taken(self, text: str) -> None:
        with pytest.raises(UsageError, match="names no owner"):
            key_of_owner(text)
