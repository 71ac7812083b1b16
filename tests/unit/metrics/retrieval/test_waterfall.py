from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case
from beleg.core.inventory import Inventory
from beleg.core.trace import STAGES, Stage, TraceStatus
from beleg.metrics.batch import Batch
from beleg.metrics.retrieval import waterfall
from beleg.metrics.retrieval.waterfall import CaseWaterfall, StageState, waterfall_totals, waterfalls
from beleg.text.quotes import QuoteFinder, QuoteMatch
from beleg.text.sentences import sentences
from unit.metrics.building import broken, case, citation, entitlement, gold, inventory, passage, relevance, trace

FEE = "Express kostet 12,90 €."
HOLDS = passage("fee", f"Versand. {FEE} Nur in Deutschland.")
OTHER = passage("other", "Rückgabe in 30 Tagen.")
INDEX = inventory(
    {"fee": f"Seite 1. {FEE}", "other": "Rückgabe"},
    {"fee#0": ("fee", HOLDS.text or ""), "other#0": ("other", OTHER.text or "")},
    metadata={"fee": {"locale": "de", "tenant": "acme"}, "other": {"tenant": "acme"}},
)
FILTERS = (entitlement("tenant", "acme"), relevance("locale", "de"))
NEEDED = case(gold("fee", FEE))
GOOD: dict[str, Any] = {
    "filters": FILTERS,
    "retrieved": (OTHER, HOLDS),
    "reranked": (HOLDS, OTHER),
    "delivered": (HOLDS,),
    "answer": f"{FEE[:-1]} [1].",
    "citations": (citation("[1]", passage_id="fee#0"),),
}


def follow(a_case: Case = NEEDED, known: Inventory | None = INDEX, **changed: Any) -> CaseWaterfall:
    (found,) = waterfalls(Batch.of([a_case], [trace(a_case.case_id, **{**GOOD, **changed})], inventory=known))
    assert found is not None
    return found


def test_evidence_that_reaches_the_answer_is_present_everywhere() -> None:
    found = follow()
    assert set(found.states.values()) == {StageState.PRESENT}
    assert list(found.states) == list(STAGES)
    assert found.lost_at is None


GONE: dict[str, Any] = {"delivered": (OTHER,), "citations": (), "answer": "Nichts."}
NOWHERE: dict[str, Any] = {"retrieved": (OTHER,), "reranked": (OTHER,), **GONE}


@pytest.mark.parametrize(
    ("stage", "known", "changed"),
    [
        (Stage.PARSED, inventory({"fee": "Express kostet 12,9O €."}), NOWHERE),
        (Stage.PARSED, inventory({"other": "x"}), NOWHERE),
        (Stage.CHUNKED, inventory({"fee": FEE}, {"a": ("fee", "Express kostet"), "b": ("fee", "12,90 €.")}), NOWHERE),
        (Stage.INDEXED, inventory({"fee": FEE}, {"fee#0": ("fee", FEE)}, unindexed=("fee#0",)), NOWHERE),
        (Stage.ELIGIBLE, INDEX, {**NOWHERE, "filters": (entitlement("tenant", "globex"), relevance("locale", "de"))}),
        (Stage.FILTERED, INDEX, {**NOWHERE, "filters": (entitlement("tenant", "acme"), relevance("locale", "en"))}),
        (Stage.RETRIEVED, INDEX, NOWHERE),
        (Stage.RERANKED, INDEX, {**GONE, "reranked": (OTHER,)}),
        (Stage.DELIVERED, INDEX, GONE),
        (Stage.CITED, INDEX, {"citations": (citation("[1]", passage_id="other#0"),)}),
    ],
)
def test_the_first_stage_where_evidence_is_gone_is_named(
    stage: Stage, known: Inventory, changed: dict[str, Any]
) -> None:
    found = follow(known=known, **changed)
    assert found.lost_at is stage
    before = [found.states[earlier] for earlier in STAGES[: STAGES.index(stage)]]
    assert StageState.LOST not in before


def test_a_sentence_in_other_words_needs_a_judge() -> None:
    reworded = follow(answer="Der Expressversand kostet knapp 13 Euro [1].")
    assert reworded.states[Stage.CITED] is StageState.PRESENT
    assert reworded.states[Stage.SUPPORTED] is StageState.NOT_EVALUATED
    assert reworded.lost_at is None


def test_a_bare_marker_is_looked_for_in_brackets_and_not_inside_numbers() -> None:
    passages = (passage("fee", "Es dauert 11 Tage. Express kostet 12,90 €."),)
    quoted_elsewhere = follow(
        case(gold("fee", "12,90 €")),
        delivered=passages,
        answer="Es dauert 11 Tage. Express ist teuer [1].",
        citations=(citation("1", passage_id="fee#0"),),
    )
    assert quoted_elsewhere.states[Stage.SUPPORTED] is StageState.NOT_EVALUATED


def test_a_cited_passage_without_text_needs_a_judge() -> None:
    silent = follow(case(gold("new")), delivered=(passage("new"),), citations=(citation("[1]", document_id="new"),))
    assert silent.states[Stage.CITED] is StageState.PRESENT
    assert silent.states[Stage.SUPPORTED] is StageState.NOT_EVALUATED


def test_the_sentence_of_the_citation_is_taken_where_it_is_given() -> None:
    given = citation("[1]", passage_id="fee#0", sentence=f"{FEE} [1]")
    answer = "Zum Versand: Express kostet  12,90\u00a0€ [1]."
    assert follow(answer=answer, citations=(given,)).states[Stage.SUPPORTED] is StageState.PRESENT


def test_a_sentence_that_the_answer_does_not_hold_supports_nothing() -> None:
    invented = citation("[1]", passage_id="fee#0", sentence=f"{FEE} [1]")
    found = follow(answer="Express kostet 99 € [1].", citations=(invented,))
    assert found.states[Stage.SUPPORTED] is StageState.NOT_EVALUATED


def test_evidence_that_entitlement_refused_stays_lost_there_although_it_was_retrieved() -> None:
    found = follow(filters=(entitlement("tenant", "globex"), relevance("locale", "de")))
    assert found.states[Stage.ELIGIBLE] is StageState.LOST
    assert found.states[Stage.RETRIEVED] is StageState.PRESENT
    assert found.lost_at is Stage.ELIGIBLE


def test_many_citations_of_a_long_answer_take_it_apart_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> list[str]:
        calls.append(text)
        return sentences(text)

    monkeypatch.setattr(waterfall, "sentences", counted)
    many = tuple(citation(str(number % 40), passage_id="fee#0") for number in range(200))
    follow(case(gold("fee", FEE), gold("fee")), answer="Worte stehen hier [0]. " * 500, citations=many)
    assert len(calls) == 1


def test_stages_that_the_run_does_not_show_are_marked_and_skipped() -> None:
    found = follow(known=None, filters=None, reranked=None, citations=None)
    unknown = {Stage.PARSED, Stage.CHUNKED, Stage.INDEXED, Stage.ELIGIBLE, Stage.FILTERED, Stage.RERANKED,
               Stage.CITED, Stage.SUPPORTED}  # fmt: skip
    assert {stage for stage, state in found.states.items() if state is StageState.NOT_RECORDED} == unknown
    assert found.states[Stage.DELIVERED] is StageState.PRESENT
    assert follow(known=None, filters=None, **NOWHERE).lost_at is Stage.RETRIEVED


def test_a_filter_on_metadata_that_nobody_knows_is_not_recorded() -> None:
    found = follow(known=None, **NOWHERE)
    assert found.states[Stage.ELIGIBLE] is found.states[Stage.FILTERED] is StageState.NOT_RECORDED
    assert follow(known=None, **{**NOWHERE, "filters": ()}).states[Stage.FILTERED] is StageState.PRESENT


def test_evidence_that_is_seen_later_was_not_lost_before() -> None:
    found = follow(retrieved=(OTHER,))
    assert found.states[Stage.RETRIEVED] is StageState.PRESENT
    assert found.lost_at is None


def test_of_alternatives_the_one_that_survives_furthest_counts() -> None:
    either = case(gold("nowhere", "x", any_of="fee"), gold("fee", FEE, any_of="fee"))
    assert follow(either).lost_at is None
    both = case(gold("nowhere", "x"), gold("fee", FEE))
    assert follow(both).lost_at is Stage.PARSED


def test_a_stage_is_reached_when_all_required_evidence_is_there() -> None:
    found = follow(case(gold("fee", FEE), gold("other"), gold("nowhere", required=False)))
    assert found.states[Stage.RERANKED] is StageState.PRESENT
    assert found.states[Stage.DELIVERED] is StageState.LOST
    assert found.lost_at is Stage.DELIVERED


def test_a_passage_can_be_followed_by_its_id() -> None:
    assert follow(case(gold(passage_id="fee#0"))).lost_at is None
    assert follow(case(gold(passage_id="fee#9")), **NOWHERE).lost_at is Stage.PARSED


def test_totals_add_up_to_all_rows_and_name_the_cases_that_lost() -> None:
    cases = [
        case(gold("fee", FEE), case_id="good"),
        case(gold("fee", FEE), case_id="lost"),
        case(case_id="free"),
        case(gold("fee", FEE), case_id="late"),
        case(gold("fee", FEE), case_id="unrun"),
    ]
    traces = [
        trace("good", **GOOD),
        trace("lost", **{**GOOD, **GONE, "reranked": None}),
        trace("free", **GOOD),
        broken(TraceStatus.TIMEOUT, "late"),
        None,
    ]
    batch = Batch.of(cases, traces, inventory=INDEX)
    totals = waterfall_totals(batch, waterfalls(batch))
    assert (totals.followed, totals.without_required_evidence, totals.failed) == (2, 1, 2)
    by_stage = {total.stage: total for total in totals.stages}
    assert [by_stage[stage].reached for stage in STAGES] == [2, 2, 2, 2, 2, 2, 1, 1, 1, 1]
    assert by_stage[Stage.RERANKED].not_recorded == 1
    assert (by_stage[Stage.DELIVERED].lost, by_stage[Stage.DELIVERED].lost_cases) == (1, ("lost",))
    assert sum(total.lost for total in totals.stages) == 1


def test_a_waterfall_is_stored_and_read_back() -> None:
    found = follow()
    assert CaseWaterfall.model_validate_json(found.model_dump_json()) == found


def test_a_document_and_quote_are_looked_up_once_for_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[tuple[str, str]] = []
    search = QuoteFinder._search

    def counted(finder: QuoteFinder, text: str, quote: str) -> QuoteMatch:
        searched.append((text, quote))
        return search(finder, text, quote)

    monkeypatch.setattr(QuoteFinder, "_search", counted)
    cases = [case(gold("fee", FEE), case_id=f"c{number}") for number in range(100)]
    waterfalls(Batch.of(cases, [trace(item.case_id, **GOOD) for item in cases], inventory=INDEX))
    assert len(searched) == len(set(searched)) < 10
