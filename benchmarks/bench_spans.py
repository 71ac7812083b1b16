"""Span figures of 20,000 sentences of 30 tags, beside seqeval where it is installed.

usage: python benchmarks/bench_spans.py [--smoke]
"""

from __future__ import annotations

import random

from beleg.metrics.ingestion.operating_points import operating_points
from beleg.metrics.ingestion.redaction import redaction
from beleg.metrics.ingestion.span_scores import SpanMode, SpanScores, span_scores
from beleg.metrics.ingestion.tag_reading import spans_of_tags
from measuring import Row, is_smoke, show, spend

try:
    from seqeval.metrics import f1_score
except ImportError:
    f1_score = None

SENTENCES, WORDS, ROUNDS = 20_000, 30, 3
BUDGET_S = 0.1
LABELS = ("PER", "ORG", "LOC", "MISC")
Tags = list[list[str]]


def made(sentences: int) -> tuple[Tags, Tags]:
    """Gold tags, and a copy of which three in a hundred are others."""
    rng = random.Random(1)
    gold = []
    for _ in range(sentences):
        tags: list[str] = []
        while len(tags) < WORDS:
            if rng.random() < 0.12:
                label = rng.choice(LABELS)
                tags += [f"B-{label}", *[f"I-{label}"] * rng.randint(0, 3)]
            else:
                tags.append("O")
        gold.append(tags[:WORDS])
    return gold, [
        [rng.choice(["O", "B-PER", "I-PER", "I-ORG"]) if rng.random() < 0.03 else tag for tag in tags] for tags in gold
    ]


def from_tags(gold: Tags, found: Tags, mode: SpanMode) -> SpanScores:
    """Everything from tags to figures."""
    return span_scores(spans_of_tags(gold), spans_of_tags(found), mode)


def main() -> None:
    """Checks that both sides give the same figure, then shows what each took."""
    smoke = is_smoke(__doc__)
    gold, found = made(50 if smoke else SENTENCES)
    theirs = spend(lambda: f1_score(gold, found)) if f1_score else None
    rows = []
    for mode in ("strict", "partial"):
        rounds = [spend(lambda mode=mode: from_tags(gold, found, mode)) for _ in range(ROUNDS)]  # type: ignore[misc]
        told, seconds = rounds[0][0], min(spent.cpu_s for _, spent in rounds)
        beside = theirs if mode == "strict" else None
        if beside and abs(beside[0] - (told.overall.f_score().value or 0)) > 1e-12:
            raise SystemExit("the figures of both differ; the ratio would mean nothing")
        rows.append(
            Row(what=f"tags to figures, {mode}", measured=seconds, unit="CPU s", budget=BUDGET_S,
                peer="seqeval" if beside else None, peer_measured=beside[1].cpu_s if beside else None,
                note="seqeval is not installed" if f1_score is None else None)
        )  # fmt: skip
    one, other = spans_of_tags(gold), spans_of_tags(found)
    rng = random.Random(2)
    sure = [rng.randint(0, 100) / 100 for _ in range(len(other))]
    rows += [
        Row(what="characters that leak", measured=spend(lambda: redaction(one, other))[1].cpu_s, unit="CPU s"),
        Row(what="counts at 101 thresholds", measured=spend(lambda: operating_points(one, other, sure))[1].cpu_s,
            unit="CPU s"),
    ]  # fmt: skip
    setting = f"{len(gold):,} sentences of {WORDS} tags, {len(one):,} gold spans; minimum of {ROUNDS} rounds."
    show("spans", setting, rows, packages=("numpy", "seqeval"), smoke=smoke)


if __name__ == "__main__":
    main()
