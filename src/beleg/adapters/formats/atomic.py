"""Writing a file so that it is there as a whole or not at all, and only where it was meant to be."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beleg.core.errors import UsageError

FILE_MODE = 0o644


@contextmanager
def replacing(path: Path, *, mode: int = FILE_MODE) -> Iterator[Path]:
    """Gives a fresh file in the same folder to write to, and puts it in the place of ``path`` at the end.

    If the block fails, ``path`` stays as it was and the fresh file is removed. Until it is moved the fresh file can be
    read by its owner alone.

    Raises:
        UsageError: if ``path`` is a symbolic link or something else that is no regular file, or its folder cannot be
            written.
    """
    _require_replaceable(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", suffix=".partial", dir=path.parent)
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror}", hint="Check that the folder exists and can be written"
        ) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(mode)
        _require_replaceable(path)
        temporary.replace(path)
        _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes, *, mode: int = FILE_MODE) -> None:
    """Writes bytes at once or not at all; see `replacing`."""
    with replacing(path, mode=mode) as temporary:
        temporary.write_bytes(data)


def write_text(path: Path, text: str, *, mode: int = FILE_MODE) -> None:
    """Writes UTF-8 text with line ends as given, at once or not at all; see `replacing`."""
    write_bytes(path, text.encode("utf-8"), mode=mode)


def _require_replaceable(path: Path) -> None:
    if path.is_symlink():
        raise UsageError(f"{path} is a symbolic link", hint="Name the file itself, or remove the link")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is no regular file", hint="Name a file")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
