"""A calibration record in words and figures, in both languages: what every rendering of it shows."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.calibration import AgreementFigure, CalibrationFigures, CalibrationRecord, ErrorRate
from beleg.core.decision import Bounds, Counts, Sentence
from beleg.core.score import ScoreStatus
from beleg.report.figures import both, counts_text
from beleg.report.naming import metric_label
from beleg.report.words import phrase, word
from beleg.text.figures import Unit, decimals_for, interval_text, limit_text
from beleg.text.numbers import MINUS, number, percent

HEAD = ("part", "n", "false_pass", "false_fail", "accuracy", "balanced_accuracy")
COEFFICIENTS = ("kappa", "AC1")


def calibration_sentence(record: CalibrationRecord) -> Sentence:
    """The answer: how often the judge is wrong, either way, and how sure that is."""
    overall = record.overall
    counts = _counts(record)
    judge = phrase("calibration.verdicts") if record.judge is None else _plain(record.judge.model)
    if overall.false_pass is None or overall.false_fail is None:
        kind = phrase("calibration.kind_pass" if overall.failed == 0 else "calibration.kind_fail")
        accuracy = overall.accuracy
        return phrase(
            "calibration.one_kind",
            judge=judge,
            agreed=_whole(accuracy.events if accuracy is not None else 0),
            n=_whole(overall.n),
            accuracy=_told(accuracy, record.confidence),
            kind=kind,
            counts=counts,
        )
    return phrase(
        "calibration.answer",
        judge=judge,
        false_passes=_whole(overall.false_pass.events),
        failed=_whole(overall.failed),
        false_pass=_told(overall.false_pass, record.confidence),
        false_fails=_whole(overall.false_fail.events),
        passed=_whole(overall.passed),
        false_fail=_told(overall.false_fail, record.confidence),
        kappa=agreement_text(overall.kappa),
        counts=counts,
    )


def calibration_notes(record: CalibrationRecord, disputed: int = 0) -> list[Sentence]:
    """What else a reader should know: threshold, noise, what the record is bound to."""
    notes = [_threshold(record)]
    if metric_label(record.metric).higher_is_better is False:
        notes.append(phrase("calibration.turned", metric=_plain(record.metric)))
    limit, false_pass = record.threshold.max_false_pass, record.overall.false_pass
    if limit is not None and (false_pass is None or false_pass.upper > limit):
        upper = 1.0 if false_pass is None else false_pass.upper
        notes.append(phrase("calibration.missed", upper=_share(upper), limit=_limit(limit)))
    if record.auc is not None:
        notes.append(phrase("calibration.auc", auc=rate_text(record.auc, unit=Unit.PLAIN)))
    notes += curve_notes(record)
    notes.append(phrase("calibration.alpha", alpha=agreement_text(record.overall.alpha)))
    notes.append(_noise(record))
    if disputed:
        notes.append(phrase("calibration.disputed", n=disputed))
    if record.judge is None and record.embedder is None:
        return [*notes, phrase("calibration.unbound")]
    name = record.judge.model if record.judge is not None else record.embedder
    bound = phrase(
        "calibration.bound_to",
        judge=name,
        n=len(record.tasks),
        digest=record.digest.removeprefix("sha256:")[:12],
    )
    return [*notes, bound]


def curve_notes(record: CalibrationRecord) -> list[Sentence]:
    """What the reliability curve says in figures, or why there is none; nothing for a record of before."""
    curve = record.curve
    if curve is None:
        return [] if record.no_curve is None else [phrase(f"calibration.no_curve_{record.no_curve.value}")]
    return [
        phrase(
            "calibration.curve",
            n=len(curve.bins),
            brier=_figure(curve.brier),
            reliability=_figure(curve.reliability),
            resolution=_figure(curve.resolution),
            uncertainty=_figure(curve.uncertainty),
            within=both(lambda language: _added(curve.within_bins, language)),
            error=_figure(curve.calibration_error),
            expected=_figure(curve.expected_when_calibrated),
        )
    ]


def calibration_head(language: str) -> list[str]:
    """The heads of the table's columns."""
    return [*(word(f"calibration.{name}", language) for name in HEAD), *COEFFICIENTS]


def calibration_rows(record: CalibrationRecord, language: str) -> list[list[str]]:
    """One line for all items, and one for each segment."""
    return [_row(figures, language) for figures in (record.overall, *record.segments)]


def rate_text(rate: ErrorRate | None, *, unit: Unit = Unit.PERCENT) -> Sentence:
    """A share with its interval."""
    if rate is None:
        return phrase("calibration.undefined")
    return both(lambda language: interval_text(_bounds(rate), language, unit=unit))


def agreement_text(found: AgreementFigure) -> Sentence:
    """A coefficient with its interval."""
    value = found.value
    if value is None:
        return phrase("calibration.undefined")
    bounds = Bounds(estimate=value, lower=found.lower, upper=found.upper, confidence=0.95, method="", n=0)
    return both(lambda language: interval_text(bounds, language))


def _row(figures: CalibrationFigures, language: str) -> list[str]:
    rates = (figures.false_pass, figures.false_fail, figures.accuracy, figures.balanced_accuracy)
    return [
        figures.segment or word("calibration.all", language),
        number(figures.n, language, decimals=0),
        *(rate_text(rate).in_language(language) for rate in rates),
        *(agreement_text(found).in_language(language) for found in (figures.kappa, figures.ac1)),
    ]


def _threshold(record: CalibrationRecord) -> Sentence:
    choice = record.threshold
    threshold = both(lambda language: limit_text(choice.threshold, language))
    if choice.max_false_pass is None:
        return phrase("calibration.threshold_fixed", threshold=threshold)
    return phrase(
        "calibration.threshold_chosen",
        threshold=threshold,
        limit=_limit(choice.max_false_pass),
        chosen_on=_whole(choice.chosen_on),
        n=_whole(record.overall.n),
    )


def _noise(record: CalibrationRecord) -> Sentence:
    noise = record.noise
    if noise is None:
        return phrase("calibration.no_noise")
    return phrase(
        "calibration.noise",
        flipped=_whole(noise.flipped),
        items=_whole(noise.items),
        pairs=_share(noise.pair_disagreement),
        variance=both(lambda language: number(noise.within_variance, language, decimals=4)),
    )


def _counts(record: CalibrationRecord) -> Sentence:
    """How many items have a verdict, and why the others have none; those that a threshold was chosen on have one."""
    seen = record.overall.n + record.threshold.chosen_on
    reasons: dict[ScoreStatus, int] = record.without_verdict
    counts = Counts(expected=seen + sum(reasons.values()), scored=seen, reasons=reasons)
    return both(lambda language: counts_text(counts, language))


def _told(rate: ErrorRate | None, confidence: float) -> Sentence:
    if rate is None:
        return phrase("calibration.undefined")
    digits = decimals_for(_bounds(rate), Unit.PERCENT)
    value, lower, upper = (
        both(lambda language, share=share: percent(share, language, decimals=digits))  # type: ignore[misc]
        for share in (rate.value, rate.lower, rate.upper)
    )
    certain = both(lambda language: percent(confidence, language))
    return phrase("calibration.interval", value=value, lower=lower, upper=upper, confidence=certain)


def _bounds(rate: ErrorRate) -> Bounds:
    return Bounds(estimate=rate.value, lower=rate.lower, upper=rate.upper, confidence=0.95, method="", n=rate.n)


def _share(value: float) -> Sentence:
    return both(lambda language: percent(value, language, decimals=1))


def _figure(value: float) -> Sentence:
    return both(lambda language: number(value, language, decimals=3))


def _added(value: float, language: str) -> str:
    return f"{MINUS if round(value, 3) < 0 else '+'} {number(abs(value), language, decimals=3)}"


def _limit(value: float) -> Sentence:
    return both(lambda language: limit_text(value, language, unit=Unit.PERCENT))


def _whole(value: int | None) -> Sentence:
    return both(lambda language: number(value or 0, language, decimals=0))


def _plain(text: str) -> Sentence:
    return Sentence(en=text, de=text)


def texts(sentences: Sequence[Sentence], language: str) -> list[str]:
    """Sentences in one language."""
    return [sentence.in_language(language) for sentence in sentences]
