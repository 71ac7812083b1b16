"""Personal data in real templates: figures of a simple detector against counts made another way."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve

from beleg.metrics.ingestion.operating_points import operating_points
from beleg.metrics.ingestion.redaction import redaction
from beleg.metrics.ingestion.span_scores import span_scores
from beleg.metrics.ingestion.spans import Spans

Rows = list[list[tuple[int, int, str]]]
PATTERNS = {"EMAIL_ADDRESS": r"[\w.+-]+@[\w-]+\.[\w.]+", "CREDIT_CARD": r"\b\d{13,19}\b", "DATE_TIME": r"\b\d{4}\b"}


def read(path: Path) -> tuple[list[str], Rows]:
    texts, gold = [], []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        texts.append(row["full_text"])
        gold.append([(span["start_position"], span["end_position"], span["entity_type"]) for span in row["spans"]])
    return texts, gold


@pytest.mark.shared_data
def test_a_detector_on_presidios_texts_has_the_figures_of_sets_and_of_scikit_learn(shared_data: Path) -> None:
    texts, gold = read(shared_data / "pii_presidio" / "synth_dataset_v2.jsonl")
    found: Rows = [
        [(*match.span(), label) for label, pattern in PATTERNS.items() for match in re.finditer(pattern, text)]
        for text in texts
    ]
    assert (len(texts), sum(map(len, gold)) > 1_000, sum(map(len, found)) > 100) == (900, True, True)
    one, other = Spans.of(gold), Spans.of(found)
    told = span_scores(one, other, "strict")
    # No span stands twice, so that strict finds are a common part of sets.
    right = {(number, *span) for number, spans in enumerate(gold) for span in spans}
    guessed = {(number, *span) for number, spans in enumerate(found) for span in spans}
    for label in PATTERNS:
        common = sum(row[3] == label for row in right & guessed)
        counts = told.by_type[label]
        assert counts.correct == common
        assert counts.possible == sum(row[3] == label for row in right)
        assert counts.actual == sum(row[3] == label for row in guessed)
    characters = [[False] * len(text) for text in texts]
    for number, start, end, _ in right:
        characters[number][start:end] = [True] * (end - start)
    sensitive = sum(map(sum, characters))
    for number, start, end, _ in guessed:
        characters[number][start:end] = [False] * (end - start)
    assert redaction(one, other).leak_rate().value == pytest.approx(sum(map(sum, characters)) / sensitive)
    rng = np.random.default_rng(5)
    sure = rng.integers(1, 20, len(other)) / 20
    points = operating_points(one, other, sure)
    hit = np.array([(number, *span) in right for number, spans in enumerate(found) for span in spans])
    # scikit-learn knows no gold span that nobody predicted: its recall is over those that somebody did.
    precision, recall, thresholds = precision_recall_curve(hit, sure)
    assert [point.threshold for point in points] == thresholds[::-1].tolist()
    assert [point.counts.precision().value for point in points] == pytest.approx(precision[:-1][::-1].tolist())
    assert [point.counts.correct for point in points] == pytest.approx((recall[:-1][::-1] * hit.sum()).tolist())
