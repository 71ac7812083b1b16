"""A comparison of runs as a reader meets it: sentences and figures in both languages, and what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.decision import Bounds, Sentence
from beleg.metrics.ranking_runs.comparison import Finding, RunComparison, RunDifference
from beleg.report.figures import both
from beleg.report.win_loss import Panel, panel
from beleg.report.words import phrase
from beleg.stats.intervals import Interval
from beleg.text.figures import decimals_for, interval_text
from beleg.text.numbers import number, percent

MOST_DRAWN = 24
"""Comparisons that are drawn and listed query by query; more would make a page that nobody reads."""

SHAPES = {Finding.BETTER: "▲", Finding.WORSE: "▼", Finding.NOT_SHOWN: "◐", Finding.IDENTICAL: "○"}
CLASSES = {Finding.BETTER: "pass", Finding.WORSE: "block", Finding.NOT_SHOWN: "review", Finding.IDENTICAL: "none"}

MOST_PLACES = 5
MEAN_PLACES = 3
_SMALLEST_P = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRow:
    """One query in which two runs differ."""

    query: str
    run: Sentence
    against: Sentence
    difference: Sentence
    direction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """One comparison with every figure written out."""

    anchor: str
    measure: str
    run: str
    against: str
    shape: str
    state: str
    state_word: Sentence
    run_mean: Sentence
    against_mean: Sentence
    run_mean_short: Sentence
    against_mean_short: Sentence
    difference: Sentence
    method: Sentence
    p: Sentence
    adjusted: Sentence
    tukey: Sentence | None
    effect: Sentence
    wins: Sentence
    detectable: Sentence
    sentence: Sentence
    aside: Sentence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnComparison:
    """One comparison query by query."""

    view: ComparisonView
    panel: Panel
    thinned: Sentence | None
    caption: Sentence
    rows: tuple[QueryRow, ...]


def comparison_views(compared: RunComparison, names: Sequence[str]) -> list[ComparisonView]:
    """Writes out all comparisons.

    Args:
        compared: the figures.
        names: what each run is called.

    Returns:
        One view per comparison, in the same order.
    """
    return [_view(compared, at, names) for at in range(len(compared.comparisons))]


def headline(compared: RunComparison, views: Sequence[ComparisonView], names: Sequence[str]) -> Sentence:
    """The answer: the sentence of the only comparison, or how many came out in each way."""
    if len(views) == 1:
        return views[0].sentence
    found = [each.finding for each in compared.comparisons]
    counts = {finding.value: whole_text(found.count(finding)) for finding in Finding}
    if compared.rules.all_pairs:
        return phrase("compare.headline_pairs", **counts)
    return phrase("compare.headline", against=names[0], **counts)


def drawn_comparisons(compared: RunComparison, names: Sequence[str], *, top: int) -> list[DrawnComparison]:
    """What is drawn and listed query by query, of the first `MOST_DRAWN` comparisons.

    Args:
        compared: the figures.
        names: what each run is called.
        top: how many of the largest losses, and of the largest gains, are listed.

    Returns:
        One entry per comparison.
    """
    views = comparison_views(compared, names)
    return [_drawn(compared, at, views[at], top=top) for at in range(min(len(views), MOST_DRAWN))]


def mean_text(interval: Interval) -> Sentence:
    """The mean of a run with its interval."""
    return both(lambda lang: interval_text(_bounds(interval), lang))


def p_text(value: float | None, *, named: bool = False) -> Sentence:
    """A p-value with the digits that matter; below 0.0001 only that it is below.

    Example:
        >>> p_text(0.00004).en, p_text(0.0312, named=True).de
        ('< 0.0001', 'p = 0,031')
    """
    if value is None:
        return phrase("compare.undefined")
    below = value < _SMALLEST_P
    decimals = 4 if value < 0.01 else 3 if value < 0.1 else 2
    before = ("p " if named else "") + ("< " if below else "= " if named else "")
    return both(lambda lang: f"{before}{number(max(value, _SMALLEST_P), lang, decimals=decimals)}")


def _view(compared: RunComparison, at: int, names: Sequence[str]) -> ComparisonView:
    each = compared.comparisons[at]
    measure = compared.measures.index(each.measure)
    effect = each.effect
    places = MEAN_PLACES if each.interval is None else max(MEAN_PLACES, decimals_for(_bounds(each.interval)))
    return ComparisonView(
        anchor=f"comparison-{at + 1}",
        measure=each.measure.label or str(each.measure),
        run=names[each.run],
        against=names[each.against],
        shape=SHAPES[each.finding],
        state=CLASSES[each.finding],
        state_word=phrase(f"compare.state_{each.finding.value}"),
        run_mean=mean_text(compared.means[each.run][measure]),
        against_mean=mean_text(compared.means[each.against][measure]),
        run_mean_short=_plain(each.run_mean, places),
        against_mean_short=_plain(each.against_mean, places),
        difference=_difference(each),
        method=phrase(f"compare.method_{each.interval.method}") if each.interval else phrase("compare.undefined"),
        p=p_text(each.p_value),
        adjusted=p_text(each.adjusted_p),
        tukey=None if each.tukey_p is None else p_text(each.tukey_p),
        effect=phrase("compare.undefined") if effect.cohen_dz is None else _signed(effect.cohen_dz, 2),
        wins=both(
            lambda lang: "/".join(
                number(count, lang, decimals=0) for count in (effect.wins, effect.ties, effect.losses)
            )
        ),
        detectable=phrase("compare.undefined") if each.detectable is None else _detectable(each.detectable),
        sentence=_sentence(compared, each, names),
        aside=_aside(compared, each),
    )


def _sentence(compared: RunComparison, each: RunDifference, names: Sequence[str]) -> Sentence:
    return phrase(
        f"compare.{each.finding.value}",
        run=names[each.run],
        against=names[each.against],
        measure=each.measure.label or str(each.measure),
        difference=_difference(each),
        evidence=_evidence(compared, each),
        n=units_text(len(compared.queries), None),
    )


def _evidence(compared: RunComparison, each: RunDifference) -> Sentence:
    test = phrase(f"compare.test_{compared.rules.test.value}")
    if each.p_value is None:
        return phrase("compare.evidence_none", test=test)
    if each.exact:
        test = phrase("compare.exact", test=test)
    p = p_text(each.p_value, named=True)
    many = len(compared.comparisons)
    if many == 1:
        return phrase("compare.evidence_one", test=test, p=p)
    adjusted = p_text(each.adjusted_p, named=True)
    return phrase("compare.evidence_many", test=test, p=p, m=whole_text(many), adjusted=adjusted)


def _aside(compared: RunComparison, each: RunDifference) -> Sentence | None:
    """What these queries could have shown, where nothing is shown."""
    if each.finding is not Finding.NOT_SHOWN:
        return None
    units = compared.groups or len(compared.queries)
    told = [
        phrase(
            "compare.detectable",
            units=units_text(len(compared.queries), compared.groups),
            detectable=_detectable(each.detectable),
        )
        if each.detectable is not None
        else phrase("compare.not_detectable")
    ]
    if each.needed is not None and each.needed > units:
        needed = units_text(each.needed, None) if compared.groups is None else units_text(0, each.needed)
        told.append(phrase("compare.needed", needed=needed))
    alpha = 1.0 - compared.rules.confidence
    if each.adjusted_p is not None and each.adjusted_p <= alpha:
        told.insert(0, phrase("compare.disagree"))
    elif each.p_value is not None and each.p_value <= alpha and _excludes_zero(each.interval):
        told.insert(0, phrase("compare.corrected_away", m=whole_text(len(compared.comparisons))))
    return both(lambda lang: " ".join(sentence.in_language(lang) for sentence in told))


def _excludes_zero(interval: Interval | None) -> bool:
    return interval is not None and not interval.lower <= 0.0 <= interval.upper


def units_text(queries: int, groups: int | None) -> Sentence:
    """How many queries there are, or how many groups they come in."""
    return (
        phrase("compare.queries", n=whole_text(queries))
        if groups is None
        else phrase("compare.groups", n=whole_text(groups))
    )


def _difference(each: RunDifference) -> Sentence:
    interval = each.interval
    if interval is None:
        nothing = phrase("compare.no_interval")
        return both(
            lambda lang: f"{number(each.estimate, lang, decimals=4, signed=True)} ({nothing.in_language(lang)})"
        )
    places = decimals_for(_bounds(interval))

    def told(lang: str) -> str:
        estimate, lower, upper = (
            number(value, lang, decimals=_not_hiding(value, places), signed=True)
            for value in (interval.estimate, interval.lower, interval.upper)
        )
        return f"{estimate} [{lower}{'; ' if lang == 'de' else ', '}{upper}]"

    return both(told)


def _not_hiding(value: float, places: int) -> int:
    """The decimals that are justified, and more where a figure that is not 0 would be shown as 0."""
    while value and places < MOST_PLACES and abs(value) < 0.5 * 10.0**-places:
        places += 1
    return places


def _bounds(interval: Interval) -> Bounds:
    return Bounds(
        estimate=interval.estimate,
        lower=interval.lower,
        upper=interval.upper,
        confidence=interval.confidence,
        method=interval.method,
        n=interval.n,
    )


def _detectable(value: float) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=3 if value >= 0.01 else 4))


def _signed(value: float, decimals: int) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=decimals, signed=True))


def whole_text(value: int) -> Sentence:
    """A whole number."""
    return both(lambda lang: number(value, lang, decimals=0))


def percent_text(share: float) -> Sentence:
    """A share in per cent, with a decimal only where it has one."""
    decimals = 0 if abs(share * 100 - round(share * 100)) < 1e-9 else 1
    return both(lambda lang: percent(share, lang, decimals=decimals))


def _drawn(compared: RunComparison, at: int, view: ComparisonView, *, top: int) -> DrawnComparison:
    each = compared.comparisons[at]
    named = {"measure": view.measure, "run": view.run, "against": view.against}
    title = phrase(
        "compare.plot_title",
        **named,
        wins=whole_text(each.effect.wins),
        ties=whole_text(each.effect.ties),
        losses=whole_text(each.effect.losses),
    )
    axes = (phrase("compare.axis_x"), phrase("compare.axis_y", measure=view.measure))
    drawn = panel(title, axes, compared.queries, each.differences)
    thinned = None
    if drawn.drawn < drawn.total:
        thinned = phrase("compare.thinned", drawn=whole_text(drawn.drawn), all=whole_text(drawn.total))
    return DrawnComparison(
        view=view,
        panel=drawn,
        thinned=thinned,
        caption=phrase("compare.extremes", **named),
        rows=extreme_rows(compared, each, top=top),
    )


def extreme_rows(compared: RunComparison, each: RunDifference, *, top: int) -> tuple[QueryRow, ...]:
    """The queries with the largest losses, then those with the largest gains, ascending by difference."""
    order = np.argsort(each.differences, kind="stable")
    lost = [int(at) for at in order[:top] if each.differences[at] < 0.0]
    gained = [int(at) for at in order[::-1][:top] if each.differences[at] > 0.0]
    return tuple(
        QueryRow(
            query=compared.queries[at],
            run=_plain(float(each.run_values[at]), 4),
            against=_plain(float(each.run_values[at] - each.differences[at]), 4),
            difference=_signed(float(each.differences[at]), 4),
            direction="better" if each.differences[at] > 0.0 else "worse",
        )
        for at in (*lost, *reversed(gained))
    )


def _plain(value: float, decimals: int) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=decimals))
