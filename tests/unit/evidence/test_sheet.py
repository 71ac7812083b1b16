"""The worked example of the evidence sheet, row by row, and what a sheet says where the record is not whole."""

from __future__ import annotations

import pytest

from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage
from beleg.core.evidence import (
    AttributionVerdict,
    EvidenceCase,
    HonestFailure,
    ObservationCode,
    SupportVerdict,
)
from beleg.core.findings import ClaimFinding, Support
from beleg.core.score import ScoreStatus
from beleg.core.trace import Citation, Passage, Trace, TraceError, TraceStatus
from beleg.evidence.sheet import case_of
from support import q017

ATTACHED, MISSING = AttributionVerdict.ATTACHED, AttributionVerdict.MISSING
NOT, PARTLY = SupportVerdict.NOT_SUPPORTED, SupportVerdict.PARTIALLY_SUPPORTED


def seen(case: EvidenceCase, number: int) -> list[ObservationCode]:
    return [each.code for each in case.claims[number].observations]


def test_q017_has_the_four_rows_of_the_article() -> None:
    case = q017.evidence()
    assert [row.claim_id for row in case.claims] == ["C-017-1", "C-017-2", "C-017-3", "C-017-4"]
    assert [row.restated for row in case.claims] == [
        "Jeder Artikel kann zurückgegeben werden, einschließlich Final Sale.",
        "Das Rückgabefenster beträgt 30 Tage.",
        "Die Erstattung beginnt beim Absenden des Antrags.",
        "Die Bearbeitung endet normalerweise in fünf Tagen.",
    ]
    assert [[shown.marker for shown in row.citations] for row in case.claims] == [["D-01"], ["D-01"], ["D-02"], []]
    assert [row.passages for row in case.claims] == [("p04",), ("p04",), ("p07",), ()]
    assert [row.attribution.verdict for row in case.claims] == [ATTACHED, ATTACHED, ATTACHED, MISSING]
    assert [row.support.verdict for row in case.claims if row.support] == [NOT, PARTLY, NOT, NOT]
    assert [row.support.rationale for row in case.claims if row.support] == [
        "Die Passage schließt Final-Sale-Artikel ausdrücklich aus und stützt deshalb „jeden Artikel“ nicht.",
        "Das Zeitfenster steht in der Passage; die Antwort lässt Direktkauf- und Final-Sale-Grenzen aus.",
        "Die Antwort nennt das Absenden; die Passage den Lagereingang.",
        "Der sichtbare Nachweis enthält keine Dauer.",
    ]


def test_q017_copies_the_wording_from_the_answer() -> None:
    case = q017.evidence()
    assert [row.text for row in case.claims] == [
        "Sie können jeden Artikel zurückgeben, einschließlich Final-Sale-Artikeln.",
        "innerhalb von 30 Tagen zurückgeben",
        "Ihre Erstattung beginnt mit dem Absenden des Antrags.",
        "Sie ist normalerweise innerhalb von fünf Tagen abgeschlossen.",
    ]
    for row in case.claims:
        assert row.text == " ".join(q017.ANSWER[span.start : span.end] for span in row.spans)


def test_q017_is_diagnosed_by_the_matrix_and_not_beyond_it() -> None:
    case = q017.evidence()
    assert [seen(case, number) for number in range(4)] == [
        [ObservationCode.CITATION_CONTRADICTS],
        [ObservationCode.QUALIFICATION_OMITTED],
        [ObservationCode.CITATION_CONTRADICTS],
        [ObservationCode.FACT_NOT_IN_COLLECTION],
    ]
    assert case.claims[0].observations[0].subjects == ("p04",)
    assert case.honest_failure is HonestFailure.ANSWERED_ANYWAY


def test_q017_keeps_the_frozen_case() -> None:
    case = q017.evidence()
    assert (case.query_id, case.answer_id, case.question) == ("Q-017", "A-017", q017.QUESTION)
    assert case.collection == "shop-2026-08"
    assert [(each.rank, each.passage_id, each.document_id, each.document_version) for each in case.passages] == [
        (1, "p04", "D-01", "returns-v4"),
        (2, "p07", "D-02", "refunds-v2"),
    ]
    assert [each.text for each in case.passages] == [q017.RETURNS, q017.REFUNDS]
    assert case.passages[0].url == "https://shop.example/returns#p04"
    assert [each.locator.scope for each in case.passages if each.locator] == ["document", "document"]
    assert [(each.returned_rank, each.delivered) for each in case.expected] == [(1, True), (2, True)]
    assert case.known_gaps == (q017.GAP,)
    assert case.answer == q017.ANSWER
    assert case.missing == ()


def test_reasons_of_rules_are_in_the_language_of_the_case() -> None:
    assert q017.evidence().claims[3].attribution.rationale == "An der Aussage oder ihrem Satz steht kein Zitat."
    english = q017.evidence(case=q017.golden(language="en"))
    assert english.claims[3].attribution.rationale == "No citation stands on the claim or its sentence."


def test_an_honest_failure_keeps_the_start_and_the_missing_duration_apart() -> None:
    case = q017.evidence(q017.BOUNDED_CLAIMS, returned=q017.output(q017.BOUNDED_ANSWER))
    assert case.honest_failure is HonestFailure.BOUNDED
    start, duration = case.claims
    assert start.support is not None
    assert duration.support is not None
    assert (start.support.verdict, start.attribution.verdict) == (SupportVerdict.SUPPORTED, ATTACHED)
    assert start.text == "sagen, dass die Bearbeitung nach Eingang des zurückgegebenen Artikels im Lager beginnt"
    assert duration.support.verdict is SupportVerdict.NOT_ASSESSABLE
    assert duration.support.missing == ("eine Prüfung der ganzen Sammlung",)
    assert "nennen aber keine Abschlussdauer." in duration.text
    assert [each.code for each in case.observations] == [ObservationCode.FACT_NOT_IN_COLLECTION]


def test_an_expected_passage_that_was_not_retrieved_is_seen_and_no_cause_is_named() -> None:
    returned = q017.output(retrieved=q017.PASSAGES[:1], delivered=q017.PASSAGES[:1])
    claims = [
        q017.CLAIMS[0],
        q017.CLAIMS[2].model_copy(update={"support": Support.NOT_IN_CONTEXT, "quotes": ()}),
    ]
    case = q017.evidence(claims, returned=returned)
    assert case.observations[0].code is ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED
    assert case.observations[0].subjects == ("D-02",)
    assert ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED in seen(case, 1)
    assert case.expected[1].returned is False
    assert case.claims[1].attribution.verdict is AttributionVerdict.UNRESOLVABLE


def test_support_without_a_citation_is_a_matter_of_attribution() -> None:
    answer = "Die Erstattungsbearbeitung beginnt, nachdem der zurückgegebene Artikel das Lager erreicht hat."
    claim = q017.BOUNDED_CLAIMS[0].model_copy(update={"claim": answer})
    case = q017.evidence([claim], returned=q017.output(answer, citations=()))
    assert case.claims[0].attribution.verdict is MISSING
    assert seen(case, 0) == [ObservationCode.SUPPORT_WITHOUT_CITATION]
    assert case.claims[0].observations[0].subjects == ("p07",)
    assert case.claims[0].passages == ("p07",)


def test_where_nobody_judged_there_is_a_sheet_without_verdicts() -> None:
    case = q017.evidence(None)
    assert [row.text for row in case.claims] == [
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben, einschließlich Final-Sale-Artikeln.",
        "Ihre Erstattung beginnt mit dem Absenden des Antrags.",
        "Sie ist normalerweise innerhalb von fünf Tagen abgeschlossen.",
    ]
    assert [row.support for row in case.claims] == [None, None, None]
    assert case.honest_failure is None
    assert case.missing == ("ein Vorschlag zur Unterstützung: kein Judge hat diese Antwort angesehen",)


def test_findings_about_other_words_count_for_nothing() -> None:
    case, trace = q017.golden(), q017.traced(q017.output())
    stale = q017.judged(case, trace, q017.CLAIMS, subject_digest="sha256:0")
    built = case_of(case, trace, {"claim_support": stale}, q017.material())
    assert [row.support for row in built.claims] == [None, None, None]
    assert built.missing[-1].startswith("ein Vorschlag zur Unterstützung: was ein Judge fand, gilt einem anderen Stand")


def test_a_judge_that_gave_no_verdict_is_named_with_its_reason() -> None:
    case, trace = q017.golden(), q017.traced(q017.output())
    failed = q017.judged(case, trace, (), status=ScoreStatus.JUDGE_ERROR, detail="quota", evidence=None)
    assert "(quota)" in case_of(case, trace, {"claim_support": failed}, q017.material()).missing[-1]


def test_a_claim_that_has_no_place_in_the_answer_is_missing_and_not_invented() -> None:
    stranger = ClaimFinding(claim_id="5", claim="Geschenke verpackt der Shop gratis.", support=Support.NOT_IN_CONTEXT)
    case = q017.evidence((*q017.CLAIMS, stranger))
    assert len(case.claims) == 4
    assert case.missing == (
        "die Stelle in der Antwort zu einer Aussage des Judges: „Geschenke verpackt der Shop gratis.“",
    )


def test_passages_without_words_make_a_claim_not_assessable_and_are_named() -> None:
    bare = tuple(passage.model_copy(update={"text": None}) for passage in q017.PASSAGES)
    case = q017.evidence(None, returned=q017.output(retrieved=bare, delivered=bare))
    support = case.claims[0].support
    assert support is not None
    assert (support.verdict, support.missing) == (SupportVerdict.NOT_ASSESSABLE, ("der Text von p04",))
    assert "der Text von p04 und p07" in case.missing
    assert [each.locator for each in case.passages] == [None, None]


def test_everything_that_the_record_lacks_is_named() -> None:
    trace = q017.traced(
        q017.output(
            "Ja, das geht.", filters=None, delivered=None, retrieved=(Passage(passage_id="p", document_id="d"),)
        )
    )
    case = Case(case_id="c", user_input="Can I return it?", language="en")
    built = case_of(case, trace, {}, q017.material("c", known=False))
    assert built.missing == (
        "the citations as they were shown: they were not recorded, and the answer holds no mark",
        "the filters that were applied",
        "which passages reached the generator",
        "the source documents: the run holds no inventory, so locators are over the passages alone",
        "what evidence a careful answer needs: the case does not say",
        "the text of p",
        "the version of d",
        "a proposal on support: no judge has looked at this answer",
    )
    assert built.claims[0].attribution.verdict is AttributionVerdict.NOT_ASSESSABLE


@pytest.mark.parametrize("status", [TraceStatus.TIMEOUT, TraceStatus.ERROR, TraceStatus.INVALID])
def test_an_attempt_that_failed_is_a_case_with_its_reason(status: TraceStatus) -> None:
    trace = Trace(case_id="Q-017", status=status, error=TraceError(kind="timeout", message="60 s"))
    built = case_of(q017.golden(), trace, {}, q017.material())
    assert (built.failure_note, built.missing, built.claims) == ("timeout: 60 s", ("die Antwort",), ())


def test_a_case_without_a_trace_is_a_case_in_which_it_is_missing() -> None:
    assert case_of(q017.golden(), None, {}, q017.material()).missing == ("der Trace dieses Falls",)


def test_a_refusal_is_a_result_and_claims_nothing() -> None:
    refusal = "Dazu habe ich in den vorliegenden Dokumenten keine Angaben gefunden."
    case = q017.golden(expected_behaviour=ExpectedBehaviour.ABSTAIN, expected_passages=())
    built = q017.evidence(None, case=case, returned=q017.output(refusal, citations=()))
    assert built.honest_failure is HonestFailure.DECLINED
    assert built.claims == ()


def test_interchangeable_evidence_is_not_lost_where_one_piece_of_it_is_there() -> None:
    pieces = tuple(ExpectedPassage(document_id=name, any_of="window") for name in ("D-01", "D-99"))
    assert q017.evidence(case=q017.golden(expected_passages=pieces, known_gaps=None)).observations == ()


def test_a_recorded_citation_without_a_place_leaves_attribution_open() -> None:
    returned = q017.output("Die Rückgabe ist möglich.", citations=(Citation(marker="7", passage_id="p04"),))
    verdict = q017.evidence(None, returned=returned).claims[0].attribution
    assert verdict.verdict is AttributionVerdict.NOT_ASSESSABLE
    assert "7" in verdict.rationale


def test_a_claim_without_a_place_still_tells_that_more_was_said_than_the_sources_hold() -> None:
    invented = ClaimFinding(
        claim_id="9", claim="Hunde zahlen Eintritt.", support=Support.NOT_IN_CONTEXT, rationale="Steht nirgends."
    )
    case = q017.evidence((*q017.BOUNDED_CLAIMS, invented), returned=q017.output(q017.BOUNDED_ANSWER))
    assert len(case.claims) == 2
    assert any("Hunde" in each for each in case.missing)
    assert case.honest_failure is HonestFailure.ANSWERED_ANYWAY
