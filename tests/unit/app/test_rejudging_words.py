from __future__ import annotations

from beleg.app.rejudging_words import metric_rows, moved_lines
from beleg.core.judge_shift import ClaimShift, JudgeShift, MetricShift, MovedScore, MovedVerdict
from beleg.core.run import RunLink

LINK = RunLink(kind="rejudge", run_id="r", manifest_digest="m", suite_digest="s", traces_digest="t")


def shift(moved: int = 1, apart: int = 0) -> JudgeShift:
    verdicts = tuple(
        MovedVerdict(case_id=f"c{i}", claim="It is\n\x1b[31mfree.", old="supported", new="not_in_context")
        for i in range(moved)
    )
    claims = ClaimShift(measure="claim_support", in_both=9, before_only=apart, today_only=0, moved=verdicts)
    metric = MetricShift(
        metric="faithfulness",
        scored_in_both=3,
        scored_before_only=1,
        scored_today_only=0,
        moved=(MovedScore(case_id="c0", old=1.0, new=0.5),),
    )
    return JudgeShift(
        run_id="n", made_from=LINK, judges_before=("j",), judges_today=("k",), claims=(claims,), metrics=(metric,)
    )


def test_the_claims_that_moved_are_named_with_both_verdicts_in_both_languages() -> None:
    (english,) = moved_lines(shift(), "en", most=5, chars=80)
    assert english == "c0: It is ⟦U+001B⟧[31mfree.: supported → not in context"
    (german,) = moved_lines(shift(), "de", most=5, chars=80)
    assert german.endswith("gestützt → nicht im Kontext")


def test_many_are_counted_and_claims_of_one_judge_alone_are_told() -> None:
    lines = list(moved_lines(shift(moved=7, apart=2), "en", most=5, chars=80))
    assert lines[5] == "2 more"
    assert lines[6] == "2 claims were found by one of the judges only; they are not compared"


def test_every_metric_has_a_row() -> None:
    head, rows = metric_rows(shift(), "de")
    assert len(head) == len(rows[0])
    assert rows == [["faithfulness", "3", "1", "1", "0"]]
