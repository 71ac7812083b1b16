"""A file of z-scores is read as it was written, or refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.ir.zscores import read_z_scores
from beleg.core.errors import DataError


def written(folder: Path, data: bytes) -> Path:
    path = folder / "z"
    path.write_bytes(data)
    return path


def test_numbers_are_read_as_in_other_files(tmp_path: Path) -> None:
    found = read_z_scores(written(tmp_path, b"# a comment\nq map 1e-05 .5\r\n\nq P_5\t-12.25 0"))
    assert found.known == {("q", "map"): (0.00001, 0.5), ("q", "P_5"): (-12.25, 0.0)}


def test_a_byte_order_mark_belongs_to_no_query(tmp_path: Path) -> None:
    assert read_z_scores(written(tmp_path, b"\xef\xbb\xbfq map 0.5 1\n")).known == {("q", "map"): (0.5, 1.0)}


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\u0085", "\u3000"])
def test_spaces_and_breaks_beyond_ascii_belong_to_the_id(tmp_path: Path, space: str) -> None:
    data = f"a{space}b map 0.5 1\nq map 0.25 1\n".encode()
    assert list(read_z_scores(written(tmp_path, data)).known) == [(f"a{space}b", "map"), ("q", "map")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"q map 0.75 1", "stand twice"),
        (b"p map 0.5", "no z-score"),
        (b"p map 0.5 -1", "no z-score"),
        (b"p map nan 1", "no z-score"),
        (b"p map inf 1", "no z-score"),
        (b"p map 0.5 1e999", "no z-score"),
        (b"p map 1_0 1", "no z-score"),
        (b"p map \xd9\xa1 1", "no z-score"),
        (b"\xff map 0.5 1", "not valid UTF-8"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: bytes, words: str) -> None:
    with pytest.raises(DataError, match=rf"z:2: .*{words}"):
        read_z_scores(written(tmp_path, b"q map 0.5 1\n" + line + b"\n"))
