from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from beleg.core.decision import CheckKind, CheckResult, CheckState, Counts, StageCount
from beleg.core.evaluation import Evaluation
from beleg.core.score import ScoreStatus
from beleg.gating.remedies import Losses, with_remedy
from support.builders import case, evaluation
from unit.gating.building import bounds, result

CASES = [case(f"c{i}", language="de" if i % 2 else "en") for i in range(20)]


def run(**fields: Any) -> Evaluation:
    return replace(evaluation(CASES, {}), **fields)


def stage(name: str, *lost: str) -> StageCount:
    return StageCount(stage=name, present=0, lost=len(lost), unknown=0, lost_cases=lost)


WATERFALL = (stage("filtered", "c1", "c2"), stage("retrieved", "c3", "c4", "c5"))


def told(check: CheckResult, candidate: Evaluation | None = None) -> str:
    found = with_remedy(check, Losses.of(candidate or run())).remedy
    assert found is not None
    assert found.de != found.en
    return found.en.replace("\xa0", " ")


def open_check(**fields: Any) -> CheckResult:
    return result(**{"state": CheckState.INCONCLUSIVE, **fields})


def test_what_holds_needs_no_remedy() -> None:
    holding = result(state=CheckState.PASS, worst_cases=("c1",))
    assert with_remedy(holding, Losses.of(run(waterfall=WATERFALL))) == holding


def test_what_the_check_says_itself_is_kept() -> None:
    first = with_remedy(open_check(needed=30, needed_unit="cases", figure=bounds(0.9, 0.7, 1.0, n=18)),
                        Losses.of(run()))  # fmt: skip
    assert with_remedy(first, Losses.of(run(waterfall=WATERFALL))) == first


def test_so_many_more_are_what_is_needed_less_what_is_there() -> None:
    assert told(open_check(needed=30, needed_unit="cases", figure=bounds(0.9, 0.7, 1.0, n=18))) == "about 12 more cases"
    one = open_check(needed=30, needed_unit="cases", figure=bounds(0.9, 0.7, 1.0, n=29), segment="language=de")
    assert told(one) == "about 1 more case (language=de)"
    groups = open_check(needed=40, needed_unit="groups", difference=bounds(0.0, -0.1, 0.1, clusters=25))
    assert told(groups) == "about 15 more groups of independent cases"
    counted = open_check(
        kind=CheckKind.ZERO_TOLERANCE, needed=30, needed_unit="cases", counts=Counts(expected=8, scored=8)
    )
    assert told(counted) == "about 22 more cases"


def test_a_figure_between_its_levels_has_to_rise_and_more_cases_do_not_help() -> None:
    between = open_check(figure=bounds(0.8, 0.75, 0.85), pass_at=0.85, block_at=0.78, higher_is_better=True)
    assert told(between) == "the figure itself has to rise to at least 85 %; more cases do not change that"
    ceiling = open_check(metric="latency_ms", figure=bounds(4e3, 3e3, 5e3), pass_at=3e3, block_at=6e3,
                         higher_is_better=False)  # fmt: skip
    assert "fall to at most" in told(ceiling)


def test_a_loss_has_to_shrink() -> None:
    lost = result("hit@5/no_regression", CheckState.FAIL, margin=0.05, difference=bounds(-0.2, -0.3, -0.1))
    assert told(lost) == "the loss against the baseline has to shrink well below 5 points"


def test_where_the_worst_cases_lose_their_evidence_is_named_as_it_was_measured() -> None:
    failed = result(state=CheckState.FAIL, worst_cases=("c3", "c4", "c1", "c9"))
    found = with_remedy(failed, Losses.of(run(waterfall=WATERFALL)))
    assert found.stage == "retrieved"
    assert found.remedy is not None
    assert found.remedy.en == "2 of the 4 cases named lose required evidence at retrieval; look there"


def test_of_two_stages_that_tie_the_earlier_is_named() -> None:
    failed = result(state=CheckState.FAIL, worst_cases=("c1", "c3"))
    assert with_remedy(failed, Losses.of(run(waterfall=WATERFALL))).stage == "filtered"


def test_a_filter_is_named_only_where_it_was_seen_to_remove_the_right_documents() -> None:
    candidate = run(waterfall=WATERFALL, filter_losses={"locale": ("c1", "c2", "c3"), "status": ("c4",)})
    failed = result(state=CheckState.FAIL, worst_cases=("c1", "c3", "c4"))
    assert told(failed, candidate).startswith("fix filter locale: it removes all right documents in 2 of the 3 cases")
    elsewhere = result(state=CheckState.FAIL, worst_cases=("c1",), segment="language=en")
    assert "locale" not in told(elsewhere, candidate)


def test_a_cause_that_was_not_measured_is_never_named() -> None:
    failed = result(state=CheckState.FAIL, worst_cases=("c8", "c9"))
    found = with_remedy(failed, Losses.of(run(waterfall=WATERFALL)))
    assert (found.stage, found.remedy) == (None, None)


@pytest.mark.parametrize(
    ("metric", "reasons", "words"),
    [
        ("faithfulness", {ScoreStatus.MISSING: 3}, "have them judged"),
        ("cost_usd", {ScoreStatus.MISSING: 3}, "record what the metric reads"),
        ("hit@5", {ScoreStatus.TIMEOUT: 2, ScoreStatus.MISSING: 1}, "finish the run, or repeat these cases"),
    ],
)
def test_what_lacks_a_score_is_counted_with_what_would_give_it_one(
    metric: str, reasons: dict[ScoreStatus, int], words: str
) -> None:
    thin = result(f"{metric}/coverage", CheckState.NOT_EVALUATED, kind=CheckKind.COVERAGE,
                  counts=Counts(expected=10, scored=7, reasons=reasons))  # fmt: skip
    assert told(thin).startswith("3 cases lack a score: ")
    assert words in told(thin)


@pytest.mark.parametrize(
    ("kind", "state", "words"),
    [
        (CheckKind.COMPARABILITY, CheckState.NOT_EVALUATED, "--baseline"),
        (CheckKind.COMPARABILITY, CheckState.ERROR, "run both anew"),
        (CheckKind.COMPLETENESS, CheckState.INCONCLUSIVE, "run the whole suite"),
        (CheckKind.REPRODUCIBILITY, CheckState.NOT_EVALUATED, "not_used"),
    ],
)
def test_what_is_about_the_runs_says_what_to_do_with_them(kind: CheckKind, state: CheckState, words: str) -> None:
    assert words in told(result("x", state, kind=kind, metric=None))
