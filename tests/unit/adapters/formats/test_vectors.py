from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beleg.adapters.formats import vectors as module
from beleg.adapters.formats.vectors import digest_of_vectors, read_labels, read_neighbour_rows, read_vectors
from beleg.core.errors import DataError, UsageError

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


def counted(table: np.ndarray) -> bytes:
    """The records of the public vector benchmarks."""
    width = np.array([table.shape[1]], dtype="<i4").tobytes()
    return b"".join(width + row.tobytes() for row in table)


def written(folder: Path) -> list[Path]:
    """The same table in every format."""
    paths = [folder / f"table{suffix}" for suffix in (".npy", ".npz", ".fvecs", ".bvecs", ".parquet")]
    np.save(paths[0], TABLE)
    np.savez(paths[1], vectors=TABLE, ids=np.arange(4))
    paths[2].write_bytes(counted(TABLE))
    paths[3].write_bytes(counted(TABLE.astype(np.uint8)))
    pq.write_table(pa.table({"id": ["a", "b", "c", "d"], "embedding": TABLE.tolist()}), paths[4])
    return paths


def test_the_path_of_a_parquet_file_is_neither_a_pattern_nor_a_column(tmp_path: Path) -> None:
    path = tmp_path / "embedding=7" / "a[1].parquet"
    path.parent.mkdir()
    pq.write_table(pa.table({"embedding": (TABLE + 1).tolist()}), path.with_name("a1.parquet"))
    pq.write_table(pa.table({"embedding": TABLE.tolist()}), path)
    assert np.array_equal(read_vectors(path), TABLE)


def test_every_format_holds_the_same_table_and_has_the_same_digest(tmp_path: Path) -> None:
    digests = set()
    for path in written(tmp_path):
        table = read_vectors(path)
        assert np.array_equal(table, TABLE), path
        digests.add(digest_of_vectors(table))
    assert digests == {digest_of_vectors(TABLE)}
    assert digest_of_vectors(TABLE.reshape(3, 4)) not in digests


def test_large_tables_are_mapped_and_not_loaded(tmp_path: Path) -> None:
    for path in written(tmp_path):
        if path.suffix in (".npy", ".fvecs", ".bvecs"):
            table = read_vectors(path)
            assert isinstance(table, np.memmap) or isinstance(table.base, np.memmap)


def test_half_precision_and_column_order_are_read(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", np.asfortranarray(TABLE.astype(np.float16)))
    assert np.array_equal(read_vectors(tmp_path / "t.npy"), TABLE)


def test_parquet_of_arrays_of_fixed_size_over_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.adapters.formats.vector_columns.ROWS_AT_ONCE", 3)
    column = pa.FixedSizeListArray.from_arrays(pa.array(TABLE.ravel()), 3)
    pq.write_table(pa.table({"vector": column}), tmp_path / "t.parquet")
    assert np.array_equal(read_vectors(tmp_path / "t.parquet"), TABLE)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"text": ["a"]}, "one list column called vector or embedding"),
        ({"vector": [[1.0]], "embedding": [[1.0]]}, "one list column"),
        ({"vector": [[1.0, 2.0], [1.0]]}, "every row needs a vector of one length (found 1 to 2, 0 empty)"),
        ({"vector": [[1.0], None]}, "1 empty"),
        ({"vector": [[1.0, None]]}, "has an empty component"),
    ],
)
def test_a_parquet_file_without_one_whole_vector_a_row_is_refused(
    tmp_path: Path, columns: dict[str, list[object]], said: str
) -> None:
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    with pytest.raises(DataError) as caught:
        read_vectors(tmp_path / "t.parquet")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("t.npy", b"\x93NUMPY\x01\x00", "no readable .npy"),
        ("t.npy", b"not numpy", "no readable .npy"),
        ("t.npz", b"PK\x03\x04broken", "no readable .npz"),
        ("t.parquet", b"PAR1 is not all", "no readable Parquet"),
        ("t.fvecs", b"\x02\x00\x00\x00", "does not fit records of 2"),
        ("t.fvecs", b"\xff\xff\xff\xff1234", "does not fit records of -1"),
        ("t.fvecs", b"\x01", "does not fit"),
        ("t.bvecs", counted(TABLE.astype(np.uint8)) + b"\x02\x00\x00\x00abc", "record 4 does not have 3 components"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_vectors(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ")
    assert said in str(caught.value)


def test_pickled_objects_are_never_loaded(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "t.npz", vectors=np.array([[{}]], dtype=object))
    for name in ("t.npy", "t.npz"):
        with pytest.raises(DataError):
            read_vectors(tmp_path / name)


def test_an_archive_that_unfolds_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_UNPACKED_BYTES", 100)
    with zipfile.ZipFile(tmp_path / "t.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("vectors.npy", b"\0" * 10_000)
    with pytest.raises(DataError, match="unfolds to more than 100"):
        read_vectors(tmp_path / "t.npz")


@pytest.mark.parametrize("table", [np.zeros(3), np.zeros((0, 2)), np.array([["a"]]), np.zeros((1, 1), dtype=complex)])
def test_what_is_no_table_of_numbers_is_refused(tmp_path: Path, table: np.ndarray) -> None:
    np.save(tmp_path / "t.npy", table)
    with pytest.raises(DataError, match="a table of numbers with one vector a row is needed"):
        read_vectors(tmp_path / "t.npy")


def test_an_unknown_suffix_and_a_missing_file_are_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"vectors are not read from '\.csv'"):
        read_vectors(tmp_path / "t.csv")
    with pytest.raises(UsageError, match="cannot read"):
        read_vectors(tmp_path / "t.npy")


def test_known_neighbours_are_whole_numbers(tmp_path: Path) -> None:
    (tmp_path / "t.ivecs").write_bytes(counted(TABLE.astype("<i4")))
    assert np.array_equal(read_neighbour_rows(tmp_path / "t.ivecs"), TABLE)
    np.save(tmp_path / "t.npy", TABLE)
    with pytest.raises(DataError, match="must be whole numbers"):
        read_neighbour_rows(tmp_path / "t.npy")


def test_labels_are_lines_or_an_array(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("\ufeffde\r\nen\n".encode())
    assert read_labels(tmp_path / "t.txt") == ["de", "en"]
    np.save(tmp_path / "t.npy", np.array([7, 3]))
    assert read_labels(tmp_path / "t.npy") == ["7", "3"]
    np.save(tmp_path / "u.npy", TABLE)
    (tmp_path / "u.txt").write_bytes(b"\xff\xfe\xfd")
    for name in ("u.npy", "u.txt"):
        with pytest.raises(DataError):
            read_labels(tmp_path / name)
