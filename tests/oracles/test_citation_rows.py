"""Every worked row of citation and nugget scores, beside what peers give for the same input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beleg.metrics.generation.nuggets import nugget_score
from support.citation_rows import ROWS, evidence_of, figure_of, guide_lines, nuggets_of

CITATIONS, NUGGETS = ROWS["citations"], ROWS["nuggets"]


def named(entry: dict[str, Any]) -> str:
    """The row, and what peers give."""
    peers = "; ".join(f"{peer} gives {figure} {value:g}" for peer, figure, value in entry.get("peers", ()))
    return f"{entry['what']} ({peers})" if peers else str(entry["what"])


@pytest.mark.parametrize("entry", CITATIONS, ids=named)
def test_a_worked_row_of_citations(entry: dict[str, Any]) -> None:
    found = evidence_of(entry)
    given = [(flavour, figure, figure_of(found, flavour, figure)) for flavour, figure, _ in entry["expected"]]
    assert given == [
        (flavour, figure, value if value == "none" else pytest.approx(value, rel=1e-12))
        for flavour, figure, value in entry["expected"]
    ]


@pytest.mark.parametrize("entry", NUGGETS, ids=named)
def test_a_worked_row_of_nuggets(entry: dict[str, Any]) -> None:
    for flavour, value in entry["expected"].items():
        score = nugget_score(nuggets_of(entry), flavour)
        assert score.value == (None if value == "none" else pytest.approx(value, rel=1e-12)), flavour


@pytest.mark.parametrize("entry", [*CITATIONS, *NUGGETS], ids=named)
def test_a_peer_beside_a_row_comes_with_a_reason(entry: dict[str, Any]) -> None:
    assert bool(entry.get("peers")) == bool(entry.get("why"))


def test_the_guide_shows_every_row_as_it_is(project: Path) -> None:
    shown = (project / "docs" / "guide" / "check-citations-and-nuggets.md").read_text("utf-8").splitlines()
    assert [line for line in guide_lines() if line not in shown] == []
