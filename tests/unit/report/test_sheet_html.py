"""The page of a sheet: quotes inside passages, people apart from machines, nothing of a score, nothing that acts."""

from __future__ import annotations

import itertools
import re
from html.parser import HTMLParser

import pytest

from beleg.core.evidence import SupportVerdict
from beleg.core.review import ReviewEventKind
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.report.sheet_html import PageLinks, page_bounds, page_names, sheet_page
from support.q017 import BOUNDED_ANSWER, BOUNDED_CLAIMS, evidence, output
from support.reviews import event, support
from support.sheet_data import exported, header_of, hostile_case, reviewed

PAYLOADS = (
    "<script>window.__x=1</script>",
    "<img src=x onerror=window.__x=1>",
    "<svg/onload=window.__x=1>",
    "</bdi></section><script>window.__x=1</script>",
    "\"><a href='javascript:window.__x=1'>x</a>",
    "' autofocus onfocus='window.__x=1",
    "</style><script>window.__x=1</script>",
    "<iframe srcdoc='<script>parent.__x=1</script>'>",
    "{{ 7*7 }}<math><mi//xlink:href='data:x,<script>window.__x=1</script>'>",
    "<meta http-equiv=refresh content='0;url=javascript:window.__x=1'>",
)
ONE = PageLinks(number=1, total=1, names=["sheet.html"])


class Reader(HTMLParser):
    """Notes the elements, attributes and marked words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.marked: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "mark" and self.get_starttag_text() == "<mark>":
            self.marked.append(data)


def page(*cases: ExportedCase, language: str = "de", wanted: SheetFilter | None = None) -> str:
    return sheet_page(header_of(1, 4), wanted or SheetFilter(), cases, ONE, language=language)


def test_the_quote_is_marked_inside_its_passage_with_what_stands_around_it() -> None:
    text = page(exported())
    assert "zurückgegeben werden. <mark>Final-Sale-Artikel sind ausgeschlossen.</mark>" in text
    assert re.search(r'<span class="around"[^>]*>…Rückgabe\s+</span>Direkt im Beispielshop', text)
    assert "returns-v4" in text
    assert evidence().passages[0].passage_digest in text  # type: ignore[operator]


def test_people_and_machines_look_different_and_stand_apart() -> None:
    events = (
        *reviewed(),
        event(
            ReviewEventKind.WITHDRAWN,
            version=3,
            about=evidence().claims[1],
            case=evidence(),
            actor="A. Kurz",
            supersedes=1,
        ),
    )
    text = page(exported(events=events))
    proposals = re.findall(r'<div class="proposal">.*?</div>', text, re.DOTALL)
    decided = re.findall(r'<div class="decided ?">.*?</div>', text, re.DOTALL)
    assert len(proposals) == 4
    assert len(decided) == 1
    assert "B. Lang" in decided[0]
    assert not any("Kurz" in each or "Lang" in each for each in proposals)
    assert "judge-1" not in decided[0]
    assert 'class="decided taken-back"' in text


def test_a_disagreement_shows_all_and_what_settled_it() -> None:
    settled = event(
        ReviewEventKind.ADJUDICATED, version=3, about=evidence().claims[1], case=evidence(), actor="C. Neu",
        support=support(SupportVerdict.PARTIALLY_SUPPORTED, who="C. Neu"),
    )  # fmt: skip
    text = page(exported(events=(*reviewed(), settled)))
    assert "Von einem Menschen geschlichtet" in text
    assert all(name in text for name in ("A. Kurz", "B. Lang", "C. Neu"))


def test_no_rate_and_no_score_stands_anywhere() -> None:
    text = re.sub(r"<style>.*?</style>", "", page(exported(events=reviewed())), flags=re.DOTALL)
    assert "%" not in text
    assert re.search(r"\d+ (of|von) \d+", text) is None


def test_an_honest_failure_is_a_result_and_what_is_missing_is_listed() -> None:
    bounded = page(exported(evidence(BOUNDED_CLAIMS, returned=output(BOUNDED_ANSWER))))
    assert "Ein ehrlicher Fehlschlag, als Ergebnis erfasst." in bounded
    silent = page(exported(evidence((), returned=output(None))), language="en")
    assert "There is no answer." in silent
    assert "die Antwort" in silent


def test_no_cause_is_claimed() -> None:
    text = page(exported())
    assert "Mögliche nächste Prüfung, keine bewiesene Ursache" in text
    assert "Possible next check, no proven cause" in text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_makes_no_element_and_no_attribute(payload: str) -> None:
    clean, dirty = Reader(page(exported())), Reader(page(exported(hostile_case(payload))))
    assert set(dirty.tags) <= {*clean.tags, "script"} - {"script", "img", "iframe", "math"}
    assert not any(
        name.startswith("on") or "javascript:" in value for name, value in dirty.attributes if name != "title"
    )
    assert "script-src 'none'" in dict(dirty.attributes)["content"] or "script-src 'none'" in str(dirty.attributes)


def test_the_page_asks_for_nothing_and_has_no_script() -> None:
    read = Reader(page(exported()))
    assert "script" not in read.tags
    assert not any(name in ("src", "srcset", "action") for name, _ in read.attributes)
    assert all(value.startswith("#") for name, value in read.attributes if name == "href")


def test_text_of_both_directions_is_isolated_and_controls_are_shown() -> None:
    case = evidence().model_copy(update={"question": "מה השעה \u202egnp.exe", "case_id": "حالة"})
    text = page(exported(case))
    assert '<bdi dir="auto">מה השעה ⟦U+202E⟧gnp.exe</bdi>' in text
    assert "<bdi>حالة</bdi>" in text


def test_a_page_of_nothing_says_so_and_names_the_filter() -> None:
    text = page(wanted=SheetFilter(text="<b>"), language="en")
    assert "No claim fits the filter." in text
    assert "Text “&lt;b&gt;”" in text


def test_pages_cut_no_case_and_lose_none() -> None:
    assert page_bounds([]) == [(0, 0)]
    assert page_bounds([500], size=200) == [(0, 1)]
    bounds = page_bounds([3, 0, 7, 1, 1] * 50, size=20)
    assert bounds[0][0] == 0
    assert bounds[-1][1] == 250
    assert all(left[1] == right[0] for left, right in itertools.pairwise(bounds))


def test_names_of_strangers_cannot_leave_the_folder_of_the_page() -> None:
    names = page_names("a b#c", ".html", 2)
    text = sheet_page(header_of(1, 4), SheetFilter(), [], PageLinks(number=1, total=2, names=names))
    assert 'href="a%20b%23c-2.html"' in text
