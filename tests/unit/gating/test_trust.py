"""A judged metric decides only where one calibrated judge stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import CheckKind, CheckResult, CheckState, Decision, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.policy import JudgeTrust
from beleg.core.score import ScoreStatus
from beleg.gating.decide import decide
from support.builders import case, evaluation
from support.calibrations import METRIC, WHEN, judged, noise, record, standing, task
from support.judge_models import spec
from unit.gating.building import policy

GOOD = [1.0] * 290 + [0.5] * 10
BAD = [0.0] * 200 + [1.0] * 100
BAND = {"metric": METRIC, "pass_at": 0.9, "block_at": 0.7}
MARGIN = {"metric": METRIC, "margin": 0.05}


def decided(
    candidate: Evaluation,
    *records: CalibrationRecord,
    check: dict[str, Any] | None = None,
    baseline: Evaluation | None = None,
    **trust: Any,
) -> Decision:
    rules = policy(check or BAND, require_baseline=baseline is not None, judge=trust)
    return decide(rules, candidate, baseline, decided_at=WHEN, beleg_version="0", calibrations=records)


def of_kind(decision: Decision, kind: CheckKind) -> CheckResult:
    return next(check for check in decision.checks if check.kind is kind)


class TestCalibrated:
    def test_a_good_figure_of_a_calibrated_judge_passes_and_the_decision_says_who_stands_behind_it(self) -> None:
        kept = record()
        found = decided(judged(GOOD), kept)
        assert found.verdict is Verdict.PASS
        assert found.judges is not None
        told = found.judges[0]
        assert (told.calibration, told.labels, told.judge_digest) == (kept.digest, 220, spec().digest)
        line = of_kind(found, CheckKind.CALIBRATION).reason
        assert line.en.replace("\xa0", " ") == (
            "Faithfulness: judge judge-1, 220 labels, false pass 3 [0, 11] % (n 64), kappa 0.91 [0.85, 0.97], "
            f"repeat noise not measured, record {kept.digest[7:19]}"
        )
        assert "falsch bestanden" in line.de

    def test_a_bad_figure_of_a_calibrated_judge_blocks(self) -> None:
        assert decided(judged(BAD), record()).verdict is Verdict.BLOCK

    def test_a_prompt_in_a_further_language_needs_labels_in_it(self) -> None:
        both = standing(tasks=(task("de"), task("en")))
        assert decided(judged(GOOD, by=both), record(tasks=(task("de"), task("en")))).verdict is Verdict.PASS
        found = decided(judged(GOOD, by=both), record())
        assert found.verdict is Verdict.REVIEW
        assert "did not cover claim_verification (de)" in found.headline.en


@pytest.mark.parametrize("values", [GOOD, BAD], ids=["good figure", "bad figure"])
class TestNotCalibrated:
    """Neither PASS nor BLOCK rests on a judge whom nobody checked; the policy says whether that is an error."""

    def expect(self, found: Decision, word: str, state: CheckState = CheckState.NOT_EVALUATED) -> None:
        assert found.verdict is Verdict.REVIEW
        assert {of_kind(found, kind).state for kind in (CheckKind.BAND, CheckKind.CALIBRATION)} == {state}
        assert word in of_kind(found, CheckKind.CALIBRATION).reason.en
        assert word in found.headline.en
        assert of_kind(found, CheckKind.BAND).figure is not None

    def test_no_record(self, values: list[float]) -> None:
        self.expect(decided(judged(values)), "not calibrated for claim_support")

    def test_refused(self, values: list[float]) -> None:
        found = decided(judged(values), uncalibrated="refuse")
        self.expect(found, "not calibrated", CheckState.ERROR)

    @pytest.mark.parametrize(
        ("changed", "word"),
        [
            ({"model": "judge-2"}, "model judge-1 → judge-2"),
            ({"temperature": 0.7}, "temperature 0.0 → 0.7"),
            ({"base_url": "http://other/v1"}, "base_url – → http://other/v1"),
            ({"seed": 3}, "seed – → 3"),
        ],
    )
    def test_another_judge(self, values: list[float], changed: dict[str, Any], word: str) -> None:
        self.expect(decided(judged(values, by=standing(spec(**changed))), record()), word)

    @pytest.mark.parametrize("field", ["prompt_digest", "schema_digest", "version"])
    def test_another_prompt_or_schema(self, values: list[float], field: str) -> None:
        now = standing(tasks=(task(**{field: "other"}),))
        self.expect(decided(judged(values, by=now), record()), "prompt or schema was changed")

    def test_another_version_of_the_measure(self, values: list[float]) -> None:
        self.expect(decided(judged(values, by=standing(versions=("2",))), record()), "claim_support 1 → 2")

    def test_a_record_of_another_measure(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(measure="nuggets")), "not calibrated for claim_support")

    def test_a_record_made_from_a_file_of_verdicts(self, values: list[float]) -> None:
        nobody = record().model_copy(update={"judge": None})
        self.expect(decided(judged(values), nobody), "vouches for no judge")

    def test_two_judges_in_one_run(self, values: list[float]) -> None:
        mixed = standing(judges=(spec(), spec(model="judge-2")))
        self.expect(decided(judged(values, by=mixed), record()), "more than one judge")

    def test_verdicts_of_nobody(self, values: list[float]) -> None:
        self.expect(decided(judged(values, by=standing(unknown=3)), record()), "3 verdicts name no judge")
        unknown = replace(judged(values), judges={})
        self.expect(decided(unknown, record()), "nobody knows which judge")

    def test_no_verdicts_yet(self, values: list[float]) -> None:
        nobody = standing(judges=(), tasks=(), versions=())
        self.expect(decided(judged(values, by=nobody), record()), "ask one with: beleg judge run")

    def test_too_few_labels(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(cells=(20, 0, 0, 9))), "rests on 29 labels, 30 are required")

    def test_a_record_that_is_too_old_or_from_the_future(self, values: list[float]) -> None:
        old = record(created_at=WHEN - timedelta(days=91))
        self.expect(decided(judged(values), old, max_age_days=90), "91 days old")
        self.expect(decided(judged(values), record(created_at=WHEN + timedelta(days=2))), "later date")

    def test_false_passes_that_are_not_proven_to_be_rare(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(), max_false_pass=0.1), "must not lie above 10")

    def test_labels_without_one_item_that_people_fail(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(cells=(90, 2, 0, 0)), max_false_pass=0.1), "people fail no item")

    @pytest.mark.parametrize(
        "cells",
        [(0, 50, 50, 0), (25, 25, 25, 25), (50, 0, 50, 0), (50, 0, 0, 0)],
        ids=["always wrong", "a coin", "passes everything", "people fail nothing"],
    )
    def test_a_judge_that_is_not_proven_better_than_chance(
        self, values: list[float], cells: tuple[int, int, int, int]
    ) -> None:
        self.expect(decided(judged(values), record(cells=cells)), "better agreement with people than chance")

    def test_agreement_that_is_not_proven_to_be_high(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(), minimum_kappa=0.9), "its lower bound must reach 0.9")

    def test_noise_that_was_not_measured_where_the_policy_requires_it(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(), noise="require"), "noise is not known")

    def test_a_record_that_the_policy_does_not_name(self, values: list[float]) -> None:
        self.expect(decided(judged(values), record(), digests=["sha256:another"]), "not calibrated")

    def test_a_newer_record_of_the_same_judge_that_came_out_badly(self, values: list[float]) -> None:
        """Nobody can fall back on an older record that came out better."""
        worse = record(cells=(150, 6, 40, 24), created_at=WHEN - timedelta(days=1))
        older = record(created_at=WHEN - timedelta(days=5))
        assert decided(judged(GOOD), older, max_false_pass=0.2).verdict is Verdict.PASS
        self.expect(decided(judged(values), older, worse, max_false_pass=0.2), "must not lie above 20")


def test_no_setting_lets_an_uncalibrated_judge_pass() -> None:
    assert set(JudgeTrust.model_fields["uncalibrated"].annotation.__args__) == {"review", "refuse"}  # type: ignore[union-attr]


class TestAgainstTheBaseline:
    def test_the_same_judge_on_both_sides_may_pass(self) -> None:
        found = decided(judged(GOOD), record(), check=MARGIN, baseline=judged(GOOD, name="old"))
        assert found.verdict is Verdict.PASS

    def test_different_judges_cannot_be_compared(self) -> None:
        for other in (standing(spec(model="judge-2")), standing(tasks=(task(prompt_digest="other"),))):
            old = judged(GOOD, name="old", by=other)
            found = decided(judged(GOOD), record(), check=MARGIN, baseline=old)
            assert found.verdict is Verdict.REVIEW
            assert of_kind(found, CheckKind.CALIBRATION).state is CheckState.ERROR
            assert of_kind(found, CheckKind.NO_REGRESSION).state is CheckState.ERROR
            assert "cannot be compared" in found.headline.en

    def test_a_baseline_that_nobody_vouches_for_cannot_be_compared(self) -> None:
        old = replace(judged(GOOD, name="old"), judges={})
        found = decided(judged(GOOD), record(), check=MARGIN, baseline=old)
        assert of_kind(found, CheckKind.CALIBRATION).state is CheckState.ERROR


class TestOutage:
    def test_a_judge_that_never_answered_leaves_every_row_counted_and_nothing_passed(self) -> None:
        found = decided(judged([ScoreStatus.JUDGE_ERROR] * 200), record())
        band = of_kind(found, CheckKind.BAND)
        assert found.verdict is Verdict.REVIEW
        assert (band.state, band.figure) == (CheckState.NOT_EVALUATED, None)
        assert band.counts is not None
        assert (band.counts.expected, band.counts.scored) == (200, 0)
        assert band.counts.reasons == {ScoreStatus.JUDGE_ERROR: 200}
        assert of_kind(found, CheckKind.COVERAGE).state is CheckState.NOT_EVALUATED

    def test_five_per_cent_of_errors_are_counted_bounded_and_do_not_pass(self) -> None:
        found = decided(judged([1.0] * 190 + [ScoreStatus.JUDGE_ERROR] * 10), record())
        band = of_kind(found, CheckKind.BAND)
        assert found.verdict is Verdict.REVIEW
        assert band.counts is not None
        assert band.counts.scored + sum(band.counts.reasons.values()) == band.counts.expected == 200
        assert (band.worst_case, band.best_case) == (0.95, 1.0)
        assert "only 190 of 200" in of_kind(found, CheckKind.COVERAGE).reason.en

    def test_one_error_in_a_hundred_counts_as_bad_as_can_be(self) -> None:
        found = decided(judged([1.0] * 297 + [ScoreStatus.JUDGE_ERROR] * 3), record())
        assert found.verdict is Verdict.PASS
        close = [1.0] * 270 + [0.5] * 27 + [ScoreStatus.JUDGE_ERROR] * 3
        tight = {"metric": METRIC, "pass_at": 0.925, "block_at": 0.7}
        assert of_kind(decided(judged(close), record(), check=tight), CheckKind.BAND).state is CheckState.INCONCLUSIVE


class TestNoise:
    def test_a_figure_within_the_noise_of_its_judge_goes_to_a_person(self) -> None:
        quiet, loud = record(noise=noise(0.0)), record(noise=noise(0.1))
        values = [1.0] * 284 + [0.0] * 16
        edge = {"metric": METRIC, "pass_at": 0.91, "block_at": 0.7}
        assert decided(judged(values), quiet, check=edge).verdict is Verdict.PASS
        found = of_kind(decided(judged(values), loud, check=edge), CheckKind.BAND)
        assert found.state is CheckState.INCONCLUSIVE
        assert found.figure is not None
        assert found.figure.judge_noise == pytest.approx(1.6449 * np.sqrt(0.1 / 300), abs=1e-4)

    def test_a_figure_that_asking_again_could_lift_does_not_block(self) -> None:
        values = [1.0] * 208 + [0.0] * 92
        found = of_kind(decided(judged(values), record(noise=noise(0.1))), CheckKind.BAND)
        assert found.state is CheckState.INCONCLUSIVE
        assert "asking the judge again could change that" in found.reason.en
        assert decided(judged(values), record(noise=noise(0.0))).verdict is Verdict.BLOCK

    @pytest.mark.parametrize("direction", ["pass", "block"])
    def test_a_difference_within_the_noise_goes_to_a_person(self, direction: str) -> None:
        rng = np.random.default_rng(3)
        old = rng.choice([0.5, 0.75, 1.0], 300)
        moved = -0.03 if direction == "pass" else -0.075
        new = np.clip(old + rng.choice([0.0, moved * 2], 300), 0, 1)
        runs = judged(new.tolist()), judged(old.tolist(), name="old")
        quiet, loud = (
            of_kind(
                decided(runs[0], record(noise=noise(within)), check=MARGIN, baseline=runs[1]), CheckKind.NO_REGRESSION
            )
            for within in (0.0, 0.08)
        )
        assert quiet.state is (CheckState.PASS if direction == "pass" else CheckState.FAIL)
        assert loud.state is CheckState.INCONCLUSIVE
        assert loud.difference is not None
        assert loud.difference.judge_noise == pytest.approx(1.6449 * np.sqrt(2 * 0.08 / 300), abs=1e-4)

    def test_noise_that_a_whole_pass_shares_does_not_shrink_with_the_run(self) -> None:
        shared = record(noise=noise(0.0, shared_variance=0.03**2))
        found = of_kind(decided(judged(GOOD * 20), shared), CheckKind.BAND)
        assert found.figure is not None
        assert found.figure.judge_noise == pytest.approx(1.6449 * 0.03, abs=1e-4)

    def test_repeats_that_are_averaged_are_less_noisy(self) -> None:
        one = judged(GOOD)
        settings = one.header.settings.model_copy(update={"repeats": 4})
        four = replace(one, header=one.header.model_copy(update={"settings": settings}))
        reach = [
            of_kind(decided(run, record(noise=noise(0.04))), CheckKind.BAND).figure.judge_noise  # type: ignore[union-attr]
            for run in (one, four)
        ]
        assert reach[0] == pytest.approx(2 * reach[1])


class TestLabelsOfPeople:
    VALUES = [1.0] * 380 + [0.0] * 20
    PEOPLE: Sequence[float | None] = [1.0] * 55 + [0.0] * 5 + [None] * 320 + [0.0] * 5 + [None] * 15

    def test_they_correct_the_figure_and_the_decision_says_how_many_there_are(self) -> None:
        found = decided(judged(self.VALUES, human=self.PEOPLE), record())
        band = of_kind(found, CheckKind.BAND)
        assert band.figure is not None
        assert band.figure.method == "judge_assisted_square_and_add"
        assert band.figure.human_labels == 65
        assert band.figure.estimate == pytest.approx(0.95 - 5 / 65)
        assert "corrected by 65 human labels" in band.reason.en
        assert found.judges is not None
        assert (found.judges[0].human_labels, found.judges[0].labels) == (65, 220)
        assert found.verdict is Verdict.REVIEW
        assert decided(judged(self.VALUES), record()).verdict is Verdict.PASS

    def test_they_do_not_stand_in_for_a_calibration(self) -> None:
        assert decided(judged(self.VALUES, human=[1.0] * 400)).verdict is Verdict.REVIEW

    def test_unscored_cases_still_count_as_bad_as_can_be(self) -> None:
        values = [*self.VALUES[:-4], *[ScoreStatus.JUDGE_ERROR] * 4]
        band = of_kind(decided(judged(values, human=self.PEOPLE), record()), CheckKind.BAND)
        assert band.worst_case is not None
        assert band.best_case is not None
        assert band.figure is not None
        assert band.worst_case < band.figure.estimate < band.best_case


def test_a_policy_without_judged_metrics_gives_the_decision_it_always_gave() -> None:
    cases = [case(f"c{place}") for place in range(200)]
    rules = policy({"metric": "hit@5", "pass_at": 0.9, "block_at": 0.8}, require_baseline=False)
    run = evaluation(cases, {"hit@5": [1.0] * 196 + [0.0] * 4})
    one = decide(rules, run, None, decided_at=WHEN, beleg_version="0")
    two = decide(rules, run, None, decided_at=WHEN, beleg_version="0", calibrations=[record()])
    assert one == two
    assert "judges" not in one.to_json_dict()
    assert "judge" not in rules.to_json_dict()
    # The digest that this policy had before policies could say anything of judges.
    assert rules.digest == "sha256:6d4f7d67e5381e2010269e9d0b05707d43d0f64245477fe10b7ab743cadb50a3"
