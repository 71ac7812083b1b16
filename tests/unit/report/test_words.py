"""Both languages say the same things, each in full."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from beleg.core.decision import CheckKind, CheckState
from beleg.core.score import ScoreStatus
from beleg.core.trace import STAGES
from beleg.report.words import catalogue, phrase, reason_word, stage_word, state_word, status_word, word

PLACEHOLDER = re.compile(r"\{(\w+)\}")
ASSETS = (
    "page.html",
    "ann.html",
    "compare.html",
    "layout.html",
    "macros.html",
    "data.js",
    "table.js",
    "case.js",
    "page.js",
)


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_every_key_has_both_languages_with_the_same_placeholders(key: str) -> None:
    pair = catalogue()[key]
    assert pair.en.strip()
    assert pair.de.strip()
    assert set(PLACEHOLDER.findall(pair.en)) == set(PLACEHOLDER.findall(pair.de))


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_the_tone_is_calm(key: str) -> None:
    pair = catalogue()[key]
    assert not {"!", "—"} & set(pair.en + pair.de)


def test_every_state_reason_stage_and_kind_has_a_word() -> None:
    assert {state_word(state).de for state in CheckState} >= {"erfüllt", "verletzt", "unentschieden"}
    assert all(reason_word(status).de for status in ScoreStatus)
    assert all(stage_word(stage).de != stage for stage in STAGES)
    assert all(phrase(f"kind.{kind}").de for kind in CheckKind)


def test_an_unknown_stage_keeps_its_name() -> None:
    assert stage_word("rewritten").de == "rewritten"
    assert status_word("SAME").de == "gleich"
    assert status_word("TREATMENT").de == "TREATMENT"


def test_a_phrase_takes_values_by_language() -> None:
    assert phrase("segments.finding_alone", cells=phrase("run.yes"), small=0).de.startswith("ja Zellen")
    assert word("unit.of", "en", part=1, whole=2) == "1 of 2"


def test_every_word_that_the_page_asks_for_is_in_the_catalogue() -> None:
    source = "\n".join(files("beleg.report").joinpath("templates", name).read_text("utf-8") for name in ASSETS)
    asked = set(re.findall(r'\bw\("([a-z_]+\.[A-Za-z_]+)"[,)]', source))
    asked |= {f"js.{key}" for key in re.findall(r'\bsay\("([a-z_]+)"', source)}
    assert asked <= catalogue().keys()
