"""Seeded inputs: the same arguments give the same suites, traces and evaluations on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from beleg.core.case import Case, ExpectedPassage
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader, RunSettings
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.suite import Suite, SuiteHeader
from beleg.core.trace import Citation, Output, Passage, Trace, TraceStatus, Usage
from beleg.metrics.catalogue import parse_metric

WORDS = (
    "Lieferung", "Rechnung", "Konto", "Artikel", "Frist", "Garantie", "Rückgabe", "Versand", "Zahlung", "Filiale",
    "return", "order", "invoice", "warranty", "stock", "account", "delivery", "payment", "store", "deadline",
)  # fmt: skip
CASES_PER_SOURCE = 4
FAILED_SHARE = 0.005

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def cases(n: int, *, segments: int = 1) -> tuple[Case, ...]:
    """Cases in as many topics as asked for; four cases share a source."""
    return tuple(
        Case(
            case_id=f"case-{number:06d}",
            user_input=f"What about {WORDS[number % len(WORDS)]} number {number}?",
            expected_passages=(
                ExpectedPassage(document_id=f"doc-{number // CASES_PER_SOURCE:06d}", quote=f"Answer {number}."),
            ),
            language="de" if number % 2 else "en",
            segments={"topic": f"t{number % segments:02d}"},
            source_group=f"s{number // CASES_PER_SOURCE}",
        )
        for number in range(n)
    )


def suite(n: int) -> Suite:
    """A suite of such cases."""
    return Suite(header=SuiteHeader(name="bench"), cases=cases(n))


def passage_pool(n: int, *, words: int, seed: int) -> list[Passage]:
    """Passages of made-up words, as an index would return them."""
    rng = np.random.default_rng(seed)
    picked = rng.integers(0, len(WORDS), (n, words))
    numbers = rng.integers(0, 1_000, (n, words))
    return [
        Passage(
            passage_id=f"p-{number:06d}",
            document_id=f"d-{number // 4:06d}",
            text=" ".join(f"{WORDS[word]}{tail}" for word, tail in zip(picked[number], numbers[number], strict=True)),
        )
        for number in range(n)
    ]


def traces(given: Sequence[Case], pool: Sequence[Passage], *, passages: int, seed: int) -> dict[str, tuple[Trace, ...]]:
    """One trace for each case: the passage with the answer among others of a pool, and an answer that cites it."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[Trace, ...]] = {}
    for number, case in enumerate(given):
        others = rng.choice(len(pool), passages - 1, replace=False)
        expected = case.expected_passages[0]
        gold = Passage(
            passage_id=f"{expected.document_id}-{number}",
            document_id=str(expected.document_id),
            text=f"{pool[others[0]].text} {expected.quote}",
        )
        ranked = [pool[place] for place in others]
        ranked.insert(int(rng.integers(0, passages)), gold)
        output = Output(
            retrieved=tuple(
                passage.model_copy(update={"score": 1.0 - 0.01 * rank}) for rank, passage in enumerate(ranked)
            ),
            answer=f"{expected.quote} [1]",
            citations=(Citation(marker="1", passage_id=gold.passage_id),),
            stage_ms={"retrieve": 40.0, "generate": 600.0},
            usage=Usage(prompt_tokens=800, completion_tokens=60, cost_usd=0.001),
        )
        trace = Trace(case_id=case.case_id, status=TraceStatus.OK, output=output, total_ms=float(rng.gamma(9, 80)))
        found[case.case_id] = (trace,)
    return found


def evaluation(name: str, given: Sequence[Case], metrics: Sequence[str], *, shift: float, seed: int) -> Evaluation:
    """A scored run. Runs of one seed share the difficulty of their cases; ``shift`` moves the scores of this one."""
    shared = np.random.default_rng(seed)
    own = np.random.default_rng([seed, *name.encode()])
    return Evaluation(
        header=header(name, given),
        cases=tuple(given),
        row_case=np.arange(len(given), dtype=np.intp),
        scores={metric: _column(metric, len(given), shift, shared, own) for metric in metrics},
        metric_versions={metric: parse_metric(metric).spec.version for metric in metrics},
    )


def _column(metric: str, n: int, shift: float, shared: np.random.Generator, own: np.random.Generator) -> ScoreColumn:
    kind = parse_metric(metric).spec.kind
    level = shared.beta(8, 2, n)
    if kind == "binary":
        values = (shared.random(n) < np.clip(0.9 + np.where(own.random(n) < 0.1, shift, 0.0), 0, 1)).astype(float)
    elif kind == "graded":
        values = np.clip(np.round(level + np.where(own.random(n) < 0.3, shift + own.normal(0, 0.05, n), 0.0), 3), 0, 1)
    else:
        values = np.round(shared.gamma(9, 80, n) * (1.0 - shift) + own.normal(0, 5, n).clip(-20, 20), 3).clip(0)
    failed = own.random(n) < FAILED_SHARE
    return ScoreColumn.from_scores(
        Score.without(ScoreStatus.TIMEOUT) if out else Score.of(value)
        for out, value in zip(failed.tolist(), values.tolist(), strict=True)
    )


def header(name: str, given: Sequence[Case]) -> RunHeader:
    """The header of a run over these cases."""
    manifest = Manifest(name=name, top_k=10)
    return RunHeader(
        run_id=f"run-{name}",
        created_at=datetime(2026, 11, 30, tzinfo=UTC),
        manifest=manifest,
        manifest_digest=manifest.digest,
        suite_name="bench",
        suite_version=1,
        suite_digest=f"sha256:{'0' * 64}",
        case_ids=tuple(case.case_id for case in given),
        settings=RunSettings(),
        beleg_version="0",
        python_version="3",
    )


def retrieval_run(queries: int, depth: int, *, seed: int) -> tuple[Run, Qrels]:
    """Ranked lists with graded judgements, half of which were found.

    Scores fall by 1/128, which float32 holds exactly, so that trec_eval sees the same order.
    """
    rng = np.random.default_rng(seed)
    run: Run = {}
    qrels: Qrels = {}
    for number in range(queries):
        pool = rng.choice(10 * depth, depth, replace=False).tolist()
        run[f"q{number}"] = {f"d{name}": (2 * depth - rank) / 128 for rank, name in enumerate(pool)}
        found = rng.choice(pool, min(4, depth), replace=False).tolist()
        missed = rng.integers(10 * depth, 11 * depth, 4).tolist()
        grades = rng.integers(1, 4, len(found) + len(missed)).tolist()
        qrels[f"q{number}"] = dict(zip([f"d{name}" for name in (*found, *missed)], grades, strict=True))
    return run, qrels


def retrieval_rows(run: Run, qrels: Qrels) -> tuple[list[Case], list[Trace]]:
    """The same run as cases and traces."""
    given, attempts = [], []
    for query, grades in qrels.items():
        expected = tuple(ExpectedPassage(document_id=name, grade=grade) for name, grade in grades.items())
        given.append(Case(case_id=query, user_input=query, expected_passages=expected))
        listed = tuple(
            Passage(passage_id=name, document_id=name, score=score)
            for name, score in sorted(run[query].items(), key=lambda pair: -pair[1])
        )
        attempts.append(Trace(case_id=query, status=TraceStatus.OK, output=Output(retrieved=listed), total_ms=1.0))
    return given, attempts
