"""Comparing a judge with people: error rates, agreement, threshold and noise, all in one record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from beleg.core.calibration import (
    AgreementFigure,
    CalibrationFigures,
    CurveAbsence,
    ErrorRate,
    ItemVerdicts,
    NoiseFigures,
    OperatingCurve,
    ReliabilityCurve,
    ThresholdChoice,
)
from beleg.core.errors import DataError, Problem
from beleg.judges.curves import curve_absence, error_rate, operating_curve, reliability_curve
from beleg.stats.agreement import confusion, kappa, kappa_floor, kappa_interval
from beleg.stats.agreement_coefficients import Coefficient, gwet_ac1, krippendorff_alpha
from beleg.stats.repeat_noise import repeat_noise
from beleg.stats.verdict_rates import roc_auc, smallest_safe_threshold, threshold_curve, verdict_rates

FIXED, SMALLEST_SAFE = "fixed", "smallest_safe"
LEAST_PER_HALF = 10
"""A threshold is chosen only where either half has so many items of either kind."""

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledScores:
    """Labels of people and scores of a judge, one entry per verdict; a judge that only says pass or fail scores 1 or 0.

    Only items with a label and a verdict stand here; what is missing is counted elsewhere.
    """

    items: tuple[str, ...]
    human: Mask
    """Whether people pass the item."""
    scores: Floats
    repeats: tuple[int, ...]
    groups: tuple[str, ...]
    """What an item shares with others that are not independent of it, such as the answer that its claim stands in."""
    segments: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    """For each dimension the label of each entry."""

    def take(self, mask: Mask) -> LabelledScores:
        """The entries at which a mask is set."""
        kept = np.flatnonzero(mask).tolist()
        return LabelledScores(
            items=tuple(self.items[place] for place in kept),
            human=self.human[kept],
            scores=self.scores[kept],
            repeats=tuple(self.repeats[place] for place in kept),
            groups=tuple(self.groups[place] for place in kept),
            segments={name: tuple(labels[place] for place in kept) for name, labels in self.segments.items()},
        )

    def first_pass(self) -> LabelledScores:
        """One entry per item: the verdict that was given first."""
        first: dict[str, int] = {}
        for place in sorted(range(len(self.items)), key=lambda place: self.repeats[place]):
            first.setdefault(self.items[place], place)
        mask = np.zeros(len(self.items), dtype=np.bool_)
        mask[list(first.values())] = True
        return self.take(mask)

    @property
    def is_graded(self) -> bool:
        """Whether there is anything between pass and fail."""
        return not bool(np.isin(self.scores, (0.0, 1.0)).all())


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a judge is compared with people, fixed before anything is looked at."""

    confidence: float = 0.95
    threshold: float | None = None
    """Scores at or above it pass; ``None``: found by ``max_false_pass``, else 1, or 0.5 where scores are graded."""
    max_false_pass: float | None = None
    """The limit by which a graded judge's threshold is chosen, on one half of the items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything that labels and verdicts say together."""

    overall: CalibrationFigures
    segments: tuple[CalibrationFigures, ...]
    threshold: ThresholdChoice
    auc: ErrorRate | None
    noise: NoiseFigures | None
    curve: ReliabilityCurve | None
    operating: OperatingCurve | None
    no_curve: CurveAbsence | None
    """Why there is no curve."""
    verdicts: ItemVerdicts


def compare(given: LabelledScores, terms: Terms) -> Comparison:
    """Compares a judge with people.

    Where a threshold is chosen, it is chosen on one half of the items, and all figures are over the other half. The
    halves follow from a digest of the groups, so that anybody gets the same ones and no group is split. Error rates and
    agreement are over the first verdict on each item; further ones tell the noise.

    Args:
        given: labels and scores.
        terms: how they are compared.

    Raises:
        DataError: without items, where items of both kinds are too few to choose a threshold, or where none is safe.
    """
    if not given.items:
        raise DataError(Problem(message="no item has both a label and a verdict", remedy="Label items that are judged"))
    once = given.first_pass()
    choice, checked = _threshold(once, terms)
    absence = curve_absence(checked.human, checked.scores, is_graded=once.is_graded)
    parted = absence in (None, CurveAbsence.NOT_SHARES)
    drawn = checked.human, checked.scores, checked.groups
    return Comparison(
        overall=figures(checked, choice.threshold, terms.confidence),
        segments=tuple(
            figures(checked.take(mask), choice.threshold, terms.confidence, segment=f"{name}={label}")
            for name, label, mask in _parts(checked)
        ),
        threshold=choice,
        auc=_area(checked, terms.confidence) if once.is_graded else None,
        noise=_noise(given, choice.threshold),
        curve=reliability_curve(*drawn, terms.confidence) if absence is None else None,
        operating=operating_curve(*drawn, choice.threshold, terms.confidence) if parted else None,
        no_curve=absence,
        verdicts=item_verdicts(checked, choice.threshold),
    )


def item_verdicts(given: LabelledScores, threshold: float) -> ItemVerdicts:
    """The verdict of people and of the judge on each item that was judged once.

    Example:
        >>> both = LabelledScores(items=("b", "a"), human=np.array([True, False]), scores=np.array([0.9, 0.7]),
        ...                       repeats=(0, 0), groups=("b", "a"))
        >>> found = item_verdicts(both, 0.8)
        >>> found.items, found.human, found.judge
        (('a', 'b'), '01', '01')
    """
    order = sorted(range(len(given.items)), key=lambda place: given.items[place])
    judge = given.scores >= threshold
    return ItemVerdicts(
        items=tuple(given.items[place] for place in order),
        human="".join("1" if given.human[place] else "0" for place in order),
        judge="".join("1" if judge[place] else "0" for place in order),
    )


def figures(
    given: LabelledScores, threshold: float, confidence: float, *, segment: str | None = None
) -> CalibrationFigures:
    """Error rates and agreement of items that were judged once."""
    judge = given.scores >= threshold
    n, passed = len(judge), int(given.human.sum())
    counts = CalibrationFigures(segment=segment, n=n, passed=passed, failed=n - passed, judge_passed=int(judge.sum()))
    if n == 0:
        return counts
    rates = verdict_rates(given.human, judge, confidence, groups=given.groups)
    groups = given.groups * 2
    units, ratings = np.tile(np.arange(n), 2), np.concatenate([given.human, judge]).astype(np.float64)
    return counts.model_copy(
        update={
            "false_pass": error_rate(rates.false_pass),
            "false_fail": error_rate(rates.false_fail),
            "accuracy": error_rate(rates.accuracy),
            "balanced_accuracy": error_rate(rates.balanced_accuracy, counts_events=False),
            "kappa": _kappa(given, judge, confidence),
            "ac1": _agreement(gwet_ac1(units, ratings, confidence, groups=groups)),
            "alpha": _agreement(krippendorff_alpha(units, ratings, confidence, groups=groups)),
        }
    )


def halves(groups: Sequence[str]) -> Mask:
    """Which items belong to the half that a threshold is chosen on: by the digest of their group, the same for anybody.

    Example:
        >>> halves(["a", "a"]).tolist() in ([True, True], [False, False])
        True
    """
    return np.array(
        [hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest()[0] % 2 == 0 for group in groups],
        dtype=np.bool_,
    )


def _threshold(once: LabelledScores, terms: Terms) -> tuple[ThresholdChoice, LabelledScores]:
    if terms.threshold is not None or terms.max_false_pass is None or not once.is_graded:
        usual = 0.5 if once.is_graded else 1.0
        cut = usual if terms.threshold is None else terms.threshold
        return ThresholdChoice(threshold=cut, rule=FIXED), once
    chosen_on = halves(once.groups)
    first, second = once.take(chosen_on), once.take(~chosen_on)
    for half in (first, second):
        kinds = int(half.human.sum()), int((~half.human).sum())
        if min(kinds) < LEAST_PER_HALF:
            raise DataError(
                Problem(
                    message=f"a threshold is chosen on one half of the items and checked on the other; each needs "
                    f"{LEAST_PER_HALF} items that people pass and {LEAST_PER_HALF} that they fail",
                    value=f"{kinds[0]} and {kinds[1]}",
                    remedy="Label more items, or give the threshold",
                )
            )
    found = smallest_safe_threshold(threshold_curve(first.human, first.scores), terms.max_false_pass, terms.confidence)
    if found is None:
        raise DataError(
            Problem(
                message=f"no threshold is proven to let at most {terms.max_false_pass:g} of the failed items pass",
                value=f"{int((~first.human).sum())} failed items in the half that it is chosen on",
                remedy="Label more items that people fail, or allow more",
            )
        )
    choice = ThresholdChoice(
        threshold=found, rule=SMALLEST_SAFE, max_false_pass=terms.max_false_pass, chosen_on=len(first.items)
    )
    return choice, second


def _parts(given: LabelledScores) -> list[tuple[str, str, Mask]]:
    parts = []
    for name, labels in sorted(given.segments.items()):
        held = np.array(labels, dtype=object)
        for label in sorted({label for label in labels if label is not None}):
            parts.append((name, label, np.asarray(held == label, dtype=np.bool_)))
    return parts


def _kappa(given: LabelledScores, judge: Mask, confidence: float) -> AgreementFigure:
    human = given.human.astype(np.float64)
    table = confusion(human, judge.astype(np.float64))
    value = kappa(table)
    if value.value is None:
        return AgreementFigure(reason=value.detail)
    found = kappa_interval(human, judge.astype(np.float64), given.groups, confidence)
    if found is None:
        return AgreementFigure(value=value.value, lower=kappa_floor(table, confidence), upper=None)
    return AgreementFigure(value=value.value, lower=found.lower, upper=found.upper)


def _agreement(found: Coefficient) -> AgreementFigure:
    value = found.score.value
    return AgreementFigure(value=value, lower=found.lower, upper=found.upper, reason=found.score.detail)


def _area(given: LabelledScores, confidence: float) -> ErrorRate | None:
    if given.human.all() or not given.human.any():
        return None
    return error_rate(roc_auc(given.human, given.scores, confidence), counts_events=False)


def _noise(given: LabelledScores, threshold: float) -> NoiseFigures | None:
    """Noise of the score, and how often the verdict at the threshold changes."""
    of_scores = repeat_noise(given.items, given.repeats, given.scores)
    of_verdicts = repeat_noise(given.items, given.repeats, (given.scores >= threshold).astype(np.float64))
    if of_scores is None or of_verdicts is None:
        return None
    return NoiseFigures(
        items=of_verdicts.items,
        verdicts=of_verdicts.verdicts,
        flipped=of_verdicts.flipped,
        pair_disagreement=of_verdicts.pair_disagreement,
        within_variance=of_scores.within_variance,
        shared_variance=of_scores.shared_variance,
    )
