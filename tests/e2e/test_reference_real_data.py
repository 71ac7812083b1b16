"""The reference RAG on real data: what its lanes find, and that BM25 matches the figure published for it."""

from __future__ import annotations

import asyncio
import gzip
import json
import math
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from beleg.core.trace import Passage, Query
from beleg.reference.documents import Document
from beleg.reference.language import Language
from beleg.reference.settings import ReferenceSettings, read_settings
from beleg.reference.system import ReferenceRag, build_reference_rag

pytestmark = [pytest.mark.slow, pytest.mark.shared_data]

OPEN = {"tenant": "shared", "entitlement": "public", "status": "published"}
DENSE_OFF = {"dense": {"enabled": False}}
DENSE_ONLY = {"bm25": {"enabled": False}}


def report(figures: str) -> None:
    sys.stdout.write(f"{figures}\n")


def configured(lanes: dict[str, object]) -> ReferenceSettings:
    # One passage a document: nothing is longer than this.
    return read_settings(
        {
            "corpus": {"path": "unused", "format": "beir"},
            "chunker": {"kind": "recursive", "size_tokens": 4_000},
            "lanes": lanes,
            "retrieved": 10,
        }
    )


async def retrieved(rag: ReferenceRag, questions: dict[str, str], language: Language) -> dict[str, list[Passage]]:
    found = {}
    for name, text in questions.items():
        output = await rag.answer(Query(case_id=name, text=text, language=language, retrieve_only=True))
        found[name] = list(output.retrieved)
    return found


def ndcg_at_10(ranking: Sequence[str], grades: dict[str, int]) -> float:
    gained = sum(grades.get(name, 0) / math.log2(rank + 1) for rank, name in enumerate(ranking[:10], start=1))
    ideal = sorted(grades.values(), reverse=True)[:10]
    return gained / sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ideal, start=1))


class SciFact:
    """5,183 abstracts, 300 claims and 339 judgements."""

    def __init__(self, folder: Path) -> None:
        with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
            rows = [json.loads(line) for line in stream]
        self.documents = [
            Document.of_text(row["_id"], f"{row['title']}\n{row['text']}", locale="en-GB", **OPEN) for row in rows
        ]
        queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
        self.qrels: dict[str, dict[str, int]] = {}
        for line in (folder / "qrels" / "test.trec").read_text("utf-8").splitlines():
            query, _, document, grade = line.split()
            self.qrels.setdefault(query, {})[document] = int(grade)
        self.questions = {row["_id"]: row["text"] for row in queries if row["_id"] in self.qrels}

    def measured(self, lanes: dict[str, object]) -> tuple[float, float]:
        async def run() -> dict[str, list[Passage]]:
            rag = await build_reference_rag("scifact", self.documents, configured(lanes))
            found = await retrieved(rag, self.questions, "en")
            await rag.close()
            return found

        found = asyncio.run(run())
        ndcg, recall = [], []
        for query, grades in self.qrels.items():
            ranking = [passage.document_id for passage in found[query]]
            ndcg.append(ndcg_at_10(ranking, grades))
            recall.append(len(grades.keys() & set(ranking)) / len(grades))
        return float(np.mean(ndcg)), float(np.mean(recall))


@pytest.fixture(scope="module")
def scifact(shared_data: Path) -> SciFact:
    return SciFact(shared_data / "scifact")


def test_plain_bm25_matches_the_published_figure_on_scifact(scifact: SciFact) -> None:
    ndcg, recall = scifact.measured({"bm25": {"stemming": False, "stopwords": False}, **DENSE_OFF})
    report(f"SciFact, BM25 without stemming and stop words: nDCG@10 {ndcg:.4f}, Recall@10 {recall:.4f}")
    assert ndcg == pytest.approx(0.665, abs=0.02)
    assert recall == pytest.approx(0.788, abs=0.02)


def test_stemmed_bm25_is_better_still_on_scifact(scifact: SciFact) -> None:
    ndcg, recall = scifact.measured(DENSE_OFF)
    report(f"SciFact, BM25 as configured by default: nDCG@10 {ndcg:.4f}, Recall@10 {recall:.4f}")
    assert ndcg >= 0.665
    assert recall >= 0.788


def test_lsa_fits_scifact_in_time_and_memory(scifact: SciFact) -> None:
    started = time.process_time()
    ndcg, recall = scifact.measured(DENSE_ONLY)
    seconds = time.process_time() - started
    peak_gb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    report(f"SciFact, LSA: nDCG@10 {ndcg:.4f}, Recall@10 {recall:.4f}, {seconds:.0f} CPU s, peak {peak_gb:.2f} GB")
    assert ndcg >= 0.45
    assert peak_gb < 3


@pytest.mark.parametrize(
    ("language", "lanes", "least"),
    [
        ("en", DENSE_OFF, 0.86),
        ("de", DENSE_OFF, 0.84),
        ("en", DENSE_ONLY, 0.86),
        ("de", DENSE_ONLY, 0.86),
        ("en", {}, 0.88),
        ("de", {}, 0.88),
    ],
    ids=["bm25-en", "bm25-de", "lsa-en", "lsa-de", "hybrid-en", "hybrid-de"],
)
def test_the_right_paragraph_comes_first_on_xquad(
    shared_data: Path, language: Language, lanes: dict[str, object], least: float
) -> None:
    data = json.loads((shared_data / "xquad" / f"xquad.{language}.json").read_text("utf-8"))["data"]
    paragraphs = [paragraph for article in data for paragraph in article["paragraphs"]]
    documents = [
        Document.of_text(f"p{number}", paragraph["context"], locale=language, **OPEN)
        for number, paragraph in enumerate(paragraphs)
    ]
    right = {qa["id"]: f"p{number}" for number, paragraph in enumerate(paragraphs) for qa in paragraph["qas"]}
    questions = {qa["id"]: qa["question"] for paragraph in paragraphs for qa in paragraph["qas"]}

    async def run() -> dict[str, list[Passage]]:
        rag = await build_reference_rag("xquad", documents, configured(lanes))
        return await retrieved(rag, questions, language)

    found = asyncio.run(run())
    first = np.mean([bool(found[name]) and found[name][0].document_id == right[name] for name in questions])
    report(f"XQuAD {language}, {sorted(lanes) or 'hybrid'}: right paragraph first {first:.4f}")
    assert first >= least
