from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from beleg.adapters.formats.label_sets import (
    read_factscore,
    read_judgebench,
    read_llmbar,
    read_ragtruth,
    read_scifact,
)
from beleg.core.errors import DataError, UsageError


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


RAGTRUTH = {
    "id": "7",
    "query": "how?",
    "d1": "passage 1:So.\n\npassage 2:Or so, as in passage 1: yes.\n\n",
    "d2": "Like so. And more.",
    "model": "m",
    "labels": [{"start": 9, "end": 18, "text": "And more.", "label_type": "Evident Baseless Info"}],
}


def test_ragtruth_gives_passages_the_verdict_and_the_marked_ranges(tmp_path: Path) -> None:
    bad, good = read_ragtruth(lines(tmp_path / "r.jsonl", RAGTRUTH, RAGTRUTH | {"id": "8", "labels": []}))
    assert bad.passages == (("1", "So."), ("2", "Or so, as in passage 1: yes."))
    assert (bad.label, good.label) == ("not_supported", "supported")
    assert bad.answer[bad.marked[0].start : bad.marked[0].end] == "And more."


def scifact(folder: Path, claims: list[dict[str, Any]]) -> Path:
    abstract = {"_id": "5", "metadata": {"sentences": ["One.", "Two.", "Three."]}, "text": "", "title": "t"}
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(abstract))
    lines(folder / "claims_train.jsonl", *claims)
    lines(folder / "claims_dev.jsonl", {"id": 99, "claim": "d", "evidence": {}, "cited_doc_ids": [5]})
    return folder


def evidence(label: str, *sentences: int) -> dict[str, Any]:
    return {"5": [{"sentences": list(sentences), "label": label}]}


def test_scifact_tells_support_contradiction_and_silence_apart(tmp_path: Path) -> None:
    claims = [
        {"id": 1, "claim": "a", "evidence": evidence("SUPPORT", 1, 2), "cited_doc_ids": [5]},
        {"id": 2, "claim": "b", "evidence": evidence("CONTRADICT", 0), "cited_doc_ids": [5]},
    ]
    labels = read_scifact(scifact(tmp_path, claims))
    assert [label.segments["relation"] for label in labels] == ["support", "contradict", "no_evidence"]
    assert [label.label for label in labels] == ["supported", "not_supported", "not_supported"]
    first = labels[0]
    text = dict(first.passages)["5"]
    assert [text[reason.start : reason.end] for reason in first.rationales] == ["Two.", "Three."]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"evidence": evidence("SUPPORT", 9), "cited_doc_ids": [5]}, "a sentence that is named does not exist"),
        ({"evidence": {}, "cited_doc_ids": [6]}, "a cited abstract is not in the corpus"),
        ({"evidence": evidence("PERHAPS", 1), "cited_doc_ids": [5]}, "SUPPORT"),
    ],
)
def test_scifact_of_two_releases_is_refused(tmp_path: Path, claim: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_scifact(scifact(tmp_path, [{"id": 1, "claim": "a"} | claim]))


def test_factscore_gives_each_fact_with_the_text_it_was_judged_by(tmp_path: Path) -> None:
    row = {
        "knowledge": "<s>Ann  sings.</s><s>Ann acts.</s>",
        "generation": "Ann sings and flies.",
        "facts": [
            {"question": "q", "fact": "Ann sings.", "label": "entailment"},
            {"question": "q", "fact": "Ann flies.", "label": "contradiction"},
        ],
    }
    sings, flies = read_factscore(lines(tmp_path / "f.jsonl", row))
    assert sings.passages == (("knowledge", "Ann sings. Ann acts."),)
    assert (sings.label, flies.label) == ("supported", "not_supported")
    assert (sings.claim, sings.answer) == ("Ann sings.", "Ann sings and flies.")


def test_of_a_pair_the_better_one_passes(tmp_path: Path) -> None:
    (tmp_path / "Natural").mkdir()
    pair = {"input": "q", "output_1": "bad", "output_2": "good", "label": 2}
    (tmp_path / "Natural" / "dataset.json").write_text(json.dumps([pair]), encoding="utf-8")
    assert [(label.answer, label.label) for label in read_llmbar(tmp_path)] == [("bad", "fail"), ("good", "pass")]
    bench = {"pair_id": "p", "source": "s", "question": "q", "response_A": "x", "response_B": "y", "label": "A>B"}
    labels = read_judgebench(lines(tmp_path / "j.jsonl", bench))
    assert [(label.item_id, label.label) for label in labels] == [("p/1", "pass"), ("p/2", "fail")]


@pytest.mark.parametrize("content", ["{}", "[1]", '[{"input": "q"}]'])
def test_a_damaged_pair_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "Natural").mkdir()
    (tmp_path / "Natural" / "dataset.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError):
        read_llmbar(tmp_path)


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no"):
        read_llmbar(tmp_path)


@pytest.mark.shared_data
def test_the_real_sets_have_the_counts_that_their_authors_give(shared_data: Path) -> None:
    """Counts as in each SOURCE file: 829 answers, 1,598 facts, 419 and 200 pairs; SciFact 1,109 claims."""
    ragtruth = read_ragtruth(shared_data / "ragtruth" / "ragtruth_qa_test_829.jsonl")
    assert Counter(label.label for label in ragtruth) == {"supported": 669, "not_supported": 160}
    assert sum(len(label.marked) for label in ragtruth) == 235
    assert len(read_factscore(shared_data / "factscore" / "chatgpt_bios_60.jsonl")) == 1_598
    assert len(read_llmbar(shared_data / "llmbar")) == 2 * 419
    assert len(read_judgebench(shared_data / "judgebench" / "gpt4o_pairs_200_shortest.jsonl")) == 2 * 200
    scifact_labels = read_scifact(shared_data / "scifact")
    assert len({label.item_id.partition("/")[0] for label in scifact_labels}) == 809 + 300
