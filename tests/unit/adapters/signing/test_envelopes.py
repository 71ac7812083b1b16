"""DSSE envelopes: the published vector, other implementations, and nothing signed that does not verify."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from beleg.adapters.signing.envelopes import countersigned, sign_payload, sigstore_bundle
from beleg.adapters.signing.new_keys import make_key
from beleg.adapters.signing.verification import verified_keys
from beleg.core.attestation import SignatureMade
from beleg.core.errors import DataError, EvidenceError
from support.signing import PlainSigner, ed25519_signer, p256_signer, pae

TYPE = "application/vnd.in-toto+json"
PAYLOAD = '{"größe":"1"}'.encode()


def test_what_is_signed_is_the_encoding_that_dsse_publishes() -> None:
    """The example of the DSSE specification: payload "hello world", type "http://example.com/HelloWorld"."""
    assert (
        pae(b"hello world", "http://example.com/HelloWorld")
        == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


@pytest.mark.parametrize("kind", ["ed25519", "p256"])
def test_a_signature_verifies_by_cryptography_alone(tmp_path: Path, kind: str) -> None:
    signer = make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem", kind=kind)
    envelope = sign_payload(PAYLOAD, TYPE, [signer])
    public = load_pem_public_key((tmp_path / "k.pub.pem").read_bytes())
    signature = base64.b64decode(envelope.signatures[0].sig)
    if isinstance(public, Ed25519PublicKey):
        public.verify(signature, pae(PAYLOAD, TYPE))
    else:
        assert isinstance(public, EllipticCurvePublicKey)
        public.verify(signature, pae(PAYLOAD, TYPE), ECDSA(SHA256()))


def test_a_signature_verifies_by_openssl(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    signer = make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem")
    envelope = sign_payload(PAYLOAD, TYPE, [signer])
    (tmp_path / "data").write_bytes(pae(PAYLOAD, TYPE))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope.signatures[0].sig))
    command = [
        "openssl",
        "pkeyutl",
        "-verify",
        "-pubin",
        "-inkey",
        "k.pub.pem",
        "-rawin",
        "-in",
        "data",
        "-sigfile",
        "sig",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Signature Verified Successfully" in done.stdout, done.stderr


def test_two_keys_sign_the_same_bytes() -> None:
    signers = [ed25519_signer(), p256_signer()]
    envelope = sign_payload(PAYLOAD, TYPE, signers)
    keys = {signer.key_id: signer.public_key for signer in signers}
    raw = [base64.b64decode(made.sig) for made in envelope.signatures]
    assert verified_keys(PAYLOAD, TYPE, raw, keys) == set(keys)


@pytest.mark.parametrize(("payload", "kind"), [(PAYLOAD + b" ", TYPE), (PAYLOAD, "text/plain")])
def test_neither_payload_nor_type_can_be_changed(payload: bytes, kind: str) -> None:
    signer = ed25519_signer()
    envelope = sign_payload(PAYLOAD, TYPE, [signer])
    raw = [base64.b64decode(envelope.signatures[0].sig)]
    assert not verified_keys(payload, kind, raw, {signer.key_id: signer.public_key})


def test_nothing_is_signed_by_nobody_or_twice_by_one() -> None:
    signer = ed25519_signer()
    for signers in ([], [signer, signer]):
        with pytest.raises(DataError, match="by each once"):
            sign_payload(PAYLOAD, TYPE, signers)


class WrongHalf(PlainSigner):
    """Signs with another key than its public half says."""

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        return ed25519_signer().sign(payload, payload_type).model_copy(update={"keyid": self.key_id})


def test_a_signature_that_does_not_verify_never_leaves() -> None:
    with pytest.raises(EvidenceError, match="does not verify"):
        sign_payload(PAYLOAD, TYPE, [WrongHalf(ed25519_signer().key)])


def test_a_second_person_signs_the_same_bytes_and_no_one_signs_twice() -> None:
    first, second = ed25519_signer(), ed25519_signer()
    envelope = sign_payload(PAYLOAD, TYPE, [first])
    both = countersigned(envelope, second)
    assert both.payload == envelope.payload
    assert [made.keyid for made in both.signatures] == [first.key_id, second.key_id]
    with pytest.raises(DataError, match="has signed it already"):
        countersigned(both, first)


def test_a_sigstore_bundle_holds_one_signature_with_its_keys_hint() -> None:
    signer = p256_signer()
    bundle = json.loads(sigstore_bundle(sign_payload(PAYLOAD, TYPE, [signer])))
    assert bundle["mediaType"] == "application/vnd.dev.sigstore.bundle.v0.3+json"
    assert bundle["verificationMaterial"]["publicKey"]["hint"] == signer.key_id
    assert bundle["dsseEnvelope"]["payloadType"] == TYPE
    with pytest.raises(DataError, match="one signature"):
        sigstore_bundle(sign_payload(PAYLOAD, TYPE, [signer, ed25519_signer()]))
