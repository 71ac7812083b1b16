"""A file is there as a whole or not at all, and a new one never takes the place of another."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from beleg.adapters.formats.atomic import create_bytes, replacing, write_text
from beleg.core.errors import UsageError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_created_once(tmp_path: Path) -> None:
    path = tmp_path / "new"
    create_bytes(path, b"one")
    create_bytes(path, b"one")
    with pytest.raises(UsageError, match="is there already"):
        create_bytes(path, b"two")
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["new"]


def test_of_many_writers_one_succeeds(tmp_path: Path) -> None:
    path, refused = tmp_path / "new", []

    def write(number: int) -> None:
        try:
            create_bytes(path, bytes([number]) * 5_000)
        except UsageError:
            refused.append(number)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(refused) == 11
    data = path.read_bytes()
    assert len(data) == 5_000
    assert data[0] not in refused
    assert names(tmp_path) == ["new"]


def test_nothing_is_created_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"same")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(UsageError):
        create_bytes(tmp_path / "link", b"same")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        create_bytes(tmp_path / "absent" / "new", b"")


def test_a_failed_replacement_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "old")

    def fail() -> None:
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]
