"""A judge looks at labelled items as it would at rows of a run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.errors import CandidateError, UsageError
from beleg.core.inference import JudgeRequest
from beleg.core.labels import HumanLabel
from beleg.core.score import ScoreStatus
from beleg.judges.labelled_items import JudgedItems, gold_of, judge_items, metric_scorer, score_items, weakest_support
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Panel
from beleg.metrics.catalogue import parse_metric
from beleg.metrics.verification.verifier import AlignmentVerifier
from support.judge_models import scripted_panel

PASSAGES = (("doc", "The warranty lasts two years."),)


def label(item_id: str, answer: str, value: str, **fields: Any) -> HumanLabel:
    return HumanLabel(item_id=item_id, question="How long?", answer=answer, passages=PASSAGES, label=value, **fields)


def of(request: JudgeRequest) -> str:
    return request.messages[-1].content


def extraction(request: JudgeRequest) -> dict[str, Any]:
    return {"claims": ["The warranty lasts two years." if "two years" in of(request) else "It lasts nine years."]}


def verification(request: JudgeRequest) -> dict[str, Any]:
    wrong = "nine years" in of(request)
    verdict = {"claim_id": "1", "reason": "r", "verdict": "contradicted" if wrong else "supported"}
    return {"verdicts": [verdict | {"passage_id": "1", "quote": "The warranty lasts two years."}]}


SCRIPT = {"claim_extraction": extraction, "claim_verification": verification}
LABELS = [label("a", "It lasts two years.", "supported"), label("b", "It lasts nine years.", "not_supported")]


def judged(
    script: dict[str, Any], repeats: int = 1, labels: list[HumanLabel] | None = None, metric: str = "faithfulness"
) -> JudgedItems:
    return asyncio.run(
        judge_items(
            scripted_panel(script),
            metric_scorer(parse_metric(metric)),
            MEASURES["claim_support"],
            gold_of(labels or LABELS).items,
            repeats=repeats,
            at_a_time=4,
        )
    )


def test_every_item_is_judged_with_its_own_passages() -> None:
    found = judged(SCRIPT)
    assert found.scores.items == ("item-1", "item-2")
    assert found.scores.human.tolist() == [True, False]
    assert found.scores.scores.tolist() == [1.0, 0.0]
    assert found.without_verdict == {}
    assert {task.task for finding in found.findings for task in finding.tasks} == set(SCRIPT)


def test_each_repeat_is_asked_anew() -> None:
    model_answers = iter(["supported", "supported", "contradicted", "supported"])

    def moody(request: JudgeRequest) -> dict[str, Any]:
        verdict = {"claim_id": "1", "reason": "r", "verdict": next(model_answers)}
        return {"verdicts": [verdict | {"passage_id": "1", "quote": "The warranty lasts two years."}]}

    found = judged({"claim_extraction": extraction, "claim_verification": moody}, repeats=2)
    assert found.scores.repeats == (0, 0, 1, 1)
    assert sorted(found.scores.scores.tolist()) == [0.0, 1.0, 1.0, 1.0]


def test_an_item_without_a_verdict_is_counted_with_its_reason() -> None:
    def broken(request: JudgeRequest) -> Any:
        if "nine years" in of(request):
            return CandidateError("down", kind="server_error")
        return verification(request)

    found = judged({"claim_extraction": extraction, "claim_verification": broken})
    assert found.scores.items == ("item-1",)
    assert found.without_verdict == {ScoreStatus.JUDGE_ERROR: 1}


def test_several_people_decide_by_majority_and_a_tie_is_no_label() -> None:
    votes = [("a", "supported"), ("a", "not_supported"), ("a", "supported"), ("b", "supported"), ("b", "not_supported")]
    gold = gold_of(label(item, f"Answer {item}.", value) for item, value in votes)
    assert [(item.item_id, item.is_positive) for item in gold.items] == [("a", True)]
    assert gold.disputed == 1


def test_items_of_one_question_and_its_passages_are_not_independent() -> None:
    one, two = gold_of(LABELS).items
    assert one.group == two.group
    other = gold_of([HumanLabel(item_id="c", question="Why?", answer="So.", passages=PASSAGES, label="pass")]).items[0]
    assert other.group != one.group


def test_hostile_ids_and_very_long_passages_reach_the_judge_whole() -> None:
    """A passage that is longer than one may be is judged in parts, none of it left out."""
    text = "word " * 50_000 + "The warranty lasts two years."
    odd = HumanLabel(item_id="a\x00\nb", answer="It lasts two years.", passages=(("p\x01", text),), label="pass")

    def in_the_third(request: JudgeRequest) -> dict[str, Any]:
        verdict = verification(request)["verdicts"][0]
        return {"verdicts": [verdict | {"passage_id": "3"}]}

    found = judged({"claim_extraction": extraction, "claim_verification": in_the_third}, labels=[odd])
    assert found.scores.items == ("item-1",)
    assert found.scores.scores.tolist() == [1.0]


def test_a_dedicated_verifier_is_scored_by_its_weakest_claim_so_that_a_threshold_can_be_found() -> None:
    two = label("a", "The warranty lasts two years. Elephants can fly to Mars quickly.", "not_supported")
    found = asyncio.run(
        judge_items(
            Panel(verifier=AlignmentVerifier()),
            weakest_support,
            MEASURES["claim_support_by_verifier"],
            gold_of([LABELS[0], two]).items,
            repeats=1,
            at_a_time=2,
        )
    )
    assert found.scores.scores[0] > 0.5 > found.scores.scores[1]
    assert found.findings[0].judge == AlignmentVerifier().spec


def test_a_metric_of_which_less_is_better_is_turned_round() -> None:
    """A judge that is right on every item must not look wrong on all of them."""
    found = judged(SCRIPT, metric="contradicted_claims")
    assert found.scores.scores.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("metric", ["claim_count", "claim_order_agreement"])
def test_a_metric_that_says_nothing_of_good_or_bad_is_refused(metric: str) -> None:
    with pytest.raises(UsageError, match="does not say what is good"):
        metric_scorer(parse_metric(metric))


def test_a_proxy_is_compared_without_asking_anybody() -> None:
    found = score_items(gold_of(LABELS).items, metric_scorer(parse_metric("faithfulness_proxy")))
    assert found.scores.items == ("item-1", "item-2")
    assert found.findings == ()


def test_a_judge_that_grades_by_a_rubric_is_given_the_labels_rubric_and_reference() -> None:
    def graded(request: JudgeRequest) -> dict[str, Any]:
        shown = of(request)
        assert "Names the term." in shown
        assert "Two years." in shown
        return {"reason": "r", "score": 5 if "two years" in shown else 1}

    told = {"rubric": "Names the term.", "reference_answer": "Two years."}
    labels = [label("a", "It lasts two years.", "pass", **told), label("b", "It lasts nine.", "fail", **told)]
    found = asyncio.run(
        judge_items(
            scripted_panel({"rubric_grade": graded}),
            metric_scorer(parse_metric("rubric_grade")),
            MEASURES["rubric_grade"],
            gold_of(labels).items,
            repeats=1,
            at_a_time=2,
        )
    )
    assert found.without_verdict == {}
    assert found.scores.human.tolist() == [True, False]
    assert found.scores.scores.tolist() == sorted(found.scores.scores.tolist(), reverse=True)
    assert len(set(found.scores.scores.tolist())) == 2
