"""What is known of passages is read from two cells a line, or refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.adapters.formats.runs import pairs as module
from beleg.adapters.formats.runs.pairs import read_parents, read_tokens
from beleg.core.errors import DataError


@pytest.mark.parametrize(("name", "separator"), [("p.tsv", "\t"), ("p.csv", ",")])
def test_lines_that_end_with_carriage_returns_are_refused(tmp_path: Path, name: str, separator: str) -> None:
    path = tmp_path / name
    path.write_bytes(f"p1{separator}d1\rp2{separator}d2\r".encode())
    for read in (read_parents, read_tokens):
        with pytest.raises(DataError, match=rf"{name}:1: a carriage return stands inside the line"):
            read(path)


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_bytes(b"p1\t3\r\n\r\np2\t4\r\n")
    assert read_tokens(tmp_path / "p.tsv")[1].tolist() == [3, 4]


def test_an_id_may_be_longer_than_the_cells_of_the_csv_module(tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text("p1\t" + "d" * 200_000 + "\n")
    assert read_parents(tmp_path / "p.tsv")[1].length.tolist() == [200_000]


def test_a_line_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 100)
    (tmp_path / "p.tsv").write_text("p1\td1\np2\t" + "d" * 200 + "\n")
    with pytest.raises(DataError, match=r"p\.tsv:2: the line has more than 100 bytes"):
        read_parents(tmp_path / "p.tsv")
