from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from beleg.suites.durable import sync_folder, write_read_only


def full_disk(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_holds_what_was_written_and_nobody_may_write_it(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    write_read_only(path, b"{}\n")
    assert path.read_bytes() == b"{}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


def test_a_file_that_is_there_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    write_read_only(path, b"first")
    with pytest.raises(FileExistsError):
        write_read_only(path, b"second")
    assert path.read_bytes() == b"first"


@pytest.mark.parametrize("step", ["fchmod", "fsync"])
def test_a_write_that_fails_leaves_no_part_of_a_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, step, lambda *arguments: full_disk(0))
        with pytest.raises(OSError, match="No space left"):
            write_read_only(tmp_path / "suite.json", b"{}\n")
    assert list(tmp_path.iterdir()) == []
    write_read_only(tmp_path / "suite.json", b"{}\n")


def test_the_file_is_on_the_disk_before_the_call_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "suite.json"
    synced: list[tuple[int, bytes]] = []

    def seen(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_ino, path.read_bytes()))

    monkeypatch.setattr(os, "fsync", seen)
    write_read_only(path, b"all of it")
    assert synced == [(path.stat().st_ino, b"all of it")]


def test_the_names_in_a_folder_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    sync_folder(tmp_path)
    assert synced == [tmp_path.stat().st_ino]


def test_a_folder_that_cannot_be_synced_is_closed_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []

    def full_disk_after(descriptor: int) -> None:
        opened.append(descriptor)
        full_disk(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full_disk_after)
        with pytest.raises(OSError, match="No space left"):
            sync_folder(tmp_path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        sync_folder(tmp_path / "file")
