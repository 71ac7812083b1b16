"""``beleg trust``: from public keys to a signed trust file, and to the next one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cli.projects import beleg
from support.vector_tools import parts

NEW = ("trust", "new", "trust.json", "--gate", "the gate=gate.pub.pem", "--owner", "Ada=ada.pub.pem")
SIGN = ("trust", "sign", "trust.json", "--key", "root.pem", "--out", "trust.dsse.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, key in (("gate", parts.GATE), ("ada", parts.ADA), ("root", parts.ROOT)):
        (tmp_path / f"{name}.pub.pem").write_text(key.pem)
    private = parts.ROOT._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "root.pem").write_bytes(private)
    (tmp_path / "root.pem").chmod(0o600)
    return tmp_path


def test_each_command_names_the_next(folder: Path) -> None:
    made = beleg(*NEW, cwd=folder)
    assert (made.code, made.err) == (0, "")
    assert made.lines[0].startswith("Version 1 trusts 2 keys until ")
    assert made.lines[-1] == "Next: beleg trust sign trust.json --key root.pem --out trust.dsse.json"
    signed = beleg(*SIGN, cwd=folder)
    assert signed.code == 0
    assert signed.lines[0].startswith("Signed: version 1 counts until ")
    shown = beleg("trust", "show", "trust.dsse.json", "--root", "root.pub.pem", cwd=folder)
    assert shown.code == 0
    assert shown.lines[0].startswith("Version 1: signed by the root that was named; counts until ")
    assert any("the gate" in line and "decisions" in line for line in shown.lines)
    assert shown.lines[-1] == "Next: beleg trust revoke trust.dsse.json --out trust-2.json"
    words = ("trust", "revoke", "trust.dsse.json", "--out", "trust-2.json", "--minimum-sequence", "production=43")
    revoked = beleg(*words, cwd=folder)
    assert revoked.code == 0
    assert revoked.lines[-1] == "Next: beleg trust sign trust-2.json --key root.pem --out trust-2.dsse.json"


def test_json_and_german_say_the_same(folder: Path) -> None:
    made = beleg(*NEW, "--json", cwd=folder)
    assert made.json["version"] == "1"
    signed = beleg(*SIGN, "--lang", "de", cwd=folder)
    assert signed.lines[0].startswith("Signiert: Version 1 gilt bis ")
    shown = beleg("trust", "show", "trust.dsse.json", "--root", "root.pub.pem", "--json", cwd=folder)
    assert (shown.json["signed_by_root"], shown.json["trust"]) == (True, made.json)
    german = beleg("trust", "show", "trust.dsse.json", "--lang", "de", cwd=folder)
    assert german.lines[0].startswith("Version 1: signiert; --root nennen")


def test_a_root_that_did_not_sign_is_a_no(folder: Path) -> None:
    beleg(*NEW, cwd=folder)
    beleg(*SIGN, cwd=folder)
    shown = beleg("trust", "show", "trust.dsse.json", "--root", "ada.pub.pem", cwd=folder)
    assert shown.code == 30
    assert "NOT signed by the root" in shown.lines[0]


def test_a_key_that_others_may_read_signs_nothing(folder: Path) -> None:
    beleg(*NEW, cwd=folder)
    (folder / "root.pem").chmod(0o644)
    done = beleg(*SIGN, cwd=folder)
    assert done.code == 2
    assert "chmod 600" in done.err
    assert not (folder / "trust.dsse.json").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("trust", "new", "trust.json"), 2), (("trust", "new", "trust.json", "--gate", "gate.pub.pem"), 2),
        (("trust", "new", "trust.json", "--gate", "g=gone.pem"), 2),
        (("trust", "new", "trust.json", "--gate", "g=root.pem"), 30),
        (("trust", "new", "trust.json", "--gate", "g=gate.pub.pem", "--decision-threshold", "2"), 30),
        (("trust", "sign", "gone.json", "--key", "root.pem", "--out", "o.json"), 2),
        (("trust", "show", "root.pub.pem"), 30), (("trust", "revoke", "gone.json", "--out", "o.json", "--key", "a"), 2),
    ],
)  # fmt: skip
def test_bad_input_is_told_and_writes_nothing(folder: Path, words: tuple[str, ...], code: int) -> None:
    done = beleg(*words, cwd=folder)
    assert (done.code, done.out) == (code, "")
    assert "Traceback" not in done.err
    assert "PRIVATE KEY-----\n" not in done.err
    assert not (folder / "trust.json").exists()
    assert not (folder / "o.json").exists()
