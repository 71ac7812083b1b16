"""Proofs of a log: the text of C2SP, and everything that must not pass."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beleg.adapters.signing.note_keys import verifies
from beleg.core.errors import DataError
from beleg.release.checkpoints import Checkpoint, sign_checkpoint
from beleg.release.log_proofs import LogProof, parse_proof, verified_proof
from beleg.release.merkle import inclusion_path, leaf_hash, root_of

DATA = [f"entry {at}".encode() for at in range(7)]
LEAVES = [leaf_hash(data) for data in DATA]
KEY = Ed25519PrivateKey.generate()
PUBLIC = KEY.public_key().public_bytes_raw()
NOTE = sign_checkpoint(Checkpoint("example.com/log", 7, root_of(LEAVES)), PUBLIC, KEY.sign).render().encode()


def proof(index: int = 3) -> LogProof:
    return LogProof(index, inclusion_path(index, LEAVES), NOTE, DATA[index])


def test_the_text_is_that_of_the_specification() -> None:
    """Written as the tests of transparency-dev/merkle write it, with and without extra data."""
    one, two = (hashlib.sha256(name).digest() for name in (b"hash1", b"hash2"))
    hashes = [base64.b64encode(step).decode() for step in (one, two)]
    plain = LogProof(5, (one, two), b"test checkpoint\n")
    assert plain.render().decode() == f"c2sp.org/tlog-proof@v1\nindex 5\n{hashes[0]}\n{hashes[1]}\n\ntest checkpoint\n"
    extra = LogProof(10, (one,), b"checkpoint data\n", b"extra information")
    text = f"c2sp.org/tlog-proof@v1\nextra ZXh0cmEgaW5mb3JtYXRpb24=\nindex 10\n{hashes[0]}\n\ncheckpoint data\n"
    assert extra.render().decode() == text
    assert (parse_proof(plain.render()), parse_proof(extra.render())) == (plain, extra)


@pytest.mark.parametrize("index", range(7))
def test_a_proof_holds_for_its_entry(index: int) -> None:
    found = parse_proof(proof(index).render())
    assert verified_proof(found, DATA[index], PUBLIC, verifies).size == 7


@pytest.mark.parametrize(
    "forged",
    [
        replace(proof(), index=2), replace(proof(), index=7), replace(proof(), path=proof().path[:-1]),
        replace(proof(), path=(*proof().path, bytes(32))), replace(proof(4), index=3),
    ],
)  # fmt: skip
def test_a_proof_of_another_place_does_not(forged: LogProof) -> None:
    with pytest.raises(DataError, match="does not hold"):
        verified_proof(forged, DATA[3], PUBLIC, verifies)


def test_the_entry_that_is_carried_along_is_not_believed() -> None:
    forged = parse_proof(replace(proof(), leaf=b"entry 8").render())
    with pytest.raises(DataError, match="does not hold"):
        verified_proof(forged, b"entry 8", PUBLIC, verifies)


def test_a_checkpoint_of_another_key_does_not_count() -> None:
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    with pytest.raises(DataError, match="not signed by this key"):
        verified_proof(proof(), DATA[3], other, verifies)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"wrong-header\nindex 0\n\ncheckpoint\n", b"c2sp.org/tlog-proof@v1\nextra !!\nindex 0\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\n\n\ncheckpoint\n", b"c2sp.org/tlog-proof@v1\nindex x\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex -5\n\ncheckpoint\n", b"c2sp.org/tlog-proof@v1\nindex 05\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\n!!notbase64!!\n\ncheckpoint\n", b"c2sp.org/tlog-proof@v1\nindex 0\nAA==",
        b"c2sp.org/tlog-proof@v1\nindex 0\nAA==\n\ncheckpoint\n", b"c2sp.org/tlog-proof@v1\nindex 0\n\xff\n\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\n" + base64.b64encode(bytes(64)) + b"\n\ncheckpoint\n",
        b"c2sp.org/tlog-proof@v1\nindex 0\n" + (base64.b64encode(bytes(32)) + b"\n") * 65 + b"\ncheckpoint\n",
    ],
)  # fmt: skip
def test_what_is_no_proof_is_refused(data: bytes) -> None:
    with pytest.raises(DataError, match="no proof of a log"):
        parse_proof(data)
