"""The matrix of the article: one row after the other, and nothing beyond it."""

from __future__ import annotations

import re

import pytest

from beleg.core.evidence import AttributionVerdict, ExpectedEvidence, ObservationCode, SupportVerdict
from beleg.core.findings import Support
from beleg.evidence.diagnosis import (
    DIAGNOSES,
    CaseRecord,
    RowRecord,
    lost_evidence,
    observations_on_case,
    observations_on_row,
)

NOTHING = CaseRecord(lost=(), returned=frozenset(), has_gap=False)
ATTACHED, MISSING = AttributionVerdict.ATTACHED, AttributionVerdict.MISSING
SUPPORTED, PARTLY, NOT = (
    SupportVerdict.SUPPORTED,
    SupportVerdict.PARTIALLY_SUPPORTED,
    SupportVerdict.NOT_SUPPORTED,
)


def codes(
    attribution: AttributionVerdict,
    support: SupportVerdict | None,
    found: Support | None = None,
    case: CaseRecord = NOTHING,
) -> list[str]:
    cited = ("p1",) if attribution is ATTACHED else ()
    row = RowRecord(attribution=attribution, support=support, found=found, cited=cited, quoted=("p1",))
    return [seen.code.value for seen in observations_on_row(row, case)]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((ATTACHED, SUPPORTED, Support.SUPPORTED), []),
        ((MISSING, SUPPORTED, Support.SUPPORTED), ["support_without_citation"]),
        ((MISSING, PARTLY, Support.PARTIALLY_SUPPORTED), ["support_without_citation"]),
        ((ATTACHED, NOT, Support.CONTRADICTED), ["citation_contradicts"]),
        ((ATTACHED, NOT, Support.NOT_IN_CONTEXT), ["citation_contradicts"]),
        ((MISSING, NOT, Support.NOT_IN_CONTEXT), []),
        ((ATTACHED, None, None), []),
        ((MISSING, None, None), []),
        ((ATTACHED, SupportVerdict.NOT_ASSESSABLE, None), []),
    ],
)
def test_a_row_shows_what_its_two_verdicts_show(
    row: tuple[AttributionVerdict, SupportVerdict | None, Support | None], expected: list[str]
) -> None:
    assert codes(*row) == expected


def test_a_part_of_an_expected_passage_tells_of_a_limit_left_out() -> None:
    held = CaseRecord(lost=(), returned=frozenset({"p1"}), has_gap=False)
    assert codes(ATTACHED, PARTLY, Support.PARTIALLY_SUPPORTED, held) == ["qualification_omitted"]
    assert codes(ATTACHED, PARTLY, Support.PARTIALLY_SUPPORTED) == []


def test_lost_evidence_is_seen_where_a_claim_found_none() -> None:
    lost = CaseRecord(lost=("D-02",), returned=frozenset(), has_gap=False)
    assert codes(MISSING, NOT, Support.NOT_IN_CONTEXT, lost) == ["expected_passage_not_retrieved"]
    assert codes(ATTACHED, SUPPORTED, Support.SUPPORTED, lost) == []
    assert [seen.code.value for seen in observations_on_case(lost)] == ["expected_passage_not_retrieved"]


def test_a_gap_is_seen_where_a_claim_fills_it() -> None:
    gap = CaseRecord(lost=(), returned=frozenset(), has_gap=True)
    assert codes(MISSING, NOT, Support.NOT_IN_CONTEXT, gap) == ["fact_not_in_collection"]
    assert codes(MISSING, NOT, Support.CONTRADICTED, gap) == []


def test_every_observation_has_its_sentences_in_both_languages() -> None:
    assert set(DIAGNOSES) == set(ObservationCode)
    for diagnosis in DIAGNOSES.values():
        for sentence in (diagnosis.record, diagnosis.observation, diagnosis.next_check):
            assert sentence.en != sentence.de
            assert all(words.endswith(".") for words in (sentence.en, sentence.de))


def test_the_words_of_the_article_stand_in_the_german_matrix() -> None:
    told = DIAGNOSES[ObservationCode.LOCATOR_DRIFT]
    assert told.observation.de == "Quellendrift verhindert einen gleichartigen Vergleich."
    told = DIAGNOSES[ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED]
    assert told.observation.de == "Der nötige Nachweis war der Antwortstufe in diesem Lauf nicht sichtbar."


def test_no_observation_names_a_cause() -> None:
    causes = re.compile(r"\b(because|caused?|due to|weil|verursacht|wegen|Ursache|schuld)\b", re.IGNORECASE)
    for diagnosis in DIAGNOSES.values():
        for sentence in (diagnosis.record, diagnosis.observation, diagnosis.next_check):
            assert not causes.search(sentence.en)
            assert not causes.search(sentence.de)


def expected(name: str, *, returned: bool | None, **fields: object) -> ExpectedEvidence:
    return ExpectedEvidence.model_validate({"document_id": name, "returned": returned} | fields)


def test_evidence_is_lost_only_where_that_is_known() -> None:
    assert lost_evidence([expected("a", returned=False), expected("b", returned=True)]) == ("a",)
    assert lost_evidence([expected("a", returned=None)]) == ()
    assert lost_evidence([expected("a", returned=False, required=False)]) == ()
    either = [expected("a", returned=False, any_of="x"), expected("b", returned=True, any_of="x")]
    assert lost_evidence(either) == ()
    neither = [expected("a", returned=False, any_of="x"), expected("b", returned=False, any_of="x")]
    assert lost_evidence(neither) == ("a", "b")
