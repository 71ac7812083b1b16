"""Making keys: for their owner alone, and never in the place of another."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from beleg.adapters.signing.new_keys import make_key
from beleg.adapters.signing.root_key import is_encrypted, read_signer
from beleg.core.errors import DataError, UsageError


@pytest.mark.parametrize("kind", ["ed25519", "p256"])
def test_the_private_half_is_for_its_owner_alone(tmp_path: Path, kind: str) -> None:
    made = make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem", kind=kind)
    assert stat.S_IMODE((tmp_path / "k.pem").stat().st_mode) == 0o600
    assert (tmp_path / "k.pub.pem").read_text() == made.public_key
    assert "PRIVATE" not in made.public_key


@pytest.mark.parametrize("there", ["k.pem", "k.pub.pem"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    with pytest.raises(UsageError, match="is there already"):
        make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem")
    assert (tmp_path / there).read_text() == "precious"


def test_a_password_is_asked_for_ever_after(tmp_path: Path) -> None:
    make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem", password=b"correct horse")
    assert is_encrypted(tmp_path / "k.pem")
    assert read_signer(tmp_path / "k.pem", b"correct horse").public_key == (tmp_path / "k.pub.pem").read_text()
    for wrong in (None, b"wrong"):
        with pytest.raises(DataError, match="not under this password"):
            read_signer(tmp_path / "k.pem", wrong)
