from __future__ import annotations

import pytest

from beleg.adapters.signing.note_keys import verifies

# RFC 8032, section 7.1, test 2.
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_the_published_signature_verifies() -> None:
    assert verifies(PUBLIC, b"\x72", SIGNATURE)


@pytest.mark.parametrize(
    ("key", "data", "signature"),
    [
        (PUBLIC, b"\x73", SIGNATURE),
        (PUBLIC, b"\x72", SIGNATURE[:-1]),
        (PUBLIC[:-1], b"\x72", SIGNATURE),
        (PUBLIC, b"", b""),
    ],
)
def test_nothing_else_does_and_nothing_is_raised(key: bytes, data: bytes, signature: bytes) -> None:
    assert not verifies(key, data, signature)
