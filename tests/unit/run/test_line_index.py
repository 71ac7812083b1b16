from __future__ import annotations

from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.trace import Trace, TraceStatus
from beleg.run.journal import TRACES
from beleg.run.line_index import LineIndex, LinePlace, record_at


def trace(case_id: str, attempts: int = 1) -> Trace:
    return Trace(case_id=case_id, status=TraceStatus.OK, attempts=attempts)


def written(path: Path, *traces: Trace, tail: bytes = b"") -> Path:
    path.write_bytes(b"".join(TRACES.encode(each) for each in traces) + tail)
    return path


def index(path: Path, **options: object) -> LineIndex[str, Trace]:
    return LineIndex.of(path, TRACES, lambda found: found.case_id, **options)  # type: ignore[arg-type]


def test_any_record_is_read_by_its_key(tmp_path: Path) -> None:
    made = index(written(tmp_path / "t", trace("ä"), trace("b"), trace("c")))
    with made.opened() as lines:
        assert [found.case_id for name in ("c", "ä", "b") if (found := lines.get(name))] == ["c", "ä", "b"]
        assert lines.get("d") is None


def test_of_several_with_one_key_the_last_counts_or_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t", trace("a"), trace("a", attempts=2))
    with index(path).opened() as lines:
        found = lines.get("a")
        assert found is not None
        assert found.attempts == 2
    with pytest.raises(EvidenceError, match="a stands twice"):
        index(path, told_twice=lambda found: f"{found.case_id} stands twice")


def test_a_cut_last_line_was_never_finished(tmp_path: Path) -> None:
    path = written(tmp_path / "t", trace("a"), tail=TRACES.encode(trace("b"))[:-9])
    assert list(index(path).places) == ["a"]


def test_a_damaged_line_is_refused_when_indexed_and_when_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t", trace("a"), trace("b"))
    made = index(path)
    path.write_bytes(path.read_bytes().replace(b'"a"', b'"x"'))
    with made.opened() as lines, pytest.raises(EvidenceError, match=r"t:1: the journal is damaged"):
        lines.get("a")
    with pytest.raises(EvidenceError, match="damaged"):
        index(path)


def test_where_there_is_no_file_there_is_nothing(tmp_path: Path) -> None:
    with index(tmp_path / "none").opened() as lines:
        assert lines.get("a") is None


def test_one_record_is_read_by_its_place_and_checked_again(tmp_path: Path) -> None:
    path = written(tmp_path / "t", trace("a"), trace("b"))
    place = index(path).places["b"]
    assert record_at(path, TRACES, place).case_id == "b"
    for wrong in (LinePlace(2, place.start + 1, place.length), LinePlace(2, place.start, place.length - 1)):
        with pytest.raises(EvidenceError, match="damaged"):
            record_at(path, TRACES, wrong)
    path.write_bytes(path.read_bytes().replace(b'"b"', b'"c"'))
    with pytest.raises(EvidenceError, match=":2: the journal is damaged"):
        record_at(path, TRACES, place)
    path.unlink()
    with pytest.raises(EvidenceError, match="missing"):
        record_at(path, TRACES, place)
