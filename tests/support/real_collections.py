"""Real collections as run files: a BM25 run of a library over each, and the judgements beside it."""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path

import bm25s
import numpy as np

DEPTH = 1_000

Texts = dict[str, str]


def scifact(folder: Path) -> tuple[Texts, Texts]:
    """Abstracts and claims; queries without judgement are left out by the judgements themselves."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        documents = {row["_id"]: f"{row['title']}\n{row['text']}" for row in map(json.loads, stream)}
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    return documents, {row["_id"]: row["text"] for row in map(json.loads, lines)}


def cranfield(folder: Path) -> tuple[Texts, Texts]:
    """Abstracts and questions, the questions numbered as the judgements number them."""
    documents = {
        name: html.unescape(text)
        for name, text in re.findall(
            r"<docno>(\d+)</docno>.*?<text>(.*?)</text>", (folder / "cran.all.1400.xml").read_text("utf-8"), re.DOTALL
        )
    }
    titles = re.findall(r"<title>(.*?)</title>", (folder / "cran.qry.xml").read_text("utf-8"), re.DOTALL)
    return documents, {str(number): html.unescape(text) for number, text in enumerate(titles, start=1)}


def bm25_run(documents: Texts, questions: Texts) -> dict[str, dict[str, float]]:
    """The top of every question by BM25, with the scores of the library, which are in single precision."""
    names = list(documents)
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(documents.values()), show_progress=False), show_progress=False)
    asked = bm25s.tokenize(list(questions.values()), show_progress=False)
    depth = min(DEPTH, len(names))
    rows, scores = index.retrieve(asked, k=depth, show_progress=False)
    return {
        question: {names[row]: float(score) for row, score in zip(found, values, strict=True) if score > 0}
        for question, found, values in zip(
            questions, np.asarray(rows).tolist(), np.asarray(scores).tolist(), strict=True
        )
    }


def write_run(path: Path, run: Mapping[str, Mapping[str, float]]) -> Path:
    """Writes a run in the format of TREC."""
    lines = (f"{query} Q0 {name} 0 {score!r} real\n" for query, scores in run.items() for name, score in scores.items())
    path.write_text("".join(lines), encoding="utf-8")
    return path
