"""Checkpoints: one of the Go checksum database as it was published, and those of strangers."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beleg.adapters.signing.note_keys import verifies
from beleg.core.errors import DataError
from beleg.release.checkpoints import Checkpoint, parse_checkpoint, require_origin, sign_checkpoint, verified_checkpoint
from beleg.release.notes import SignedNote, parse_note

# Signed by sum.golang.org in January 2023, whose key every Go installation holds.
GO_KEY = base64.b64decode("Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")[1:]
GO_ROOT = "BoMMe1wd25Tco0mYGROkyqxHZWx+hcSCtMV315Lu6Lg="
GO_LINE = (
    "— sum.golang.org Az3grilD7vQqTrv66jRgKM84Y80KTprrSt4bKmiOPxgmS5ZVBTeCl6dUvjYnN13R+C8j0jGY1WnUADGMkok3U0m2Zgo=\n"
)
GO_NOTE = f"go.sum database tree\n15081221\n{GO_ROOT}\n\n{GO_LINE}".encode()
# The example of the specification.
C2SP_TEXT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"


def test_a_checkpoint_of_the_go_checksum_database_verifies() -> None:
    found = verified_checkpoint(GO_NOTE, GO_KEY, verifies, name="sum.golang.org")
    assert found == Checkpoint("go.sum database tree", 15_081_221, base64.b64decode(GO_ROOT))


def test_a_changed_size_does_not() -> None:
    with pytest.raises(DataError, match="not signed by this key"):
        verified_checkpoint(GO_NOTE.replace(b"15081221", b"15081222"), GO_KEY, verifies, name="sum.golang.org")


def test_the_example_of_the_specification_is_written_as_it_stands_there() -> None:
    found = parse_checkpoint(SignedNote(C2SP_TEXT, ()))
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert found.text == C2SP_TEXT


def test_what_is_signed_verifies_under_its_key_alone() -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    checkpoint = Checkpoint("example.com/log", 0, bytes(32))
    data = sign_checkpoint(checkpoint, key.public_key().public_bytes_raw(), key.sign).render().encode()
    assert verified_checkpoint(data, key.public_key().public_bytes_raw(), verifies) == checkpoint
    with pytest.raises(DataError, match="not signed by this key"):
        verified_checkpoint(data, other.public_key().public_bytes_raw(), verifies)


def test_extension_lines_are_passed_over() -> None:
    assert parse_checkpoint(SignedNote(f"{C2SP_TEXT}more\n", ())).size == 20_852_163


@pytest.mark.parametrize(
    "text",
    [
        "log\n1\n", "log\n01\nAA==\n", "log\n-1\nAA==\n", "log\n1\nAA==\n", f"log\n1\n{GO_ROOT[:-2]}h=\n",
        f"log\n1e3\n{GO_ROOT}\n", f"\n1\n{GO_ROOT}\n", f"log\n1\n{GO_ROOT}\n\nmore\n", f"log\n1\n!{GO_ROOT}\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="no checkpoint"):
        parse_checkpoint(SignedNote(text, ()))


@pytest.mark.parametrize("origin", ["", " ", "two words", "a+b", "DSSEv1 28", "line\nbreak", "-dash", "x" * 201, "ü"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(origin: str) -> None:
    with pytest.raises(DataError, match="name of a log"):
        require_origin(origin)
    with pytest.raises(DataError, match="name of a log"):
        sign_checkpoint(Checkpoint(origin, 1, bytes(32)), bytes(32), lambda data: data)


def test_no_checkpoint_begins_as_what_dsse_signs() -> None:
    """One key may sign statements and checkpoints: neither can be presented as the other."""
    for origin in ("DSSEv1", "DSSEv1/28"):
        assert not Checkpoint(require_origin(origin), 1, bytes(32)).text.startswith("DSSEv1 ")


def test_a_note_that_is_no_checkpoint_is_refused_before_its_signature_is_looked_at() -> None:
    note = parse_note(f"just text\n\n{GO_LINE}".encode())
    with pytest.raises(DataError, match="no checkpoint"):
        parse_checkpoint(note)
