"""A folder is held by one at a time."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from beleg.adapters.formats.locking import locked_folder
from beleg.core.errors import UsageError


def is_held(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def test_a_folder_is_held_until_the_end_of_the_block(tmp_path: Path) -> None:
    with locked_folder(tmp_path):
        assert is_held(tmp_path)
    assert not is_held(tmp_path)


def test_a_failure_lets_go(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked_folder(tmp_path):
        raise ZeroDivisionError
    assert not is_held(tmp_path)


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"), locked_folder(tmp_path / "gone"):
        pass
