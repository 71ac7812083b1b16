"""What every answer carries, errors and files included."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from beleg.web.headers import HEADERS
from beleg.web.rendering import static_path


@pytest.mark.parametrize("path", ["/", "/sign-in", "/nothing", "/static/nothing.css", "/openapi.json", "/docs"])
def test_nothing_of_others_is_loaded_framed_or_guessed(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_the_policy_lets_in_nothing_but_our_own_files() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"


def test_a_file_may_be_kept_for_good_since_its_name_holds_its_hash(browser: TestClient) -> None:
    for name in ("report.css", "workbench.css", "workbench.js"):
        answer = browser.get(static_path(name))
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_points_here_from_outside_is_refused(browser: TestClient, host: str) -> None:
    """DNS rebinding: another site's name that resolves to this machine."""
    assert browser.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "path", ["/openapi.json", "/docs", "/redoc", "/static/../web/words.toml", "/static/%2e%2e/words.toml"]
)
def test_what_is_not_meant_to_be_served_is_not(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_fault_of_ours_carries_them_too_and_tells_nothing(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret of the process")

    monkeypatch.setattr("beleg.web.pages.releases.environments", broken)
    answer = browser.get("/")
    assert answer.status_code == 500
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "secret" not in answer.text
