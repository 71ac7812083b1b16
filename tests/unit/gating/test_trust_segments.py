"""What a calibration says of one segment: a protected segment rests on labels in it, a language on labels in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from beleg.core.calibration import CalibrationFigures, CalibrationRecord
from beleg.core.decision import CheckKind, CheckResult, CheckState, Decision, Verdict
from beleg.core.evaluation import Evaluation
from beleg.gating.decide import decide
from beleg.judges.calibration import figures
from support.builders import case, evaluation
from support.calibrations import METRIC, WHEN, record, scores, standing, task
from unit.gating.building import policy

LEVELS = {"pass_at": 0.9, "block_at": 0.7}
GOOD_CELLS = (60, 2, 1, 30)


def part(label: str, cells: Sequence[int] = GOOD_CELLS) -> CalibrationFigures:
    return figures(scores(*cells), 1.0, 0.95, segment=label)


def calibrated(*parts: CalibrationFigures) -> CalibrationRecord:
    return record(tasks=(task("de"), task("en")), segments=parts)


def run(*languages: str | None, german: float = 1.0) -> Evaluation:
    """300 cases that take turns with the languages, judged in the prompts that belong to them."""
    spoken = [languages[place % len(languages)] for place in range(300)]
    cases = [case(f"c{place}", language=language) for place, language in enumerate(spoken)]
    made = evaluation(cases, {METRIC: [german if language == "de" else 1.0 for language in spoken]}, "run")
    return replace(made, judges={METRIC: standing(tasks=(task("de"), task("en")))})


def decided(candidate: Evaluation, kept: CalibrationRecord, *protected: dict[str, str], **trust: Any) -> Decision:
    check = {"metric": METRIC, **LEVELS, **({"protected": LEVELS} if protected else {})}
    segments = [{"where": where} for where in protected]
    rules = policy(check, require_baseline=False, protected_segments=segments, judge=trust)
    return decide(rules, candidate, None, decided_at=WHEN, beleg_version="0", calibrations=[kept])


def calibration_of(decision: Decision, segment: str | None) -> CheckResult | None:
    found = [check for check in decision.checks if check.kind is CheckKind.CALIBRATION and check.segment == segment]
    return found[0] if found else None


def band_of(decision: Decision, segment: str | None) -> CheckResult:
    return next(check for check in decision.checks if check.kind is CheckKind.BAND and check.segment == segment)


class TestProtectedSegment:
    def test_labels_in_the_segment_let_its_check_stand(self) -> None:
        found = decided(run("de", "en"), calibrated(part("language=de")), {"language": "de"})
        assert found.verdict is Verdict.PASS
        assert calibration_of(found, "language=de") is None

    @pytest.mark.parametrize("german", [1.0, 0.0], ids=["good figure", "bad figure"])
    @pytest.mark.parametrize(
        ("parts", "word"),
        [
            ((), "in language=de, the calibration holds no labels of this segment"),
            ((part("language=en"),), "holds no labels of this segment"),
            ((part("language=de", (10, 1, 1, 8)),), "in language=de, the calibration rests on 20 labels, 30 are"),
            ((part("language=de", (25, 25, 25, 25)),), "in language=de, kappa"),
        ],
        ids=["none", "another segment", "too few", "a coin there"],
    )
    def test_without_enough_of_them_only_that_segment_goes_to_a_person(
        self, parts: tuple[CalibrationFigures, ...], word: str, german: float
    ) -> None:
        found = decided(run("de", "en", "en", german=german), calibrated(*parts), {"language": "de"})
        told = calibration_of(found, "language=de")
        assert told is not None
        assert (told.state, told.protected) == (CheckState.NOT_EVALUATED, True)
        assert told.check_id == "faithfulness/calibration/language=de"
        assert word in told.reason.en.replace("\xa0", " ")
        assert "language=de" in told.reason.de
        assert band_of(found, "language=de").state is CheckState.NOT_EVALUATED
        assert calibration_of(found, None).state is CheckState.PASS  # type: ignore[union-attr]
        assert band_of(found, None).state is not CheckState.NOT_EVALUATED
        if german == 1.0:
            assert (found.verdict, word in found.headline.en.replace("\xa0", " ")) == (Verdict.REVIEW, True)

    def test_the_limit_of_the_policy_counts_in_the_segment(self) -> None:
        kept = calibrated(part("language=de"))
        found = decided(run("de", "en"), kept, {"language": "de"}, minimum_labels=94)
        told = calibration_of(found, "language=de")
        assert told is not None
        assert "rests on 93 labels, 94 are required" in told.reason.en
        loose = decided(run("de", "en"), kept, {"language": "de"}, max_false_pass=0.12)
        told = calibration_of(loose, "language=de")
        assert told is not None
        assert "must not lie above 12" in told.reason.en.replace("\xa0", " ")

    def test_a_segment_of_several_labels_needs_each_of_them(self) -> None:
        both = {"language": "de", "expected_behaviour": "answer"}
        found = decided(run("de", "en"), calibrated(part("language=de")), both)
        assert found.verdict is Verdict.REVIEW
        assert "in expected_behaviour=answer" in found.headline.en
        kept = calibrated(part("language=de"), part("expected_behaviour=answer"))
        assert decided(run("de", "en"), kept, both).verdict is Verdict.PASS

    def test_a_policy_that_refuses_makes_it_an_error(self) -> None:
        found = decided(run("de", "en"), calibrated(), {"language": "de"}, uncalibrated="refuse")
        assert band_of(found, "language=de").state is CheckState.ERROR


class TestLanguage:
    def test_english_prompts_cover_another_language_only_where_items_of_it_are_labelled(self) -> None:
        found = decided(run("en", "fr"), calibrated(part("language=en")))
        assert found.verdict is Verdict.REVIEW
        assert "no labels in the language of some cases (fr)" in found.headline.en
        assert band_of(found, None).state is CheckState.NOT_EVALUATED
        assert decided(run("en", "fr"), calibrated(part("language=fr"))).verdict is Verdict.PASS

    @pytest.mark.parametrize("spoken", [("en", "de"), ("en-GB", "de_AT"), (None,)], ids=["both", "regions", "unknown"])
    def test_german_english_and_unknown_need_no_more_than_their_prompts(self, spoken: tuple[str | None, ...]) -> None:
        assert decided(run(*spoken), calibrated()).verdict is Verdict.PASS

    def test_a_region_is_covered_by_its_language(self) -> None:
        assert decided(run("fr-CA"), calibrated(part("language=fr"))).verdict is Verdict.PASS

    def test_many_languages_are_named_shortly(self) -> None:
        found = decided(run("fr", "it", "es", "pl"), calibrated())
        assert "(es, fr, it …)" in found.headline.en

    def test_only_cases_that_a_check_is_about_count(self) -> None:
        rules = policy({"metric": METRIC, **LEVELS, "where": {"language": "en"}}, require_baseline=False)
        found = decide(rules, run("en", "fr"), None, decided_at=WHEN, beleg_version="0", calibrations=[calibrated()])
        assert found.verdict is Verdict.PASS
