"""Citation and nugget figures over the columns of a whole run, in seconds of this process."""

from __future__ import annotations

import numpy as np

from beleg.metrics.generation.citation_kernels import FLAVOURS, CitationColumns, Flavour, support_counts
from beleg.metrics.generation.nuggets import NuggetColumns, nugget_counts
from measuring import Row, is_smoke, show, spend

SENTENCES, SMOKE_SENTENCES = 1_000_000, 2_000
SENTENCES_PER_ANSWER = 10
BUDGET_S = 0.2
ROUNDS = 5


def columns_of(sentences: int) -> CitationColumns:
    """Answers of ten sentences with no to four citations each."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 5, sentences)
    citations = int(counts.sum())
    return CitationColumns(
        answers=-(-sentences // SENTENCES_PER_ANSWER),
        answer=np.arange(sentences) // SENTENCES_PER_ANSWER,
        sentence=np.repeat(np.arange(sentences), counts),
        verdict=rng.integers(-2, 3, citations).astype(np.int8),
        joint=rng.random(sentences) < 0.6,
        necessary=rng.random(citations) < 0.5,
    )


def cpu_s(columns: CitationColumns, flavour: Flavour) -> float:
    """The least of several rounds: the machine is shared."""
    return min(spend(lambda: support_counts(columns, flavour))[1].cpu_s for _ in range(ROUNDS))


def main() -> None:
    """Measures and shows."""
    smoke = is_smoke(__doc__)
    sentences = SMOKE_SENTENCES if smoke else SENTENCES
    columns = columns_of(sentences)
    rng = np.random.default_rng(1)
    nuggets = NuggetColumns(
        answers=columns.answers,
        answer=columns.answer,
        vital=rng.random(sentences) < 0.7,
        held=rng.integers(0, 3, sentences).astype(np.int8),
    )
    rows = [
        Row(what=f"citations, {flavour}, CPU time", measured=cpu_s(columns, flavour), unit="s", budget=BUDGET_S)
        for flavour in FLAVOURS
    ]
    spent = min(spend(lambda: nugget_counts(nuggets, "weighted"))[1].cpu_s for _ in range(ROUNDS))
    rows.append(Row(what="nuggets, weighted, CPU time", measured=spent, unit="s", budget=BUDGET_S))
    setting = f"{sentences:,} judged sentences with {len(columns.sentence):,} citations; {sentences:,} nuggets"
    show("citations", setting, rows, packages=("numpy",), smoke=smoke)


if __name__ == "__main__":
    main()
