"""A locator finds its words exactly or not at all, in the texts that break other tools."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.core.locators import CONTEXT_CODE_POINTS, LocatorState, PassageLocator, Span
from beleg.evidence.locators import SourceText, locate, locator_of, make_locator

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HOSTILE = {
    "emoji": ("Preis \U0001f4b6 heute", "5 € \U0001f600 gratis"),
    "family": (f"Für {FAMILY} gilt:", f"{FAMILY} reist frei"),
    "flag": ("\U0001f1e9\U0001f1ea\U0001f1e6\U0001f1f9 Lieferung", "nach \U0001f1e6\U0001f1f9 in 3 Tagen"),
    "combining": ("Cafe\u0301 ist", "Cafe\u0301-Karte e\u0302\u0301"),
    "right to left": ("שלום עולם. ", "يمكن الإرجاع خلال ٣٠ يوما"),
    "CRLF": ("Zeile\r\n", "eins\r\nzwei\r\n"),
    "no-break space": ("4,90\u00a0€ ", "30\u00a0Tage\u202f!"),
    "soft hyphen": ("Rück\u00adgabe ", "Er\u00adstat\u00adtung"),
    "bidi control": ("\u202eabc\u202c ", "x\u2066y\u2069"),
}


def made(text: str, words: str) -> PassageLocator:
    start = text.index(words)
    return make_locator(SourceText(text), Span(start=start, end=start + len(words)), of_document=True)


@pytest.mark.parametrize(("before", "words"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_found_at_their_code_points(before: str, words: str) -> None:
    text = f"{before * 9}{words}{before * 9}"
    locator = made(text, words)
    assert locator.exact == words
    assert text[locator.span.start : locator.span.end] == words
    assert locate(locator, SourceText(text)).state is LocatorState.OK
    moved = locate(locator, SourceText(f"\U0001f600{text}"))
    assert (moved.state, moved.span) == (
        LocatorState.MOVED,
        Span(start=locator.span.start + 1, end=locator.span.end + 1),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Cafe\u0301-Karte gilt", "Caf\u00e9-Karte gilt"),
        ("eins\r\nzwei", "eins\nzwei"),
        ("30\u00a0Tage", "30 Tage"),
        ("Rück\u00adgabe", "Rückgabe"),
        ("„Final Sale“", '"Final Sale"'),
        ("Final Sale", "final sale"),
    ],
)
def test_words_that_only_look_alike_are_no_hit(before: str, after: str) -> None:
    found = locate(made(f"a {before} b", before), SourceText(f"a {after} b"))
    assert (found.state, found.span) == (LocatorState.ORPHAN, None)


def test_an_edit_elsewhere_leaves_a_passage_to_be_confirmed() -> None:
    locator = made("Alt. Rückgabe in 30 Tagen. Ende", "Rückgabe in 30 Tagen.")
    found = locate(locator, SourceText("Alt. Rückgabe in 30 Tagen. Neu!"))
    assert (found.state, found.span) == (LocatorState.MOVED, locator.span)


def test_twins_are_told_apart_only_by_the_same_surroundings() -> None:
    far, near = "x" * 40, "y" * 40
    text = f"{far}Ja.{near}{near}Ja.{far}"
    locator = make_locator(SourceText(text), Span(start=123, end=126), of_document=True)
    moved = locate(locator, SourceText(f"{text}z"))
    assert (moved.state, moved.span) == (LocatorState.MOVED, Span(start=123, end=126))
    changed = text.replace(f"{near}Ja.{far}", f"{near[:-1]}.Ja.{far}")
    assert locate(locator, SourceText(changed)).state is LocatorState.ORPHAN


def test_twins_at_the_start_or_end_are_told_by_where_the_text_ends() -> None:
    text = f"Ja. {'x' * 80} Ja."
    first, last = (
        make_locator(SourceText(text), Span(start=at, end=at + 3), of_document=True) for at in (0, len(text) - 3)
    )
    edited = SourceText(text.replace("x" * 80, f"{'x' * 33} und {'x' * 33}"))
    assert locate(first, edited).span == Span(start=0, end=3)
    assert locate(last, edited).span == Span(start=len(edited.text) - 3, end=len(edited.text))


def test_twins_that_cannot_be_told_apart_orphan_the_passage() -> None:
    locator = made("a Ja. b", "Ja.")
    assert locate(locator, SourceText("Ja. und Ja.")).state is LocatorState.ORPHAN


def test_a_changed_passage_is_an_orphan_with_a_place_to_look_at() -> None:
    words = "Die Rückgabe ist innerhalb von 30 Kalendertagen nach Lieferung möglich."
    today = f"Neu. {words.replace('30', '14')} Ende."
    found = locate(made(f"Alt. {words} Ende.", words), SourceText(today))
    assert (found.state, found.span) == (LocatorState.ORPHAN, None)
    assert found.suggestion is not None
    assert today[found.suggestion.start : found.suggestion.end] == words.replace("30", "14")


def test_gone_words_suggest_nothing() -> None:
    found = locate(made("Ein ganzer Satz über die Rückgabe.", "Satz über die Rückgabe"), SourceText("Etwas anderes."))
    assert (found.state, found.suggestion) == (LocatorState.ORPHAN, None)


def test_surroundings_are_32_code_points_and_not_bytes() -> None:
    locator = made(f"{'ä' * 40}Ja.{'😀' * 40}", "Ja.")
    assert (locator.prefix, locator.suffix) == ("ä" * CONTEXT_CODE_POINTS, "😀" * CONTEXT_CODE_POINTS)


@pytest.mark.parametrize("span", [Span(start=2, end=2), Span(start=3, end=9)])
def test_no_words_have_no_locator(span: Span) -> None:
    with pytest.raises(DataError, match="no stretch"):
        make_locator(SourceText("abcd"), span, of_document=True)


def test_half_a_character_is_refused_in_the_words_and_borne_around_them() -> None:
    with pytest.raises(DataError, match="lone surrogate"):
        make_locator(SourceText("a\ud83d b"), Span(start=0, end=2), of_document=True)
    far = "x" * CONTEXT_CODE_POINTS
    locator = make_locator(SourceText(f"\ud83d{far}Ja."), Span(start=33, end=36), of_document=True)
    assert locate(locator, SourceText(f"\ud83d{far}Ja.")).state is LocatorState.OK


@pytest.mark.parametrize("words", ["a" * 400_000, "ab" * 200_000])
def test_a_megabyte_that_repeats_itself_ends_in_a_few_passes(words: str) -> None:
    text = words * 2 + "c" + words
    locator = make_locator(SourceText(text), Span(start=1, end=1 + len(words)), of_document=True)
    assert locate(locator, SourceText(text)).state is LocatorState.OK
    assert locate(locator, SourceText("c" + text)).state is LocatorState.ORPHAN


def test_a_passage_is_located_in_its_document_by_its_own_words() -> None:
    document = SourceText("# Rückgabe\n\nInnerhalb von 30 Tagen.\n\nFinal Sale nicht.")
    located = locator_of("Rückgabe › Fristen\nInnerhalb von 30 Tagen.", document)
    assert located is not None
    assert (located.scope, located.exact) == ("document", "Innerhalb von 30 Tagen.")


@pytest.mark.parametrize("document", [None, SourceText("anders"), SourceText("Ja. Ja.")])
def test_a_passage_that_its_document_does_not_hold_once_is_located_alone(document: SourceText | None) -> None:
    located = locator_of("Ja.", document)
    assert located is not None
    assert (located.scope, located.span, located.exact) == ("passage", Span(start=0, end=3), "Ja.")


def test_a_passage_without_words_has_no_locator() -> None:
    assert locator_of("", SourceText("a")) is None
