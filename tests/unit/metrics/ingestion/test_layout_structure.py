"""Headings and lists: kind, order, depth and wholeness apart from one another."""

from __future__ import annotations

from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.layout import LayoutElement
from beleg.metrics.ingestion.layout_structure import LayoutScores, layout_scores


def heading(text: str, level: int | None = 1) -> LayoutElement:
    return LayoutElement(kind="heading", text=text, level=level)


def item(text: str, list_id: str | None = None) -> LayoutElement:
    return LayoutElement(kind="list_item", text=text, list_id=list_id)


def paragraph(text: str) -> LayoutElement:
    return LayoutElement(kind="paragraph", text=text)


PAGE = [heading("Fees"), paragraph("What it costs."), item("one"), item("two"), heading("Late fees", 2)]


def scores(*predicted: LayoutElement) -> LayoutScores:
    return layout_scores(PAGE, predicted)


def test_the_same_page_is_whole() -> None:
    told = scores(*PAGE)
    assert told.found.f_score().value == told.headings.f_score().value == told.list_items.f_score().value == 1
    assert told.order.tau().value == told.heading_order.tau().value == 1
    assert told.levels_kept().value == told.lists_kept().value == 1


def test_headings_lose_kind_depth_or_order_each_in_its_own_figure() -> None:
    plain = scores(paragraph("Fees"), *PAGE[1:])
    assert (plain.found.recall().value, plain.headings.recall().value) == (1, 0.5)
    flat = scores(*PAGE[:4], heading("Late fees", 1))
    assert (flat.headings.recall().value, flat.levels_kept().value) == (1, 0.5)
    turned = scores(PAGE[4], *PAGE[:4])
    assert turned.heading_order.tau().value == -1
    assert scores(*[heading(one.text, None) if one.kind == "heading" else one for one in PAGE]).heading_levels == (0, 0)
    invented = scores(*PAGE, heading("Page 3"))
    assert (invented.headings.precision().value, invented.found.spurious) == (2 / 3, 1)


def test_a_list_is_whole_or_not() -> None:
    for broken in (
        [item("one"), paragraph("between"), item("two")],
        [item("two"), item("one")],
        [item("one"), item("two"), item("three")],
        [item("one"), paragraph("two")],
        [item("one", "a"), item("two", "b")],
        [item("one")],
    ):
        assert scores(*PAGE[:2], *broken, PAGE[4]).lists == (0, 1)
    # A page break between them does no harm where the parser says that they are one list.
    assert scores(*PAGE[:2], item("one", "a"), paragraph("Page 3"), item("two", "a"), PAGE[4]).lists == (1, 1)


def test_where_there_is_nothing_the_reason_stands() -> None:
    nothing = layout_scores([], [])
    for score in (nothing.levels_kept(), nothing.lists_kept(), nothing.order.tau(), nothing.headings.f_score()):
        assert score.status is ScoreStatus.NOT_APPLICABLE
    assert layout_scores(PAGE, []).found.recall().value == 0
