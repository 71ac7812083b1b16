"""Span figures against seqeval and nervaluate, drawn and on real tags; where nervaluate takes the first match, both."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from beleg.metrics.ingestion.span_scores import SpanMode, span_scores
from beleg.metrics.ingestion.spans import Spans
from beleg.metrics.ingestion.tag_reading import TagReading, spans_of_tags

seqeval = pytest.importorskip("seqeval.metrics", reason="seqeval is not installed")
scheme = pytest.importorskip("seqeval.scheme", reason="seqeval is not installed")
nervaluate = pytest.importorskip("nervaluate", reason="nervaluate is not installed")

THEIR_MODES: dict[SpanMode, str] = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
Rows = list[tuple[int, int, str]]


def drawn(seed: int, tags: list[str]) -> tuple[list[list[str]], list[list[str]]]:
    rng = random.Random(seed)
    gold = [[rng.choice(tags) for _ in range(rng.randint(1, 9))] for _ in range(6)]
    return gold, [[tag if rng.random() < 0.6 else rng.choice(tags) for tag in document] for document in gold]


def require_same(gold: list[list[str]], predicted: list[list[str]], reading: TagReading, **theirs: Any) -> None:
    told = span_scores(spans_of_tags(gold, reading), spans_of_tags(predicted, reading))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for average, ours in (("micro", told.overall.f_score()), ("macro", told.macro_f_score())):
            value = seqeval.f1_score(gold, predicted, average=average, **theirs)
            assert (ours.value or 0) == pytest.approx(value, abs=1e-12)
        report = seqeval.classification_report(gold, predicted, output_dict=True, zero_division=0, **theirs)
    for label, counts in told.by_type.items():
        assert (counts.precision().value or 0) == pytest.approx(report[label]["precision"])
        assert (counts.recall().value or 0) == pytest.approx(report[label]["recall"])
        assert counts.possible == report[label]["support"]


@pytest.mark.parametrize("seed", range(30))
def test_drawn_tags_have_the_figures_of_seqeval(seed: int) -> None:
    require_same(*drawn(seed, ["O", "O", "B-A", "I-A", "B-B", "I-B", "E-A", "S-B"]), "conlleval")
    two = drawn(seed, ["O", "O", "B-A", "I-A", "B-B", "I-B"])
    require_same(*two, "strict_iob2", mode="strict", scheme=scheme.IOB2)
    closed = drawn(seed, ["O", "B-A", "I-A", "E-A", "S-A", "B-B", "E-B", "S-B"])
    require_same(*closed, "strict_iobes", mode="strict", scheme=scheme.IOBES)


def test_a_missing_b_counts_by_default_and_not_strictly() -> None:
    gold, predicted = [["B-A", "I-A"]], [["I-A", "I-A"]]
    require_same(gold, predicted, "conlleval")
    assert span_scores(spans_of_tags(gold), spans_of_tags(predicted)).overall.f_score().value == 1
    require_same(gold, predicted, "strict_iob2", mode="strict", scheme=scheme.IOB2)


def theirs(gold: Rows, predicted: Rows) -> dict[SpanMode, float]:
    """Their ends are inclusive."""
    sides = [
        [{"label": label, "start": start, "end": end - 1} for start, end, label in spans] for spans in (gold, predicted)
    ]
    found = nervaluate.Evaluator([sides[0]], [sides[1]], tags=["A", "B"], loader="dict").evaluate()["overall"]
    return {mode: found[name].f1 for mode, name in THEIR_MODES.items()}


def ours(gold: Rows, predicted: Rows) -> dict[SpanMode, float]:
    one, other = Spans.of([gold]), Spans.of([predicted])
    return {mode: span_scores(one, other, mode).overall.f_score().value or 0 for mode in THEIR_MODES}


@pytest.mark.parametrize("seed", range(60))
def test_spans_that_overlap_one_other_at_most_have_the_figures_of_nervaluate(seed: int) -> None:
    rng = random.Random(seed)
    gold, predicted = [], []
    for place in range(0, 60, 10):
        start, end = place + rng.randint(0, 3), place + rng.randint(5, 8)
        if rng.random() < 0.8:
            gold.append((start, end, rng.choice("AB")))
        if rng.random() < 0.8:
            predicted.append((start + rng.randint(0, 1), end + rng.randint(0, 1), rng.choice("AB")))
    assert ours(gold, predicted) == pytest.approx(theirs(gold, predicted))


def test_the_first_match_is_not_the_best_one() -> None:
    gold, predicted = [(0, 5, "A"), (5, 10, "A")], [(3, 8, "A"), (0, 2, "A")]
    # nervaluate's first prediction takes the gold span that comes first, and the second one finds nothing left.
    assert theirs(gold, predicted)["partial"] == 0.25
    assert ours(gold, predicted)["partial"] == 0.5


def conll(path: Path, column: int) -> list[list[str]]:
    documents: list[list[str]] = [[]]
    for line in path.read_text("utf-8").splitlines():
        fields = line.split()
        if fields:
            documents[-1].append(fields[column])
        elif documents[-1]:
            documents.append([])
    return [document for document in documents if document]


@pytest.mark.shared_data
def test_real_tags_of_german_law_have_the_figures_of_seqeval(shared_data: Path) -> None:
    gold = conll(shared_data / "german_ler" / "ler_test_2500.conll", 1)
    rng = random.Random(3)
    tags = sorted({tag for document in gold for tag in document})
    predicted = [[tag if rng.random() < 0.9 else rng.choice(tags) for tag in document] for document in gold]
    require_same(gold, predicted, "conlleval")
    require_same(gold, predicted, "strict_iob2", mode="strict", scheme=scheme.IOB2)


@pytest.mark.shared_data
@pytest.mark.parametrize("system", ["arcada", "spinningbytes.txt"])
def test_real_systems_on_new_names_have_the_figures_of_seqeval(shared_data: Path, system: str) -> None:
    folder = shared_data / "wnut17"
    gold, predicted = conll(folder / "emerging.test.annotated", 1), conll(folder / "submissions" / system, 1)
    assert [*map(len, gold)] == [*map(len, predicted)]
    require_same(gold, predicted, "conlleval")
