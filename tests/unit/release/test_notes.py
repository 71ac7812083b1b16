"""Signed notes: the published example of the format, byte for byte, and notes of strangers."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beleg.adapters.signing.note_keys import verifies
from beleg.core.errors import DataError
from beleg.release.notes import NoteKey, SignedNote, is_signed_by, parse_note, sign_note

# The example of golang.org/x/mod/sumdb/note, which documents the format together with its private key.
SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNATURE = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
NOTE = f"{TEXT}\n— PeterNeumann {SIGNATURE}\n"

PRIVATE = Ed25519PrivateKey.from_private_bytes(SEED)
KEY = NoteKey("PeterNeumann", PRIVATE.public_key().public_bytes_raw())


def test_the_published_note_is_made_byte_for_byte() -> None:
    assert KEY.verifier == VERIFIER
    assert sign_note(TEXT, KEY, PRIVATE.sign).render() == NOTE


def test_the_published_note_verifies() -> None:
    note = parse_note(NOTE.encode())
    assert note.text == TEXT
    assert note.render() == NOTE
    assert is_signed_by(note, KEY, verifies)


def test_one_changed_letter_shows() -> None:
    assert not is_signed_by(parse_note(NOTE.replace("problem is", "problem  is").encode()), KEY, verifies)


def test_signatures_of_others_count_for_nothing_and_do_no_harm() -> None:
    other = Ed25519PrivateKey.generate()
    stranger = sign_note(TEXT, NoteKey("stranger", other.public_key().public_bytes_raw()), other.sign)
    note = parse_note(NOTE.encode())
    assert not is_signed_by(stranger, KEY, verifies)
    assert is_signed_by(SignedNote(TEXT, (*stranger.signatures, *note.signatures)), KEY, verifies)


def test_a_false_line_under_the_name_of_the_key_spoils_the_note() -> None:
    (good,) = parse_note(NOTE.encode()).signatures
    forged = SignedNote(TEXT, (good, type(good)(good.name, good.key_id, bytes(64))))
    assert not is_signed_by(forged, KEY, verifies)


def test_the_same_key_under_another_name_has_not_signed() -> None:
    assert not is_signed_by(parse_note(NOTE.encode()), NoteKey("Neumann", KEY.public_key), verifies)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"text", b"text\n", TEXT.encode(), NOTE[:-1].encode(), NOTE.encode() + b"x", b"\xff" + NOTE.encode(),
        NOTE.replace("— ", "- ").encode(), NOTE.replace("know", "know\x07").encode(),
        f"{TEXT}\n— two names {SIGNATURE}\n".encode(), f"{TEXT}\n— Peter+Neumann {SIGNATURE}\n".encode(),
        f"{TEXT}\n— PeterNeumann AAAA\n".encode(), f"{TEXT}\n— PeterNeumann {SIGNATURE[:-2]}\n".encode(),
        f"{TEXT}\n— PeterNeumann {SIGNATURE[:-2]}N=\n".encode(), f"\n\n— PeterNeumann {SIGNATURE}\n".encode(),
        (f"{TEXT}\n" + f"— PeterNeumann {SIGNATURE}\n" * 65).encode(), f"{TEXT}{'x' * 1_000_001}\n\n".encode(),
    ],
)  # fmt: skip
def test_what_is_no_note_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="no signed note"):
        parse_note(data)


@pytest.mark.parametrize(("text", "name"), [("no newline", "log"), ("bell\x07\n", "log"), (TEXT, "a b"), (TEXT, "a+b")])
def test_what_cannot_stand_in_a_note_is_not_signed(text: str, name: str) -> None:
    with pytest.raises(DataError):
        sign_note(text, NoteKey(name, KEY.public_key), PRIVATE.sign)
