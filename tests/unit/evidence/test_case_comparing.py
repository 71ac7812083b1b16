"""What a replay is held to: query, sources and locators are flagged, and rows are compared only on like cases."""

from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, Principal
from beleg.core.inventory import Inventory
from beleg.core.run_comparison import Aspect, ComparedCase, Likeness
from beleg.core.trace import Citation, Output, Passage
from beleg.evidence.case_comparing import Attempt, RunContext, changed, compare_attempts, same, unlike
from beleg.evidence.comparison_words import FOOTNOTE
from beleg.evidence.run_comparing import todays_sources
from support import q017

SAME, CHANGED, UNLIKE = Likeness.SAME, Likeness.CHANGED, Likeness.NOT_COMPARABLE
KNOWN = q017.inventory()


def attempt(returned: Output | None = None, case: Case | None = None, **evidence: Any) -> Attempt:
    output, asked = returned or q017.output(), case or q017.golden()
    made = q017.evidence(case=asked, returned=output)
    return Attempt(case=asked, evidence=made.model_copy(update=evidence), output=output)


def compared(new: Attempt, *, old: Attempt | None = None, today: Inventory | None = KNOWN, **run: Any) -> ComparedCase:
    shared = {"snapshot": same(Aspect.SOURCE_SNAPSHOT), "configuration": same(Aspect.CONFIGURATION)} | run
    return compare_attempts(old or attempt(), new, RunContext(today=todays_sources(today), **shared))


def unlike_aspects(case: ComparedCase) -> dict[Aspect, Likeness]:
    return {each.aspect: each.likeness for each in case.aspects if each.likeness is not SAME}


def edited(**texts: str) -> Inventory:
    """The sources, with other words in some of them."""
    return KNOWN.model_copy(
        update={
            "documents": tuple(
                each.model_copy(update={"text": texts.get(each.document_id.replace("-", "_"), each.text)})
                for each in KNOWN.documents
            ),
            "passages": (),
        }
    )


def test_the_same_attempt_is_the_same_in_every_dimension() -> None:
    case = compared(attempt())
    assert case.is_same
    assert [row.matched_by for row in case.claims] == ["span"] * 4
    assert [row.comparable for row in case.claims] == [True] * 4
    assert case.drifted == ()


@pytest.mark.parametrize(
    "fields",
    [{"user_input": "Kann ich tauschen?"}, {"language": "de-AT"}, {"principal": Principal(tenant="b")}],
)
def test_another_question_is_flagged_and_no_row_is_compared(fields: dict[str, Any]) -> None:
    case = compared(attempt(case=q017.golden(**fields)))
    assert case.likeness(Aspect.QUERY) is CHANGED
    assert not any(row.comparable for row in case.claims)
    assert {row.likeness(Aspect.SUPPORT) for row in case.claims} == {UNLIKE}


def test_what_a_case_expects_is_not_the_question() -> None:
    assert compared(attempt(case=q017.golden(notes="new", expected_passages=()))).likeness(Aspect.QUERY) is SAME


def test_a_passage_that_moved_makes_its_rows_not_comparable_and_no_others() -> None:
    case = compared(attempt(), today=edited(D_01=f"Neue Überschrift\n\n{q017.RETURNS}"))
    assert case.likeness(Aspect.LOCATOR_TEXT) is UNLIKE
    assert [(each.passage_id, each.state) for each in case.drifted] == [("p04", "MOVED")]
    assert [row.comparable for row in case.claims] == [False, False, True, True]
    assert [row.likeness(Aspect.SUPPORT) for row in case.claims] == [UNLIKE, UNLIKE, SAME, SAME]


def test_a_passage_that_was_reworded_is_an_orphan() -> None:
    case = compared(attempt(), today=edited(D_02="Die Erstattung beginnt sofort."))
    assert [(each.passage_id, each.state) for each in case.drifted] == [("p07", "ORPHAN")]
    assert [row.comparable for row in case.claims] == [True, True, False, True]


def test_a_row_without_a_passage_needs_the_same_documents() -> None:
    """That nothing carried a claim says nothing today if the collection is another one."""
    other = changed(Aspect.SOURCE_SNAPSHOT, FOOTNOTE)
    case = compared(attempt(), snapshot=other)
    assert case.likeness(Aspect.SOURCE_SNAPSHOT) is CHANGED
    assert [row.comparable for row in case.claims] == [True, True, True, False]
    unknown = unlike(Aspect.SOURCE_SNAPSHOT, FOOTNOTE)
    assert [row.comparable for row in compared(attempt(), snapshot=unknown).claims] == [True, True, True, False]


def test_without_an_inventory_only_what_was_returned_again_is_known() -> None:
    assert compared(attempt(), today=None).drifted == ()
    fewer = q017.output(retrieved=q017.PASSAGES[:1], delivered=q017.PASSAGES[:1])
    case = compared(attempt(fewer), today=None)
    assert [(each.passage_id, each.state) for each in case.drifted] == [("p07", "UNKNOWN")]
    reworded = (q017.PASSAGES[0].model_copy(update={"text": "Ganz andere Worte."}), q017.PASSAGES[1])
    case = compared(attempt(q017.output(retrieved=reworded, delivered=reworded)), today=None)
    assert [(each.passage_id, each.state) for each in case.drifted] == [("p04", "ORPHAN")]


def test_another_answer_shares_only_the_claims_with_the_same_words() -> None:
    answer = q017.ANSWER.replace("innerhalb von fünf Tagen", "nach acht Tagen")
    case = compared(attempt(q017.output(answer)))
    assert case.likeness(Aspect.ANSWER) is CHANGED
    assert {row.matched_by for row in case.claims} == {"wording"}
    assert [each.text for each in case.only_old] == ["Sie ist normalerweise innerhalb von fünf Tagen abgeschlossen."]
    assert case.only_old[0].resembles in {None, *(each.claim_id for each in case.only_new)}


def test_passages_are_compared_in_order_with_their_words() -> None:
    turned = tuple(reversed(q017.PASSAGES))
    case = compared(attempt(q017.output(retrieved=turned, delivered=turned)))
    detail = next(each.detail for each in case.aspects if each.aspect is Aspect.PASSAGES)
    assert detail is not None
    assert (detail.en, detail.de) == ("another order", "andere Reihenfolge")
    fewer = q017.output(retrieved=q017.PASSAGES[:1], delivered=q017.PASSAGES[:1])
    assert compared(attempt(fewer)).likeness(Aspect.PASSAGES) is CHANGED
    undelivered = q017.output(delivered=q017.PASSAGES[:1])
    assert compared(attempt(undelivered)).likeness(Aspect.PASSAGES) is CHANGED


def test_passages_whose_words_nobody_recorded_cannot_be_compared() -> None:
    bare = tuple(each.model_copy(update={"text": None}) for each in q017.PASSAGES)
    told = attempt(q017.output(retrieved=bare, delivered=bare))
    case = compared(told, old=told)
    assert case.likeness(Aspect.PASSAGES) is UNLIKE
    assert {each.state for each in case.drifted} == {"NOT_RECORDED"}


def test_citations_are_compared_as_they_were_shown() -> None:
    other = q017.output(q017.ANSWER.replace("[D-02]", "[D-01]"))
    assert compared(attempt(other)).likeness(Aspect.CITATIONS) is CHANGED
    silent = attempt(q017.output("Nichts.", citations=None))
    assert compared(silent, old=silent).likeness(Aspect.CITATIONS) is UNLIKE
    recorded = attempt(q017.output("Nichts.", citations=()))
    assert compared(recorded, old=recorded).likeness(Aspect.CITATIONS) is SAME
    beside = attempt(q017.output("Nichts.", citations=(Citation(marker="1", document_id="D-01"),)))
    assert compared(beside, old=recorded).likeness(Aspect.CITATIONS) is CHANGED


def test_the_model_that_answered_belongs_to_the_configuration() -> None:
    swapped = attempt(q017.output(model_answered="writer-2"))
    case = compared(swapped)
    detail = next(each.detail for each in case.aspects if each.aspect is Aspect.CONFIGURATION)
    assert detail is not None
    assert detail.en == "differs in: model answered (writer-1 → writer-2)"
    silent = attempt(q017.output(model_answered=None))
    assert compared(silent).likeness(Aspect.CONFIGURATION) is UNLIKE
    assert compared(silent, old=silent).likeness(Aspect.CONFIGURATION) is SAME


def test_a_failed_attempt_is_not_compared_and_says_what_went_wrong() -> None:
    failed = Attempt(
        case=q017.golden(),
        evidence=attempt().evidence.model_copy(
            update={"answer": None, "failure_note": "timeout: 60 s", "claims": (), "passages": ()}
        ),
        output=None,
    )
    case = compared(failed)
    assert unlike_aspects(case) == dict.fromkeys((Aspect.ANSWER, Aspect.CITATIONS, Aspect.PASSAGES), UNLIKE)
    detail = next(each.detail for each in case.aspects if each.aspect is Aspect.ANSWER)
    assert detail is not None
    assert detail.en == "the new run holds no answer: timeout: 60 s"
    assert unlike_aspects(compared(attempt(), old=failed))[Aspect.LOCATOR_TEXT] is UNLIKE


def test_a_run_without_answers_says_so() -> None:
    silent = attempt(q017.output(None))
    assert compared(silent).likeness(Aspect.ANSWER) is UNLIKE


def test_a_passage_that_came_with_the_new_sources_makes_its_rows_not_comparable() -> None:
    """The old answer was given without it: another verdict on it is no verdict on the same evidence."""
    late = Passage(passage_id="p99", document_id="D-99", text="Ab heute gilt alles.")
    output = q017.output(retrieved=(*q017.PASSAGES, late), delivered=(*q017.PASSAGES, late))
    made = attempt(output)
    first = made.evidence.claims[0].model_copy(update={"passages": ("p99",)})
    new = attempt(output, claims=(first, *made.evidence.claims[1:]))
    documents_differ = changed(Aspect.SOURCE_SNAPSHOT, FOOTNOTE)
    for before in (KNOWN, None):
        case = compared(new, snapshot=documents_differ, before=todays_sources(before))
        assert [row.comparable for row in case.claims] == [False, True, True, False]
    assert compared(new).claims[0].comparable, "with the same documents it was there before, only not returned"


def test_a_passage_that_was_there_and_not_returned_is_what_it_was() -> None:
    alone = q017.output(retrieved=q017.PASSAGES[1:], delivered=q017.PASSAGES[1:])
    made = attempt()
    third = made.evidence.claims[2].model_copy(update={"passages": ("p04", "p07")})
    new = attempt(claims=(*made.evidence.claims[:2], third, made.evidence.claims[3]))
    documents_differ = changed(Aspect.SOURCE_SNAPSHOT, FOOTNOTE)
    for before, is_known in ((KNOWN, True), (edited(D_01="Rückgabe: nie."), False), (None, False)):
        case = compared(new, old=attempt(alone), snapshot=documents_differ, before=todays_sources(before))
        assert case.claims[2].comparable is is_known
