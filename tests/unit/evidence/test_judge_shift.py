from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beleg.core.findings import Finding
from beleg.core.judging import JudgeSpec
from beleg.core.score import ScoreStatus
from beleg.evidence.judge_shift import claim_shifts, judges_in, metric_shift
from beleg.metrics.batch import FindingKey
from support.builders import column


def found(case_id: str, *claims: tuple[str, str], **fields: Any) -> Finding:
    evidence = {"claims": [{"claim_id": str(i), "claim": c, "support": s} for i, (c, s) in enumerate(claims)]}
    given = {"measure": "claim_support", "measure_version": "1", "subject_digest": "s", "evidence": evidence}
    return Finding.model_validate(given | {"case_id": case_id} | fields)


def by_key(*findings: Finding) -> Mapping[FindingKey, Finding]:
    return {(each.case_id, each.repeat, each.measure): each for each in findings}


def test_a_claim_with_another_verdict_moved() -> None:
    before = by_key(found("a", ("x", "supported"), ("y", "contradicted")))
    today = by_key(found("a", ("y", "contradicted"), ("x", "not_in_context")))
    (shift,) = claim_shifts(before, today)
    assert (shift.in_both, shift.before_only, shift.today_only) == (2, 0, 0)
    assert [(each.claim, each.old, each.new) for each in shift.moved] == [("x", "supported", "not_in_context")]


def test_claims_that_one_judge_alone_found_are_counted_and_never_paired() -> None:
    before = by_key(found("a", ("x.", "supported"), ("z", "supported")))
    today = by_key(found("a", ("x", "contradicted"), ("z", "supported"), ("z", "contradicted")))
    (shift,) = claim_shifts(before, today)
    assert (shift.in_both, shift.before_only, shift.today_only, shift.moved) == (0, 2, 3, ())


def test_a_row_that_only_one_judge_gave_a_verdict_on_is_left_out() -> None:
    missing = found("b", status=ScoreStatus.JUDGE_ERROR, evidence=None)
    assert claim_shifts(by_key(found("b", ("x", "supported"))), by_key(missing)) == ()
    assert claim_shifts({}, by_key(found("a", ("x", "supported")))) == ()


def test_evidence_of_another_shape_has_no_claims_to_compare() -> None:
    odd = [{"grade": 3}, {"claims": "x"}, {"claims": [1]}, {"claims": [{"claim": 1, "support": "supported"}]}]
    for evidence in odd:
        one = by_key(found("a", measure="rubric", evidence=evidence))
        assert claim_shifts(one, one) == ()


def test_the_cases_whose_score_moved_are_named() -> None:
    before, today = column([1.0, 0.5, None, 0.0]), column([1.0, 0.25, 1.0, None])
    shift = metric_shift("faithfulness", ["a", "b", "c", "d"], before, today)
    assert (shift.scored_in_both, shift.scored_before_only, shift.scored_today_only) == (2, 1, 1)
    assert [(each.case_id, each.old, each.new) for each in shift.moved] == [("b", 0.5, 0.25)]


def test_judges_are_named_with_their_digests_once() -> None:
    judge = JudgeSpec(provider="openai", model="m")
    assert judges_in([found("a", judge=judge), found("b", judge=judge), found("c")]) == (f"m {judge.digest}",)
