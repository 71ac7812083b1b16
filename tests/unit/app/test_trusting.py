"""Trust files are made from public keys, signed by a root, and followed by a next version."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from beleg.app.trusting import TrustTerms, new_trust, revoke, show_trust, sign_trust_file, write_plain
from beleg.app.verifying import Deployment, verify_release
from beleg.core.errors import DataError, UsageError
from support.vector_tools import at_this_moment, parts, written


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    for name, key in (("gate", parts.GATE), ("ada", parts.ADA), ("bea", parts.BEA), ("root", parts.ROOT)):
        (tmp_path / f"{name}.pub.pem").write_text(key.pem)
    private = parts.ROOT._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "root.pem").write_bytes(private)
    (tmp_path / "root.pem").chmod(0o600)
    return tmp_path


def named(folder: Path, *names: str) -> list[str]:
    return [f"{name}={folder / name}.pub.pem" for name in names]


def test_what_is_made_and_signed_lets_a_decision_in(keys: Path) -> None:
    write_plain(new_trust(named(keys, "gate"), named(keys, "ada"), TrustTerms()), keys / "trust.json")
    sign_trust_file(keys / "trust.json", keys / "root.pem", keys / "trust.dsse.json")
    now = at_this_moment()
    # A key counts from when it was named; what was signed before was signed by nobody yet.
    begun = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    decision = parts.decided(**{**now, "issuedAt": begun, "notBefore": begun})
    deployment = Deployment(
        trust=keys / "trust.dsse.json",
        roots=(keys / "root.pub.pem",),
        subject=parts.CANDIDATE,
        environment="production",
    )
    admission = verify_release([written(keys / "1.dsse.json", decision)], deployment)
    assert admission.reason == "pass"


def test_the_terms_stand_in_the_file(keys: Path) -> None:
    terms = TrustTerms(
        environments=("staging", "production"), days=7, key_days=30, override_threshold=2, max_override_hours=8,
        require_evidence_pack=True,
    )  # fmt: skip
    at = datetime(2026, 11, 30, 12, 0, 0, 5, tzinfo=UTC)
    file = new_trust(named(keys, "gate"), named(keys, "ada", "bea"), terms, version=3, at=at)
    assert (file.version, file.issued_at.microsecond, file.expires_at - file.issued_at) == ("3", 0, timedelta(days=7))
    assert file.keys[parts.ADA.id].predicate_types == (parts.OVERRIDE,)
    assert parts.OVERRIDE not in file.keys[parts.GATE.id].predicate_types
    assert file.keys[parts.GATE.id].environments == ("staging", "production")
    assert (file.override_threshold, file.max_override_hours, file.require_evidence_pack) == (2, 8, True)


def test_gate_and_owner_need_keys_of_their_own(keys: Path) -> None:
    with pytest.raises(UsageError, match="named before"):
        new_trust(named(keys, "gate"), named(keys, "gate"), TrustTerms())


@pytest.mark.parametrize("word", ["gate", "=gate.pem", "gate=", ""])
def test_a_key_without_a_name_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="NAME=FILE"):
        new_trust([word], [], TrustTerms())


def test_terms_that_nobody_could_meet_are_refused(keys: Path) -> None:
    with pytest.raises(DataError, match="decisionThreshold"):
        new_trust(named(keys, "gate"), [], TrustTerms(decision_threshold=2))
    with pytest.raises(UsageError, match="no key is named"):
        new_trust([], named(keys, "ada"), TrustTerms())


def test_nothing_is_overwritten(keys: Path) -> None:
    file = new_trust(named(keys, "gate"), [], TrustTerms())
    (keys / "trust.json").write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        write_plain(file, keys / "trust.json")


def test_what_is_shown_says_who_signed(keys: Path) -> None:
    write_plain(new_trust(named(keys, "gate"), [], TrustTerms()), keys / "trust.json")
    sign_trust_file(keys / "trust.json", keys / "root.pem", keys / "trust.dsse.json")
    signed = keys / "trust.dsse.json"
    assert show_trust(keys / "trust.json").is_signed is False
    assert show_trust(signed).signed_by_root is None
    assert show_trust(signed, [keys / "root.pub.pem"]).signed_by_root is True
    assert show_trust(signed, [keys / "ada.pub.pem"]).signed_by_root is False
    assert show_trust(signed).file == show_trust(keys / "trust.json").file


def test_a_next_version_takes_back(keys: Path) -> None:
    write_plain(new_trust(named(keys, "gate"), named(keys, "ada"), TrustTerms()), keys / "trust.json")
    decision = written(keys / "1.dsse.json", parts.decided())
    after = revoke(
        keys / "trust.json",
        statements=[str(decision), "sha256:" + "b" * 64],
        keys=[parts.ADA.id[:12]],
        minimum_sequence=["production=43"],
    )
    assert after.version == "2"
    assert after.revoked_statements == (parts.digest(parts.payload_of(parts.decision())), "b" * 64)
    assert list(after.keys) == [parts.GATE.id]
    assert after.minimum_sequence == {"production": "43"}


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({}, "nothing is taken back"), ({"keys": ["ff"]}, "no key"), ({"keys": [""]}, "2 keys"),
        ({"minimum_sequence": ["production"]}, "ENVIRONMENT=NUMBER"),
        ({"minimum_sequence": ["production=-1"]}, "ENVIRONMENT=NUMBER"), ({"statements": ["gone.json"]}, "gone.json"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_back_is_said(keys: Path, words: dict[str, list[str]], match: str) -> None:
    write_plain(new_trust(named(keys, "gate"), named(keys, "ada"), TrustTerms()), keys / "trust.json")
    with pytest.raises(UsageError, match=match):
        revoke(keys / "trust.json", **words)


@pytest.mark.parametrize("content", ["[]", "{}", '{"version": 1}', '{"payload": "e30=", "payloadType": "t"}'])
def test_what_is_no_trust_file_is_refused(keys: Path, content: str) -> None:
    (keys / "trust.json").write_text(content)
    with pytest.raises(DataError):
        show_trust(keys / "trust.json")


def test_a_plain_file_is_checked_before_it_is_signed(keys: Path) -> None:
    write_plain(new_trust(named(keys, "gate"), [], TrustTerms()), keys / "trust.json")
    data = json.loads((keys / "trust.json").read_text())
    (keys / "trust.json").write_text(json.dumps({**data, "decisionThreshold": 5}))
    with pytest.raises(DataError, match="decisionThreshold"):
        sign_trust_file(keys / "trust.json", keys / "root.pem", keys / "trust.dsse.json")
    assert not (keys / "trust.dsse.json").exists()
