"""A captured passage against the sources of today."""

from __future__ import annotations

from beleg.core.evidence import EvidencePassage, ObservationCode
from beleg.core.locators import LocatorState
from beleg.evidence.drift import TodaysSources, located_today, with_drift
from beleg.evidence.locators import SourceText
from support import q017


def captured(*, known: bool = True) -> EvidencePassage:
    from beleg.evidence.passages import ReturnedPassages, Sources

    sources = Sources(q017.inventory() if known else None)
    return ReturnedPassages(q017.output(), sources).evidence[0]


def today(document: str | None = None, passage: str | None = None) -> TodaysSources:
    return TodaysSources(
        documents={} if document is None else {"D-01": SourceText(document)},
        passages={} if passage is None else {"p04": SourceText(passage)},
    )


def state(passage: EvidencePassage, sources: TodaysSources) -> LocatorState | None:
    found = located_today(passage, sources)
    return None if found is None else found.state


BEFORE = f"Rückgabe\n\n{q017.RETURNS}"


def test_an_unchanged_source_is_ok() -> None:
    assert state(captured(), today(BEFORE)) is LocatorState.OK


def test_an_edit_before_the_passage_moves_it_and_one_inside_orphans_it() -> None:
    assert state(captured(), today(f"Neu.\n{BEFORE}")) is LocatorState.MOVED
    assert state(captured(), today(BEFORE.replace("30", "14"))) is LocatorState.ORPHAN
    assert state(captured(), today()) is LocatorState.ORPHAN


def test_a_passage_that_was_captured_alone_is_held_against_its_like() -> None:
    alone = captured(known=False)
    assert state(alone, today(passage=q017.RETURNS)) is LocatorState.OK
    assert state(alone, today(passage=q017.REFUNDS)) is LocatorState.ORPHAN
    assert state(alone, today(document=BEFORE)) is LocatorState.MOVED
    assert state(alone, today(document="Neu.", passage=q017.REFUNDS)) is LocatorState.ORPHAN


def test_a_document_of_the_same_address_has_not_drifted() -> None:
    alone = captured(known=False).model_copy(update={"document_digest": SourceText("anders").digest})
    assert state(alone, today(document="anders")) is LocatorState.OK


def test_where_the_words_were_not_recorded_nothing_is_compared() -> None:
    assert state(captured().model_copy(update={"locator": None}), today(BEFORE)) is None


def test_a_row_on_a_drifted_passage_is_marked_and_no_other() -> None:
    first, _, third, _ = q017.evidence().claims
    marked = with_drift(first, frozenset({"p04"}))
    assert (marked.observations[-1].code, marked.observations[-1].subjects) == (ObservationCode.LOCATOR_DRIFT, ("p04",))
    assert with_drift(third, frozenset({"p04"})) is third


def test_a_row_that_says_that_no_passage_carries_it_rests_on_all_of_them() -> None:
    last = q017.evidence().claims[3]
    assert last.passages == ()
    assert with_drift(last, frozenset({"p07", "p04"})).observations[-1].subjects == ("p04", "p07")
    assert with_drift(last, frozenset()) is last
