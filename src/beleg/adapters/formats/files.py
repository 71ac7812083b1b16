"""Opening input files: regular files of bounded size, with errors that name the path and the remedy."""

from __future__ import annotations

import stat
from pathlib import Path

from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.core.errors import DataError, Problem, UsageError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def require_file(path: Path, max_bytes: int) -> None:
    """Refuses what is no regular file, is empty, or is larger than ``max_bytes``.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is empty or too large.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", hint="Check the path and the rights on the file"
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"{path} is not a regular file", hint="Name a file")
    if status.st_size == 0:
        raise DataError(Problem(file=str(path), message="the file is empty", remedy="Check how it was written"))
    if status.st_size > max_bytes:
        raise DataError(
            Problem(
                file=str(path),
                message=f"the file has {status.st_size:,} bytes, more than the {max_bytes:,} that are read",
                remedy="Split it",
            )
        )


def read_document_text(path: Path) -> str:
    """The text of a small document file.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is empty, too large or not UTF-8.
    """
    require_file(path, MAX_DOCUMENT_BYTES)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the rights on the file") from error
    return decode_utf8(data.removeprefix(BYTE_ORDER_MARK), file=str(path))


def decode_utf8(data: bytes, *, file: str | None = None, line: int | None = None) -> str:
    """Decodes UTF-8 strictly.

    Raises:
        DataError: naming the line and the offset of the first byte that is not UTF-8. Where ``line`` is given, the
            offset counts from the start of that line.

    Example:
        >>> decode_utf8("für".encode())
        'für'
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        found_line = line if line is not None else data.count(b"\n", 0, at) + 1
        within = "of the line" if line is not None else "of the file"
        raise DataError(
            Problem(
                file=file,
                line=found_line,
                message=f"byte {at} {within} is not valid UTF-8",
                value=f"0x{data[at]:02x}",
                remedy="Save the file as UTF-8",
            )
        ) from error
