"""BEIR folders and SQuAD files as documents and cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from beleg.adapters.formats.beir import read_beir_cases, read_beir_corpus
from beleg.adapters.formats.squad import read_squad
from beleg.core.case import ExpectedBehaviour, ExpectedPassage
from beleg.core.errors import DataError, UsageError

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data"


def _shared(name: str) -> Path:
    if not (SHARED / name).exists():
        pytest.skip(f"the shared data set {name} is not here")
    return SHARED / name


@pytest.mark.shared_data
def test_scifact_has_its_published_size() -> None:
    folder = _shared("scifact")
    cases = read_beir_cases(folder, language="en")
    assert sum(1 for _ in read_beir_corpus(folder)) == 5_183
    assert len(cases) == 300
    assert sum(len(case.expected_passages) for case in cases) == 339


@pytest.mark.shared_data
def test_xquad_has_its_published_size_and_the_same_ids_in_both_languages() -> None:
    folder = _shared("xquad")
    german, english = (read_squad(folder / f"xquad.{language}.json", language=language) for language in ("de", "en"))
    assert (len(german.documents), len(german.cases)) == (240, 1_190)
    assert [case.case_id for case in german.cases] == [case.case_id for case in english.cases]
    assert [document.document_id for document in german.documents] == [d.document_id for d in english.documents]
    texts = {document.document_id: document.text for document in german.documents}
    for case in german.cases:
        for expected in case.expected_passages:
            assert expected.document_id is not None
            assert expected.quote is not None
            assert expected.quote in texts[expected.document_id]


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "T", "text": "body", "metadata": {"year": 2020, "authors": ["x"]}}\n'
        '{"_id": "d2", "title": "", "text": "body"}\n'
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "a"}\n{"_id": "q2", "text": "b", "metadata": {}}\n{"_id": "q3", "text": "c"}\n'
    )
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq2\td1\t0\n")
    return tmp_path


class TestBeir:
    def test_grades_become_expected_documents_and_grade_0_none(self, beir: Path) -> None:
        cases = read_beir_cases(beir, language="en")
        assert [(case.case_id, case.language) for case in cases] == [("q1", "en")]
        assert cases[0].expected_passages == (
            ExpectedPassage(document_id="d1", grade=2),
            ExpectedPassage(document_id="d2", grade=1),
        )

    def test_queries_without_relevant_documents_are_there_when_asked_for(self, beir: Path) -> None:
        assert [case.case_id for case in read_beir_cases(beir, with_unjudged=True)] == ["q1", "q2", "q3"]

    def test_documents_keep_title_and_single_valued_metadata(self, beir: Path) -> None:
        first, second = read_beir_corpus(beir)
        assert (first.text, first.metadata) == ("T\n\nbody", {"year": 2020, "title": "T"})
        assert (second.text, second.metadata) == ("body", {})

    @pytest.mark.parametrize(
        ("rows", "line", "words"),
        [
            ("q1\td1\t1\n", 1, "header is missing"),
            ("query-id\tcorpus-id\tscore\nq1\td1\n", 2, "2 cells"),
            ("query-id\tcorpus-id\tscore\nq1\td1\t1.5\n", 2, "score"),
            ("query-id\tcorpus-id\tscore\nq1\td1\t-1\n", 2, "score"),
            ("query-id\tcorpus-id\tscore\nq1\td1\t11\n", 2, "0 to 10"),
            ("query-id\tcorpus-id\tscore\nq1\t\t1\n", 2, "empty"),
            ("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\t2\n", 3, "line 2"),
            ("query-id\tcorpus-id\tscore\nq9\td1\t1\n", None, "q9"),
        ],
    )
    def test_judgements_that_cannot_be_used_are_refused(
        self, beir: Path, rows: str, line: int | None, words: str
    ) -> None:
        (beir / "qrels" / "test.tsv").write_text(rows)
        with pytest.raises(DataError, match=words) as raised:
            read_beir_cases(beir)
        assert raised.value.problems[0].line == line

    def test_repeated_documents_are_refused(self, beir: Path) -> None:
        (beir / "corpus.jsonl").write_text('{"_id": "d", "text": "a"}\n{"_id": "d", "text": "b"}\n')
        with pytest.raises(DataError, match="line 1"):
            list(read_beir_corpus(beir))

    def test_the_split_must_be_clear(self, beir: Path) -> None:
        (beir / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq3\td1\t1\n")
        with pytest.raises(UsageError, match="dev, test"):
            read_beir_cases(beir)
        assert [case.case_id for case in read_beir_cases(beir, split="dev")] == ["q3"]

    def test_a_folder_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="corpus"):
            list(read_beir_corpus(tmp_path))


def _squad(path: Path, change: Callable[[dict[str, object]], None] = lambda qa: None) -> Path:
    qa: dict[str, object] = {
        "id": "q1",
        "question": "Wann?",
        "answers": [{"text": "1989", "answer_start": 3}, {"text": "Im Jahr", "answer_start": 8}],
    }
    change(qa)
    article = {"title": "T", "paragraphs": [{"context": "Am 1989 Im Jahr", "qas": [qa]}]}
    path.write_text(json.dumps({"version": "1.1", "data": [article]}))
    return path


class TestSquad:
    def test_a_question_expects_its_paragraph_and_any_of_its_answers(self, tmp_path: Path) -> None:
        read = read_squad(_squad(tmp_path / "s.json"), language="de")
        (case,) = read.cases
        assert (read.documents[0].document_id, case.source_group, case.language) == ("T#0", "T", "de")
        assert case.accepted_answers == ("1989", "Im Jahr")
        assert [(e.quote, e.any_of) for e in case.expected_passages] == [("1989", "answer"), ("Im Jahr", "answer")]

    def test_a_question_without_answer_expects_an_abstention(self, tmp_path: Path) -> None:
        read = read_squad(_squad(tmp_path / "s.json", lambda qa: qa.update(answers=[], is_impossible=True)))
        assert read.cases[0].expected_behaviour is ExpectedBehaviour.ABSTAIN
        assert read.cases[0].expected_passages == ()

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"answers": [{"text": "1989", "answer_start": 4}]}, r"qas\[0\].answers\[0\].*answer_start"),
            ({"answers": [{"text": "1989", "answer_start": "3"}]}, "Write 3 instead of '3'"),
            ({"qestion": "x"}, "Did you mean 'question'"),
        ],
    )
    def test_what_cannot_be_used_is_refused_by_field(
        self, tmp_path: Path, change: dict[str, object], words: str
    ) -> None:
        with pytest.raises(DataError, match=words):
            read_squad(_squad(tmp_path / "s.json", lambda qa: qa.update(change)))
