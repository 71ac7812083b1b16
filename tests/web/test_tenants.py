"""Two tenants never see each other: not an id, not a word, not the difference between absent and forbidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.addresses import as_segment
from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from beleg.core.errors import ConfigError, UsageError
from beleg.web.access import served_routes
from beleg.web.application import ROUTERS
from cli.projects import beleg, write_cases, write_policy, write_recorded
from support import run_pages
from support.review_projects import LOW, RUN_ID, review_project
from support.teams import of_tenant, team, write_settings
from support.workbench import form_token, token_of

MARK = "zebra"
"""Stands in every name and text of the other tenant, and nowhere else."""


def planted(project: Path) -> None:
    """A project in which everything is called after the mark: a suite, runs, a signed REVIEW, a sheet."""
    write_cases(project / "cases.jsonl", 12, lambda n: {"case_id": f"{MARK}-{n}", "user_input": f"{MARK} {n}?"})
    (project / "suite.yaml").write_text(f"name: {MARK}-suite\nkind: development\nversion: 1\ncases:\n  - cases.jsonl\n")
    write_recorded(project, f"{MARK}-candidate", ["d1"] * 12)
    run = f"runs/{MARK}"
    assert beleg("run", f"{MARK}-candidate.yaml", "--suite", "cases.jsonl", "--out", run, cwd=project).code == 0
    checks = [{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}]
    terms = {"waivable": ["hit@5"], "max_override_hours": 48, "owners": [f"{MARK}-owner"], "environments": [MARK]}
    write_policy(project / "policy.yaml", checks=checks, release=terms, policy=f"{MARK}-policy")
    assert beleg("keys", "new", "keys/gate", cwd=project).code == 0
    assert beleg("gate", run, "--policy", "policy.yaml", "--sign", "keys/gate.pem", cwd=project).code == 10
    review_project(project / MARK)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("team")
    write_settings(found)
    planted(found / "other")
    run_pages.project(found / "acme")
    for name in ("acme", "other"):
        run_pages.indexed(found / name)
    return found


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[FastAPI]:
    with team(folder / "workbench.yaml") as made:
        for name in ("acme", "other"):
            made.state.installation.workbench(name)
        yield made


def names_of_the_other(folder: Path) -> dict[str, str]:
    """Everything by which something of the other tenant could be asked for."""
    holdings = Workspace(folder / "other").holdings()
    run = next(run for run in holdings.runs if run.run_id != RUN_ID)
    return {
        "run": as_segment(run.run_id),
        "run_id": RUN_ID,
        "case": as_segment(run.header.case_ids[0]),
        "key": holdings.decisions[0].key,
        "name": "decision.json",
        "claim": as_segment(LOW),
        "claim_id:path": LOW,
        "token_id": "nothing",
    }


def asked_for(folder: Path, *, is_there: bool) -> list[tuple[str, str]]:
    """Every route, filled with names of the other tenant, or with names that nobody has."""
    names = names_of_the_other(folder)
    run = names["run"]
    queries = {
        "/compare": {"new": run, "old": RUN_ID},
        "/suites/one": {"place": "suite.yaml"},
        "/suites/changes": {"old": "suite.yaml", "new": "suite.yaml"},
    }
    found = []
    for route in served_routes(ROUTERS):
        path = re.sub(
            r"\{([^}]+)\}", lambda part: names.get(part[1], "x") if is_there else "absent00000000", route.path
        )
        plain = route.path.removeprefix("/api/v1")
        given = queries.get(plain, {})
        query = "&".join(f"{name}={value if is_there else 'absent'}" for name, value in given.items())
        found += [(method, f"{path}?{query}" if query else path) for method in sorted(route.methods)]
    return found


def ask(browser: TestClient, program: TestClient, form: str, method: str, path: str) -> tuple[int, str, str]:
    if path.startswith("/api/"):
        answer = program.request(method, path, json={} if method == "POST" else None)
    else:
        answer = browser.request(method, path, data={"form_token": form} if method == "POST" else None)
    return answer.status_code, answer.text, str(answer.headers)


def test_names_of_another_tenant_are_answered_like_names_of_nobody(app: FastAPI, folder: Path) -> None:
    browser = of_tenant(app, "acme")
    program = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False, raise_server_exceptions=False)
    program.headers["authorization"] = f"Bearer {token_of(app, tenant='acme')}"
    form = form_token(browser.get("/").text)
    theirs, nobodys = asked_for(folder, is_there=True), asked_for(folder, is_there=False)
    for (method, path), (_, absent) in zip(theirs, nobodys, strict=True):
        if path == "/sign-out":
            continue
        status, text, headers = ask(browser, program, form, method, path)
        plain, _, _ = ask(browser, program, form, method, absent)
        assert status == plain, (method, path)
        assert status < 500, (method, path)
        asked = path.replace("%20", " ")
        for line in (*text.splitlines(), headers):
            # A page may repeat what was asked for; anything else of the other tenant would be a leak.
            assert MARK not in line or MARK in asked, (method, path, line)
        assert f"{MARK}-owner" not in text
        assert f"{MARK} 0?" not in text


def test_the_pages_without_names_hold_nothing_of_another_tenant(app: FastAPI) -> None:
    browser = of_tenant(app, "acme")
    for path in ("/", "/runs", "/suites", "/judges", "/overrides", "/review", "/compare", "/audit", "/people"):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert MARK not in answer.text, path
        assert "other" not in re.findall(r"[a-z]+-person", answer.text), path


def test_its_own_people_see_all_of_it(app: FastAPI, folder: Path) -> None:
    browser = of_tenant(app, "other")
    for path in ("/", "/runs", "/suites", "/overrides"):
        assert MARK in browser.get(path).text, path
    assert browser.get(f"/releases/{names_of_the_other(folder)['key']}").status_code == 200


def test_a_token_sees_the_projects_of_its_tenant_only(app: FastAPI) -> None:
    program = TestClient(app, base_url="http://127.0.0.1")
    for tenant in ("acme", "other"):
        headers = {"authorization": f"Bearer {token_of(app, tenant=tenant)}"}
        assert program.get("/api/v1/whoami", headers=headers).json()["tenant"] == tenant
        text = program.get("/api/v1/runs", headers=headers).text
        assert (MARK in text) is (tenant == "other")


def test_people_and_tokens_of_another_tenant_are_not_there(app: FastAPI) -> None:
    state = app.state.sessions.state
    token_of(app, Role.AUDITOR, tenant="other", label=f"{MARK}-token")
    theirs = state.tokens("other")[0]
    admin = of_tenant(app, "acme")
    form = form_token(admin.get("/people").text)
    assert MARK not in admin.get("/people").text
    answer = admin.post(f"/people/tokens/{theirs.token_id}/revoke", data={"form_token": form})
    assert answer.status_code == 404
    assert state.tokens("other")[0].revoked_at is None


def test_a_session_of_a_tenant_that_is_not_served_opens_nothing(app: FastAPI) -> None:
    for tenant in ("gone", "local"):
        assert of_tenant(app, tenant).get("/").status_code == 303


def test_a_link_out_of_the_project_leads_nowhere(folder: Path, app: FastAPI) -> None:
    link = folder / "acme" / "linked"
    link.symlink_to(folder / "other", target_is_directory=True)
    try:
        browser = of_tenant(app, "acme")
        for path in ("/runs", "/suites", "/"):
            assert MARK not in browser.get(path).text, path
    finally:
        link.unlink()


class TestSettings:
    """A settings file says who is served, and what cannot be carried out is refused before anybody is."""

    @pytest.mark.parametrize(
        ("tenants", "says"),
        [
            ({"acme": {"project": "acme"}, "other": {"project": "acme"}}, "not apart"),
            ({"acme": {"project": "acme"}, "other": {"project": "acme/inner"}}, "not apart"),
            ({"acme": {"project": "."}, "other": {"project": "other"}}, "not apart"),
            ({"acme": {"project": "nowhere"}}, "is no folder"),
            (
                {"acme": {"project": "acme", "ledger": "r.db"}, "other": {"project": "other", "ledger": "r.db"}},
                "same review ledger",
            ),
        ],
    )
    def test_tenants_that_are_not_apart_are_refused(
        self, tmp_path: Path, tenants: dict[str, dict[str, str]], says: str
    ) -> None:
        path = write_settings(tmp_path, tenants=tenants)
        (tmp_path / "acme" / "inner").mkdir()
        with pytest.raises(ConfigError, match=says), team(path):
            raise AssertionError("it was served")

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"sign_in": {}}, "sign_in"),
            ({"sign_in": {"accounts": False}}, "sign_in"),
            ({"address": "http://beleg.example"}, "address"),
            ({"address": "https://beleg.example/path"}, "address"),
            ({"address": "https://user:secret@beleg.example"}, "address"),
            ({"tenants": {}}, "tenants"),
            ({"tenants": {"Bad Name": {"project": "acme"}}}, "tenants"),
            ({"listen_port": 70_000}, "listen_port"),
            ({"surprise": True}, "surprise"),
            ({"sign_in": {"oidc": {"issuer": "http://id.example", "client_id": "x", "roles": {}}}}, "sign_in"),
        ],
    )
    def test_what_cannot_be_carried_out_is_named_by_its_field(
        self, tmp_path: Path, changes: dict[str, object], field: str
    ) -> None:
        with pytest.raises(ConfigError) as told, team(write_settings(tmp_path, **changes)):
            raise AssertionError("it was served")
        assert any((problem.field or "").startswith(field) for problem in told.value.problems)

    def test_a_file_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError), team(tmp_path / "nothing.yaml"):
            raise AssertionError("it was served")
