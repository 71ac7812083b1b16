"""``beleg ir eval``: formats, folders, passages and budgets, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.projects import beleg

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"
RUN = {"q1": {"d2#0": 3.0, "d1#4": 2.0, "d1#1": 1.0}, "q2": {"d2#7": 1.0}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "beir" / "qrels").mkdir(parents=True)
    (tmp_path / "beir" / "qrels" / "test.tsv").write_text(QRELS)
    (tmp_path / "beir" / "qrels" / "dev.tsv").write_text(QRELS.replace("q2", "q9"))
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    (tmp_path / "parents.tsv").write_text("".join(f"{p}\t{p[:2]}\n" for held in RUN.values() for p in held))
    (tmp_path / "parents.jsonl").write_text(
        "".join(json.dumps({"passage_id": p, "parent_id": p[:2]}) + "\n" for held in RUN.values() for p in held)
    )
    (tmp_path / "tokens.csv").write_text("doc_id,tokens\nd2#0,500\nd1#4,300\nd1#1,10\nd2#7,801\n")
    return tmp_path


def measured(folder: Path, *words: str, code: int = 0) -> dict[str, float]:
    done = beleg("ir", "eval", "beir", "run.json", *words, "--json", cwd=folder)
    assert done.code == code, done.err
    return dict(json.loads(done.out)["measures"])


@pytest.mark.parametrize(
    "parents", [("--parent-separator", "#"), ("--parents", "parents.tsv"), ("--parents", "parents.jsonl")]
)
def test_passages_are_folded_to_documents(folder: Path, parents: tuple[str, str]) -> None:
    assert measured(folder, "-m", "RR NumRet") == {"RR": 0.0, "NumRet": 4}
    assert measured(folder, "-m", "RR NumRet", "--fold-parents", "best", *parents) == {"RR": 0.75, "NumRet": 3}
    assert measured(folder, "-m", "RR", "--fold-parents", "sum", *parents) == {"RR": 0.75}
    done = beleg("ir", "eval", "beir", "run.json", "-m", "RR", "--fold-parents", "refuse", *parents, cwd=folder)
    assert done.code == 30
    assert "query 'q1'" in done.err


def test_a_budget_of_tokens_ends_the_lists_before_they_are_folded(folder: Path) -> None:
    fold = ("--fold-parents", "best", "--parent-separator", "#")
    budget = ("--tokens", "tokens.csv", "--budget-tokens")
    assert measured(folder, "-m", "NumRet R@5", *fold, *budget, "800") == {"NumRet": 2, "R@5": 0.5}
    assert measured(folder, "-m", "NumRet R@5", *fold, *budget, "799") == {"NumRet": 1, "R@5": 0.0}


def test_a_split_is_chosen(folder: Path) -> None:
    done = beleg("ir", "eval", "beir", "run.json", "-m", "NumQ", "--split", "dev", "--json", cwd=folder)
    assert json.loads(done.out)["counts"]["missing"] == 1


def test_the_next_step_repeats_what_was_asked(folder: Path) -> None:
    done = beleg("ir", "eval", "beir", "run.json", "-m", "RR", "--run-format", "json", "--split", "test", cwd=folder)
    assert done.code == 0
    assert "--run-format json --split test --per-query" in done.out + done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--run-format", "xml"), 2, "Known are trec, jsonl"),
        (("--fold-parents", "best"), 2, "--parent-separator"),
        (("--fold-parents", "worst", "--parent-separator", "#"), 2, "best, first, sum, refuse"),
        (("--parents", "parents.tsv"), 2, "--fold-parents"),
        (("--budget-tokens", "800"), 2, "--tokens FILE"),
        (("--budget-tokens", "0", "--tokens", "tokens.csv"), 2, "budget of tokens is 0"),
        (("--budget-tokens", "9", "--tokens", "absent.csv"), 2, "cannot read absent.csv"),
        (("--budget-tokens", "9", "--tokens", "parents.tsv"), 30, "parents.tsv:1"),
        (("--fold-parents", "best", "--parents", "short.tsv"), 30, "'d1#4'"),
        (("--fold-parents", "best", "--parents", "twice.tsv"), 30, "twice.tsv:2"),
        (("--fold-parents", "best", "--parents", "ragged.tsv"), 30, "3 cells"),
        (("--fold-parents", "best", "--parents", "empty.tsv"), 30, "empty"),
        (("--split", "train"), 2, "found dev, test"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (folder / "short.tsv").write_text("passage_id\tparent_id\nd2#0\td2\n")
    (folder / "twice.tsv").write_text("d2#0\td2\nd2#0\td3\n")
    (folder / "ragged.tsv").write_text("d2#0\td2\tx\n")
    (folder / "empty.tsv").write_text("")
    done = beleg("ir", "eval", "beir", "run.json", "-m", "RR", *words, cwd=folder)
    assert done.code == code, done.err
    assert said in done.err
