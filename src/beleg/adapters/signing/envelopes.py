"""Signing statements: DSSE envelopes, verified the moment they are made, and Sigstore's form of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from beleg.adapters.signing.verification import verified_keys
from beleg.core.attestation import Envelope, PayloadSigner, SignatureMade
from beleg.core.errors import DataError, EvidenceError, Problem

BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"


def sign_payload(payload: bytes, payload_type: str, signers: Sequence[PayloadSigner]) -> Envelope:
    """An envelope with one signature of each key.

    Args:
        payload: the bytes.
        payload_type: what they are; it is signed too.
        signers: the keys, each once.

    Raises:
        DataError: if no key is given, or one twice.
        EvidenceError: if a signature does not verify.
    """
    made = [_signed(signer, payload, payload_type) for signer in signers]
    if not made or len({signature.keyid for signature in made}) < len(made):
        raise DataError(
            Problem(message="a statement is signed by one key or more, and by each once", remedy="Name other keys")
        )
    return Envelope(
        payload=base64.b64encode(payload).decode("ascii"), payload_type=payload_type, signatures=tuple(made)
    )


def countersigned(envelope: Envelope, signer: PayloadSigner) -> Envelope:
    """The envelope with one more signature over the same bytes.

    Raises:
        DataError: if this key has signed it already.
        EvidenceError: if the signature does not verify.
    """
    if any(signature.keyid == signer.key_id for signature in envelope.signatures):
        raise DataError(
            Problem(message="this key has signed it already", value=signer.key_id[:16], remedy="Ask a second person")
        )
    payload = base64.b64decode(envelope.payload)
    added = _signed(signer, payload, envelope.payload_type)
    return envelope.model_copy(update={"signatures": (*envelope.signatures, added)})


def _signed(signer: PayloadSigner, payload: bytes, payload_type: str) -> SignatureMade:
    made = signer.sign(payload, payload_type)
    keys = {signer.key_id: signer.public_key}
    if not verified_keys(payload, payload_type, [base64.b64decode(made.sig)], keys):
        raise EvidenceError(
            "a signature does not verify under the public half of its key",
            hint="The private and the public half do not belong together; name the right public key",
        )
    return made


def sigstore_bundle(envelope: Envelope) -> str:
    """The envelope as a Sigstore bundle v0.3 with a public key's hint, for tools that read no other form.

    Raises:
        DataError: if it has more than one signature, which a bundle cannot hold.
    """
    if len(envelope.signatures) != 1:
        raise DataError(
            Problem(
                message="a Sigstore bundle holds one signature",
                value=str(len(envelope.signatures)),
                remedy="Sign with one key, P-256 where cosign is to verify it",
            )
        )
    only = envelope.signatures[0]
    bundle = {
        "mediaType": BUNDLE_TYPE,
        "verificationMaterial": {"publicKey": {"hint": only.keyid}, "tlogEntries": []},
        "dsseEnvelope": {
            "payload": envelope.payload,
            "payloadType": envelope.payload_type,
            "signatures": [{"sig": only.sig, "keyid": only.keyid}],
        },
    }
    return json.dumps(bundle, indent=1) + "\n"
