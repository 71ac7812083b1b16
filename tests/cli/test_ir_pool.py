"""``beleg ir pool`` and ``beleg ir judgements``: from runs to labels to a new version, and what stops on the way."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.projects import Done, beleg, write_lines

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
FIRST = "q1 Q0 a 1 3 one\nq1 Q0 x 2 2 one\nq2 Q0 c 1 3 one\n"
SECOND = "q1 Q0 y 1 3 two\nq1 Q0 a 2 2 two\nq2 Q0 c 1 3 two\nq9 Q0 z 1 1 two\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("v1.qrels", QRELS), ("one.run", FIRST), ("two.run", SECOND)):
        (tmp_path / name).write_text(text)
    return tmp_path


def pool(folder: Path, *words: str) -> Done:
    return beleg("ir", "pool", "v1.qrels", "one.run", "two.run", *words, cwd=folder)


def test_the_first_line_says_whether_the_difference_may_be_read(folder: Path) -> None:
    done = pool(folder, "-m", "P@2")
    assert done.code == 0
    assert done.lines[0] == "Do not read yet: unjudged documents can flip P@2 of two.run against one.run."
    assert "Pool to depth 20: 2 of 4 documents are judged, 2 are to label." in done.out
    assert "1 queries have no judgement: no figure counts them, left out" in done.out
    assert done.lines[-1] == "Next: beleg ir pool v1.qrels one.run two.run --out pool.jsonl"


def test_json_has_the_range_of_every_figure(folder: Path) -> None:
    found = pool(folder, "-m", "P@2", "--json").json
    assert [(each["value"], each["lowest"], each["highest"]) for each in found["runs"]] == [
        (0.5, 0.5, 0.75),
        (0.5, 0.5, 0.75),
    ]
    assert found["runs"][1]["difference"] == {"value": 0.0, "lowest": -0.25, "highest": 0.25, "can_flip": True}
    assert found["runs"][0]["judged_share"] == 0.75
    assert [(line["query_id"], line["doc_id"], line["movement"]) for line in found["unjudged"]] == [
        ("q1", "y", 0.5),
        ("q1", "x", 0.5),
    ]


def test_a_difference_that_no_label_can_flip_is_said_to_stand(folder: Path) -> None:
    (folder / "two.run").write_text("q1 Q0 b 1 3 two\nq2 Q0 c 1 3 two\n")
    (folder / "one.run").write_text("q1 Q0 a 1 3 one\nq1 Q0 x 2 2 one\nq2 Q0 c 1 3 one\n")
    assert pool(folder, "-m", "P@2").lines[0] == (
        "No missing judgement of the pool can flip a difference of P@2 against one.run."
    )


def test_documents_below_the_cutoff_that_it_lists_itself_can_flip_recall(folder: Path) -> None:
    (folder / "v1.qrels").write_text("q1 0 d 1\nq1 0 e 0\nq2 0 a 1\nq2 0 x 0\nq2 0 y 1\n")
    (folder / "one.run").write_text(
        "q1 Q0 e 1 5 one\nq1 Q0 u 2 4 one\nq1 Q0 v 3 3 one\nq1 Q0 w 4 2 one\nq2 Q0 a 1 2 one\n"
    )
    (folder / "two.run").write_text("q1 Q0 d 1 2 two\nq1 Q0 u 2 1 two\nq2 Q0 x 1 2 two\n")
    done = pool(folder, "-m", "R@1")
    assert done.lines[0] == "Do not read yet: unjudged documents can flip R@1 of two.run against one.run."
    difference = pool(folder, "-m", "R@1", "--json").json["runs"][1]["difference"]
    assert (difference["lowest"], difference["highest"]) == (-0.125, 0.25)
    # With the first rank alone pooled, everything is judged.
    assert pool(folder, "-m", "R@1", "--depth", "1").lines[0] == (
        "Every document above the cutoff of R@1 is judged: the differences stand."
    )


def test_from_pool_to_labels_to_a_new_version(folder: Path) -> None:
    assert pool(folder, "-m", "P@2", "--out", "pool.jsonl").code == 0
    rows = [json.loads(line) for line in (folder / "pool.jsonl").read_text().splitlines()]
    assert [row["grade"] for row in rows] == [None, None]
    rows[0]["grade"] = 1
    write_lines(folder / "labelled.jsonl", rows)
    done = beleg(
        "ir", "judgements", "merge", "v1.qrels", "labelled.jsonl", "--out", "v2.qrels", "--by", "ana",
        "--on", "2026-11-30", cwd=folder,
    )  # fmt: skip
    assert done.lines[0] == "Version 2: 4 judgements, 1 added, 0 changed, 0 confirmed, 1 lines without a grade."
    assert (folder / "v2.qrels").read_text() == "q1 0 a 1\nq1 0 b 0\nq1 0 y 1\nq2 0 c 2\n"
    manifest = json.loads((folder / "v2.qrels.manifest.json").read_text())
    assert (manifest["version"], manifest["by"], manifest["on"]) == (2, "ana", "2026-11-30")
    again = beleg("ir", "judgements", "merge", "v2.qrels", "labelled.jsonl", "--out", "v3.qrels", "--json", cwd=folder)
    assert (again.json["version"], again.json["parent_digest"]) == (3, manifest["digest"])
    diff = beleg("ir", "judgements", "diff", "v1.qrels", "v2.qrels", "one.run", "two.run", "-m", "P@2", cwd=folder)
    assert diff.lines[0] == "1 judgements added, 0 removed, 0 of 3 shared ones have another grade."
    assert re.search(r"two\.run +0\.5000 +0\.7500 +\+0\.2500", diff.out)


def test_a_filled_in_file_is_never_overwritten(folder: Path) -> None:
    (folder / "pool.jsonl").write_text('{"query_id": "q1", "doc_id": "x", "grade": 2}\n')
    done = pool(folder, "--out", "pool.jsonl")
    assert (done.code, done.out) == (2, "")
    assert "pool.jsonl is there already" in done.err


@pytest.mark.parametrize(("policy", "grade"), [("new", "0"), ("max", "1")])
def test_a_conflict_is_settled_as_it_was_asked(folder: Path, policy: str, grade: str) -> None:
    write_lines(folder / "labelled.jsonl", [{"query_id": "q1", "doc_id": "a", "grade": 0}])
    words = ("ir", "judgements", "merge", "v1.qrels", "labelled.jsonl", "--out", "v2.qrels")
    refused = beleg(*words, cwd=folder)
    assert refused.code == 30
    assert "query 'q1', document 'a' is labelled differently (found labelled 0, known as 1)" in refused.err
    assert not (folder / "v2.qrels").exists()
    done = beleg(*words, "--on-conflict", policy, cwd=folder)
    assert f"1 pairs were labelled differently; settled by --on-conflict {policy}." in done.out
    assert f"q1 0 a {grade}\n" in (folder / "v2.qrels").read_text()


def test_a_merge_that_was_cut_off_between_its_files_is_called_again(folder: Path) -> None:
    write_lines(folder / "labelled.jsonl", [{"query_id": "q1", "doc_id": "x", "grade": 1}])
    words = ("ir", "judgements", "merge", "v1.qrels", "labelled.jsonl", "--out", "v2.qrels")
    assert beleg(*words, cwd=folder).code == 0
    (folder / "v2.qrels.manifest.json").unlink()
    assert beleg(*words, cwd=folder).code == 0
    assert (folder / "v2.qrels.manifest.json").exists()


def test_a_version_that_was_edited_by_hand_is_refused(folder: Path) -> None:
    write_lines(folder / "labelled.jsonl", [{"query_id": "q1", "doc_id": "x", "grade": 1}])
    beleg("ir", "judgements", "merge", "v1.qrels", "labelled.jsonl", "--out", "v2.qrels", cwd=folder)
    (folder / "v2.qrels").write_text((folder / "v2.qrels").read_text().replace("q1 0 x 1", "q1 0 x 2"))
    done = beleg("ir", "judgements", "merge", "v2.qrels", "labelled.jsonl", "--out", "v3.qrels", cwd=folder)
    assert done.code == 30
    assert "changed after they were merged" in done.err


def test_a_new_collection_begins_with_none(folder: Path) -> None:
    done = beleg("ir", "pool", "none", "one.run", "two.run", "--out", "pool.jsonl", cwd=folder)
    assert done.lines[0] == "5 documents of 3 queries are to label."
    rows = [json.loads(line) | {"grade": 1} for line in (folder / "pool.jsonl").read_text().splitlines()]
    write_lines(folder / "labelled.jsonl", rows)
    assert (
        beleg("ir", "judgements", "merge", "none", "labelled.jsonl", "--out", "v1", "--json", cwd=folder).json[
            "version"
        ]
        == 1
    )


def test_a_sample_says_with_what_chance_each_line_was_drawn(folder: Path) -> None:
    (folder / "one.run").write_text("".join(f"q1 Q0 d{n} 0 {100 - n} one\n" for n in range(40)))
    found = pool(folder, "--sample", "5:1 40:0.2", "--show", "99", "--json").json
    assert sorted({line["probability"] for line in found["unjudged"]}) == [0.2, 1.0]
    assert found == pool(folder, "--sample", "5:1,40:0.2", "--show", "99", "--json").json


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("pool", "v1.qrels", "one.run", "--sample", "20"), 2, "is no stratum"),
        (("pool", "v1.qrels", "one.run", "--sample", "20:.5 10:1"), 30, "must go down in depth"),
        (("pool", "v1.qrels", "one.run", "--order", "luck"), 2, "no order 'luck'"),
        (("pool", "v1.qrels", "one.run", "-m", "AP"), 2, "not known for AP"),
        (("pool", "v1.qrels", "one.run", "-m", "P"), 2, "several measures"),
        (("pool", "v1.qrels", "absent"), 2, "cannot read absent"),
        (("pool", "v1.qrels", "one.run", "--depth", "1" + "0" * 20), 2, "at most rank 10,000,000"),
        (("pool", "v1.qrels", "one.run", "-m", "P@2", "--max-grade", "nan"), 2, "must be a finite number"),
        (("pool", "v1.qrels", "one.run", "--max-grade", "inf"), 2, "must be a finite number"),
        (("pool", "v1.qrels", "one.run", "--max-grade", "1e12"), 2, "at most 1,000 for nDCG"),
        (("pool", "v1.qrels", "one.run", "--out", "-"), 2, "not to the standard output"),
        (("judgements", "merge", "v1.qrels", "good.jsonl", "--out", "-"), 2, "not to the standard output"),
        (("judgements", "merge", "none", "marked.jsonl", "--out", "v2"), 30, "marked.jsonl:1: field 'query_id'"),
        (("judgements", "diff", "v1.qrels", "v1.qrels", "one.run", "-m", "RunId"), 2, "RunId is a text"),
        (("pool", "v1.qrels", "one.run", "--out", "no/pool.jsonl"), 2, "cannot write"),
        (("judgements", "merge", "v1.qrels", "unlabelled.jsonl", "--out", "v2"), 30, "no line has a grade"),
        (("judgements", "merge", "v1.qrels", "spaced.jsonl", "--out", "v2"), 30, "spaced.jsonl:1: field 'doc_id'"),
        (("judgements", "merge", "v1.qrels", "good.jsonl", "--out", "v1.qrels"), 2, "v1.qrels is there already"),
        (("judgements", "merge", "v1.qrels", "good.jsonl", "--out", "v2", "--on-conflict", "o"), 2, "no policy 'o'"),
        (("judgements", "diff", "v1.qrels", "absent"), 2, "cannot read absent"),
        (("judgements", "diff", "v1.qrels", "v1.qrels", "one.run", "-m", "P@2 RelString@5"), 2, "is a text"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    write_lines(folder / "unlabelled.jsonl", [{"query_id": "q1", "doc_id": "x", "grade": None}])
    write_lines(folder / "spaced.jsonl", [{"query_id": "q1", "doc_id": "x 1", "grade": 1}])
    write_lines(folder / "good.jsonl", [{"query_id": "q1", "doc_id": "x", "grade": 1}])
    write_lines(folder / "marked.jsonl", [{"query_id": "\ufeffq1", "doc_id": "x", "grade": 1}])
    before = sorted(folder.iterdir())
    done = beleg("ir", *words, cwd=folder)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert sorted(folder.iterdir()) == before


def test_a_run_that_shares_no_query_is_refused(folder: Path) -> None:
    (folder / "two.run").write_text("Q1 Q0 a 1 3 two\n")
    done = pool(folder)
    assert (done.code, "two.run: no query of the run is judged" in done.err) == (30, True)
    assert pool(folder, "--all-queries").code == 0


def test_ids_that_no_json_can_hold_are_refused(folder: Path) -> None:
    (folder / "one.run").write_bytes(b"q1 Q0 \xff 1 3 one\n")
    done = pool(folder)
    assert (done.code, done.out) == (30, "")
    assert "the id of a document is not UTF-8" in done.err


def test_ids_cannot_drive_the_terminal(folder: Path) -> None:
    (folder / "one.run").write_text("q1 Q0 \x1b[31mred\u202e 1 3 one\n")
    done = pool(folder)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_two_raters_are_compared_with_their_table(folder: Path) -> None:
    (folder / "v2.qrels").write_text("q1 0 a 1\nq1 0 b 1\nq2 0 c 2\n")
    done = beleg("ir", "judgements", "diff", "v1.qrels", "v2.qrels", cwd=folder)
    assert "Agreement on 3 shared pairs" in done.out
    assert re.search(r"Cohen's kappa +0\.500 +none: too few queries", done.out)
    found = beleg("ir", "judgements", "diff", "v1.qrels", "v2.qrels", "--json", cwd=folder).json
    assert found["changed"] == [{"query_id": "q1", "doc_id": "b", "old": 0.0, "new": 1.0}]
    assert found["agreement"]["counts"] == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert found["agreement"]["relevant"] == {
        "old": 2 / 3,
        "new": 1.0,
        "follows_relevant": {"value": 1.0},
        "follows_irrelevant": {"value": 0.0},
    }


def test_a_version_without_an_irrelevant_pair_says_nothing_of_them(folder: Path) -> None:
    (folder / "v2.qrels").write_text("q1 0 a 1\nq1 0 b 1\nq2 0 c 2\n")
    done = beleg("ir", "judgements", "diff", "v2.qrels", "v1.qrels", cwd=folder)
    assert re.search(r"of the old irrelevant, so in new +none +the old version has no irrelevant pair", done.out)


@pytest.mark.parametrize("words", [("pool",), ("judgements", "merge"), ("judgements", "diff")], ids=" ".join)
def test_the_help_shows_an_example(folder: Path, words: tuple[str, ...]) -> None:
    done = beleg("ir", *words, "--help", cwd=folder)
    assert f"Example: beleg ir {' '.join(words)}" in re.sub(r"\s+", " ", done.out)
