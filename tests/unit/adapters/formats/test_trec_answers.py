from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beleg.adapters.candidates.recorded import load_traces
from beleg.core.errors import DataError
from beleg.core.manifest import Manifest
from beleg.core.trace import Trace
from beleg.metrics.generation.cited_sentences import cited_answer

LINE: dict[str, Any] = {
    "metadata": {"team_id": "t", "run_id": "r", "narrative_id": "rag2026-37", "narrative": "Is it fair?"},
    "references": ["shard_1_1", "shard_2_2", "shard_3_3"],
    "answer": [
        {"text": "It brings 1.5 billion a year.", "citations": [0, 2]},
        {"text": "Drivers pay", "citations": []},
        {"text": "Riders gain.", "citations": [1]},
    ],
}


def read(folder: Path, *lines: dict[str, Any]) -> list[Trace]:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    traces = load_traces(path, manifest=Manifest(name="x"))
    found = [traces.trace(case_id) for case_id in traces.case_ids]
    return [trace for trace in found if trace is not None]


def test_an_answer_of_the_track_is_a_trace_whose_sentences_cite_what_they_did(tmp_path: Path) -> None:
    (trace,) = read(tmp_path, {**LINE, "texts": {"shard_1_1": "words"}})
    assert trace.case_id == "rag2026-37"
    assert trace.output is not None
    assert [passage.text for passage in trace.output.final_passages()] == ["words", None, None]
    found = cited_answer(trace.output)
    assert [(one.text, [c.passages[0].passage_id for c in one.citations]) for one in found.sentences] == [
        ("It brings 1.5 billion a year.", ["shard_1_1", "shard_3_3"]),
        ("Drivers pay", []),
        ("Riders gain.", ["shard_2_2"]),
    ]
    assert found.unresolvable == 0


def test_the_form_of_2024_names_its_topic_elsewhere(tmp_path: Path) -> None:
    old = {"run_id": "r", "topic_id": "2024-105741", "topic": "?", "response_length": 9}
    (trace,) = read(tmp_path, {**old, "references": LINE["references"], "answer": LINE["answer"]})
    assert trace.case_id == "2024-105741"


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"answer": [{"text": "A.", "citations": [3]}]}, "answer[0].citations", "no place in the 3 references"),
        ({"answer": [{"text": "A.", "citations": [-1]}]}, "answer[0].citations", "no place in the 3 references"),
        ({"references": []}, "answer[0].citations", "no place in the 0 references"),
        ({"answer": [{"text": "A.", "citations": [0, 0]}]}, "answer[0].citations", "stands twice"),
        ({"answer": [{"text": "A.", "citations": [0, 1, 2, 0]}]}, "answer[0].citations", "too many citations"),
        ({"answer": [{"text": "A.", "citations": ["0"]}]}, "answer[0].citations[0]", "a whole number is expected"),
        ({"answer": [{"text": "", "citations": [0]}]}, "answer[0].text", "at least 1 character"),
        ({"answer": [{"text": "A."}]}, "answer[0].citations", "missing"),
        ({"answer": [{"text": "A. " * 1_025, "citations": [0]}]}, "answer", "more than 1,024 words"),
        ({"references": ["a", "b", "c", "a"]}, "references[3]", "stands twice"),
        ({"metadata": {}}, "metadata.narrative_id", "names no topic"),
        ({"texts": {"other": "x"}}, "texts", "of no reference"),
    ],
)
def test_a_fault_is_named_with_file_line_and_field(
    tmp_path: Path, change: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read(tmp_path, {**LINE, "metadata": {"narrative_id": "first"}}, {**LINE, **change})
    said = str(raised.value)
    assert "answers.jsonl:2" in said
    assert field in said


def test_a_topic_that_is_answered_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="rag2026-37"):
        read(tmp_path, LINE, LINE)
