from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beleg.adapters.formats.labels import read_label_rows
from beleg.core.errors import DataError

ROW = {"case_id": "c1", "answer": "Ja.", "passages": ["Es gilt."], "label": "supported"}


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_a_line_is_a_label(tmp_path: Path) -> None:
    row = ROW | {
        "question": "Gilt es?",
        "claim": "Es gilt.",
        "passages": [{"passage_id": "p7", "text": "Es gilt."}, "Mehr."],
        "annotator": "anna",
        "segments": {"language": "de"},
    }
    (label,) = read_label_rows(written(tmp_path, row))
    assert label.passages == (("p7", "Es gilt."), ("2", "Mehr."))
    assert (label.judged_text, label.annotator, label.segments) == ("Es gilt.", "anna", {"language": "de"})


def test_a_claim_alone_is_its_own_answer(tmp_path: Path) -> None:
    (label,) = read_label_rows(written(tmp_path, {"case_id": "c", "claim": "So.", "label": "fail"}))
    assert label.answer == "So."


def test_two_people_may_label_one_item_and_nobody_labels_it_twice(tmp_path: Path) -> None:
    two = written(tmp_path, ROW | {"annotator": "anna"}, ROW | {"annotator": "bert"})
    assert [label.annotator for label in read_label_rows(two)] == ["anna", "bert"]
    with pytest.raises(DataError, match="repeats the one on line 1"):
        read_label_rows(written(tmp_path, ROW, ROW))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "perhaps"}, "the word is not one of those allowed"),
        ({"answer": None}, "neither an answer nor a claim"),
        ({"verdict": "x"}, "there is no such field"),
        ({"case_id": ""}, "at least 1 character"),
        ({"passages": [{"text": "t"}]}, "passages"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    row = {name: value for name, value in (ROW | change).items() if value is not None}
    with pytest.raises(DataError, match=message) as caught:
        read_label_rows(written(tmp_path, ROW | {"case_id": "good"}, row))
    assert "labels.jsonl:2" in str(caught.value)


def test_a_line_may_hold_what_an_answer_is_compared_with(tmp_path: Path) -> None:
    nugget = {"nugget_id": "n1", "text": "It lasts two years."}
    row = ROW | {"reference_answer": "Two years.", "rubric": "Names the term.", "nuggets": [nugget]}
    (label,) = read_label_rows(written(tmp_path, row))
    assert (label.reference_answer, label.rubric) == ("Two years.", "Names the term.")
    assert [(one.nugget_id, one.vital) for one in label.nuggets] == [("n1", True)]
