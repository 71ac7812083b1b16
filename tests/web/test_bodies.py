"""A request brings no more than a form of ours can hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from beleg.web.bodies import MAX_BODY_BYTES
from beleg.web.headers import HEADERS


def test_a_body_that_is_too_large_is_refused_before_it_is_read(browser: TestClient) -> None:
    answer = browser.post("/sign-in", content=b"x" * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_a_body_that_does_not_say_how_large_it_is_is_refused(browser: TestClient) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"token=x"

    assert browser.post("/sign-in", content=pieces()).status_code == 411
    assert browser.request("GET", "/", content=pieces()).status_code == 411


@pytest.mark.parametrize("length", ["-1", "x", "9" * 400, "²"])
def test_a_length_that_is_none_is_refused(browser: TestClient, length: str) -> None:
    answer = browser.post("/sign-in", content=b"token=x", headers={b"content-length": length.encode()})
    assert answer.status_code == 413


def test_a_form_of_ours_is_taken(browser: TestClient) -> None:
    assert browser.post("/sign-in", data={"token": "wrong"}).status_code == 403


def test_a_program_is_told_so_as_a_problem(browser: TestClient) -> None:
    answer = browser.post("/api/v1/review/x/claims/y", content=b"x" * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
