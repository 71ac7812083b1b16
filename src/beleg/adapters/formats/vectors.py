"""Vectors and labels from files: npy, npz, Parquet, fvecs and bvecs; large ones as memory maps."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.limits import GIB, MAX_ROWS, MIB
from beleg.core.errors import DataError, Problem, UsageError, shown

VectorTable: TypeAlias = npt.NDArray[Any]

MAX_VECTOR_FILE_BYTES = 64 * GIB
MAX_UNPACKED_BYTES = 16 * GIB
"""What an ``.npz`` may unfold to, and what a Parquet column may hold; larger tables belong into ``.npy``."""
MAX_LABEL_FILE_BYTES = 256 * MIB
MAX_WIDTH = 65_536
VECTOR_COLUMNS = ("vector", "embedding", "vectors", "embeddings")
DIGEST_ROWS = 8_192


def read_vectors(path: Path) -> VectorTable:
    """Reads a table with one vector a row; ``.npy``, ``.fvecs`` and ``.bvecs`` are mapped, not loaded.

    Args:
        path: ``.npy``; ``.npz`` with one table; ``.parquet`` with a list column called vector or embedding; ``.fvecs``;
            ``.bvecs``.

    Raises:
        UsageError: if there is no such file or its kind is unknown.
        DataError: if the file does not hold one table of numbers.
    """
    return _read(path, _READERS)


def read_neighbour_rows(path: Path) -> VectorTable:
    """Reads known neighbours, one list of row numbers for each query: ``.ivecs`` or ``.npy``.

    Raises:
        UsageError: if there is no such file or its kind is unknown.
        DataError: if the file does not hold one table of whole numbers.
    """
    rows = _read(path, {".npy": _npy, ".ivecs": _ivecs})
    if rows.dtype.kind not in "iu":
        raise _no_table(path, "row numbers must be whole numbers", str(rows.dtype))
    return rows


def read_labels(path: Path) -> list[str]:
    """Reads one label a row: the lines of a text file, or a one-dimensional ``.npy`` of text or whole numbers.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file does not hold such a list.
    """
    require_file(path, MAX_LABEL_FILE_BYTES)
    if path.suffix.lower() == ".npy":
        labels = _loaded(path)
        if labels.ndim != 1 or labels.dtype.kind not in "iuU":
            raise _no_table(path, "a list of text or whole numbers is needed", f"{labels.dtype}, shape {labels.shape}")
        return [str(label) for label in labels.tolist()]
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise DataError(
            Problem(file=str(path), message="the labels are not valid UTF-8", remedy="Save the file as UTF-8")
        ) from error


def digest_of_vectors(vectors: VectorTable) -> str:
    """The SHA-256 of the vectors in single precision and of their shape, as ``sha256:<hex>``, whatever file holds them.

    Example:
        >>> digest_of_vectors(np.eye(2)) == digest_of_vectors(np.eye(2, dtype=np.float32))
        True
    """
    whole = hashlib.sha256(f"float32 {vectors.shape}".encode())
    for start in range(0, len(vectors), DIGEST_ROWS):
        with np.errstate(over="ignore"):
            block = np.ascontiguousarray(vectors[start : start + DIGEST_ROWS], dtype="<f4")
        whole.update(block.data)
    return f"sha256:{whole.hexdigest()}"


def _read(path: Path, readers: Mapping[str, Callable[[Path], VectorTable]]) -> VectorTable:
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise UsageError(f"{path}: vectors are not read from {shown(path.suffix)}", hint=f"Use {', '.join(readers)}")
    require_file(path, MAX_VECTOR_FILE_BYTES)
    table = reader(path)
    if table.ndim != 2 or not table.size or table.dtype.kind not in "fiu":
        raise _no_table(
            path, "a table of numbers with one vector a row is needed", f"{table.dtype}, shape {table.shape}"
        )
    if table.shape[1] > MAX_WIDTH:
        raise _no_table(path, f"a vector may have {MAX_WIDTH:,} components", f"{table.shape[1]:,}")
    return table


def _loaded(path: Path) -> VectorTable:
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise _no_table(path, f"this is no readable .npy file: {error}", None) from error
    if not isinstance(table, np.ndarray):
        raise _no_table(path, "this is an archive of several tables, not a .npy file", None)
    return table


def _npy(path: Path) -> VectorTable:
    return _loaded(path)


def _npz(path: Path) -> VectorTable:
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {entry.filename.removesuffix(".npy"): entry.file_size for entry in archive.infolist()}
        if sum(sizes.values()) > MAX_UNPACKED_BYTES:
            raise _no_table(path, f"the file unfolds to more than {MAX_UNPACKED_BYTES:,} bytes", None)
        names = [name for name in VECTOR_COLUMNS if name in sizes] or list(sizes)
        if len(names) != 1:
            raise _no_table(path, "one table is needed, or one called vectors", ", ".join(names[:5]) or "none")
        with np.load(path, allow_pickle=False) as arrays:
            return np.asarray(arrays[names[0]])
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError) as error:
        raise _no_table(path, f"this is no readable .npz file: {error}", None) from error


def _parquet(path: Path) -> VectorTable:
    from beleg.adapters.formats.vector_columns import read_vector_column  # loads DuckDB

    return read_vector_column(path, VECTOR_COLUMNS, max_bytes=MAX_UNPACKED_BYTES, max_rows=MAX_ROWS)


def _counted_records(path: Path, kind: str) -> VectorTable:
    """Records that each begin with their number of components, as the public vector benchmarks write them."""
    item = np.dtype(kind)
    with path.open("rb") as file:
        head = file.read(4)
    width = int(np.frombuffer(head, dtype="<i4")[0]) if len(head) == 4 else 0
    size = path.stat().st_size
    if not 0 < width <= MAX_WIDTH or size % (4 + width * item.itemsize):
        raise _no_table(path, f"its size does not fit records of {width} components", f"{size} bytes")
    record = np.dtype([("width", "<i4"), ("vector", item, (width,))])
    records = np.memmap(path, dtype=record, mode="r")
    others = np.flatnonzero(records["width"] != width)
    if len(others):
        found = int(records["width"][others[0]])
        raise _no_table(path, f"record {int(others[0])} does not have {width} components like the first", str(found))
    return records["vector"]


def _fvecs(path: Path) -> VectorTable:
    return _counted_records(path, "<f4")


def _bvecs(path: Path) -> VectorTable:
    return _counted_records(path, "u1")


def _ivecs(path: Path) -> VectorTable:
    return _counted_records(path, "<i4")


_READERS = {".npy": _npy, ".npz": _npz, ".parquet": _parquet, ".fvecs": _fvecs, ".bvecs": _bvecs}


def _no_table(path: Path, message: str, value: str | None) -> DataError:
    return DataError(
        Problem(file=str(path), message=message, value=value, remedy="Write the vectors as one two-dimensional table")
    )
