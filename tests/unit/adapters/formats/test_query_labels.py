"""Labels of queries are read whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.adapters.formats.query_labels import read_query_labels
from beleg.core.errors import DataError, UsageError


def test_lines_of_query_and_label(tmp_path: Path) -> None:
    path = tmp_path / "groups"
    path.write_bytes("\ufeffq1\ttopic a\r\n\nq2 b\n  q3\tc  \n".encode())
    assert read_query_labels(path) == {"q1": "topic a", "q2": "b", "q3": "c"}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("q1\ta\nq2\n", 2, "a query and its label"),
        ("q1\ta\tb\n", 1, "a query and its label"),
        ("q1\ta\nq1\ta\n", 2, "the query stands twice"),
        ("q1\t\udce4\n", 1, "not valid UTF-8"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = tmp_path / "groups"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match=f"groups:{line}: .*{said}"):
        read_query_labels(path)


def test_an_absent_or_empty_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_query_labels(tmp_path / "absent")
    (tmp_path / "empty").write_text("")
    with pytest.raises(DataError, match="empty"):
        read_query_labels(tmp_path / "empty")
