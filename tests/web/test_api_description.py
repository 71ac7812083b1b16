"""The description of the API: whole, the same for everybody, telling nothing of any project, and no page without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from beleg.web.access import SAFE_METHODS, served_routes
from beleg.web.api.operations import API
from beleg.web.api.routers import API_ROUTERS, DESCRIBED, document
from beleg.web.application import ROUTERS
from support.api_projects import ApiProject, api_project
from support.workbench import application, client

COUNTERPARTS: dict[str, tuple[str, ...]] = {
    # Signing in is for browsers; no token can make people or tokens, or sign in a person's name.
    **dict.fromkeys(
        (
            "GET /static/{name}", "GET /sign-in", "POST /sign-in", "POST /sign-in/password", "POST /sign-out",
            "GET /sign-in/provider", "GET /sign-out/provider", "GET /sign-in/callback", "GET /password",
            "POST /password", "GET /people", "POST /people/tokens", "POST /people/tokens/{token_id}/revoke",
            "POST /people/accounts", "POST /people/accounts/change", "POST /people/accounts/reset",
            "POST /overrides/{key}/sign",
        ),
        (),
    ),
    "GET /audit": ("list_audit_log",),
    "GET /": ("list_releases", "who_am_i"),
    "GET /releases/{key}": ("get_decision",),
    "GET /releases/{key}/files/{name}": ("get_decision_file",),
    "GET /releases/{key}/pack": ("get_pack",),
    "HEAD /releases/{key}/pack": ("get_pack",),
    "POST /releases/{key}/pack": ("make_pack",),
    "GET /runs/{run}/sheet.{kind}": ("get_sheet",),
    "GET /runs": ("list_runs",),
    "GET /runs/{run}": ("get_run", "list_cases"),
    "GET /runs/{run}/cases/{case}": ("get_case",),
    "GET /suites": ("list_suites",),
    "GET /suites/one": ("get_suite",),
    "GET /suites/changes": ("compare_suites",),
    "GET /compare": ("compare_runs",),
    "GET /judges": ("list_calibrations", "list_drift", "list_probes"),
    "GET /judges/records/{key}": ("list_calibrations",),
    "GET /suites/unjudged": ("list_unjudged",),
    "GET /suites/label": ("list_unjudged",),
    "POST /suites/label": ("label_passage",),
    "GET /overrides": ("list_overrides",),
    "GET /overrides/{key}": ("get_overridable",),
    "POST /overrides/{key}": ("ask_override",),
    "GET /review": ("list_reviews",),
    "GET /review/{run_id}": ("get_review", "list_claims"),
    "POST /review/{run_id}": ("assign_claims",),
    "GET /review/{run_id}/agreement": ("get_agreement",),
    "GET /review/{run_id}/adjudicate": ("list_disagreements",),
    "GET /review/{run_id}/claims/{claim_id:path}": ("get_claim",),
    "POST /review/{run_id}/claims/{claim_id:path}": (
        "give_verdict", "replace_verdict", "withdraw", "dispute", "adjudicate", "add_note", "show_more",
    ),
}  # fmt: skip
"""What a program asks in place of each page; nothing where a page is about the browser alone."""


def operations(made: dict[str, Any] | None = None) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in (made or document())["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def fields(schema: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in schema.get("properties", {}).items():
        yield f"{place}.{name}", field


def test_every_page_has_a_counterpart_for_programs() -> None:
    pages = [router for router in ROUTERS if router not in API_ROUTERS]
    shown = {f"{method} {route.path}" for route in served_routes(pages) for method in route.methods or ()}
    assert shown == set(COUNTERPARTS), "name what programs ask in place of a new page"
    named = {name for names in COUNTERPARTS.values() for name in names}
    assert named == {operation["operationId"] for *_, operation in operations()}


def test_every_route_is_described_once() -> None:
    served = [(route.path, method.lower()) for route in served_routes(DESCRIBED) for method in route.methods or ()]
    assert sorted(served) == sorted((path, method) for path, method, _ in operations())
    names = [operation["operationId"] for *_, operation in operations()]
    assert len(names) == len(set(names))
    assert all(name.isidentifier() and name.islower() for name in names)


def test_everything_says_what_it_means() -> None:
    made = document()
    silent = [
        place
        for name, schema in made["components"]["schemas"].items()
        for place, field in [(name, schema), *fields(schema, name)]
        if not field.get("description") and name != "JsonValue"
    ]
    silent += [
        f"{operation['operationId']}.{each['name']}"
        for *_, operation in operations()
        for each in operation["parameters"]
        if not each["description"]
    ]
    assert silent == []


def test_every_answer_of_every_operation_is_named() -> None:
    for _, method, operation in operations():
        told = operation["responses"]
        assert {"400", "401", "403", "404", "422", "429"} <= told.keys(), operation["operationId"]
        assert ({"409", "413", "415"} <= told.keys()) is (method.upper() not in SAFE_METHODS)
        problems = [each["content"] for code, each in told.items() if not code.startswith("2")]
        assert all(list(each) == ["application/problem+json"] for each in problems)


def test_every_body_has_an_example_that_is_one(tmp_path: Path) -> None:
    from beleg.app.workbench.request_bodies import read_body
    from beleg.web.api.operations import operation_of

    takes = {operation_of(route).name: operation_of(route).takes for route in served_routes(DESCRIBED)}
    shown = {
        operation["operationId"]: operation["requestBody"]["content"]["application/json"]["example"]
        for *_, operation in operations()
        if "requestBody" in operation
    }
    assert shown.keys() == {name for name, kind in takes.items() if kind is not None}
    for name, example in shown.items():
        kind = takes[name]
        assert kind is not None
        assert read_body(kind, json.dumps(example).encode())


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> ApiProject:
    return api_project(tmp_path_factory.mktemp("described"))


@pytest.fixture(scope="module")
def app(given: ApiProject) -> Iterator[FastAPI]:
    with application(given.folder) as made:
        yield made


def test_it_is_served_to_anybody_and_tells_nothing_of_the_project(app: FastAPI, given: ApiProject) -> None:
    answer = client(app).get(f"{API}/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == document()
    assert answer.json()["openapi"].startswith("3.1.")
    for name in (str(given.folder), "run-17", "older-1"):
        assert name not in answer.text
