"""Public keys in files, in the one written form in which they are compared."""

from __future__ import annotations

from pathlib import Path

from beleg.adapters.formats.files import read_document_text
from beleg.core.errors import DataError, Problem
from beleg.release.public_keys import key_id_of


def read_public_key(path: Path) -> str:
    """A public key in PEM, Ed25519 or P-256.

    Raises:
        UsageError: if there is no such file.
        DataError: if it holds no such key, or a private one.
    """
    text = read_document_text(path).replace("\r\n", "\n").strip() + "\n"
    if "PRIVATE KEY" in text:
        raise DataError(
            Problem(
                file=str(path),
                message="this is a private key, and a public one is expected",
                remedy="Write the public half with: openssl pkey -in KEY.pem -pubout; and keep this file to yourself",
            )
        )
    try:
        key_id_of(text)
    except DataError as error:
        problem = error.problems[0]
        raise DataError(Problem(file=str(path), message=problem.message, remedy=problem.remedy)) from error
    return text
