"""What a calibration record holds, and who stands behind the findings of a run."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.calibration import CalibrationFigures, CalibrationRecord, ItemVerdicts, JudgeStanding
from beleg.core.findings import Finding
from beleg.core.score import ScoreStatus
from support.calibrations import record, standing, task
from support.judge_models import spec


def finding(case_id: str = "c1", **fields: Any) -> Finding:
    given: dict[str, Any] = {
        "measure": "claim_support", "measure_version": "1", "subject_digest": "x", "judge": spec(), "tasks": (task(),),
        "evidence": {"claims": []},
    }  # fmt: skip
    return Finding(case_id=case_id, **{**given, **fields})


def test_a_record_reads_back_as_it_was_and_its_digest_tells_every_change() -> None:
    one = record()
    again = CalibrationRecord.model_validate_json(one.model_dump_json(exclude_none=True))
    assert (again, again.digest) == (one, one.digest)
    assert record(spec(temperature=0.5)).digest != one.digest
    assert record(cells=(150, 6, 3, 61)).digest != one.digest


def test_items_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValidationError, match="add up"):
        CalibrationFigures(n=3, passed=1, failed=1, judge_passed=0)


class TestStanding:
    def test_one_judge_asked_one_thing(self) -> None:
        found = JudgeStanding.of("claim_support", [finding("c1"), finding("c2"), finding("c3", measure="other")])
        assert found == standing()
        assert found.is_one

    def test_every_different_judge_prompt_and_version_is_seen(self) -> None:
        listed = [finding(), finding(judge=spec(seed=1)), finding(tasks=(task("de"),)), finding(measure_version="2")]
        found = JudgeStanding.of("claim_support", listed)
        assert (len(found.judges), len(found.tasks), found.versions) == (2, 2, ("1", "2"))
        assert not found.is_one

    def test_an_answer_without_claims_needs_no_judge_and_a_verdict_of_nobody_is_counted(self) -> None:
        silent = finding(judge=None, evidence=None, status=ScoreStatus.NO_CLAIMS, tasks=())
        assert JudgeStanding.of("claim_support", [finding(), silent]).is_one
        nobody = JudgeStanding.of("claim_support", [finding(), finding(judge=None)])
        assert nobody.unknown == 1
        assert not nobody.is_one

    def test_no_finding_is_no_judge(self) -> None:
        assert not JudgeStanding.of("claim_support", []).is_one

    def test_a_dedicated_verifier_is_known_by_its_threshold_too(self) -> None:
        cuts = [finding(evidence={"threshold": cut}) for cut in (0.5, 0.5, 0.7)]
        assert JudgeStanding.of("claim_support", cuts[:2]).thresholds == (0.5,)
        assert not JudgeStanding.of("claim_support", cuts).is_one

    def test_runs_in_different_languages_were_judged_alike_where_they_were_asked_the_same(self) -> None:
        english, german = standing(), standing(tasks=(task(), task("de")))
        assert english.same_as(german)
        assert not german.same_as(standing(tasks=(task("de", prompt_digest="other"),)))
        assert not english.same_as(standing(spec(model="judge-2")))


OLD = """{"kind":"beleg.calibration/1","measure":"claim_support","measure_version":"1","metric":"faithfulness",
"labels_source":"labels.jsonl","labels_digest":"sha256:l","annotators":2,"confidence":0.95,
"overall":{"n":10,"passed":6,"failed":4,"judge_passed":6,"kappa":{"value":1.0},"ac1":{},"alpha":{}},
"segments":[],"without_verdict":{},"threshold":{"threshold":1.0,"rule":"fixed","chosen_on":0},
"created_at":"2026-11-30T12:00:00Z","beleg_version":"0.1"}"""
OLD_DIGEST = "sha256:a52004f9158ac87ec731abc2adfe0e7876d02272491adf18a0d3fd3bc668022d"


def test_a_record_of_before_curves_is_read_and_keeps_its_digest() -> None:
    """The digest was computed by a version that knew no curves; a new optional field must not move it."""
    old = CalibrationRecord.model_validate_json(OLD)
    assert (old.curve, old.operating, old.no_curve, old.verdicts) == (None, None, None, None)
    assert old.digest == OLD_DIGEST


def test_verdicts_need_one_digit_for_each_item() -> None:
    with pytest.raises(ValidationError, match="one digit for each item"):
        ItemVerdicts(items=("a", "b"), human="1", judge="10")
    with pytest.raises(ValidationError, match="stands there once"):
        ItemVerdicts(items=("a", "a"), human="10", judge="10")
