"""Recorded traces as a candidate."""

from __future__ import annotations

import asyncio
from pathlib import Path

import duckdb
import pytest

from beleg.adapters.candidates.outputs import CandidateTimeout
from beleg.adapters.candidates.recorded import RecordedTraces, load_traces
from beleg.core.errors import CandidateError, DataError, InvalidOutput, UsageError
from beleg.core.manifest import Manifest
from beleg.core.trace import Query

MANIFEST = Manifest(name="recorded")


def _load(folder: Path, *lines: str) -> RecordedTraces:
    path = folder / "traces.jsonl"
    path.write_text("\n".join(lines))
    return load_traces(path, manifest=MANIFEST)


def _answer(traces: RecordedTraces, case_id: str, repeat: int = 0) -> str | None:
    return asyncio.run(traces.answer(Query(case_id=case_id, text="q", repeat=repeat))).answer


def test_flat_and_nested_rows_say_the_same(tmp_path: Path) -> None:
    traces = _load(
        tmp_path, '{"case_id": "a", "answer": "x"}', '{"case_id": "b", "output": {"answer": "x"}, "total_ms": 5}'
    )
    assert _answer(traces, "a") == _answer(traces, "b") == "x"
    recorded = traces.trace("b")
    assert recorded is not None
    assert recorded.total_ms == 5


def test_each_repetition_gets_its_own_trace(tmp_path: Path) -> None:
    traces = _load(tmp_path, '{"case_id": "a", "answer": "x"}', '{"case_id": "a", "repeat": 1, "answer": "y"}')
    assert (_answer(traces, "a", 0), _answer(traces, "a", 1)) == ("x", "y")


def test_a_case_without_trace_is_a_fault_of_its_own_kind(tmp_path: Path) -> None:
    traces = _load(tmp_path, '{"case_id": "a", "answer": "x"}')
    for case_id, repeat in (("b", 0), ("a", 1)):
        with pytest.raises(CandidateError, match="no trace was recorded") as raised:
            _answer(traces, case_id, repeat)
        assert raised.value.kind == "no_trace"


def test_traces_of_unknown_cases_are_listed(tmp_path: Path) -> None:
    traces = _load(tmp_path, *(f'{{"case_id": "{case_id}", "answer": "x"}}' for case_id in ("a", "b", "z")))
    assert traces.unknown_cases(["a", "q"]) == ("b", "z")


def test_recorded_failures_fail_again_in_their_own_way(tmp_path: Path) -> None:
    traces = _load(
        tmp_path,
        '{"case_id": "e", "error": {"kind": "quota", "message": "no tokens left"}}',
        '{"case_id": "t", "status": "timeout", "error": "gave up"}',
        '{"case_id": "i", "status": "invalid", "error": "no JSON"}',
    )
    with pytest.raises(CandidateError, match="no tokens left") as raised:
        _answer(traces, "e")
    assert raised.value.kind == "quota"
    with pytest.raises(CandidateTimeout, match="gave up"):
        _answer(traces, "t")
    with pytest.raises(InvalidOutput, match="no JSON"):
        _answer(traces, "i")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{"case_id": "b"}', "neither an output nor an error"),
        ('{"case_id": "b", "answer": "x", "output": {"answer": "y"}}', "output and fields beside it"),
        ('{"case_id": "b", "anwser": "x"}', "Did you mean 'answer'"),
        ('{"answer": "x"}', "field 'case_id': the field is missing"),
        ('{"case_id": "a", "answer": "again"}', "repeats the one on line 1"),
    ],
)
def test_a_row_that_is_no_trace_spoils_the_file(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(DataError, match=words) as raised:
        _load(tmp_path, '{"case_id": "a", "answer": "x"}', row)
    assert [problem.line for problem in raised.value.problems] == [2]


def test_parquet_rows_may_be_nested_or_hold_json(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = (
        "SELECT 'a' AS case_id, 'x' AS answer, [{'passage_id': 'p', 'document_id': 'd', 'score': 0.5::DOUBLE}] AS "
        "retrieved UNION ALL SELECT 'b', NULL, []"
    )
    duckdb.connect(":memory:").execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
    traces = load_traces(path, manifest=MANIFEST)
    recorded = traces.trace("a")
    assert recorded is not None
    assert recorded.output is not None
    assert recorded.output.retrieved[0].score == 0.5
    assert _answer(traces, "b") is None
    duckdb.connect(":memory:").execute(
        f"""COPY (SELECT 'a' AS case_id, '{{"answer": "x"}}' AS output) TO '{path}' (FORMAT parquet)"""
    )
    assert _answer(load_traces(path, manifest=MANIFEST), "a") == "x"


def test_csv_is_no_format_for_traces(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="CSV"):
        load_traces(tmp_path / "t.csv", manifest=MANIFEST)
