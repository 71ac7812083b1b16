from __future__ import annotations

import json
from pathlib import Path

import pytest

from beleg.app.labelled import read_labelled
from beleg.core.errors import DataError, UsageError

ROW = {"case_id": "c1", "answer": "Ja.", "label": "pass", "annotator": "anna"}


def test_a_plain_path_is_a_file_of_our_own(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(ROW), encoding="utf-8")
    read = read_labelled(str(path))
    assert (len(read), read.annotators, read.source) == (1, ("anna",), str(path))
    again = read_labelled(str(path))
    assert read.digest == again.digest


def test_a_known_name_before_a_colon_picks_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    fact = {"question": "q", "fact": "f", "label": "entailment"}
    path.write_text(json.dumps({"knowledge": "k", "generation": "g", "facts": [fact]}), encoding="utf-8")
    assert read_labelled(f"factscore:{path}").labels[0].claim == "f"


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_labelled(f"ragtruth:{tmp_path / 'none.jsonl'}")


def test_a_source_without_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(DataError, match="there is no label"):
        read_labelled(str(path))
