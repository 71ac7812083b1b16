"""The three things to know first follow from the decision and from nothing else."""

from __future__ import annotations

from beleg.core.decision import CheckKind, CheckResult, CheckState, Counts, Decision, Sentence, Verdict
from beleg.core.score import ScoreStatus
from beleg.report.first_things import NAMED_CASES, first_things
from support.report_data import HOSTILE_ID, build_report

DECISION = build_report().decision


def decided(*checks: CheckResult, **fields: object) -> Decision:
    return DECISION.model_copy(update={"checks": checks, **fields})


def check(state: CheckState, **fields: object) -> CheckResult:
    given = {
        "check_id": "c", "kind": CheckKind.BAND, "state": state, "metric": "ndcg@10",
        "reason": Sentence(en="why", de="warum"),
    }  # fmt: skip
    return CheckResult.model_validate(given | fields)


def test_the_first_says_which_check_decides_and_how_the_others_ended() -> None:
    text = first_things(DECISION)[0].text
    assert text.en.startswith("■ 1 fail: nDCG@10 against the baseline (language=de) · ▲ 1 error")
    assert text.de.endswith("● 3 erfüllt")


def test_the_state_that_decides_is_the_strictest_one_present() -> None:
    text = first_things(decided(check(CheckState.INCONCLUSIVE), check(CheckState.PASS)))[0].text
    assert text.en == "◐ 1 inconclusive: nDCG@10 · ● 1 pass"


def test_the_cases_are_those_of_the_most_urgent_check_and_the_rest_is_counted() -> None:
    thing = first_things(DECISION)[1]
    failed = DECISION.by_state(CheckState.FAIL)[0]
    assert thing.cases == failed.worst_cases[:NAMED_CASES]
    assert thing.more == len(failed.worst_cases) - NAMED_CASES
    assert "nDCG@10" in thing.text.en


def test_a_name_of_a_stranger_stays_out_of_the_sentence() -> None:
    thing = first_things(decided(check(CheckState.FAIL, worst_cases=(HOSTILE_ID,))))[1]
    assert thing.cases == (HOSTILE_ID,)
    assert HOSTILE_ID not in thing.text.en


def test_where_no_check_names_a_case_those_that_lose_evidence_do() -> None:
    thing = first_things(decided(check(CheckState.FAIL)))[1]
    assert thing.text.en == "the cases that lose required evidence at “filtered”"
    lost = next(count for count in DECISION.candidate.waterfall if count.stage == "filtered")
    assert len(thing.cases) + thing.more == lost.lost


def test_where_nothing_is_lost_either_the_check_itself_is_told() -> None:
    whole = DECISION.candidate.model_copy(update={"waterfall": ()})
    assert first_things(decided(check(CheckState.FAIL), candidate=whole))[1].text.en == "why"
    assert "no case stands out" in first_things(decided(check(CheckState.PASS), candidate=whole))[1].text.en


def test_what_would_change_it_is_the_remedy_of_the_most_urgent_check() -> None:
    remedy = Sentence(en="about 35 more cases", de="etwa 35 weitere Fälle")
    thing = first_things(decided(check(CheckState.PASS), check(CheckState.INCONCLUSIVE, remedy=remedy)))[2]
    assert thing.label.en == "What would change it"
    assert thing.text.de == "nDCG@10: etwa 35 weitere Fälle"


def test_what_was_not_measured_is_named() -> None:
    text = first_things(DECISION)[2].text.en
    assert "Checks without a result: 2 (Citations with evidence, Coverage (locale=fr))" in text
    assert "1 timeout, 1 no claims" in text


def test_a_row_that_was_not_due_is_no_gap_and_a_missing_baseline_is_one() -> None:
    counts = Counts(expected=9, scored=5, reasons={ScoreStatus.SCORED: 5, ScoreStatus.NOT_APPLICABLE: 4})
    whole = check(CheckState.PASS, counts=counts)
    assert first_things(decided(whole))[2].text.en.startswith("nothing: every check was measured")
    alone = first_things(decided(whole, baseline=None))[2]
    assert alone.text.en == "There is no baseline, so nothing was compared"


def test_no_check_at_all_is_said_and_never_looks_like_a_pass() -> None:
    first = first_things(decided(verdict=Verdict.REVIEW))[0]
    assert first.text.en == "The policy holds no check, so nothing can pass."
