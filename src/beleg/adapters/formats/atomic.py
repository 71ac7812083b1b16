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
    with _fresh(path) as temporary:
        yield temporary
        _settle(temporary, mode)
        _require_replaceable(path)
        temporary.replace(path)
        _sync_folder(path.parent)


@contextmanager
def _fresh(path: Path) -> Iterator[Path]:
    """An empty file beside ``path``, removed at the end unless it was moved."""
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
    finally:
        temporary.unlink(missing_ok=True)


def _settle(temporary: Path, mode: int) -> None:
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    temporary.chmod(mode)


def create_bytes(path: Path, data: bytes, *, mode: int = FILE_MODE) -> None:
    """Writes a new file at once or not at all, and never in the place of another.

    Of several writers one succeeds. A file that is there already with the same bytes is left as it is.

    Raises:
        UsageError: if a file with other content is there, or the folder cannot be written.
    """
    with _fresh(path) as temporary:
        temporary.write_bytes(data)
        _settle(temporary, mode)
        try:
            os.link(temporary, path)
        except FileExistsError:
            if not path.is_symlink() and path.is_file() and path.read_bytes() == data:
                return
            raise UsageError(f"{path} is there already", hint="Name a new file; nothing is overwritten") from None
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}", hint="Name a file on another disk") from error
        _sync_folder(path.parent)


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
