"""Every route says who may ask for it, and nobody else gets an answer."""

from __future__ import annotations

import re

import pytest
from fastapi import APIRouter, FastAPI
from starlette.testclient import TestClient

from beleg.core.access import GRANTS, Access, Role
from beleg.web.access import declared, served_routes
from beleg.web.application import ROUTERS
from beleg.web.problems import API_PREFIX
from support.workbench import TOKEN, client, form_token, signed_in, with_token

NO_ANSWER = {401, 403, 303}


def routes() -> list[tuple[str, str, Access]]:
    """Every route with each of its methods, its parameters filled with a name that nothing has."""
    return [
        (method, re.sub(r"\{[^}]+\}", "nothing", route.path), declared(route))
        for route in served_routes(ROUTERS)
        for method in sorted(route.methods)
    ]


def test_every_route_says_who_may_ask_for_it(app: FastAPI) -> None:
    assert {access for _, _, access in routes()} >= {Access.PUBLIC, Access.READ}
    # Nothing beside these routers is served: no description, no mounted folder.
    assert len(app.routes) == len(ROUTERS)


def test_a_route_that_does_not_say_it_stops_the_start() -> None:
    router = APIRouter()
    router.get("/open")(lambda: None)
    with pytest.raises(LookupError, match="does not say who may ask"):
        served_routes([router])


def test_a_mounted_folder_stops_the_start() -> None:
    router = APIRouter()
    router.mount("/files", FastAPI())
    with pytest.raises(LookupError, match="no route that could say"):
        served_routes([router])


def is_api(path: str) -> bool:
    return path.startswith(API_PREFIX)


def test_nobody_is_let_in_without_signing_in(app: FastAPI) -> None:
    for method, path, access in routes():
        if access is Access.PUBLIC:
            continue
        answer = client(app).request(method, path)
        assert answer.status_code == 401 if is_api(path) else answer.status_code in NO_ANSWER, (method, path)
        if answer.status_code == 303:
            assert answer.headers["location"].startswith("/sign-in?")
        if is_api(path):
            assert answer.headers["www-authenticate"] == "Bearer"
            assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_what_it_is_granted_and_nothing_else(app: FastAPI, role: Role) -> None:
    browser = signed_in(app, role)
    token = form_token(browser.get("/").text)
    for method, path, access in routes():
        if path == "/sign-out" or is_api(path):
            continue
        answer = browser.request(method, path, data={"form_token": token} if method == "POST" else None)
        is_open = access is Access.PUBLIC or access in GRANTS[role]
        assert (answer.status_code == 403) is not is_open or access is Access.PUBLIC, (method, path, answer.status_code)


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMIN])
def test_a_token_opens_for_programs_what_its_roles_are_granted_and_no_page(app: FastAPI, role: Role) -> None:
    program = with_token(app, role)
    for method, path, access in routes():
        answer = program.request(method, path, json={} if method == "POST" and is_api(path) else None)
        if access is Access.PUBLIC:
            continue
        if is_api(path):
            assert (answer.status_code == 403) is (access not in GRANTS[role]), (method, path, answer.status_code)
            assert answer.status_code != 401
        else:
            assert answer.status_code in {401, 303}, (method, path, answer.status_code)


@pytest.mark.parametrize("role", list(Role))
def test_the_cookie_of_a_browser_opens_nothing_for_programs(app: FastAPI, role: Role) -> None:
    browser = signed_in(app, role)
    for method, path, access in routes():
        if is_api(path) and access is not Access.PUBLIC:
            assert browser.request(method, path, json={}).status_code == 401, (method, path)


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic eA==", "Bearer beleg_local_", f"Bearer {TOKEN}"])
def test_a_header_without_a_token_of_ours_opens_nothing(app: FastAPI, header: str) -> None:
    assert client(app).get("/api/v1/whoami", headers={"authorization": header}).status_code == 401


def test_a_session_with_a_made_up_id_is_none(app: FastAPI) -> None:
    browser = client(app)
    browser.cookies.set("beleg-session", "made-up")
    assert browser.get("/").headers["location"] == "/sign-in?to=%2F"


class TestForms:
    """Only pages of ours send forms."""

    @pytest.mark.parametrize(
        "headers",
        [
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"origin": "http://evil.example"},
            {"origin": "null"},
        ],
    )
    def test_a_form_of_another_site_is_refused(self, app: FastAPI, headers: dict[str, str]) -> None:
        browser = signed_in(app)
        token = form_token(browser.get("/").text)
        assert browser.post("/sign-out", data={"form_token": token}, headers=headers).status_code == 403
        assert browser.get("/").status_code == 200

    @pytest.mark.parametrize("token", ["", "x", "é"])
    def test_a_form_without_the_token_of_the_session_is_refused(self, app: FastAPI, token: str) -> None:
        browser = signed_in(app)
        assert browser.post("/sign-out", data={"form_token": token}).status_code == 403

    def test_the_token_of_somebody_else_is_refused(self, app: FastAPI) -> None:
        one, other = signed_in(app, name="ada"), signed_in(app, name="bob")
        assert one.post("/sign-out", data={"form_token": form_token(other.get("/").text)}).status_code == 403


class TestSigningIn:
    """The printed address opens a session, and nothing else does."""

    def test_the_printed_address_signs_in_and_leads_where_one_wanted_to_go(self, app: FastAPI) -> None:
        browser = client(app)
        answer = browser.get(f"/sign-in?token={TOKEN}&to=/%3Flang%3Dde")
        assert (answer.status_code, answer.headers["location"]) == (303, "/?lang=de")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert TOKEN not in cookie
        assert browser.get("/").status_code == 200

    def test_signing_in_again_ends_the_session_before(self, app: FastAPI) -> None:
        browser = client(app)
        browser.get(f"/sign-in?token={TOKEN}")
        before = browser.cookies["beleg-session"]
        browser.get(f"/sign-in?token={TOKEN}")
        assert browser.cookies["beleg-session"] != before
        assert app.state.sessions.find(before) is None

    def test_signing_out_ends_the_session_itself(self, app: FastAPI) -> None:
        browser = signed_in(app)
        session = browser.cookies["beleg-session"]
        browser.post("/sign-out", data={"form_token": form_token(browser.get("/").text)})
        assert app.state.sessions.find(session) is None

    @pytest.mark.parametrize(
        "to",
        [
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "evil",
            "/a\r\nSet-Cookie: x=1",
            "javascript:alert(1)",
        ],
    )
    def test_nobody_is_led_to_another_site(self, app: FastAPI, to: str) -> None:
        answer = client(app).post("/sign-in", data={"token": TOKEN, "to": to})
        assert answer.headers["location"] == "/"

    def test_a_wrong_token_is_told_and_guessing_is_stopped(self, project: object) -> None:
        from support.workbench import application

        with application(project) as app:  # type: ignore[arg-type]
            browser = client(app)
            codes = [browser.post("/sign-in", data={"token": "wrong"}).status_code for _ in range(12)]
            assert codes[:10] == [403] * 10
            assert codes[10:] == [429, 429]
            # Even the right one waits, or guessing would go on.
            assert browser.get(f"/sign-in?token={TOKEN}").status_code == 429

    def test_without_a_start_token_nobody_signs_in_by_one(self, project: object) -> None:
        from beleg.app.workbench.installation import Installation
        from beleg.web.application import create_app
        from beleg.web.settings import WebSettings

        installation = Installation.local(project)  # type: ignore[arg-type]
        try:
            browser: TestClient = client(create_app(installation, WebSettings()))
            assert browser.post("/sign-in", data={"token": " "}).status_code == 403
        finally:
            installation.close()
