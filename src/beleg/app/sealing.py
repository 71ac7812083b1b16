"""Sealed suites as files: encrypted to one key, opened in memory alone (G4)."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from pydantic import ValidationError

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.files import read_document_text
from beleg.adapters.signing.sealing import make_seal_key, open_seal_key, read_seal_public_key, seal, seal_key_id, unseal
from beleg.app.suites import load_suite
from beleg.core.digest import canonical_json
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.core.sealed import LEAST_CASES, SealedSuite, SealTerms
from beleg.core.suite import Suite
from beleg.run.folder import make_folder
from beleg.suites.ledger import COUNTED_KINDS
from beleg.suites.validate import require_unique_ids

MAX_SEALED_BYTES = 1 << 30

_CONTEXT = b"beleg sealed suite v1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealKeys:
    """A key pair that was made."""

    key_id: str
    private: Path
    public: Path


def new_seal_keys(name: Path) -> SealKeys:
    """Makes ``NAME.pem``, which its owner alone can read, and ``NAME.pub.pem``.

    Raises:
        UsageError: if one of them is there already.
    """
    private, public = name.with_name(f"{name.name}.pem"), name.with_name(f"{name.name}.pub.pem")
    if public.exists() or private.exists():
        raise UsageError(f"{private} or {public} is there already", hint="Name another key; nothing is overwritten")
    make_folder(private.parent)
    return SealKeys(key_id=make_seal_key(private, public), private=private, public=public)


def seal_suite(
    source: str, to: Path, out: Path, *, minimum_cases: int = LEAST_CASES, budget: int | None = None
) -> SealTerms:
    """Encrypts a release or holdout suite to a public key, in a new file.

    Args:
        source: the suite, as for `load_suite`.
        to: the public key in PEM.
        out: the sealed file.
        minimum_cases: the fewest cases that anything told may rest on.
        budget: how often it may be used; as the suite says where it is left out.

    Raises:
        UsageError: if a file cannot be read, or the sealed file is there already.
        DataError: if the suite or the key cannot be used, or the suite is too small or has no budget.
    """
    suite = load_suite(source)
    require_unique_ids(suite)
    header = suite.header.model_copy(update={"usage_budget": budget or suite.header.usage_budget})
    suite = suite.model_copy(update={"header": header})
    _require_sealable(suite, minimum_cases, source)
    key = read_seal_public_key(read_document_text(to), str(to))
    terms = SealTerms(
        header=header,
        suite_digest=suite.digest,
        cases=len(suite.cases),
        minimum_cases=minimum_cases,
        recipient=seal_key_id(key),
    )
    ciphertext = seal(canonical_json(suite.to_json_dict()), key, _bound(terms))
    sealed = SealedSuite(terms=terms, ciphertext=base64.b64encode(ciphertext).decode("ascii"))
    make_folder(out.parent)
    create_bytes(out, canonical_json(sealed.to_json_dict()) + b"\n")
    return terms


def read_sealed(path: Path) -> SealedSuite:
    """A sealed suite; nothing of it is opened.

    Raises:
        UsageError: if there is no such file.
        DataError: if it is no sealed suite.
    """
    try:
        if path.stat().st_size > MAX_SEALED_BYTES:
            raise _no_seal(path)
        return SealedSuite.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the path and its rights") from error
    except ValidationError:
        # The fault is not chained: its text quotes what was read.
        raise _no_seal(path) from None


def seal_key(reference: str) -> X25519PrivateKey:
    """The private key behind a reference: a file, or ``env:NAME``.

    Raises:
        UsageError: if there is none, or others may read the file.
        DataError: if it is none that seals.
    """
    return open_seal_key(reference, os.environ)


def unsealed(sealed: SealedSuite, key: X25519PrivateKey) -> Suite:
    """The suite within, in memory.

    Raises:
        EvidenceError: if it does not open, or is not the suite that the terms name. No case is quoted.
    """
    try:
        plaintext = unseal(base64.b64decode(sealed.ciphertext, validate=True), key, _bound(sealed.terms))
        suite = Suite.model_validate_json(plaintext)
    except ValueError:
        # Faults of the parser quote what they read, and are neither chained nor told.
        raise EvidenceError(
            "the sealed suite is damaged", hint="Fetch the file again, or have it sealed anew"
        ) from None
    terms = sealed.terms
    if (suite.digest, suite.header, len(suite.cases)) != (terms.suite_digest, terms.header, terms.cases):
        raise EvidenceError("the suite within is not the one that the seal names", hint="Have it sealed anew")
    return suite


def _bound(terms: SealTerms) -> bytes:
    return _CONTEXT + canonical_json(terms.to_json_dict())


def _require_sealable(suite: Suite, minimum_cases: int, source: str) -> None:
    problems = []
    if suite.header.kind not in COUNTED_KINDS:
        problems.append(
            Problem(
                file=source,
                field="kind",
                message="a suite of this kind is there to be looked at",
                value=suite.header.kind.value,
                remedy="Seal a suite of kind holdout or release",
            )
        )
    if suite.header.usage_budget is None:
        problems.append(
            Problem(
                file=source,
                field="usage_budget",
                message="nothing says how often it may be used",
                remedy="Set it in the suite, or give --budget",
            )
        )
    if minimum_cases < LEAST_CASES or len(suite.cases) < minimum_cases:
        problems.append(
            Problem(
                file=source,
                message=f"a seal tells nothing over fewer than {LEAST_CASES} cases, or fewer than it says",
                value=f"{len(suite.cases)} cases, at least {minimum_cases} to be told",
                remedy="Add cases, or do not seal it",
            )
        )
    if problems:
        raise DataError(problems)


def _no_seal(path: Path) -> DataError:
    return DataError(
        Problem(file=str(path), message="this is no sealed suite", remedy="Name a file that 'beleg suite seal' wrote")
    )
