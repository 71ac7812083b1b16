"""One writer after the other, on one machine."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beleg.core.errors import UsageError


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Waits until nobody else holds the folder, and holds it until the end of the block.

    Raises:
        UsageError: if there is no such folder.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}", hint="Name a folder that exists") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
