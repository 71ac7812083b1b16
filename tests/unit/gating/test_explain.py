from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState, StageCount, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.trace import STAGES
from beleg.gating.explain import explained, headline, stage_name
from support.builders import case, evaluation
from unit.gating.building import bounds, result

FAIL, PASS, ERROR = CheckState.FAIL, CheckState.PASS, CheckState.ERROR
INCONCLUSIVE, NOT_EVALUATED = CheckState.INCONCLUSIVE, CheckState.NOT_EVALUATED

CASES = [case(f"c{place}", language="de" if place < 2 else "en") for place in range(4)]


def run(cases: Sequence[Case] = CASES, **fields: Any) -> Evaluation:
    return replace(evaluation(list(cases), {}), **fields)


def stage(name: str, *lost: str) -> StageCount:
    return StageCount(stage=name, present=1, lost=len(lost), unknown=0, lost_cases=lost)


def zero(**fields: Any) -> CheckResult:
    return result("entitlement_leak/zero_tolerance", kind=CheckKind.ZERO_TOLERANCE, **fields)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


# The lead of a headline.


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (zero(), result("false_exclusion/band")),
        (result("false_exclusion/band"), result("hit@5/band")),
        (result("document_exclusion/band"), result("hit@5/band")),
        (result("hit@5/band"), result("mrr/band/language=de", protected=True)),
        (result("hit@5/band"), result("false_exclusion/band/language=de", protected=True)),
        (
            result("false_exclusion/band/language=de", protected=True),
            result("hit@5/band/language=de", protected=True),
        ),
    ],
    ids=[
        "a certain breach before a lost document", "a lost document before the rest", "a share of lost documents too",
        "the whole before its parts", "the whole before a loss in a part", "the earliest loss among parts",
    ],
)  # fmt: skip
def test_what_blocks_most_certainly_and_earliest_leads(first: CheckResult, second: CheckResult) -> None:
    for checks in ([first, second], [second, first]):
        told = headline(Verdict.BLOCK, checks, run()).en
        assert told == f"{first.check_id} in English (1 more check failed)"


@pytest.mark.parametrize(
    ("first", "second"), [(ERROR, NOT_EVALUATED), (NOT_EVALUATED, INCONCLUSIVE), (ERROR, INCONCLUSIVE)]
)
def test_the_strictest_open_state_leads(first: CheckState, second: CheckState) -> None:
    """The state counts for more than the kind: a run that cannot be compared comes before an unproven zero."""
    checks = [zero(state=second), result("mrr/band", first)]
    assert "above all mrr/band in English" in headline(Verdict.REVIEW, checks, run()).en


def test_among_unproven_checks_the_one_that_needs_most_cases_leads() -> None:
    checks = [
        result("mrr/band", INCONCLUSIVE, needed=200),
        result("hit@5/band", INCONCLUSIVE, needed=900),
        result("ndcg@10/band", INCONCLUSIVE),
    ]
    assert "above all hit@5/band in English" in headline(Verdict.REVIEW, checks, run()).en


def test_equal_checks_lead_in_the_order_of_the_policy() -> None:
    assert headline(Verdict.BLOCK, [result("mrr/band"), result("hit@5/band")], run()).en.startswith("mrr/band")


# The forms of a headline.


def test_a_pass_says_how_much_was_checked() -> None:
    told = headline(Verdict.PASS, [result(state=PASS)] * 3, run())
    assert told.en == "All 3 checks hold on 4 cases"
    assert told.de == "Alle 3 Prüfungen sind auf 4 Fällen erfüllt"


@pytest.mark.parametrize(
    ("failed", "english", "german"),
    [
        (1, "", ""),
        (2, " (1 more check failed)", " (1 weitere Prüfung ist durchgefallen)"),
        (3, " (2 more checks failed)", " (2 weitere Prüfungen sind durchgefallen)"),
    ],
)
def test_a_block_names_one_breach_and_counts_the_others(failed: int, english: str, german: str) -> None:
    checks = [result(state=PASS), *[result()] * failed, result(state=INCONCLUSIVE)]
    told = headline(Verdict.BLOCK, checks, run())
    assert told.en == f"hit@5/band in English{english}"
    assert told.de == f"hit@5/band auf Deutsch{german}"


def test_a_review_with_one_open_check_is_that_check() -> None:
    told = headline(Verdict.REVIEW, [result(state=PASS), result("mrr/band", INCONCLUSIVE)], run())
    assert (told.en, told.de) == ("mrr/band in English", "mrr/band auf Deutsch")


def test_a_review_with_many_open_checks_counts_them() -> None:
    checks = [result(state=PASS), result("mrr/band", INCONCLUSIVE), result("hit@5/band", NOT_EVALUATED)]
    told = headline(Verdict.REVIEW, checks, run())
    assert told.en == "2 of 3 checks are not settled on 4 cases; above all hit@5/band in English"
    assert told.de == "2 von 3 Prüfungen sind auf 4 Fällen offen; vor allem hit@5/band auf Deutsch"


# Where the evidence goes.

LOST = result("false_exclusion/band", metric="false_exclusion", figure=bounds(0.15, 0.123, 0.182, n=400), pass_at=0.02)
LOSSES = {"locale": ("c2", "c1", "c3"), "product": ("c0",)}


def test_a_loss_at_a_filter_is_told_with_field_figure_limit_and_an_example() -> None:
    told = explained(LOST, run(filter_losses={"locale": ("c2", "c3")})).reason
    assert plain(told.en) == (
        "The hard filter on 'locale' hides every right document in 60 of 400 cases "
        "(15.0 %, 90 % interval 12.3 % to 18.2 %; allowed 2 %); look at case c2 first"
    )
    assert plain(told.de) == (
        "Der harte Filter auf „locale“ verdeckt in 60 von 400 Fällen jedes richtige Dokument "
        "(15,0 %, 90 %-Intervall 12,3 % bis 18,2 %; erlaubt 2 %); zuerst Fall c2 ansehen"
    )


def test_the_field_that_hides_most_cases_is_named_and_the_others_too() -> None:
    told = explained(LOST, run(filter_losses=LOSSES)).reason
    assert "The hard filter on 'locale'" in told.en
    assert "; also filters on product; look at case c2 first" in told.en
    assert "; ebenso Filter auf product; zuerst Fall c2 ansehen" in told.de


def test_in_a_segment_only_its_own_cases_count_and_stand_as_example() -> None:
    part = LOST.model_copy(update={"segment": "language=de", "protected": True})
    told = explained(part, run(filter_losses={"locale": ("c2", "c3"), "product": ("c0",)})).reason.en
    assert "The hard filter on 'product' hides every right document in 60 of 400 cases (language=de)" in told
    assert "locale" not in told
    assert told.endswith("look at case c0 first")


def test_without_a_measured_loss_in_the_segment_no_filter_is_named() -> None:
    part = LOST.model_copy(update={"segment": "language=de"})
    assert explained(part, run(filter_losses={"locale": ("c2", "c3")})) == part


@pytest.mark.parametrize(
    "unnamed",
    [
        LOST.model_copy(update={"state": PASS}),
        LOST.model_copy(update={"figure": None}),
        LOST.model_copy(update={"metric": "document_exclusion"}),
        LOST.model_copy(update={"metric": None}),
    ],
    ids=["it holds", "no figure", "a share of documents", "no metric"],
)
def test_a_filter_is_named_only_where_its_losses_were_measured(unnamed: CheckResult) -> None:
    assert explained(unnamed, run(filter_losses=LOSSES)) == unnamed


def test_nothing_is_added_where_no_filter_loses_anything() -> None:
    assert explained(LOST, run()) == LOST


WATERFALL = (stage("filtered", "c0"), stage("retrieved", "c1", "c2"), stage("delivered", "c0"), stage("cited"))


@pytest.mark.parametrize("metric", ["recall@5", "hit@5", "evidence_recall", "recall@5(stage=retrieved)", "mrr"])
def test_low_recall_says_at_which_stage_most_evidence_is_lost(metric: str) -> None:
    """Three cases lose evidence, one of them at two stages; retrieval loses two."""
    low = result(f"{metric}/band", metric=metric)
    told = explained(low, run(waterfall=WATERFALL)).reason
    assert told.en == low.reason.en + "; 2 of the 3 cases that lose required evidence lose it at retrieval"
    assert told.de == low.reason.de + "; 2 der 3 Fälle mit verlorener Pflicht-Evidenz verlieren sie bei: Retrieval"


def test_of_stages_that_lose_as_many_the_earliest_is_named() -> None:
    told = explained(result("hit@5/band"), run(waterfall=(stage("filtered", "c0"), stage("retrieved", "c1"))))
    assert told.reason.en.endswith("1 of the 2 cases that lose required evidence lose it at the relevance filter")


@pytest.mark.parametrize(
    "untouched",
    [
        result("hit@5/band", PASS),
        result("hit@5/band", segment="language=de"),
        result("exact_match/band"),
        result("comparability", metric=None),
    ],
    ids=["it holds", "a segment, for which no waterfall was made", "not about evidence", "no metric"],
)
def test_the_waterfall_of_the_whole_run_explains_nothing_else(untouched: CheckResult) -> None:
    assert explained(untouched, run(waterfall=WATERFALL)) == untouched


def test_where_no_stage_loses_evidence_none_is_blamed() -> None:
    low = result("recall@5/band")
    assert explained(low, run(waterfall=(stage("retrieved"), stage("cited")))) == low


def test_every_stage_has_a_name_in_both_languages() -> None:
    for each in STAGES:
        assert stage_name(each.value, "de") != each.value
        assert stage_name(each.value, "en") != each.value
    assert stage_name("something else", "de") == "something else"
