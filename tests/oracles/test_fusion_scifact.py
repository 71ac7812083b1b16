"""Two lanes over SciFact, fused and reranked: the figures against pytrec_eval and plain loops over the same lists.

The lanes are BM25 over stems (bm25s) and tf-idf over character 4-grams. The corpus is cut to the judged documents and
every tenth other one, so that the lanes are made in seconds; nothing here is a figure about SciFact as a whole.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from beleg.app.ir.fusing import Judging, fuse_runs, measure_side_by_side
from beleg.app.ir.fusion_tuning import EQUAL, HELD_OUT, IN_SAMPLE, TuningSettings, tune_fusion
from beleg.app.ir.reading import Ranked, read_judgements, read_run
from beleg.app.ir.reranking import RerankerFacts, RerankTask, rerank_listwise, rerank_pointwise
from beleg.app.ir.uplift import UpliftRequest, rerank_uplift
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.fusion import Fusion
from beleg.reference.documents import Chunk
from beleg.reference.rerank import OverlapReranker
from beleg.reference.term_weights import TermWeights

pytestmark = [pytest.mark.shared_data, pytest.mark.slow]

DEPTH, RERANKED = 50, 20

Run = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Material:
    """The texts, the judgements, and where the lanes stand as files."""

    folder: Path
    queries: dict[str, str]
    passages: dict[str, str]
    judged: dict[str, dict[str, int]]
    lanes: dict[str, Run]

    def runs(self) -> list[Ranked]:
        return [read_run(self.folder / name) for name in self.lanes]


@pytest.fixture(scope="module")
def material(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Material:
    folder, source = tmp_path_factory.mktemp("scifact"), shared_data / "scifact"
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (source / "qrels" / "test.trec").read_text().splitlines():
        query, _, document, grade = line.split()
        judged[query][document] = int(grade)
    (folder / "qrels").write_bytes((source / "qrels" / "test.trec").read_bytes())
    needed = {document for grades in judged.values() for document in grades}
    with gzip.open(source / "corpus.jsonl.gz", "rt", encoding="utf-8") as corpus:
        documents = [json.loads(line) for line in corpus]
    passages = {
        each["_id"]: f"{each['title']} {each['text']}"
        for number, each in enumerate(documents)
        if number % 10 == 0 or each["_id"] in needed
    }
    rows = map(json.loads, (source / "queries.jsonl").read_text("utf-8").splitlines())
    queries = {each["_id"]: each["text"] for each in rows if each["_id"] in judged}
    lanes = {"bm25": bm25(queries, passages), "grams": grams(queries, passages)}
    for name, run in lanes.items():
        lines = (
            f"{query} Q0 {document} 0 {score!r} {name}\n"
            for query, scores in run.items()
            for document, score in scores.items()
        )
        (folder / name).write_text("".join(lines))
    return Material(folder, queries, passages, judged, lanes)


def bm25(queries: dict[str, str], passages: dict[str, str]) -> Run:
    import bm25s
    import Stemmer

    stemmer, names = Stemmer.Stemmer("english"), list(passages)
    index = bm25s.BM25()
    index.index(
        bm25s.tokenize(list(passages.values()), stopwords="en", stemmer=stemmer, show_progress=False),
        show_progress=False,
    )
    asked = bm25s.tokenize(list(queries.values()), stopwords="en", stemmer=stemmer, show_progress=False)
    found, scores = index.retrieve(asked, k=DEPTH, show_progress=False)
    return {
        query: {names[row]: float(score) for row, score in zip(rows, values, strict=True) if score > 0}
        for query, rows, values in zip(queries, found, scores, strict=True)
    }


def grams(queries: dict[str, str], passages: dict[str, str]) -> Run:
    names = list(passages)
    counted = [_grams(text) for text in passages.values()]
    spread = Counter(gram for counts in counted for gram in counts)
    weight = {gram: float(np.log(len(names) / number)) for gram, number in spread.items()}
    postings: dict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
    for row, counts in enumerate(counted):
        values = np.array([(1.0 + np.log(count)) * weight[gram] for gram, count in counts.items()])
        values /= np.linalg.norm(values)
        for gram, value in zip(counts, values.tolist(), strict=True):
            postings[gram][0].append(row)
            postings[gram][1].append(value)
    run: Run = {}
    for query, text in queries.items():
        score = np.zeros(len(names))
        for gram in _grams(text).keys() & postings.keys():
            rows, values_of = postings[gram]
            score[rows] += weight[gram] * np.array(values_of)
        run[query] = {names[row]: float(score[row]) for row in np.argsort(-score)[:DEPTH].tolist()}
    return run


def _grams(text: str) -> Counter[str]:
    words = " ".join(re.findall(r"\w+", text.lower()))
    return Counter(words[at : at + 4] for at in range(len(words) - 3))


def plain_rrf(lanes: Sequence[Run], k: int = 60) -> Run:
    """The few lines of the article, in exact order."""
    fused: Run = defaultdict(lambda: defaultdict(float))
    for run in lanes:
        for query, scores in run.items():
            for rank, (name, _) in enumerate(ranked(scores), start=1):
                fused[query][name] += 1 / (k + rank)
    return fused


def plain_convex(lanes: Sequence[Run], weights: Sequence[float]) -> Run:
    fused: Run = defaultdict(lambda: defaultdict(float))
    for run, weight in zip(lanes, weights, strict=True):
        for query, scores in run.items():
            low, high = min(scores.values()), max(scores.values())
            for name, score in scores.items():
                fused[query][name] += weight * ((score - low) / (high - low))
    return fused


def trec(judged: dict[str, dict[str, int]], run: Run, measure: str) -> dict[str, float]:
    """What trec_eval says of lists whose order no single precision can change."""
    safe = {q: {name: float(-rank) for rank, (name, _) in enumerate(ranked(scores))} for q, scores in run.items()}
    found = pytrec_eval.RelevanceEvaluator(judged, {measure}).evaluate(safe)
    return {query: values[measure.replace(".", "_")] for query, values in found.items()}


def top_ten(run: Run) -> Run:
    return {query: dict(ranked(scores)[:10]) for query, scores in run.items()}


def test_fused_figures_are_those_of_plain_loops_measured_by_trec_eval(material: Material) -> None:
    judging = Judging(qrels=material.folder / "qrels", measures=("nDCG@10", "R@50"))
    lanes = list(material.lanes.values())
    for fusion, expected in (
        (Fusion(), plain_rrf(lanes)),
        (Fusion(method="convex", weights=(0.7, 0.3)), plain_convex(lanes, (0.7, 0.3))),
    ):
        fused = fuse_runs(material.runs(), fusion, depth=1_000)
        report = measure_side_by_side(fused, judging).reports[-1]
        for row, measure in enumerate(("ndcg_cut.10", "recall.50")):
            ours = dict(zip(report.values.queries, report.values.values[row].tolist(), strict=True))
            assert ours == trec(material.judged, expected, measure)


def test_tuning_is_that_of_a_plain_loop_over_folds_and_weights(material: Material) -> None:
    judging = Judging(qrels=material.folder / "qrels", measures=("nDCG@10",))
    settings = TuningSettings(folds=4, seed=3, parts=4)
    tuned = tune_fusion(material.runs(), Fusion(method="convex"), judging, settings, depth=1_000)
    grid = [(step / 4, 1 - step / 4) for step in range(5)]
    lanes = list(material.lanes.values())
    measured = {weights: trec(material.judged, plain_convex(lanes, weights), "ndcg_cut.10") for weights in grid[1:-1]}
    # A lane of weight 0 takes no part, so that the ends are the other lane itself.
    measured[grid[0]], measured[grid[-1]] = (trec(material.judged, lane, "ndcg_cut.10") for lane in reversed(lanes))
    queries = sorted(material.judged)
    held_out: dict[str, float] = {}
    for choice in tuned.tuned.choices:
        inside = {query for query, is_in in zip(queries, choice.held_out.tolist(), strict=True) if is_in}
        means = {w: np.mean([measured[w][query] for query in queries if query not in inside]) for w in grid}
        assert means[choice.weights] == pytest.approx(max(means.values()), abs=1e-12)
        held_out |= {query: measured[choice.weights][query] for query in inside}
    assert tuned.means()[HELD_OUT][0] == pytest.approx(np.mean([held_out[query] for query in queries]), abs=1e-12)
    assert tuned.means()[IN_SAMPLE][0] == pytest.approx(
        max(np.mean(list(v.values())) for v in measured.values()), abs=1e-12
    )
    assert tuned.means()[IN_SAMPLE][0] >= max(tuned.means()[HELD_OUT][0], tuned.means()[EQUAL][0])


def test_reranking_both_ways_on_identical_candidates(material: Material) -> None:
    reranker = OverlapReranker(TermWeights(list(material.passages.values()), ["en"] * len(material.passages)), "en")

    def score(query: str, passages: Sequence[str]) -> Sequence[float]:
        chunks = [Chunk(passage_id=str(at), document_id="", context="", body=text) for at, text in enumerate(passages)]
        return asyncio.run(reranker.scores(query, chunks))

    def order(query: str, passages: Sequence[str]) -> Sequence[int]:
        scores = score(query, passages)
        return sorted(range(len(passages)), key=lambda at: -scores[at])

    first = read_run(material.folder / "bm25").table
    task = RerankTask(first_stage=first, queries=material.queries, passages=material.passages, depth=RERANKED)
    facts = RerankerFacts(model="overlap", hardware="the machine of the tests", batch_size=RERANKED)
    ticks = itertools.count()
    found = rerank_pointwise(task, score, facts, clock=lambda: next(ticks) * 0.004)
    listwise = rerank_listwise(task, order, facts)
    assert not found.failures
    assert not listwise.failures
    record = found.write(material.folder / "reranked", tag="overlap")
    listwise_record = listwise.write(material.folder / "listwise", tag="overlap")
    one, other = rerank_uplift(
        UpliftRequest(
            qrels=material.folder / "qrels", first_stage=material.folder / "bm25",
            reranked=(material.folder / "reranked", material.folder / "listwise"), records=(record, listwise_record),
        )
    )  # fmt: skip
    assert one.candidates.identical == one.candidates.queries == len(material.judged)
    assert [each["ms"] for each in one.latency()] == pytest.approx([4.0, 4.0, 4.0])
    cut = {query: dict(ranked(scores)[:RERANKED]) for query, scores in material.lanes["bm25"].items()}
    table = found.table
    after: Run = defaultdict(dict)
    for row, number in enumerate(table.query().tolist()):
        after[table.queries[number]][table.documents[row].decode()] = float(table.value[row])
    for gain, measure in zip(one.gains, ("ndcg_cut.10", "recip_rank", "P.1"), strict=True):
        runs = [top_ten(run) if gain.measure == "RR@10" else run for run in (cut, after)]
        expected = [trec(material.judged, run, measure) for run in runs]
        assert (gain.before, gain.after) == pytest.approx(
            [np.mean(list(each.values())) for each in expected], abs=1e-12
        )
    available = sum(name in cut[query] for query, grades in material.judged.items() for name in grades)
    assert (one.moves.available, one.moves.relevant) == (available, sum(map(len, material.judged.values())))
    # Both modes rank alike save for ties, which stand by id in one and by the first stage in the other.
    assert [gain.after for gain in other.gains] == pytest.approx([gain.after for gain in one.gains], abs=0.02)
    assert read_judgements(material.folder / "qrels").table.queries
