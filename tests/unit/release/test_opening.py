"""Envelopes of strangers are taken apart or refused."""

from __future__ import annotations

import json

import pytest

from beleg.core.errors import DataError
from beleg.release.opening import MAX_SIGNATURES, open_envelope


def envelope(**changes: object) -> bytes:
    return json.dumps(
        {"payload": "e30=", "payloadType": "t", "signatures": [{"keyid": "k", "sig": "AAE="}], **changes}
    ).encode()


def test_the_parts_come_out() -> None:
    opened = open_envelope(envelope())
    assert (opened.payload, opened.payload_type, opened.signatures, opened.hints) == (
        b"{}",
        "t",
        (b"\x00\x01",),
        ("k",),
    )


@pytest.mark.parametrize("signature", [{"sig": "AAE="}, {"keyid": None, "sig": "AAE="}])
def test_a_key_id_may_be_absent(signature: object) -> None:
    assert open_envelope(envelope(signatures=[signature])).hints == ()


def test_both_alphabets_are_taken() -> None:
    assert open_envelope(envelope(payload="-_8=")).payload == open_envelope(envelope(payload="+/8=")).payload


@pytest.mark.parametrize(
    "changes",
    [
        {"payload": "e30"}, {"payload": "e31="}, {"payload": "e30=\n"}, {"payload": "e3 0="}, {"payload": 1},
        {"payload": "+_8="}, {"payload": None}, {"payloadType": None}, {"payloadType": 7}, {"signatures": []},
        {"signatures": {}}, {"signatures": "sig"}, {"signatures": [1]}, {"signatures": ["sig"]}, {"signatures": [{}]},
        {"signatures": [{"sig": None}]}, {"signatures": [{"sig": "AAE=", "keyid": 1}]},
        {"signatures": [{"sig": "AAE="}] * (MAX_SIGNATURES + 1)},
    ],
)  # fmt: skip
def test_what_has_not_the_form_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(DataError, match="DSSE"):
        open_envelope(envelope(**changes))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"null", b"[]", b"7", b"\xff", b"[" * 100_000, envelope().replace(b'"t"', b'"t","payloadType":"t"'),
        envelope().replace(b'"k"', b'"k","keyid":"k"'), envelope(more=float("nan")), envelope() + b"{}",
        envelope().replace(b'"t"', b'"\\ud800"'), "{}".encode("utf-16"),
    ],
)  # fmt: skip
def test_what_is_no_json_of_one_meaning_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="DSSE"):
        open_envelope(data)
