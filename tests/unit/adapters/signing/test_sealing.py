"""Sealing: another implementation of RFC 9180, itself held to the published vector, opens what we seal."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from beleg.adapters.signing.sealing import make_seal_key, open_seal_key, read_seal_public_key, seal, unseal
from beleg.core.errors import DataError, EvidenceError, UsageError

# RFC 9180, appendix A.2.1: base mode, X25519, HKDF-SHA256, ChaCha20-Poly1305, sequence number 0.
PRIVATE = bytes.fromhex("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
ENC = bytes.fromhex("1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a")
INFO = bytes.fromhex("4f6465206f6e2061204772656369616e2055726e")
CIPHERTEXT = bytes.fromhex("1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28")


def extract(salt: bytes, data: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), data, hashlib.sha256)


def expand(key: bytes, info: bytes, length: int) -> bytes:
    made, block = b"", b""
    for count in range(1, 1 + -(-length // 32)):
        block = hmac.digest(key, block + info + bytes([count]), hashlib.sha256)
        made += block
    return made[:length]


def opened(private: bytes, enc: bytes, ciphertext: bytes, info: bytes, aad: bytes = b"") -> bytes:
    """Base mode of RFC 9180, sections 4.1 and 5.1, written here from its text."""
    key = X25519PrivateKey.from_private_bytes(private)
    own = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    kem, suite = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
    shared = key.exchange(X25519PublicKey.from_public_bytes(enc))
    prk = extract(b"", b"HPKE-v1" + kem + b"eae_prk" + shared)
    secret = expand(prk, b"\x00\x20HPKE-v1" + kem + b"shared_secret" + enc + own, 32)
    psk_id = extract(b"", b"HPKE-v1" + suite + b"psk_id_hash")
    context = b"\x00" + psk_id + extract(b"", b"HPKE-v1" + suite + b"info_hash" + info)
    root = extract(secret, b"HPKE-v1" + suite + b"secret")
    aead = expand(root, b"\x00\x20HPKE-v1" + suite + b"key" + context, 32)
    nonce = expand(root, b"\x00\x0cHPKE-v1" + suite + b"base_nonce" + context, 12)
    return ChaCha20Poly1305(aead).decrypt(nonce, ciphertext, aad)


def test_the_other_implementation_opens_the_published_vector() -> None:
    assert opened(PRIVATE, ENC, CIPHERTEXT, INFO, b"Count-0") == b"Beauty is truth, truth beauty"


def test_it_opens_what_is_sealed_here() -> None:
    key = X25519PrivateKey.from_private_bytes(PRIVATE)
    made = seal(b"cases", key.public_key(), b"terms")
    assert opened(PRIVATE, made[:32], made[32:], b"terms") == b"cases"
    assert unseal(made, key, b"terms") == b"cases"


def test_two_seals_of_the_same_differ() -> None:
    public = X25519PrivateKey.from_private_bytes(PRIVATE).public_key()
    assert seal(b"cases", public, b"") != seal(b"cases", public, b"")


def test_no_changed_bit_other_terms_or_other_key_opens_it() -> None:
    key = X25519PrivateKey.from_private_bytes(PRIVATE)
    made = seal(b"cases", key.public_key(), b"terms")
    changed = [made[:at] + bytes([made[at] ^ 1]) + made[at + 1 :] for at in range(len(made))]
    for data in [*changed, made[:-1], made[:31], b"", made + b"x", bytes(len(made))]:
        with pytest.raises(EvidenceError, match="does not open"):
            unseal(data, key, b"terms")
    for other, terms in ((key, b"Terms"), (X25519PrivateKey.generate(), b"terms")):
        with pytest.raises(EvidenceError, match="does not open"):
            unseal(made, other, terms)


def test_a_key_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    private, public = tmp_path / "k.pem", tmp_path / "k.pub.pem"
    make_seal_key(private, public)
    assert private.stat().st_mode & 0o777 == 0o600
    made = seal(b"x", read_seal_public_key(public.read_text(), "k"), b"")
    assert unseal(made, open_seal_key(str(private), {}), b"") == b"x"
    assert unseal(made, open_seal_key("env:K", {"K": private.read_text()}), b"") == b"x"
    with pytest.raises(UsageError, match="is there already"):
        make_seal_key(private, public)
    private.chmod(0o640)
    with pytest.raises(UsageError, match="read by others"):
        open_seal_key(str(private), {})
    with pytest.raises(UsageError, match="holds no key"):
        open_seal_key("env:K", {})


def test_what_is_no_key_is_refused_without_quoting_it(tmp_path: Path) -> None:
    (tmp_path / "k.pem").write_text("secret words")
    (tmp_path / "k.pem").chmod(0o600)
    for read in (lambda: open_seal_key(str(tmp_path / "k.pem"), {}), lambda: read_seal_public_key("secret words", "k")):
        with pytest.raises(DataError) as caught:
            read()
        assert "secret" not in str(caught.value)
