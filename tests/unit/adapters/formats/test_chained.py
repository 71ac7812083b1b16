"""A record only grows, one writer after the other, and a change of what stands there shows."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from beleg.adapters.formats.chained import append_chained, read_chained
from beleg.core.errors import DataError, Error, EvidenceError, UsageError


def test_entries_follow_each_other(tmp_path: Path) -> None:
    path = tmp_path / "record"
    assert append_chained(path, lambda _: {"n": 1}) == []
    assert [entry["n"] for entry in append_chained(path, lambda before: {"n": len(before) + 1})] == [1]
    append_chained(path, lambda _: None)
    assert [entry["n"] for entry in read_chained(path)] == [1, 2]


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "record"
    writers = [
        threading.Thread(target=append_chained, args=(path, lambda before: {"n": len(before)})) for _ in range(12)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [entry["n"] for entry in read_chained(path)] == list(range(12))


@pytest.mark.parametrize(
    "edit", [lambda t: t.replace('"n":0', '"n":9'), lambda t: "\n".join(t.splitlines()[1:]) + "\n"]
)
def test_an_edited_or_missing_line_is_refused(tmp_path: Path, edit: object) -> None:
    path = tmp_path / "record"
    for _ in range(3):
        append_chained(path, lambda before: {"n": len(before)})
    path.write_text(edit(path.read_text()))  # type: ignore[operator]
    with pytest.raises(EvidenceError, match="the record was changed"):
        append_chained(path, lambda _: {"n": 9})


def test_a_failed_entry_leaves_the_record(tmp_path: Path) -> None:
    path = tmp_path / "record"
    append_chained(path, lambda _: {"n": 0})
    with pytest.raises(DataError):
        append_chained(path, lambda _: {"n": float("nan")})
    assert [entry["n"] for entry in read_chained(path)] == [0]


@pytest.mark.parametrize("text", ["no json\n", "[]\n", ""])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record"
    path.write_text(text)
    with pytest.raises(Error):
        read_chained(path)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        append_chained(tmp_path / "absent" / "record", lambda _: {})
