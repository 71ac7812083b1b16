"""Bodies of requests are read as strictly as records: what has a trap is no JSON, and each wrong field is named."""

from __future__ import annotations

import pytest

from beleg.app.workbench.request_bodies import NoJson, read_body
from beleg.core.errors import DataError
from beleg.core.workbench_state import AuditEvent

GOOD = b'{"at": "2026-12-01T10:00:00Z", "actor": "ada", "action": "signed_in"}'


def test_a_body_is_the_model_that_is_asked_for() -> None:
    assert read_body(AuditEvent, GOOD).actor == "ada"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b'{"actor": "ada", "actor": "bob"}',
        b'{"actor": NaN}',
        b'{"actor": 1e999}',
        b'{"actor": "\\ud800"}',
        b"[" * 100_000,
        GOOD + b"{}",
    ],
)
def test_what_has_a_trap_is_no_json(data: bytes) -> None:
    with pytest.raises(NoJson):
        read_body(AuditEvent, data)


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"null", [None]),
        (b"[]", [None]),
        (b"{}", ["at", "actor", "action"]),
        (GOOD.replace(b'"ada"', b"7"), ["actor"]),
        (GOOD.replace(b"signed_in", b"made_up"), ["action"]),
        (GOOD.replace(b"{", b'{"more": 1, '), ["more"]),
    ],
)
def test_each_wrong_field_is_named(data: bytes, fields: list[str | None]) -> None:
    with pytest.raises(DataError) as refused:
        read_body(AuditEvent, data)
    assert not isinstance(refused.value, NoJson)
    assert [problem.field for problem in refused.value.problems] == fields
