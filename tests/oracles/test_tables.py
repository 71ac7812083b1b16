"""TEDS against apted and the figures of PubTabNet; where PubTabNet is at fault, both figures are as ADR 0033 says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import html as lxml_html
from rapidfuzz.distance import Levenshtein

from beleg.metrics.ingestion.table_html import read_table
from beleg.metrics.ingestion.table_similarity import teds
from support.tables import table

apted = pytest.importorskip("apted", reason="apted is not installed")

# Table by table as PubTabNet's own code gives them, with TEDS-S.
PUBLISHED = {
    "PMC4445578_009_01.png": (0.675497, 0.7),
    "PMC4311460_007_00.png": (0.657692, 0.9),
    "PMC4219599_004_00.png": (0.602998, 0.818605),
    "PMC5303243_003_00.png": (0.649437, None),
}
PUBLISHED_MEAN = 0.899678


class Renaming(apted.Config):  # type: ignore[misc]
    """What renaming costs in PubTabNet: tags and spans are equal or not, text counts in ``td`` alone."""

    def rename(self, one: Any, other: Any) -> float:
        if one.label != other.label:
            return 1.0
        return Levenshtein.distance(one.text, other.text) / max(len(one.text), len(other.text), 1)

    def children(self, node: Any) -> Any:
        return node.children


class Element:
    """A node of PubTabNet's tree."""

    def __init__(self, element: Any, structure_only: bool) -> None:
        cell = element.tag == "td"
        spans = [int(element.get(name, "1")) for name in ("colspan", "rowspan")] if cell else []
        self.label = (element.tag, *spans)
        self.text = [] if structure_only or not cell else [*(element.text or ""), *units(element)]
        self.children = [] if cell else [Element(child, structure_only) for child in element]


def units(element: Any) -> Iterator[str]:
    for child in element:
        yield f"<{child.tag}>"
        yield from child.text or ""
        yield from units(child)
        yield f"</{child.tag}>"
        yield from child.tail or ""


def as_published(gold: str, predicted: str, *, structure_only: bool = False) -> float:
    """TEDS as PubTabNet defines it, with the distance of apted."""
    parser = lxml_html.HTMLParser(remove_comments=True, encoding="utf-8")
    trees = [lxml_html.fromstring(text, parser=parser).xpath("body/table") for text in (gold, predicted)]
    if not all(trees):
        return 0.0
    size = max(len(found[0].xpath(".//*")) for found in trees)
    one, other = (Element(found[0], structure_only) for found in trees)
    return 1 - float(apted.APTED(one, other, Renaming()).compute_edit_distance()) / size


def ours(gold: str, predicted: str, *, structure_only: bool = False) -> float:
    return teds(read_table(gold), read_table(predicted), structure_only=structure_only).value


@pytest.mark.shared_data
def test_the_samples_of_pubtabnet_have_their_published_figures(shared_data: Path) -> None:
    folder = shared_data / "pubtabnet" / "src"
    gold = {name: each["html"] for name, each in json.loads((folder / "sample_gt.json").read_text("utf-8")).items()}
    predicted = json.loads((folder / "sample_pred.json").read_text("utf-8"))
    figures = {name: ours(gold[name], predicted[name]) for name in gold}
    assert len(figures) == 20
    assert np.mean([*figures.values()]) == pytest.approx(PUBLISHED_MEAN, abs=5e-7)
    for name, (full, structure) in PUBLISHED.items():
        assert figures[name] == pytest.approx(full, abs=5e-7)
        if structure is not None:
            assert ours(gold[name], predicted[name], structure_only=True) == pytest.approx(structure, abs=5e-7)
    for name in sorted(gold, key=lambda name: len(gold[name]))[:12]:
        assert figures[name] == pytest.approx(as_published(gold[name], predicted[name]), abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_drawn_tables_have_the_figures_of_apted(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def drawn() -> str:
        cells = ["<td>ab</td>", "<td>ba</td>", "<td></td>", '<td colspan="2">ab</td>', "<td>a<b>b</b></td>"]
        rows = ["".join(rng.choice(cells, rng.integers(0, 5))) for _ in range(rng.integers(0, 6))]
        cut = int(rng.integers(0, len(rows) + 1))
        sections = [[f"<tr>{row}</tr>" for row in part] for part in (rows[:cut], rows[cut:])]
        head, body = ("".join(part) for part in sections)
        return f"<html><body><table><tr><td>x</td></tr><thead>{head}</thead><tbody>{body}</tbody></table></body></html>"

    gold, predicted = drawn(), drawn()
    for structure_only in (False, True):
        theirs = as_published(gold, predicted, structure_only=structure_only)
        told = ours(gold, predicted, structure_only=structure_only)
        assert told == pytest.approx(max(theirs, 0), abs=1e-9)


HEADED = "<html><body><table><tr><th>{}</th></tr><tr><td>b</td></tr></table></body></html>"
EMPTY = "<html><body><table></table></body></html>"
BARE = "<table><tr><td>a</td></tr></table>"


@pytest.mark.parametrize(
    ("gold", "predicted", "theirs", "right"),
    [
        # A size that leaves the root out, for a distance that counts what is below it twice.
        (
            "<html><body><table><tbody><tr><td>a</td></tr></tbody></table></body></html>",
            "<html><body><table><caption>a</caption><caption>b</caption><caption>c</caption></table></body></html>",
            -2 / 3,
            0.0,
        ),
        (EMPTY, EMPTY, None, 1.0),
        # The text of a header cell is not compared.
        (HEADED.format("2024"), HEADED.format("1999"), 1.0, 0.75),
        (HEADED.format("<b>x</b>"), HEADED.format("<b>x</b>"), 1.0, 1.0),
        # A table without a document around it.
        (BARE, BARE, 0.0, 1.0),
        (table("a"), BARE, 0.0, 1.0),
    ],
    ids=["below zero", "both empty", "th text", "th markup", "bare", "bare prediction"],
)
def test_known_differences_are_as_listed(gold: str, predicted: str, theirs: float | None, right: float) -> None:
    if theirs is None:
        with pytest.raises(ZeroDivisionError):
            as_published(gold, predicted)
    else:
        assert as_published(gold, predicted) == pytest.approx(theirs)
    assert ours(gold, predicted) == pytest.approx(right)


@pytest.mark.parametrize("span", ["x", "", "2px"])
def test_a_span_that_is_no_number_stops_the_peer_only(span: str) -> None:
    gold, predicted = table("a"), table("a").replace("<td>", f'<td colspan="{span}">')
    with pytest.raises(ValueError, match="invalid literal"):
        as_published(gold, predicted)
    assert ours(gold, predicted) == pytest.approx(0.5 if span == "2px" else 1)
