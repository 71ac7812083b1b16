from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from html.parser import HTMLParser

import pytest

from beleg.core.decision import Sentence
from beleg.report import index_page as module
from beleg.report.index_chart import Curve, CurvePoint, curve_png, curve_svg, themed_curve
from beleg.report.index_page import IndexPage, IndexRow, index_page

HOSTILE = "</style><script>alert(1)</script>"


def same(text: str) -> Sentence:
    return Sentence(en=text, de=text)


def curve(label: str = "M=16") -> Curve:
    points = [
        CurvePoint(kind=kind, latency_ms=latency, recall=recall, lower=recall - 0.02, upper=min(1, recall + 0.01),
                   on_front=front, taken=taken, label=label)
        for kind, latency, recall, front, taken in [
            ("faiss-hnsw", 0.05, 0.91, True, False), ("faiss-hnsw", 0.2, 0.98, True, True),
            ("faiss-ivf", 0.3, 0.9, False, False),
        ]
    ]  # fmt: skip
    return Curve(k=10, floor=0.95, points=points)


def page(text: str = "M=16 efSearch=64", **changed: object) -> IndexPage:
    row = IndexRow(
        kind="faiss-hnsw", settings=text, state=same("taken"), cells=[same("0.98")] * 10, shape="●", taken=True
    )
    fields = {
        "answer": Sentence(en="Take it.", de="Nimm es."), "reached": True, "facts": [(same("Queries"), same("300"))],
        "warnings": [], "finding": same("Two of three."), "curve": curve(), "rows": [row], "filtered": [],
        "notes": [same("A note.")], "kind_notes": [text],
    }  # fmt: skip
    return IndexPage(**{**fields, **changed})


def test_the_page_speaks_both_languages_and_loads_nothing() -> None:
    made = index_page(page(), language="de")
    assert 'lang="de"' in made
    assert "Take it." in made
    assert "Nimm es." in made
    assert "default-src 'none'" in unescape(made)
    assert not re.search(r'(?:src|href)="(?!#)', made)
    assert "<script" not in made


def test_hostile_text_stays_text() -> None:
    made = index_page(page(HOSTILE, curve=curve(HOSTILE)))
    assert "<script" not in made
    assert "&lt;script&gt;" in made


def test_every_element_is_closed() -> None:
    class Balance(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("meta", "input", "br"):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    parser = Balance()
    parser.feed(index_page(page(filtered=[page().rows[0]], warnings=[same("Careful.")])))
    assert parser.open == []


def test_without_the_extra_the_page_has_its_table_and_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_available", lambda: False)
    made = index_page(page())
    assert "<svg" not in made
    assert "M=16 efSearch=64" in made


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_drawing_as_a_file_is_light_and_dark_by_itself(language: str) -> None:
    drawn = curve_svg(curve(), language)
    root = ElementTree.fromstring(drawn)  # noqa: S314 - our own drawing
    assert root.tag.endswith("svg")
    assert "prefers-color-scheme: dark" in drawn
    assert not re.search(r'(?:fill|stroke)="#0\d0\d1\d"', drawn)
    texts = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert {"en": "floor 0.95", "de": "Untergrenze 0,95"}[language] in texts
    assert {"faiss-hnsw", "faiss-ivf", "M=16", "recall@10"} <= texts


def test_in_a_page_the_drawing_takes_the_colours_of_the_page() -> None:
    drawn = themed_curve(curve(), "en")
    assert drawn.startswith("<svg")
    assert "<style" not in drawn
    assert set(re.findall(r'class="(v-[a-z]+)-(?:fill|stroke)"', drawn)) == {
        "v-ink", "v-axis", "v-grid", "v-front", "v-same", "v-floor",
    }  # fmt: skip


def test_a_png_is_a_png() -> None:
    assert curve_png(curve(), "en").startswith(b"\x89PNG")
