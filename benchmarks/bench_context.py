"""Context metrics without a judge over whole runs, beside ragas in an interpreter of its own.

Beleg computes from cases and traces as they are read from a run; ragas from its own data set. The figures of both are
compared first, so that the ratio means something. Name an interpreter with ragas by ``BELEG_RAGAS_PYTHON``, else
``.venv-peers/ragas/bin/python`` is taken; without one the peer is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beleg.core.case import Case, ExpectedPassage
from beleg.core.trace import Output, Passage, Trace, TraceStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from inputs import WORDS
from measuring import Row, is_smoke, show, spend

HERE = Path(__file__).resolve().parent
PYTHON = Path(os.environ.get("BELEG_RAGAS_PYTHON", HERE.parent / ".venv-peers" / "ragas" / "bin" / "python"))
ROWS, PASSAGES, PASSAGE_WORDS, REFERENCES, SENTENCE_WORDS = 10_000, 5, 130, 2, 16
ROUNDS = 3
ID_BUDGET_S = 0.1
TEXT_BUDGET_S = 5.0


@dataclass(frozen=True, slots=True)
class Run:
    """The same rows for both sides."""

    cases: list[Case]
    traces: list[Trace]
    for_peer: list[dict[str, Any]]

    def batch(self) -> Batch:
        """A batch that remembers nothing of an earlier round."""
        return Batch.of(self.cases, self.traces)


@dataclass(frozen=True, slots=True)
class Peer:
    """What ragas took, and what it says."""

    cpu_s: float
    peak_mb: float
    values: list[float]


def run_of_ids(rows: int, seed: int) -> Run:
    """Five delivered ids and three expected ones a row."""
    rng = np.random.default_rng(seed)
    cases, traces, for_peer = [], [], []
    for number in range(rows):
        names = [f"p{name}" for name in rng.choice(100, PASSAGES, replace=False)]
        wanted = [f"p{name}" for name in rng.choice(100, 2, replace=False)] + [names[number % PASSAGES]]
        cases.append(
            Case(
                case_id=f"c{number}",
                user_input="?",
                expected_passages=tuple(ExpectedPassage(passage_id=name) for name in wanted),
            )
        )
        traces.append(traced(number, [(name, None) for name in names]))
        for_peer.append({"retrieved_context_ids": names, "reference_context_ids": wanted})
    return Run(cases, traces, for_peer)


def run_of_texts(rows: int, seed: int) -> Run:
    """Five delivered passages a row, and two expected sentences: one of them stands in the last passage."""
    rng = np.random.default_rng(seed)
    cases, traces, for_peer = [], [], []
    for number in range(rows):
        sentences = [sentence(rng) for _ in range(REFERENCES)]
        texts = [" ".join(sentence(rng) for _ in range(PASSAGE_WORDS // SENTENCE_WORDS)) for _ in range(PASSAGES)]
        texts[-1] += f" {sentences[0]}"
        cases.append(
            Case(
                case_id=f"c{number}",
                user_input="?",
                expected_passages=tuple(ExpectedPassage(document_id="d", quote=text) for text in sentences),
            )
        )
        traces.append(traced(number, [(f"p{number}-{place}", text) for place, text in enumerate(texts)]))
        for_peer.append({"retrieved_contexts": texts, "reference_contexts": sentences})
    return Run(cases, traces, for_peer)


def sentence(rng: np.random.Generator) -> str:
    """One sentence of made-up words."""
    picked, tails = rng.integers(0, len(WORDS), SENTENCE_WORDS), rng.integers(0, 100, SENTENCE_WORDS)
    return " ".join(f"{WORDS[word]}{tail}" for word, tail in zip(picked, tails, strict=True)) + "."


def traced(number: int, passages: list[tuple[str, str | None]]) -> Trace:
    """A trace that delivered these passages."""
    delivered = tuple(Passage(passage_id=name, document_id="d", text=text) for name, text in passages)
    return Trace(case_id=f"c{number}", status=TraceStatus.OK, output=Output(delivered=delivered))


def peer(metric: str, run: Run) -> Peer | None:
    """The same rows through ragas; ``None`` where it is not there."""
    if not PYTHON.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "rows.json"
        asked.write_text(json.dumps({"metric": metric, "rows": run.for_peer}), encoding="utf-8")
        ended = subprocess.run(
            [PYTHON, "-W", "ignore", HERE / "peers" / "ragas_context.py", asked],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "RAGAS_DO_NOT_TRACK": "true"},
        )
    if ended.returncode:
        raise SystemExit(f"ragas failed; there is nothing to compare\n{ended.stderr}")
    return Peer(**json.loads(ended.stdout))


def measured(what: str, run: Run, metric: str, beside: Peer | None, budget: float | None) -> Row:
    """The least CPU time of several rounds, each on a batch that remembers nothing."""
    seconds = min(
        spend(lambda batch=batch: compute([metric], batch))[1].cpu_s  # type: ignore[misc]
        for batch in (run.batch() for _ in range(ROUNDS))
    )
    return Row(
        what=what,
        measured=seconds,
        unit="CPU s",
        budget=budget,
        peer="ragas" if beside else None,
        peer_measured=beside.cpu_s if beside else None,
        note=None if beside else "no environment with ragas",
    )


def require_agreement(run: Run, metric: str, theirs: Peer | None) -> None:
    """Refuses to compare the speed of figures that differ."""
    ours = compute([metric], run.batch())[metric].values
    if theirs is not None and not np.allclose(ours, theirs.values, atol=1e-9):
        raise SystemExit(f"the figures of {metric} differ from those of ragas; the ratio would mean nothing")


def main() -> None:
    """Checks that both sides give the same figures where they define the same, then measures them."""
    smoke = is_smoke(__doc__)
    ids, texts = (make(50 if smoke else ROWS, seed=3) for make in (run_of_ids, run_of_texts))
    of_ids, of_texts = peer("id", ids), peer("text", texts)
    whole, part = "text_context_recall(match=whole)", "text_context_recall"
    require_agreement(ids, "id_based_context_precision", of_ids)
    require_agreement(texts, whole, of_texts)
    rows = [
        measured("context precision by ids", ids, "id_based_context_precision", of_ids, ID_BUDGET_S),
        measured("context recall by text, sentences inside passages", texts, part, of_texts, TEXT_BUDGET_S),
        measured("context recall by text, whole texts as ragas", texts, whole, of_texts, TEXT_BUDGET_S),
    ]
    setting = (
        f"{len(ids.cases):,} rows; {PASSAGES} passages of {PASSAGE_WORDS} words and {REFERENCES} references a row; "
        f"minimum of {ROUNDS} rounds; figures equal to those of ragas where it defines the same."
    )
    show("context", setting, rows, packages=("numpy", "rapidfuzz"), smoke=smoke)


if __name__ == "__main__":
    main()
