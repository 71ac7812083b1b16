"""Laws of the evidence sheet that hold for every answer, however strange."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.core.findings import ClaimFinding, Support
from beleg.core.locators import LocatorState, Span
from beleg.core.trace import Citation, Output, Passage
from beleg.evidence.claims import AnswerClaim, claims_by_sentence, wording
from beleg.evidence.locators import SourceText, locate, make_locator
from beleg.evidence.placing import place_claims
from beleg.metrics.generation.cited_sentences import CitedAnswer, cited_answer
from beleg.text.tokens import words

PLAIN = """
    Rückgabe Versand kostet ist sind nicht kein 30 fünf Tage Euro und aber innerhalb von einschließlich
    Final-Sale-Artikel returns are free not shipping costs and within 5 days
"""
STRANGE = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "Cafe\u0301", "\u0643\u062a\u0627\u0628", "Rück\u00adgabe",
    "4,90\u00a0€", "返品は無料です。", "[1]", "[p2]", "[9]", "【1】", "\r\n", ";", ",", ".", "?", "!", "(", ")",
)  # fmt: skip
WORDS = (*PLAIN.split(), *STRANGE)
ANSWERS = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=120),
)
CLAIMS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=6)


def cited(answer: str) -> CitedAnswer:
    passages = (Passage(passage_id="p1", document_id="d1"), Passage(passage_id="p2", document_id="d2"))
    return cited_answer(Output(answer=answer, delivered=passages, citations=(Citation(marker="1", passage_id="p1"),)))


def require_copied(answer: str, found: CitedAnswer, claim: AnswerClaim) -> None:
    assert claim.spans
    ends = [0, *(span.end for span in claim.spans)]
    for span, end in zip(claim.spans, ends, strict=False):
        assert end <= span.start < span.end <= len(answer)
        assert answer[span.start : span.end].strip() == answer[span.start : span.end]
        hidden = [mark for mark in found.marks if mark.words is None]
        assert not any(mark.start < span.end and span.start < mark.end for mark in hidden)
    assert wording(answer, claim.spans) == " ".join(answer[span.start : span.end] for span in claim.spans)
    assert all(0 <= number < len(found.sentences) for number in claim.sentences)
    assert claim.sentences


@given(ANSWERS)
def test_claims_without_a_judge_are_words_of_the_answer(answer: str) -> None:
    found = cited(answer)
    claims = claims_by_sentence(answer, found)
    assert claims == claims_by_sentence(answer, found)
    for claim in claims:
        require_copied(answer, found, claim)


@given(ANSWERS, CLAIMS)
def test_claims_of_a_judge_are_words_of_the_answer_or_have_no_place(answer: str, stated: list[str]) -> None:
    found = cited(answer)
    findings = [
        ClaimFinding(claim_id=str(number), claim=claim, support=Support.SUPPORTED)
        for number, claim in enumerate(stated)
    ]
    placed = place_claims(answer, found, findings)
    known = [claim.finding for claim in placed.claims]
    assert sorted(each.claim_id for each in (*known, *placed.unplaced) if each) == sorted(
        each.claim_id for each in findings
    )
    for claim in placed.claims:
        require_copied(answer, found, claim)


@given(st.lists(st.sampled_from(PLAIN.split()), min_size=3, max_size=14), st.data())
def test_parting_a_sentence_loses_no_word_that_a_claim_holds(chosen: list[str], data: st.DataObject) -> None:
    answer = " ".join(chosen)
    held = [word for word in chosen if words(word)]
    if not held:
        return
    stated = data.draw(st.lists(st.lists(st.sampled_from(held), min_size=2, max_size=5), min_size=2, max_size=4))
    findings = [
        ClaimFinding(claim_id=str(number), claim=f"so: {' / '.join(claim)}", support=Support.SUPPORTED)
        for number, claim in enumerate(stated)
    ]
    found = cited(answer)
    placed = place_claims(answer, found, findings)
    kept = {at for claim in placed.claims for span in claim.spans for at in range(span.start, span.end)}
    if not placed.claims or len(found.sentences) > 1:
        return
    lost = {at for at in range(len(answer)) if at not in kept and answer[at].isalnum()}
    shared = [word for claim in placed.claims if claim.finding for word in words(claim.finding.claim)]
    assert not {word for word in shared if _positions(answer, word) and _positions(answer, word) <= lost}


def _positions(answer: str, word: str) -> set[int]:
    found, at = set(), answer.find(word)
    while at >= 0:
        found.update(range(at, at + len(word)))
        at = answer.find(word, at + 1)
    return {at for at in found if answer[at].isalnum()}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200), st.text(max_size=30), st.data())
def test_a_locator_finds_the_very_words_or_nothing(text: str, more: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    locator = make_locator(SourceText(text), Span(start=start, end=end), of_document=True)
    assert locate(locator, SourceText(text)).state is LocatorState.OK
    at = data.draw(st.integers(0, len(text)))
    today = SourceText(text[:at] + more + text[at:])
    found = locate(locator, today)
    if found.span is None:
        assert found.state is LocatorState.ORPHAN
        assert today.text.count(locator.exact) != 1 or locator.exact not in today.text
    else:
        assert today.text[found.span.start : found.span.end] == locator.exact
        assert found.state is (LocatorState.OK if today.text == text else LocatorState.MOVED)
