from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.reference.cache import ARRAYS_FILE, INDEX_FILE, read_arrays, write_arrays

KEY = "sha256:" + "ab" * 32
ARRAYS = {"vectors": np.arange(6, dtype=np.float32).reshape(2, 3)}


def stored(folder: Path) -> Path:
    write_arrays(folder, KEY, ARRAYS)
    (entry,) = folder.iterdir()
    return entry


def test_what_is_written_is_read_and_no_draft_is_left(tmp_path: Path) -> None:
    entry = stored(tmp_path)
    found = read_arrays(tmp_path, KEY)
    assert found is not None
    assert np.array_equal(found["vectors"], ARRAYS["vectors"])
    assert sorted(path.name for path in entry.iterdir()) == [ARRAYS_FILE, INDEX_FILE]


def test_nothing_is_found_under_another_key(tmp_path: Path) -> None:
    stored(tmp_path)
    assert read_arrays(tmp_path, "sha256:" + "cd" * 32) is None
    assert read_arrays(tmp_path / "none", KEY) is None


@pytest.mark.parametrize("name", [ARRAYS_FILE, INDEX_FILE])
@pytest.mark.parametrize("damage", [b"", b"{}", b"\x80\x04K\x01.", b"[1"])
def test_a_damaged_entry_is_not_used_and_can_be_written_over(tmp_path: Path, name: str, damage: bytes) -> None:
    (stored(tmp_path) / name).write_bytes(damage)
    assert read_arrays(tmp_path, KEY) is None
    stored(tmp_path)
    assert read_arrays(tmp_path, KEY) is not None


def test_objects_are_never_stored(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays"):
        write_arrays(tmp_path, KEY, {"x": np.array([object()])})
    assert list(tmp_path.iterdir()) == []
