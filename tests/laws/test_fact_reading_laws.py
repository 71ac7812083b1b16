"""Looking cheaply before reading a text never changes what is read."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from beleg.adapters.formats.label_sets import read_factscore
from beleg.adapters.formats.squad import read_squad
from beleg.text.facts import EvidenceFacts, mismatches
from beleg.text.names import names_of
from beleg.text.negations import may_deny, negations_of
from beleg.text.quantities import quantities_of, sure_quantities_of
from beleg.text.sentences import sentences

CUES = [
    "not",
    "no",
    "never",
    "none",
    "nobody",
    "nothing",
    "nowhere",
    "neither",
    "nor",
    "cannot",
    "without",
    "isn't",
    "can’t",
    "won't",
    "nicht",
    "nie",
    "niemals",
    "niemand",
    "niemandem",
    "niemanden",
    "nichts",
    "nirgends",
    "nirgendwo",
    "weder",
    "ohne",
    "keinerlei",
    "keinesfalls",
    "keineswegs",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keines",
    "except",
    "excepting",
    "excluding",
    "unless",
    "außer",
    "ausser",
    "ausgenommen",
    "ausgeschlossen",
    "mit Ausnahme",
    "bis auf",
    "es sei denn",
    "with the exception",
    "only",
    "solely",
    "exclusively",
    "nur",
    "lediglich",
    "ausschließlich",
    "ausschliesslich",
]
PIECES = [
    *"aAbBtTsSkKüÜßẞſKİı0123,.5%€$-–'’\n\t()[]:;/&_\u00a0\u0301²½٣四Ж",
    *(" ",) * 20,
    " not ",
    " No. ",
    " nicht ",
    " only ",
    " March ",
    " 4. März ",
    " 2024 ",
    " five ",
    " hundred ",
    " and ",
    "Dr. ",
    " km ",
    " a ",
    " third ",
    " zwei",
    "täg",
    "ig",
    "ten-day",
    "can't ",
    "ISN’T ",
    "The ",
    "Anne Frank",
    "NASA",
    "e.g. ",
    " million ",
    " half ",
    " one ",
    " dreißigtägige ",
    " zweite",
]


def texts(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(PIECES, k=rng.randrange(1, 40))) for _ in range(count)]


@pytest.mark.parametrize("cue", CUES)
def test_every_word_that_denies_is_seen_in_any_case(cue: str) -> None:
    for spelled in (cue, cue.upper(), cue.title(), cue.replace("i", "İ"), cue.replace("s", "ſ"), cue.replace("k", "K")):
        assert may_deny(f"Es ({spelled}) ist")
        assert negations_of(f"Es ({spelled}) ist")


def test_a_text_that_may_not_deny_holds_no_denial_between_other_words() -> None:
    for text in texts(2_000, seed=1):
        # A cue in a sentence of its own lets the whole be searched.
        searched = [found.text for found in negations_of(f"{text}\n\nnie")]
        assert [found.text for found in negations_of(text)] == searched[:-1]


@pytest.mark.parametrize("language", [None, "en", "de"])
def test_the_sure_numbers_are_those_of_all_numbers(language: str | None) -> None:
    for text in texts(2_000, seed=2):
        sure = tuple(found for found in quantities_of(text, language) if found.is_sure)
        assert sure_quantities_of(text, language) == sure


@pytest.mark.parametrize("language", [None, "en", "de"])
def test_a_text_is_passed_over_only_where_it_holds_no_name(language: str | None) -> None:
    rng = random.Random(3)
    pieces = [*"aAbZ1 '.&-,", " is", " free ", "B12", "Re", "NASA"]
    for _ in range(5_000):
        text = "".join(rng.choices(pieces, k=rng.randrange(1, 9)))
        # A letter beyond ASCII in a block of its own lets every word be looked at.
        assert names_of(text, language) == names_of(f"{text}\n\nß.", language)


@pytest.mark.shared_data
def test_the_reasons_on_real_texts_are_those_of_a_full_reading(shared_data: Path) -> None:
    """Counted before evidence was read by need, when every kind of fact of both sides was read for every pair."""
    found: Counter[str] = Counter()
    for label in read_factscore(shared_data / "factscore" / "chatgpt_bios_60.jsonl")[:400]:
        facts = EvidenceFacts("\n\n".join(text for _, text in label.passages))
        found.update(reason.partition(":")[0] for reason in facts.mismatches(label.judged_text, "en"))
    for language in ("en", "de"):
        for document in read_squad(shared_data / "xquad" / f"xquad.{language}.json").documents[::8]:
            listed = sentences(document.text)
            for claim, evidence in zip(listed, [*listed[1:], listed[0]], strict=True):
                found.update(reason.partition(":")[0] for reason in mismatches(claim, evidence, language))
                negated = (
                    claim.replace(" is ", " is not ").replace(" was ", " was not ").replace(" ist ", " ist nicht ")
                )
                found.update(reason.partition(":")[0] for reason in mismatches(negated, document.text, language))
    assert found == {"date": 17, "entity": 399, "number": 238, "negation": 47}
