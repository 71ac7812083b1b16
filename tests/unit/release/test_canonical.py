"""One meaning for the bytes that were signed."""

from __future__ import annotations

import pytest

from beleg.core.attestation import Subject
from beleg.core.digest import canonical_json
from beleg.core.errors import DataError
from beleg.release.canonical import parse_canonical, read_as


def test_the_one_form_is_read() -> None:
    value = {"b": ["1", None, True], "a": {"ü": "🙂"}, "n": 1.5}
    assert parse_canonical(canonical_json(value)) == value


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b'{"a":1} ', b'{"a": 1}', b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'{"a":1.0}', b'{"a":1e3}', b"NaN",
        b'{"a":1e999}', b'{"a":9007199254740993}', b'"\\u0041"', b'"\\ud800"', b'"\xff"', b"\xef\xbb\xbf{}", b"-0",
        b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, "{}".encode("utf-16"),
    ],
)  # fmt: skip
def test_every_other_form_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="canonical form"):
        parse_canonical(data)


def test_fields_have_one_name() -> None:
    digest = {"sha256": "ab" * 32}
    assert read_as(Subject, {"name": "a", "digest": digest}).digest.sha256 == "ab" * 32
    with pytest.raises(DataError, match="'more'"):
        read_as(Subject, {"name": "a", "digest": digest, "more": 1})
    with pytest.raises(DataError, match="'digest'"):
        read_as(Subject, {"name": "a"})
