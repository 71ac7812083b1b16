"""Whole columns are read as they were written, absent cells included."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.formats.parquet import read_columns, write_parquet
from beleg.core.errors import DataError


def test_columns_come_back_with_their_absent_cells(tmp_path: Path) -> None:
    path = tmp_path / "a[1].parquet"
    write_parquet(path, {"name": ["x", None, "z"], "n": np.ma.masked_array([1, 2, 3], [False, True, False])})
    found = read_columns(path, ["n", "name"])
    assert found["name"].tolist() == ["x", None, "z"]
    assert found["n"].tolist() == [1, None, 3]


@pytest.mark.parametrize("names", [["nobody"], ['x" FROM range(3) --']])
def test_a_column_that_there_is_not_is_refused(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path, {"name": ["x"]})
    with pytest.raises(DataError, match="no readable Parquet"):
        read_columns(path, names)
