"""Keeps the vectors of an index build on disk, so that the same corpus and settings start in seconds."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from beleg.core.digest import canonical_json, digest_of_bytes

ARRAYS_FILE = "arrays.npz"
INDEX_FILE = "index.json"

Arrays = dict[str, npt.NDArray[np.generic]]


def read_arrays(folder: Path, key: str) -> Arrays | None:
    """The arrays stored under a key, or ``None`` where there are none or they are damaged.

    A damaged entry is worth no error: whoever asks builds the arrays anew and writes them over it.
    """
    entry = _entry(folder, key)
    try:
        index = json.loads((entry / INDEX_FILE).read_bytes())
        data = (entry / ARRAYS_FILE).read_bytes()
    except (OSError, ValueError):
        return None
    if not isinstance(index, dict) or index.get("key") != key or index.get("arrays") != digest_of_bytes(data):
        return None
    try:
        with np.load(entry / ARRAYS_FILE, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, zipfile.BadZipFile):
        return None


def write_arrays(folder: Path, key: str, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Stores arrays under a key; another process sees all of them or none.

    Raises:
        OSError: if the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder))
    try:
        with (draft / ARRAYS_FILE).open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)
        digest = digest_of_bytes((draft / ARRAYS_FILE).read_bytes())
        (draft / INDEX_FILE).write_bytes(canonical_json({"key": key, "arrays": digest}))
        _publish(draft, _entry(folder, key))
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _publish(draft: Path, entry: Path) -> None:
    """Moves a finished draft into place, over a damaged entry where there is one."""
    for name in (INDEX_FILE, ARRAYS_FILE):
        # The index goes away first: without it the entry does not count.
        (entry / name).unlink(missing_ok=True)
    try:
        draft.rename(entry)
    except OSError:
        # The folder is there, emptied above or just filled by another process with the same bytes.
        for name in (ARRAYS_FILE, INDEX_FILE):
            (draft / name).replace(entry / name)


def _entry(folder: Path, key: str) -> Path:
    return folder / key.removeprefix("sha256:")[:32]
