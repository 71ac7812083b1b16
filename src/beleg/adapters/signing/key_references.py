"""Where private keys are kept: a file, a variable of the environment, or a key service that never hands them out."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from beleg.adapters.signing.root_key import FileSigner, is_encrypted, read_signer, signer_of
from beleg.core.attestation import SignatureMade
from beleg.core.errors import DataError, EvidenceError, MissingExtra, Problem, UsageError, shown

ENVIRONMENT = "env:"
SERVICES = frozenset({"awskms", "gcpkms", "azurekms", "hv", "hsm"})
"""Schemes of key services. Files and agents of other tools are not among them: they have rules of their own."""

SCHEMES = ("ed25519", "ecdsa-sha2-nistp256")

AskPassword = Callable[[str], str | None]
"""Asks for the password of a key, by its name; ``None`` where nobody can be asked."""


def open_signer(
    reference: str, *, environment: Mapping[str, str], ask_password: AskPassword
) -> FileSigner | ServiceSigner:
    """A private key by its reference.

    ``keys/gate.pem`` is a file, ``env:NAME`` a variable that holds PEM (its password in ``NAME_PASSWORD``), and
    ``awskms:KEY@public.pem`` a key in a service whose public half stands in the file.

    Args:
        reference: where the key is.
        environment: the variables.
        ask_password: asks for the password of a file.

    Raises:
        UsageError: if there is no such file, variable or service, or others may read the file.
        DataError: if there is no usable key. Nothing of what was read is named.
        MissingExtra: if the package that speaks to a service is not installed.
    """
    scheme = reference.partition(":")[0]
    if reference.startswith(ENVIRONMENT):
        return _from_environment(reference.removeprefix(ENVIRONMENT), environment)
    if scheme in SERVICES:
        return _from_service(reference)
    path = Path(reference)
    password = ask_password(reference) if is_encrypted(path) else None
    return read_signer(path, None if password is None else password.encode())


def _from_environment(name: str, environment: Mapping[str, str]) -> FileSigner:
    pem = environment.get(name)
    if not pem:
        raise UsageError(f"the variable {name} holds no key", hint=f"Set {name} to the PEM of a private key")
    password = environment.get(f"{name}_PASSWORD")
    return signer_of(pem.encode(), f"env:{name}", password.encode() if password else None)


@dataclass(frozen=True, slots=True)
class ServiceSigner:
    """A key in a service; only what is to be signed goes there."""

    key_id: str
    public_key: str
    _signer: Any

    def sign(self, payload: bytes, payload_type: str) -> SignatureMade:
        """Has the service sign the DSSE pre-authentication encoding of payload and type.

        Raises:
            EvidenceError: if the service did not sign.
        """
        from securesystemslib.dsse import Envelope

        made = self.sign_bytes(Envelope(payload, payload_type, {}).pae())
        return SignatureMade(keyid=self.key_id, sig=base64.b64encode(made).decode("ascii"))

    def sign_bytes(self, data: bytes) -> bytes:
        """Has the service sign the bytes themselves, as signed notes are.

        Raises:
            EvidenceError: if the service did not sign.
        """
        try:
            made = self._signer.sign(data)
        except Exception as error:
            # Clients of services raise whatever they like; what they say may hold credentials.
            raise EvidenceError(
                f"the key service did not sign ({type(error).__name__})", hint="Check the key's name and its rights"
            ) from None
        return bytes.fromhex(made.signature)


def _from_service(reference: str) -> ServiceSigner:
    uri, _, public = reference.rpartition("@")
    if not uri:
        raise UsageError(
            f"{shown(reference)} does not name the public half of its key", hint="Write it as SERVICE:KEY@public.pem"
        )
    # Imported here: the package sets up logging when it is imported.
    from securesystemslib.exceptions import UnsupportedLibraryError
    from securesystemslib.signer import Signer, SSlibKey

    pem, key_id, loaded = _public_key(Path(public))
    key = SSlibKey.from_crypto(loaded, keyid=key_id)
    if key.scheme not in SCHEMES:
        raise _no_public_key(Path(public))
    try:
        signer = Signer.from_priv_key_uri(uri, key)
    except UnsupportedLibraryError as error:
        raise MissingExtra(f"a key in {uri.partition(':')[0]}", "kms") from error
    except (ValueError, OSError) as error:
        raise UsageError(
            f"the key {shown(uri)} cannot be used ({type(error).__name__})", hint="Check its name and kind"
        ) from None
    return ServiceSigner(key_id=key_id, public_key=pem, _signer=signer)


def _public_key(path: Path) -> tuple[str, str, PublicKeyTypes]:
    """A public key as PEM, its id, and itself."""
    try:
        public = load_pem_public_key(path.read_bytes())
        der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Name the PEM of the public half") from error
    except (ValueError, UnsupportedAlgorithm):
        raise _no_public_key(path) from None
    return pem, hashlib.sha256(der).hexdigest(), public


def _no_public_key(path: Path) -> DataError:
    return DataError(
        Problem(
            file=str(path),
            message="this is no public key in PEM of Ed25519 or P-256",
            remedy="Write the public half of the service's key there",
        )
    )


def known_services() -> tuple[str, ...]:
    """The key services by scheme."""
    from securesystemslib.signer import SIGNER_FOR_URI_SCHEME

    return tuple(sorted(SERVICES & SIGNER_FOR_URI_SCHEME.keys()))
