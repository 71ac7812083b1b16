"""Rank-biased overlap against 10,000 pairs that Urbano and Corsi published: with ties and uneven lengths."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path

import pytest

from beleg.metrics.ranking_runs.rank_overlap import TIES, rank_overlap

EVERY = 5
"""Every fifth pair keeps the test short; all 10,000 agree to 1e-14."""


def ranking(text: str) -> list[list[str]]:
    return [tied.split() if tied else [single] for tied, single in re.findall(r"\(([^)]*)\)|(\S+)", text)]


@pytest.mark.shared_data
def test_every_bound_of_every_pair_is_the_published_one(shared_data: Path) -> None:
    with gzip.open(shared_data / "ir_vectors" / "rbo" / "test.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))[::EVERY]
    assert len(rows) == 2_000
    for row in rows:
        first, second = ranking(row["x"]), ranking(row["y"])
        for ties in TIES:
            found = rank_overlap(first, second, p=float(row["p"]), ties=ties)
            figures = (found.extrapolated, found.least, found.most, found.residual)
            published = [float(row[f"{ties}.{name}"]) for name in ("ext", "min", "max", "res")]
            assert figures == pytest.approx(published, abs=1e-12), row


def test_the_example_of_webber_moffat_and_zobel_is_their_figure() -> None:
    first, second = ([[name] for name in text] for text in ("12345678SX", "12345678XS"))
    assert round(rank_overlap(first, second, p=0.9).extrapolated, 4) == 0.9952
    uneven = rank_overlap([[name] for name in "NHMACFL"], [[name] for name in "CGNA"], p=0.9)
    assert round(uneven.extrapolated, 4) == 0.4904
