from __future__ import annotations

from beleg.core.judge_shift import ClaimShift, JudgeShift, MovedVerdict
from beleg.core.run import RunLink


def test_the_moved_claims_of_all_measures_are_counted() -> None:
    link = RunLink(kind="rejudge", run_id="r", manifest_digest="m", suite_digest="s", traces_digest="t")
    moved = MovedVerdict(case_id="c", claim="x", old="supported", new="contradicted")
    shift = JudgeShift(
        run_id="n",
        made_from=link,
        judges_before=("j",),
        judges_today=("k",),
        claims=(
            ClaimShift(measure="a", in_both=2, before_only=0, today_only=0, moved=(moved,)),
            ClaimShift(measure="b", in_both=1, before_only=1, today_only=0),
        ),
        metrics=(),
    )
    assert shift.moved_claims == 1
    assert JudgeShift.model_validate_json(shift.model_dump_json(exclude_none=True)) == shift
