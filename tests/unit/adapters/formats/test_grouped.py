"""Judgements in groups: every line is read, left out on purpose, or refused."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from beleg.adapters.formats import grouped as module
from beleg.adapters.formats.grouped import read_grouped
from beleg.core.errors import DataError, UsageError


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "judged"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_four_fields_hold_a_group_and_five_a_subgroup_too(tmp_path: Path) -> None:
    found = read_grouped(written(tmp_path, "q1 g1 d1 1\nq1\tg2  d1 0\r\n\n# a comment\nq2 g1 d2 2.5"), "groups")
    assert found.queries == ["q1", "q2"]
    assert (found.query, found.group, found.subgroup) == ([0, 0, 1], [0, 1, 0], [0, 0, 0])
    assert (found.document, found.grade) == (["d1", "d1", "d2"], [1.0, 0.0, 2.5])
    five = read_grouped(written(tmp_path, "q 0 0 d 1\nq 0 1 d -1\n"), "preferences")
    assert (five.group, five.subgroup, five.grade) == ([0, 0], [0, 1], [1.0, -1.0])


def test_a_name_that_begins_with_a_number_sign_is_no_comment(tmp_path: Path) -> None:
    assert read_grouped(written(tmp_path, "#q 0 d 1\n# 0 d 1\n"), "groups").queries == ["#q"]


def test_archives_standard_input_and_byte_order_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / "judged.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbfq 0 d 1\n"))
    assert read_grouped(packed, "groups").queries == ["q"]
    packed.write_bytes(b"\x1f\x8bbroken")
    with pytest.raises(DataError, match="damaged"):
        read_grouped(packed, "groups")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"q 0 d 1\n")))
    assert read_grouped(Path("-"), "groups").file == "standard input"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("q 0 d", "has 3 fields"), ("q 0 d 1 x", "has 5 fields"), ("q 0 d nan", "number is expected"),
        ("q 0 d 0,5", "number is expected"), ("q 0 d inf", "number is expected"), ("q 0 d 1e999", "number is expected"),
        ("q 0 a 3", "stands twice"),
    ],
)  # fmt: skip
def test_a_faulty_line_is_named_and_left_out_only_where_asked(tmp_path: Path, line: str, words: str) -> None:
    path = written(tmp_path, f"q 0 a 1\n{line}\n")
    with pytest.raises(DataError, match=rf"judged:2: .*{words}"):
        read_grouped(path, "groups")
    found = read_grouped(path, "groups", lenient=True)
    assert found.document == ["a"]
    assert sum(found.dropped.values()) == 1


@pytest.mark.parametrize(
    ("line", "words", "reason"),
    [
        (b"q\xff 0 d 1", "not valid UTF-8", "encoding"),
        (b"q 0 d\xff 1", "not valid UTF-8", "encoding"),
        (b"q 0 " + b"d" * 65_536 + b" 1", "more than 65,536 bytes", "too long"),
        (b"q 0 " + b"d " * 40_000, "more than 65,536 bytes", "too long"),
        (b"q 0 d", "has 3 fields", "fields"),
        (b"q 0 d x", "number is expected", "number"),
    ],
)
def test_every_fault_has_its_reason(tmp_path: Path, line: bytes, words: str, reason: str) -> None:
    path = written(tmp_path, b"q 0 a 1\n" + line + b"\nq 0 b 1\n")
    with pytest.raises(DataError, match=rf"judged:2: .*{words}"):
        read_grouped(path, "groups")
    found = read_grouped(path, "groups", lenient=True)
    assert (found.document, found.dropped) == (["a", "b"], {reason: 1})


def test_grades_are_numbers_as_in_other_files(tmp_path: Path) -> None:
    text = "".join(
        f"q 0 d{at} {each}\n" for at, each in enumerate(["1e0", "25E-1", "+.5", "2.", "0.1234567890123456789"])
    )
    assert read_grouped(written(tmp_path, text), "groups").grade == [1.0, 2.5, 0.5, 2.0, 0.12345678901234568]


def test_a_file_of_the_other_shape_is_told_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, "q 0 d 1\n" * 9)
    with pytest.raises(DataError, match="--judgements qrels_prefs") as caught:
        read_grouped(path, "preferences")
    assert len(caught.value.problems) == 1
    with pytest.raises(DataError, match="--judgements prefs"):
        read_grouped(written(tmp_path, "q 0 0 d 1\n"), "groups")


def test_what_is_no_file_of_judgements_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_grouped(tmp_path / "absent", "groups")
    with pytest.raises(DataError, match="no line that can be read"):
        read_grouped(written(tmp_path, "\n"), "groups")
    with pytest.raises(DataError, match="not valid UTF-8"):
        read_grouped(written(tmp_path, b"\xff 0 d 1\n"), "groups")
    with pytest.raises(DataError) as caught:
        read_grouped(written(tmp_path, "bad\n" * 500), "groups")
    assert len(str(caught.value)) < 10_000
    monkeypatch.setattr(module, "MAX_ROW_FILE_BYTES", 3)
    with pytest.raises(DataError, match="more than the 3 bytes"):
        read_grouped(written(tmp_path, "q 0 d 1\n"), "groups")
