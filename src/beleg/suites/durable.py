"""Writing so that a file is either wholly on the disk or not there."""

from __future__ import annotations

import os
from pathlib import Path

_READ_ONLY = 0o444


def write_read_only(path: Path, data: bytes) -> None:
    """Creates a new file that nobody may write, and returns once it is on the disk.

    Raises:
        OSError: if the file is there already, and then it is left as it is; or if it cannot be written, and then
            nothing of it is left.
    """
    with path.open("xb") as file:
        is_whole = False
        try:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), _READ_ONLY)
            os.fsync(file.fileno())
            is_whole = True
        finally:
            if not is_whole:
                path.unlink()


def sync_folder(folder: Path) -> None:
    """Returns once the names in a folder are on the disk; a rename or a new file survives a power cut only then."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
