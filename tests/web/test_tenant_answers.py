"""Ids of another tenant are answered word for word like ids that nothing has, and our own lead to nothing of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from httpx import Response
from starlette.testclient import TestClient

from beleg.app.workbench.addresses import as_segment
from beleg.app.workbench.tokens import create_token
from beleg.core.access import Principal, Role
from beleg.web.access import API_PREFIX, FORM_FIELD, served_routes
from beleg.web.application import ROUTERS
from support.teams import of_tenant, team, write_settings
from support.tenants import Ids, parameters_of, remember, stock
from support.workbench import form_token

OURS, THEIRS, NOBODYS = "acme-q7x", "zeta-v4k", "none-w3j"
"""Names as long as each other, which nothing else holds."""
ROUTES = served_routes(ROUTERS)
GOES_OUT = {"/sign-out", "/sign-in", "/sign-in/password", "/password"}
"""Forms about the session itself and about nothing that has an id."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    folder = tmp_path_factory.mktemp("team")
    for name in (OURS, THEIRS):
        stock(folder / name, name)
    tenants = {name: {"project": name, "title": "One of several"} for name in (OURS, THEIRS)}
    with team(write_settings(folder, tenants=tenants)) as made:
        yield made


@pytest.fixture(scope="module")
def ids(app: FastAPI) -> dict[str, Ids]:
    return {name: remember(app, name) for name in (OURS, THEIRS)}


@pytest.fixture(scope="module")
def nobodys(ids: dict[str, Ids]) -> Ids:
    """Ids of the shape of theirs that nothing has."""
    found = ids[THEIRS]
    names = {field: getattr(found, field).replace(THEIRS, NOBODYS) for field in Ids.__slots__}
    return Ids(**names | dict.fromkeys(("decision", "token", "calibration", "passage"), "0123456789abcdef"))


class Visitor:
    """Somebody of a tenant with a browser, and a program of theirs."""

    def __init__(self, app: FastAPI, tenant: str) -> None:
        self.browser = of_tenant(app, tenant, headers={"accept-language": "en"})
        self.form = form_token(self.browser.get("/").text)
        self.program = TestClient(app, base_url=str(self.browser.base_url), raise_server_exceptions=False)
        state, now = app.state.installation.state, app.state.sessions.clock()
        maker = Principal(name=f"{tenant}-maker", tenant=tenant, roles=frozenset(Role))
        roles = frozenset(Role) - {Role.ADMIN}
        _, secret = create_token(state, maker, label=f"{tenant}-walker", roles=roles, days=1, at=now)
        self.program.headers["authorization"] = f"Bearer {secret}"

    def asks(self, method: str, path: str) -> Response:
        if path.startswith(API_PREFIX):
            return self.program.request(method, path, json={} if method != "GET" else None)
        form = {FORM_FIELD: self.form, "name": "nobody"} if method != "GET" else None
        return self.browser.request(method, path, data=form)


def addresses(route: APIRoute, mine: Ids) -> Iterator[str]:
    """A route with everything filled in that its parameters could mean."""
    known, in_path = mine.by_parameter(route), re.findall(r"\{(\w+)[^}]*\}", route.path)
    choices = [[known[name]] if name in known else list(mine.every()) for name in in_path]
    asked = {name: known[name] for name in parameters_of(route) if name in known and name != "name"}
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in asked.items())
    for values in product(*choices):
        path = route.path
        for name, value in zip(in_path, values, strict=True):
            path = re.sub(rf"\{{{name}[^}}]*\}}", as_segment(value), path)
        yield path + (f"?{query}" if query else "")


def asked_by_route(ids: Ids, methods: set[str]) -> Iterator[tuple[APIRoute, str, str]]:
    for route in ROUTES:
        if route.path not in GOES_OUT:
            for method in sorted(route.methods & methods):
                yield from ((route, method, path) for path in addresses(route, ids))


def asked(ids: Ids, methods: set[str]) -> list[tuple[str, str]]:
    return [(method, path) for _, method, path in asked_by_route(ids, methods)]


def told(answer: Response, named: Ids) -> tuple[int, str, str]:
    """An answer without the id that was asked for."""
    text = answer.text
    for value in sorted(named.every(), key=len, reverse=True):
        for written in (as_segment(value), quote(value, safe=""), value):
            text = text.replace(written, "~")
    for name in (THEIRS, NOBODYS):
        text = text.replace(name, "~")
    return answer.status_code, answer.headers.get("content-type", ""), re.sub(r'value="[\w-]{43}"', "", text)


def test_what_is_planted_is_seen_by_whom_it_belongs_to(app: FastAPI, ids: dict[str, Ids]) -> None:
    them = Visitor(app, THEIRS)
    seen = [path for method, path in asked(ids[THEIRS], {"GET"}) if THEIRS in them.asks(method, path).text]
    kinds = ("/releases/", "/runs/", "/cases/", "/suites/one", "/compare", "/review/", "/claims/", "/people", "/audit")
    for kind in ("/", "/runs", "/judges", *kinds):
        assert any(kind in path for path in seen), kind


def test_nothing_of_another_tenant_stands_in_any_answer(app: FastAPI, ids: dict[str, Ids]) -> None:
    us, reached = Visitor(app, OURS), set()
    for route, method, path in asked_by_route(ids[OURS], {"GET"}):
        answer = us.asks(method, path)
        reached |= {route.path} if answer.status_code == 200 else set()
        assert answer.status_code < 500, path
        assert THEIRS not in answer.text, path
        assert THEIRS not in str(answer.headers), path
    # Nobody signs in by a provider here, no style is named so, nothing is signed that could be overridden, no pack was
    # made yet, and no id is a form of sheets.
    none = {"/sign-in/callback", "/sign-in/provider", "/sign-out/provider", "/static/{name}"}
    none |= {"/releases/{key}/pack", f"{API_PREFIX}v1/releases/{{key}}/pack"}
    none |= {"/runs/{run}/sheet.{kind}", f"{API_PREFIX}v1/runs/{{run}}/sheets/{{kind}}"}
    none |= {"/overrides/{key}", f"{API_PREFIX}v1/overrides/{{key}}"}
    every = {route.path for route in ROUTES if "GET" in route.methods and route.path not in GOES_OUT}
    assert every - reached == none


@pytest.mark.parametrize("methods", [{"GET"}, {"POST", "PUT", "PATCH", "DELETE"}], ids=["read", "changed"])
def test_an_id_of_another_tenant_is_answered_like_one_that_nothing_has(
    app: FastAPI, ids: dict[str, Ids], nobodys: Ids, methods: set[str]
) -> None:
    us = Visitor(app, OURS)
    pairs = list(zip(asked(ids[THEIRS], methods), asked(nobodys, methods), strict=True))
    for (method, theirs), (_, nothing) in pairs:
        if theirs == nothing:
            continue
        answer = us.asks(method, theirs)
        assert told(answer, ids[THEIRS]) == told(us.asks(method, nothing), nobodys), (method, theirs)
        assert answer.status_code >= 400, (method, theirs)


def test_one_run_of_ours_leads_to_none_of_theirs(app: FastAPI, ids: dict[str, Ids], nobodys: Ids) -> None:
    us, ours = Visitor(app, OURS), ids[OURS]
    mixed = (
        "/compare?new={ours.run}&old={other.run}",
        "/runs/{ours.run}/cases/{other.case}",
        "/runs/{other.run}/cases/{ours.case}",
        "/review/{ours.run}/claims/{other.claim}",
        "/runs/{ours.run}?q={other.case}",
        "/suites/changes?old={ours.suite}&new={other.suite}",
        "/releases/{ours.decision}/files/..%2F..%2F..%2F{other.suite}",
        "/suites/one?place=../{other.suite}",
    )
    for form in mixed:
        theirs = us.asks("GET", form.format(ours=ours, other=ids[THEIRS]))
        nothing = us.asks("GET", form.format(ours=ours, other=nobodys))
        assert told(theirs, ids[THEIRS]) == told(nothing, nobodys), form


def test_an_account_of_another_tenant_is_one_that_does_not_exist(app: FastAPI, ids: dict[str, Ids]) -> None:
    us = Visitor(app, OURS)
    for path in ("/people/accounts/reset", "/people/accounts/change"):
        answers = [
            us.browser.post(path, data={FORM_FIELD: us.form, "name": name, "roles": "owner"})
            for name in (ids[THEIRS].account, "nobody")
        ]
        assert answers[0].status_code == answers[1].status_code == 404
        assert answers[0].text == answers[1].text
    answers = [us.browser.post(f"/people/tokens/{name}/revoke", data={FORM_FIELD: us.form}) for name in
               (ids[THEIRS].token, "0" * 16)]  # fmt: skip
    assert answers[0].status_code == answers[1].status_code == 404
    assert all(token.revoked_at is None for token in app.state.installation.state.tokens(THEIRS))


def test_a_session_and_a_token_count_in_their_own_tenant_alone(app: FastAPI) -> None:
    us = Visitor(app, OURS)
    name = "beleg-session"
    made = us.browser.cookies[name]
    us.browser.cookies.clear()
    us.browser.cookies.set(name, made.replace(OURS, THEIRS))
    assert us.browser.get("/runs").status_code == 303
    for route in ROUTES:
        if route.path.startswith(API_PREFIX) and "{" not in route.path and "GET" in route.methods:
            secret = us.program.headers["authorization"].replace(OURS, THEIRS)
            answer = us.program.get(route.path, headers={"authorization": secret})
            assert answer.status_code in (200, 401), route.path
            assert THEIRS not in answer.text


def test_nobody_is_told_which_tenants_there_are(app: FastAPI) -> None:
    browser = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    page = browser.get("/sign-in").text
    assert OURS not in page
    assert THEIRS not in page
    answers = [
        browser.post("/sign-in/password", data={"tenant": tenant, "name": name, "password": "wrong" * 3})
        for tenant, name in ((OURS, f"{OURS}-account"), (OURS, "nobody"), (NOBODYS, "nobody"), ("../x", "nobody"))
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(403, answers[0].text)}
