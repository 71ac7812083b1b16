"""Files that nobody but their owner may read: private keys, and secrets that stand in a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from beleg.core.errors import UsageError

MAX_PRIVATE_BYTES = 16_384


def read_private(path: Path) -> bytes:
    """The bytes of a file that nobody but its owner may read.

    Raises:
        UsageError: if it cannot be read, or others may.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the path and the rights on it") from error
    try:
        # Of the file that is open, so that nobody can put another in its place in between.
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is no regular file", hint="Name the file itself")
        if status.st_mode & 0o077:
            raise UsageError(
                f"{path} may be read by others (mode {stat.S_IMODE(status.st_mode):04o})",
                hint=f"Take their rights away with: chmod 600 {path}; and replace what it holds if others had access",
            )
        return os.read(descriptor, MAX_PRIVATE_BYTES)
    finally:
        os.close(descriptor)
