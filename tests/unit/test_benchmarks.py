"""Every benchmark runs at a tiny size, so that none has rotted when somebody wants a figure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
NAMES = sorted(path.stem for path in BENCHMARKS.glob("bench_*.py"))
EXPECTED = {
    "bench_answers": ("calibration error", "BERTScore"),
    "bench_context": ("context precision by ids", "context recall by text, sentences inside passages"),
    "bench_pack": ("written, one run", "verified, candidate and baseline"),
    "bench_startup": ("import beleg", "beleg --help", "beleg ir eval of 2 queries, wall"),
    "bench_calibration": ("worst coverage, square-and-add", "PASS error under noise"),
    "bench_citations": ("citations, alce, CPU time", "nuggets, weighted, CPU time"),
    "bench_drift": (
        "MMD, 2 × 120 × 16, 50 exchanges, CPU time",
        "MMD, 2 × 120 × 16, 50 exchanges, peak memory",
        "classifier test, 200 exchanges, CPU time",
    ),
    "bench_engine": ("wall time over ideal", "CPU per case"),
    "bench_exact_search": ("exact search over the product", "exact search over faiss"),
    "bench_fusion": ("rrf in memory", "rrf, files to file"),
    "bench_gate": ("decision, wall time",),
    "bench_ir": ("sparse: compiled", "graded: portable", "wide: compiled"),
    "bench_ir_growth": ("1,000 lines, compiled", "10,000 lines, portable"),
    "bench_ir_python": ("dict 20 × 50", "polars 20 × 50", "array 20 × 50, memory beyond the run"),
    "bench_ir_measures": ("all measures", "rank-biased overlap of two runs"),
    "bench_judge": ("wall time over ideal", "CPU per request", "peak memory"),
    "bench_ledger": ("SQLite: a verdict of 50 reviewers at once", "SQLite: an event verified"),
    "bench_report": ("size", "load"),
    "bench_resampling": (
        "50 paired intervals, CPU time",
        "50 paired intervals, peak memory",
        "50 sign flip tests, CPU time",
    ),
    "bench_retrieval": ("from traces, CPU time",),
    "bench_verify": (
        "one decision",
        "a decision and its override",
        "one decision of 60 checks",
        "a decision of 60 checks and its override",
    ),
    "bench_review_web": ("a verdict saved, 50 at once, p95", "a claim opened, 50 at once, p95"),
    "bench_sheet": ("opened and filtered, CPU time", "index built, once, CPU time"),
    "bench_signing": ("sign, CPU time", "the same from the decision on", "verify, CPU time"),
    "bench_spans": ("tags to figures, strict", "characters that leak"),
    "bench_tables": ("TEDS, 20 cells", "GriTS of text, 20 cells"),
    "bench_text_fidelity": ("rates of all documents", "rate of one long document"),
    "bench_workbench": ("first page, size", "list, deep pages, p95", "case, p95"),
    "bench_verifiers": ("RAGTruth QA: area under the curve", "facts, de: flagged, denied"),
}


def test_every_benchmark_is_checked_here() -> None:
    assert sorted(EXPECTED) == NAMES


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs_and_shows_its_table(name: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", BENCHMARKS / f"{name}.py", "--smoke"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    # What else a benchmark prints, such as the tables of a simulation, stands behind its own table.
    own, _, _ = ended.stdout.partition("\nMachine: ")
    table = [line for line in own.splitlines() if line.startswith("| ")]
    for what in EXPECTED[name]:
        assert any(line.startswith(f"| {what} |") for line in table), ended.stdout
    assert "Machine: " in ended.stdout
    assert "Versions: beleg " in ended.stdout
    written = json.loads((BENCHMARKS / "results" / f"{name.removeprefix('bench_')}-smoke.json").read_text("utf-8"))
    assert written["smoke"] is True
    assert [row["what"] for row in written["rows"]] == [line.split(" | ")[0].removeprefix("| ") for line in table[1:]]
