from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from beleg.adapters.formats.groups import read_groups
from beleg.core.errors import DataError, UsageError


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def test_two_columns_with_all_that_windows_adds(tmp_path: Path) -> None:
    path = written(tmp_path, "groups.tsv", "\ufeffq1\tFlüge und Bahn\r\n\r\nq2\tb\r\n")
    assert read_groups(path) == {"q1": "Flüge und Bahn", "q2": "b"}


def test_json_lines_plain_and_packed(tmp_path: Path) -> None:
    text = '{"query_id": "q1", "group": "a"}\n{"query_id": "q2", "group": "a", "more": 1}\n'
    packed = tmp_path / "groups.jsonl.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_groups(written(tmp_path, "groups.jsonl", text)) == read_groups(packed) == {"q1": "a", "q2": "a"}


def test_every_faulty_line_is_named_and_nothing_is_used(tmp_path: Path) -> None:
    path = written(tmp_path, "groups.tsv", "q1\ta\nq2 b\nq3\t\nq1\tc\nq4\ta\tb\n")
    with pytest.raises(DataError) as caught:
        read_groups(path)
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4, 5]
    assert "separated by a tab; there are 1" in str(caught.value)
    assert "has a group already" in str(caught.value)


def test_a_row_without_texts_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "groups.jsonl", '{"query_id": 7, "group": "a"}\n{"query_id": "q"}\n')
    with pytest.raises(DataError) as caught:
        read_groups(path)
    assert [problem.field for problem in caught.value.problems] == ["query_id", "group"]


def test_broken_bytes_and_endless_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "groups.tsv"
    path.write_bytes(b"q\xff\ta\nq2\t" + b"x" * 2000 + b"\n")
    with pytest.raises(DataError) as caught:
        read_groups(path)
    assert [problem.line for problem in caught.value.problems] == [1, 2]


def test_a_file_without_any_group_and_an_absent_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no query has a group"):
        read_groups(written(tmp_path, "groups.tsv", "\n\n"))
    with pytest.raises(UsageError, match="cannot read"):
        read_groups(tmp_path / "absent.tsv")
