"""Attribution is mechanical: is a source attached? It never asks what the source says."""

from __future__ import annotations

import pytest

from beleg.core.evidence import AttributionDecision, AttributionVerdict
from beleg.core.trace import Citation, Output, Passage
from beleg.evidence.attribution import attribution_of
from beleg.evidence.citations import citations_of
from beleg.evidence.claims import AnswerClaim, claims_by_sentence
from beleg.metrics.generation.cited_sentences import cited_answer

PASSAGE = Passage(passage_id="p1", document_id="d1", text="Das Gegenteil ist wahr.")


def decided(answer: str, *recorded: Citation, known: bool = True, language: str = "en") -> AttributionDecision:
    output = Output(answer=answer, delivered=(PASSAGE,), citations=recorded if known else None)
    cited = cited_answer(output)
    claim = claims_by_sentence(answer, cited)[0]
    return attribution_of(claim, citations_of(claim, cited), cited, were_recorded=known, language=language)


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("Es gilt hier. [p1]", AttributionVerdict.ATTACHED, "p1 is attached to the claim or its sentence"),
        ("Es gilt hier.", AttributionVerdict.MISSING, "No citation stands on the claim"),
        ("Es gilt hier. [9]", AttributionVerdict.UNRESOLVABLE, "9 names no passage that was returned."),
        ("Es gilt hier. [9] [p1]", AttributionVerdict.ATTACHED, "9 names no passage"),
    ],
)
def test_the_marks_decide_and_the_reason_names_them(answer: str, verdict: AttributionVerdict, reason: str) -> None:
    found = decided(answer)
    assert found.verdict is verdict
    assert reason in found.rationale
    assert (found.decider.kind, found.decided_at) == ("code", None)


def test_a_passage_that_says_the_opposite_is_attached_all_the_same() -> None:
    assert decided("Es ist so. [p1]").verdict is AttributionVerdict.ATTACHED


def test_where_nothing_was_recorded_nobody_can_tell() -> None:
    found = decided("Es gilt hier.", known=False)
    assert found.verdict is AttributionVerdict.NOT_ASSESSABLE
    assert "were not recorded" in found.rationale


def test_marks_in_the_text_are_a_record_of_how_citations_were_shown() -> None:
    assert decided("Es gilt hier. [p1]", known=False).verdict is AttributionVerdict.ATTACHED


def test_a_citation_that_stands_nowhere_leaves_it_open() -> None:
    found = decided("Es gilt hier.", Citation(marker="7", passage_id="p1"), language="de")
    assert found.verdict is AttributionVerdict.NOT_ASSESSABLE
    assert found.rationale == "Der Datensatz sagt nicht, an welcher Aussage diese Zitate stehen: 7."


def test_a_claim_between_a_cited_and_an_uncited_sentence_is_left_open() -> None:
    cited = cited_answer(Output(answer="Es gilt hier. [p1] Es gilt dort.", delivered=(PASSAGE,), citations=()))
    claim = AnswerClaim(spans=(), sentences=(0, 1))
    found = attribution_of(claim, citations_of(claim, cited), cited, were_recorded=True, language="en")
    assert found.verdict is AttributionVerdict.NOT_ASSESSABLE
