"""Labels go into a new copy of a suite; the suite they are about never changes, and nothing is taken over silently."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from beleg.app.suite_labels import add_label, apply_labels, labels_file, read_labels
from beleg.app.suite_tools import release_suite
from beleg.app.suites import load_suite
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.relevance_labels import RelevanceLabel, RelevanceVerdict, question_digest
from support.unjudged import PLACE, unjudged_project

AT = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return unjudged_project(tmp_path / "p")


def said(project: Path, *given: dict[str, Any]) -> Path:
    suite, path = load_suite(project / PLACE), labels_file(project, "shop")
    for each in given:
        case = next(case for case in suite.cases if case.case_id == each.get("case_id", "c1"))
        label = {
            "suite_name": "shop", "suite_digest": suite.digest, "case_id": case.case_id,
            "question_digest": question_digest(case), "document_id": "d-b", "passage_id": "b1",
            "verdict": RelevanceVerdict.PARTLY, "actor": "ada", "at": AT,
        }  # fmt: skip
        add_label(path, RelevanceLabel(**{**label, **each}))
    return path


def test_what_is_relevant_becomes_evidence_that_is_not_required(project: Path, tmp_path: Path) -> None:
    before = (project / "suite" / "cases.jsonl").read_bytes()
    labels = said(project, {}, {"passage_id": "e1", "document_id": "d-e", "quote": "Some words."})
    done = apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    assert (done.added, done.cases) == (2, 1)
    copy = load_suite(tmp_path / "copy" / "suite.yaml")
    kept, first, second = copy.cases[0].expected_passages
    assert kept == load_suite(project / PLACE).cases[0].expected_passages[0]
    assert (first.document_id, first.passage_id, first.grade, first.required) == ("d-b", "b1", 2, False)
    assert (second.document_id, second.passage_id, second.quote) == ("d-e", None, "Some words.")
    assert copy.cases[1] == load_suite(project / PLACE).cases[1]
    assert (project / "suite" / "cases.jsonl").read_bytes() == before


def test_the_last_word_of_a_person_counts_and_people_who_differ_are_left_out(project: Path, tmp_path: Path) -> None:
    labels = said(
        project,
        {"verdict": RelevanceVerdict.NOT_RELEVANT}, {"verdict": RelevanceVerdict.FULLY},
        {"passage_id": "e1", "verdict": RelevanceVerdict.FULLY},
        {"passage_id": "e1", "verdict": RelevanceVerdict.NOT_RELEVANT, "actor": "bob"},
        {"passage_id": "e2", "verdict": RelevanceVerdict.NOT_RELEVANT},
    )  # fmt: skip
    done = apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    assert (done.added, done.disputed, done.not_relevant) == (1, 1, 1)
    assert load_suite(tmp_path / "copy").cases[0].expected_passages[-1].grade == 3


def test_labels_of_another_question_are_counted_and_left_out(project: Path, tmp_path: Path) -> None:
    labels = said(project, {"question_digest": "sha256:other"}, {})
    done = apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    assert (done.added, done.stale) == (1, 1)


def test_applying_twice_adds_nothing_more(project: Path, tmp_path: Path) -> None:
    labels = said(project, {})
    apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    again = apply_labels(str(tmp_path / "copy"), labels, tmp_path / "copy-2")
    assert (again.added, again.named) == (0, 1)


def test_a_copy_of_a_released_suite_has_the_next_version_and_the_release_stays(project: Path, tmp_path: Path) -> None:
    release_suite(str(project / PLACE), tmp_path / "store", note="first")
    frozen = tmp_path / "store" / "shop" / "v1"
    before = {path.name: path.read_bytes() for path in frozen.iterdir()}
    apply_labels(str(frozen), said(project, {}), tmp_path / "copy")
    assert load_suite(tmp_path / "copy").header.version == 2
    assert {path.name: path.read_bytes() for path in frozen.iterdir()} == before


def test_a_folder_that_holds_anything_is_refused(project: Path, tmp_path: Path) -> None:
    labels = said(project, {})
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="holds something already"):
        apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    with pytest.raises(UsageError, match="holds something already"):
        apply_labels(str(project / PLACE), labels, project / "suite")


def test_labels_that_are_not_there_or_were_changed_are_told(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file of labels"):
        apply_labels(str(project / PLACE), tmp_path / "none.jsonl", tmp_path / "copy")
    labels = said(project, {}, {"passage_id": "e1"})
    labels.write_text(labels.read_text(encoding="utf-8").replace("ada", "eve", 1), encoding="utf-8")
    with pytest.raises(EvidenceError, match="damaged"):
        apply_labels(str(project / PLACE), labels, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "\u202eshop", "x" * 500, ".", "-"])
def test_no_name_of_a_suite_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    path = labels_file(tmp_path, name)
    assert path.resolve().parent == (tmp_path / ".beleg" / "workbench" / "labels").resolve()
    assert read_labels(path) == ()
    assert labels_file(tmp_path, name) != labels_file(tmp_path, f"{name} ")
