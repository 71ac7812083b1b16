"""People and programs: tokens and accounts by whoever may, secrets shown once, everything noted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.core.access import Role
from beleg.core.workbench_state import AuditAction
from support.packs import decided
from support.workbench import application, client, form_token, signed_in


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    with application(decided(tmp_path).folder, has_accounts=True) as made:
        yield made


@pytest.fixture
def admin(app: FastAPI) -> TestClient:
    return signed_in(app)


def post(browser: TestClient, path: str, page: str = "/people", **fields: object) -> tuple[int, str]:
    token = form_token(browser.get(page).text)
    answer = browser.post(path, data={"form_token": token, **fields})
    return answer.status_code, answer.text


def shown_secret(text: str) -> str:
    found = re.search(r'<pre class="command" tabindex="0"><bdi>([^<]+)</bdi></pre>', text)
    assert found is not None
    return found.group(1)


def noted(app: FastAPI) -> list[tuple[AuditAction, str]]:
    lines = app.state.sessions.state.audit_log("local")
    return [(line.event.action, line.event.target) for line in reversed(lines)]


def test_a_token_is_shown_once_and_listed_without_its_secret(app: FastAPI, admin: TestClient) -> None:
    status, text = post(admin, "/people/tokens", label="<b>nightly</b>", roles=["reviewer", "auditor"], days="30")
    secret = shown_secret(text)
    assert status == 200
    assert secret.startswith("beleg_local_")
    page = admin.get("/people").text
    assert "&lt;b&gt;nightly&lt;/b&gt;" in page
    assert secret not in page
    assert noted(app)[-1][0] is AuditAction.TOKEN_CREATED
    assert secret[-43:] not in noted(app)[-1][1]


def test_a_token_is_taken_back(app: FastAPI, admin: TestClient) -> None:
    post(admin, "/people/tokens", label="nightly", roles=["auditor"], days="30")
    token_id = app.state.sessions.state.tokens("local")[0].token_id
    assert post(admin, f"/people/tokens/{token_id}/revoke")[0] == 303
    assert "taken back" in admin.get("/people?lang=en").text
    assert "zurückgenommen" in admin.get("/people?lang=de").text
    assert post(admin, "/people/tokens/nothing/revoke")[0] == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"label": "", "roles": ["auditor"], "days": "3"},
        {"label": "x", "days": "3"},
        {"label": "x", "roles": ["admin"], "days": "3"},
        {"label": "x", "roles": ["auditor"], "days": "9999"},
        {"label": "x", "roles": ["auditor"], "days": "many"},
    ],
)
def test_a_token_that_cannot_be_made_says_why(app: FastAPI, admin: TestClient, fields: dict[str, object]) -> None:
    status, text = post(admin, "/people/tokens", **fields)
    assert status == 422
    assert 'role="alert"' in text
    assert app.state.sessions.state.tokens("local") == ()


def test_a_made_account_signs_in_and_changes_its_password(app: FastAPI, admin: TestClient) -> None:
    status, text = post(admin, "/people/accounts", name="bob", roles=["reviewer"])
    first = shown_secret(text)
    assert status == 200
    bob = client(app)
    answer = bob.post("/sign-in/password", data={"name": "bob", "password": first, "to": "/runs"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs")
    assert bob.get("/people").status_code == 403
    assert post(bob, "/password", "/password", old="wrong", new="another four words")[0] == 422
    assert post(bob, "/password", "/password", old=first, new="another four words")[0] == 303
    assert bob.get("/runs").status_code == 303
    assert bob.post("/sign-in/password", data={"name": "bob", "password": first}).status_code == 403
    assert bob.post("/sign-in/password", data={"name": "bob", "password": "another four words"}).status_code == 303
    actions = [action for action, _ in noted(app)]
    assert AuditAction.ACCOUNT_CREATED in actions
    assert (AuditAction.SIGN_IN_REFUSED, "bob") in noted(app)


def test_an_account_is_switched_off_and_nobody_switches_themselves_off(app: FastAPI, admin: TestClient) -> None:
    password = shown_secret(post(admin, "/people/accounts", name="bob", roles=["owner"])[1])
    assert post(admin, "/people/accounts/change", name="bob", roles=["owner"], disabled="yes")[0] == 303
    assert client(app).post("/sign-in/password", data={"name": "bob", "password": password}).status_code == 403
    assert post(admin, "/people/accounts/change", name="eve", roles=["owner"])[0] == 404
    assert "bob" in admin.get("/people").text


def test_a_reset_password_is_shown_once(admin: TestClient) -> None:
    first = shown_secret(post(admin, "/people/accounts", name="bob", roles=["owner"])[1])
    second = shown_secret(post(admin, "/people/accounts/reset", name="bob")[1])
    assert first != second


def test_guessing_at_an_account_is_stopped_and_nobody_else_kept_out(app: FastAPI, admin: TestClient) -> None:
    password = shown_secret(post(admin, "/people/accounts", name="bob", roles=["owner"])[1])
    guesser = client(app)
    codes = [
        guesser.post("/sign-in/password", data={"name": "bob", "password": "wrong" * 3}).status_code for _ in range(12)
    ]
    assert codes == [403] * 10 + [429] * 2
    # Even the right one waits now, from wherever it comes.
    assert client(app).post("/sign-in/password", data={"name": "bob", "password": password}).status_code == 429
    assert admin.get("/people").status_code == 200


def test_where_accounts_are_not_allowed_there_are_none(tmp_path: Path) -> None:
    with application(decided(tmp_path).folder) as app:
        admin = signed_in(app)
        assert "New account" not in admin.get("/people?lang=en").text
        assert post(admin, "/people/accounts", name="bob", roles=["owner"])[0] == 404
        assert admin.get("/password").status_code == 404
        assert client(app).post("/sign-in/password", data={"name": "x", "password": "y"}).status_code == 404


class TestAuditLog:
    """Who read what, for whoever audits."""

    def test_reads_of_files_and_of_the_log_itself_are_noted(self, app: FastAPI) -> None:
        auditor = signed_in(app, Role.AUDITOR, name="<i>ann</i>")
        found = re.search(r'href="(/releases/[0-9a-f]{16})"', auditor.get("/").text)
        assert found is not None
        assert auditor.get(f"{found.group(1)}/files/decision.json").status_code == 200
        page = auditor.get("/audit?lang=en").text
        assert "read a file of a decision" in page
        assert "&lt;i&gt;ann&lt;/i&gt;" in page
        assert "read the audit log" in auditor.get("/audit?lang=en").text

    def test_it_is_for_auditors_alone(self, app: FastAPI) -> None:
        for role in set(Role) - {Role.AUDITOR}:
            assert signed_in(app, role).get("/audit").status_code == 403

    def test_older_lines_are_a_page_further(self, app: FastAPI) -> None:
        auditor = signed_in(app, Role.AUDITOR)
        for _ in range(101):
            auditor.get("/audit")
        page = auditor.get("/audit").text
        found = re.search(r'href="(/audit\?before=\d+)"', page)
        assert found is not None
        assert "before" in page
        older = auditor.get(found.group(1)).text
        assert '<th scope="row">1</th>' in older

    def test_lines_of_one_person_or_kind_are_chosen_and_kept_when_paging(self, app: FastAPI) -> None:
        auditor = signed_in(app, Role.AUDITOR, name="ann")
        hostile = signed_in(app, Role.AUDITOR, name='"><script>')
        for _ in range(101):
            auditor.get("/audit")
        hostile.get("/audit")
        page = auditor.get("/audit", params={"lang": "en", "actor": '"><script>', "action": "audit_log_read"}).text
        assert page.count('<th scope="row">') == 1
        assert "<script>" not in page.replace("<script ", "")
        assert '<option value="audit_log_read" selected>' in page
        assert noted(app)[-1] == (AuditAction.AUDIT_LOG_READ, 'action audit_log_read, actor "><script>')
        page = auditor.get("/audit?actor=ann").text
        found = re.search(r'href="(/audit\?before=\d+&amp;actor=ann)"', page)
        assert found is not None
        older = auditor.get(found.group(1).replace("&amp;", "&")).text
        assert '<th scope="row">1</th>' in older
        assert "&lt;script&gt;" not in older
        assert 'href="/audit?actor=ann"' in older
        assert "No such line was noted" in auditor.get("/audit?lang=en&action=override_signed").text

    def test_a_kind_that_is_none_is_refused(self, app: FastAPI) -> None:
        assert signed_in(app).get("/audit?action=made-up").status_code == 422
        assert signed_in(app).get("/audit?action=&actor=").status_code == 200

    @pytest.mark.parametrize("before", ["0", "-1", "x", str(2**70)])
    def test_a_number_that_is_none_is_refused(self, app: FastAPI, before: str) -> None:
        assert signed_in(app).get(f"/audit?before={before}").status_code == 422
