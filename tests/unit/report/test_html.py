"""The page is one file that asks for nothing and obeys no text in it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from importlib.resources import files

import pytest
from bs4 import BeautifulSoup

from beleg.core.decision import Sentence
from beleg.report import decision_body, html
from beleg.report.html import html_report
from support.report_data import HOSTILE, HOSTILE_ID, build_report

REPORT = build_report()
PAGE = html_report(REPORT)
TREE = BeautifulSoup(PAGE, "html.parser")
SERVED = TREE.find(id="report")


def test_the_first_heading_answers_the_question() -> None:
    heading = TREE.h1
    assert heading is not None
    text = " ".join(heading.get_text(" ").split())
    assert text.startswith("■ BLOCK: the locale filter hides the right document in 9 of 60 German cases")


def test_the_policy_allows_only_the_two_texts_of_the_page() -> None:
    meta = TREE.find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert meta is not None
    policy = dict(part.strip().split(" ", 1) for part in str(meta["content"]).split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    for directive, text in (("style-src", TREE.style), ("script-src", TREE.find_all("script")[-1])):
        assert text is not None
        digest = base64.b64encode(hashlib.sha256(str(text.string).encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"


def test_nothing_in_the_page_points_outside() -> None:
    for tag in TREE.find_all(True):
        assert tag.name not in {"img", "link", "iframe", "object", "embed", "base", "form", "audio", "video", "source"}
        assert not {"src", "srcset", "data", "action", "style", "background"} & set(tag.attrs), tag.name
        assert not [name for name in tag.attrs if name.startswith("on")]
        assert str(tag.get("href", "#")).startswith("#")
    assert "url(" not in str(TREE.style).replace("url(#hatch)", "")


def test_hostile_text_stays_text() -> None:
    assert len([tag for tag in TREE.find_all("script") if not tag.get("type")]) == 1
    assert "The judge failed on 12 rows: <script>window.__x=1</script>" in TREE.get_text()
    link = TREE.find("a", string=re.compile(re.escape(HOSTILE_ID)))
    assert link is None or str(link["href"]).startswith("#case=")


def test_a_hostile_headline_and_segment_are_shown_by_code_point() -> None:
    text = f"{HOSTILE[1]} {HOSTILE[6]} {HOSTILE[7]}"
    decision = REPORT.decision.model_copy(update={"headline": Sentence(en=text, de=text)})
    row = replace(REPORT.segment_table[0], segment=HOSTILE[2])
    page = html_report(replace(REPORT, decision=decision, segment_table=(row,)))
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "⟦U+202E⟧" in page
    assert BeautifulSoup(page, "html.parser").find("img") is None


def test_the_scripts_never_write_markup() -> None:
    for name in html.SCRIPTS:
        source = files("beleg.report").joinpath("templates", name).read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|fetch\(|XMLHttp|localStorage|sessionStorage|cookie",
            source,
        )


def test_both_languages_are_in_the_served_part_and_equal_in_number() -> None:
    assert SERVED is not None
    english, german = SERVED.select('span.en[lang="en"]'), SERVED.select('span.de[lang="de"]')
    assert len(english) == len(german) > 100
    assert "Wo Belege verloren gehen" in SERVED.get_text()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_opens_in_the_language_asked_for(language: str) -> None:
    tree = BeautifulSoup(html_report(REPORT, language=language), "html.parser")
    assert tree.html is not None
    assert tree.html["lang"] == language
    checked = tree.find("input", attrs={"name": "lang", "checked": True})
    assert checked is not None
    assert checked["value"] == language


def test_every_address_inside_the_served_part_leads_somewhere() -> None:
    assert SERVED is not None
    ids = {str(tag["id"]) for tag in TREE.find_all(id=True)}
    addresses = {str(link["href"])[1:] for link in SERVED.find_all("a", href=True)}
    assert {address for address in addresses if "=" not in address} <= ids
    assert {address.split("=")[0] for address in addresses if "=" in address} == {"case", "lost", "segment", "change"}


def test_a_report_without_baseline_segments_or_checks_still_says_everything() -> None:
    alone = build_report(with_baseline=False)
    empty = alone.decision.model_copy(update={"checks": (), "comparison": ()})
    page = html_report(replace(alone, decision=empty, segment_table=()))
    text = BeautifulSoup(page, "html.parser").get_text()
    for sentence in (
        "The policy holds no check, so nothing can pass.",
        "No segments were evaluated.",
        "Not drawn: there is no baseline with scores for the same cases.",
        "Not drawn: no check has both a figure and a limit.",
    ):
        assert sentence in text


def test_without_drawings_the_tables_stay_and_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_body, "is_available", lambda: False)
    tree = BeautifulSoup(html_report(REPORT), "html.parser")
    assert "pip install 'beleg[report]'" in tree.get_text()
    assert tree.find(class_="plot") is None
    assert "The largest losses and gains" in tree.get_text()


def test_a_page_with_cut_texts_says_so() -> None:
    assert "are shortened so that this file stays small" in html_report(REPORT, budget=20_000)
    assert "are shortened so that this file stays small" not in PAGE


def test_the_same_input_gives_the_same_bytes() -> None:
    assert html_report(build_report()) == PAGE


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *((name, "bg") for name in ("ink", "quiet", "accent", "pass", "review", "block")),
        *((name, f"{name}-soft") for name in ("pass", "review", "block")),
        *(("ink", f"{name}-strong") for name in ("pass", "block")),
        *(("quiet", ground) for ground in ("soft", "pass-soft", "block-soft", "review-soft")),
        ("ink", "mark"),
        ("accent", "soft"),
    ],
)
def test_text_has_double_a_contrast_in_both_themes(text: str, ground: str, theme: int) -> None:
    style = files("beleg.report").joinpath("templates", "page.css").read_text("utf-8")
    colours = {
        name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", style)
    }
    one, other = sorted((_luminance(colours[name][theme]) for name in (text, ground)), reverse=True)
    assert (one + 0.05) / (other + 0.05) >= 4.5
