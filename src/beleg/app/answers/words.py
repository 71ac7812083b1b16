"""The analyses of answers in words and table rows, in German and English."""

from __future__ import annotations

from beleg.app.answers.abstention import AbstentionReport
from beleg.app.answers.calibration import CalibrationReport
from beleg.app.answers.compression import CompressionReport
from beleg.app.answers.consistency import ConsistencyReport
from beleg.app.answers.figures import bounds_of
from beleg.app.answers.positions import PositionReport
from beleg.core.decision import Bounds
from beleg.metrics.generation.answerability import Situation
from beleg.metrics.positions import Third
from beleg.report.figures import counts_text
from beleg.stats.intervals import Interval
from beleg.stats.paired import PairedState
from beleg.text.figures import Unit, interval_text, quantity
from beleg.text.numbers import number

MAX_REASONS = 6
MAX_CASES = 10

_THIRDS = {
    "en": {Third.BEGIN: "begin", Third.MIDDLE: "middle", Third.END: "end"},
    "de": {Third.BEGIN: "Anfang", Third.MIDDLE: "Mitte", Third.END: "Ende"},
}
_SITUATIONS = {
    "en": {
        Situation.OUT_OF_SCOPE: "out of scope: no document answers",
        Situation.MISSED: "answerable, retrieval missed evidence",
        Situation.DELIVERED: "answerable, evidence delivered",
        Situation.UNKNOWN: "answerable, delivery not known",
    },
    "de": {
        Situation.OUT_OF_SCOPE: "außerhalb: kein Dokument antwortet",
        Situation.MISSED: "beantwortbar, Retrieval verfehlte Belege",
        Situation.DELIVERED: "beantwortbar, Belege geliefert",
        Situation.UNKNOWN: "beantwortbar, Lieferung unbekannt",
    },
}
_STATES = {PairedState.PASS: "● PASS", PairedState.FAIL: "■ FAIL", PairedState.INCONCLUSIVE: "◐ INCONCLUSIVE"}


def _said(language: str, en: str, de: str) -> str:
    return de if language == "de" else en


def difference_text(interval: Interval, language: str, unit: Unit = Unit.PLAIN) -> str:
    """A difference with sign and interval."""
    return interval_text(bounds_of(interval), language, unit=unit, signed=True)


def left_out_lines(left_out: dict[str, int], language: str) -> list[str]:
    """Why rows take no part, the most frequent reasons first."""
    if not left_out:
        return []
    listed = [f"{count} {reason}" for reason, count in list(left_out.items())[:MAX_REASONS]]
    more = len(left_out) - MAX_REASONS
    if more > 0:
        listed.append(_said(language, f"{more} further reasons", f"{more} weitere Gründe"))
    return [f"{_said(language, 'Left out', 'Nicht gezählt')}: {'; '.join(listed)}"]


def positions_answer(report: PositionReport, language: str) -> str:
    """The first line: whether the middle is worse."""
    title, interval = report.answers.title(language), report.middle_difference
    if interval is None:
        return _said(
            language,
            f"{title} by position is not measured: the middle or the edges hold no evidence with a score",
            f"{title} nach Position ist nicht gemessen: Mitte oder Rand enthalten keinen Beleg mit Wert",
        )
    told = f"{difference_text(interval, language, report.answers.unit)} · n {interval.n}"
    if interval.upper < 0:
        return _said(
            language,
            f"{title} is lower with the evidence in the middle than at begin or end: {told}",
            f"{title} ist niedriger, wenn der Beleg in der Mitte steht statt an Anfang oder Ende: {told}",
        )
    if interval.lower > 0:
        return _said(
            language,
            f"{title} is higher with the evidence in the middle than at begin or end: {told}",
            f"{title} ist höher, wenn der Beleg in der Mitte steht statt an Anfang oder Ende: {told}",
        )
    return _said(
        language,
        f"{title}: no difference between middle and edges is shown: {told}",
        f"{title}: Zwischen Mitte und Rand ist kein Unterschied gezeigt: {told}",
    )


def positions_rows(report: PositionReport, language: str) -> list[list[str]]:
    """Place of the evidence, correctness, citation coverage of that third."""
    unit = report.answers.unit
    rows = [
        [
            _THIRDS[_said(language, "en", "de")][third],
            figure.text(language, unit),
            report.coverage[third].text(language),
        ]
        for third, figure in report.thirds.items()
    ]
    name = _said(language, "rank", "Rang")
    return rows + [[f"{name} {rank}", figure.text(language, unit), ""] for rank, figure in report.ranks.items()]


def reordering_line(report: PositionReport, language: str) -> str | None:
    """What another order of the same passages does."""
    found = report.reordering
    if found is None or found.difference is None:
        return None
    told = difference_text(found.difference, language, report.answers.unit)
    counted = f"n {found.pairs}"
    same, other = found.same_order, found.other_passages
    return _said(
        language,
        f"Same passages in the order of {found.other}: {told} · {counted} · {same} in the same order, "
        f"{other} with other passages",
        f"Dieselben Passagen in der Ordnung von {found.other}: {told} · {counted} · {same} in gleicher Ordnung, "
        f"{other} mit anderen Passagen",
    )


def calibration_answer(report: CalibrationReport, language: str) -> str:
    """The first line: whether the system is too sure, and by how much."""
    told = difference_text(report.gap, language, Unit.PERCENT)
    if report.gap.lower > 0:
        return _said(
            language,
            f"The system is too sure of itself: confidence minus correctness {told} · n {report.figures.n}",
            f"Das System ist sich zu sicher: Zuversicht minus Richtigkeit {told} · n {report.figures.n}",
        )
    if report.gap.upper < 0:
        return _said(
            language,
            f"The system is less sure than it could be: confidence minus correctness {told} · n {report.figures.n}",
            f"Das System ist sich weniger sicher, als es dürfte: Zuversicht minus Richtigkeit {told} "
            f"· n {report.figures.n}",
        )
    return _said(
        language,
        f"Neither too sure nor too unsure is shown: confidence minus correctness {told} · n {report.figures.n}",
        f"Weder zu sicher noch zu unsicher ist gezeigt: Zuversicht minus Richtigkeit {told} · n {report.figures.n}",
    )


def calibration_lines(report: CalibrationReport, language: str) -> list[str]:
    """The calibration error beside what chance alone would show, and the Brier score."""
    found = report.figures
    ece, clean, chance = (
        number(value, language, decimals=3) for value in (found.ece, found.debiased_ece, found.expected_when_calibrated)
    )
    brier = interval_text(bounds_of(report.brier), language)
    return [
        _said(
            language,
            f"ECE {ece} ({len(report.bins)} bins; {chance} would be expected of perfect calibration; {clean} debiased)",
            f"ECE {ece} ({len(report.bins)} Klassen; {chance} wäre bei perfekter Kalibrierung zu erwarten; "
            f"{clean} entzerrt)",
        ),
        _said(language, f"Brier score {brier}", f"Brier-Wert {brier}"),
    ]


def calibration_rows(report: CalibrationReport, language: str) -> list[list[str]]:
    """One row per bin: its range, mean confidence, share right, n."""
    return [
        [
            f"{quantity(each.lower, language, unit=Unit.PERCENT, decimals=0)}–"
            f"{quantity(each.upper, language, unit=Unit.PERCENT, decimals=0)}",
            quantity(each.confidence, language, unit=Unit.PERCENT),
            interval_text(bounds_of(each.accuracy), language, unit=Unit.PERCENT),
            str(each.accuracy.n),
        ]
        for each in report.bins
    ]


def consistency_answer(report: ConsistencyReport, language: str) -> str:
    """The first line: how often a repeat gives the most frequent answer."""
    bounds = report.majority.bounds
    told = "" if bounds is None else interval_text(bounds, language, unit=Unit.PERCENT)
    counted, flagged = counts_text(report.majority.counts, language), len(report.flagged)
    limit = quantity(report.flag_below, language, unit=Unit.PERCENT, decimals=0)
    return _said(
        language,
        f"The most frequent answer has {told} of {report.repeats} repeats · {counted}; "
        f"{flagged} cases below {limit} need a person",
        f"Die häufigste Antwort hat {told} von {report.repeats} Wiederholungen · {counted}; "
        f"{flagged} Fälle unter {limit} brauchen einen Menschen",
    )


def consistency_lines(report: ConsistencyReport, language: str) -> list[str]:
    """Unanimous cases, agreement over pairs, cases that are refused at times."""
    unanimous = interval_text(bounds_of(report.unanimous), language, unit=Unit.PERCENT)
    pairwise = interval_text(bounds_of(report.pairwise), language)
    n = f"n {report.unanimous.n}"
    return [
        _said(language, f"Always the same answer: {unanimous} · {n}", f"Immer dieselbe Antwort: {unanimous} · {n}"),
        _said(language, f"Token F1 over pairs: {pairwise} · {n}", f"Token-F1 über Paare: {pairwise} · {n}"),
        _said(
            language,
            f"Refused at times and answered at others: {report.sometimes_refused}",
            f"Mal abgelehnt, mal beantwortet: {report.sometimes_refused}",
        ),
    ]


def consistency_rows(report: ConsistencyReport, language: str) -> list[list[str]]:
    """The cases that agree least."""
    return [
        [
            case.case_id,
            quantity(case.found.majority, language, unit=Unit.PERCENT, decimals=0),
            str(case.found.groups),
            number(case.found.pairwise, language, decimals=2),
            str(case.found.refusals),
            f"{case.found.n}",
        ]
        for case in report.cases[:MAX_CASES]
    ]


def abstention_answer(report: AbstentionReport, language: str) -> str:
    """The first line: what was answered without evidence, and what was refused with it."""
    without = sum(len(report.answered_cases[each]) for each in (Situation.OUT_OF_SCOPE, Situation.MISSED))
    needless = len(report.refused_cases[Situation.DELIVERED])
    missed = len(report.refused_cases[Situation.MISSED])
    return _said(
        language,
        f"{without} cases were answered without evidence; {needless} were refused with the evidence at hand, "
        f"{missed} after retrieval missed it",
        f"{without} Fälle wurden ohne Beleg beantwortet; {needless} wurden trotz geliefertem Beleg abgelehnt, "
        f"{missed} nach einem Fehlgriff des Retrievals",
    )


def abstention_rows(report: AbstentionReport, language: str) -> list[list[str]]:
    """One row per situation: how often it was refused."""
    names = _SITUATIONS[_said(language, "en", "de")]
    return [
        [names[situation], figure.text(language, Unit.PERCENT), _first_cases(report, situation)]
        for situation, figure in report.refused.items()
    ]


def _first_cases(report: AbstentionReport, situation: Situation) -> str:
    """The cases to look at: refused where the evidence was at hand, answered where it was not."""
    wrong = report.refused_cases if situation is Situation.DELIVERED else report.answered_cases
    listed = () if situation is Situation.UNKNOWN else wrong[situation]
    return ", ".join(listed[:3]) + (" …" if len(listed) > 3 else "")


def compression_answer(report: CompressionReport, language: str) -> str:
    """The first line: whether the loss stays within the bound that was set before."""
    decided = report.decided
    bounds = Bounds(
        estimate=decided.estimate,
        lower=decided.lower,
        upper=decided.upper,
        confidence=decided.confidence,
        method=decided.method.value,
        n=decided.n,
    )
    told = interval_text(bounds, language, signed=True)
    limit = number(report.max_loss, language, decimals=3)
    ending = {
        PairedState.PASS: ("the loss stays below", "der Verlust bleibt unter"),
        PairedState.FAIL: ("the loss exceeds", "der Verlust übersteigt"),
        PairedState.INCONCLUSIVE: ("it is not shown that the loss stays below", "nicht gezeigt ist ein Verlust unter"),
    }[decided.state]
    text = _said(language, f"{ending[0]} {limit}", f"{ending[1]} {limit}")
    more = ""
    if decided.state is PairedState.INCONCLUSIVE and decided.needed is not None:
        more = _said(
            language,
            f"; about {decided.needed} independent cases would show it",
            f"; etwa {decided.needed} unabhängige Fälle zeigten es",
        )
    return f"{_STATES[decided.state]}: {text}: {told} · n {report.pairs}{more}"


def compression_rows(report: CompressionReport, language: str) -> list[list[str]]:
    """Sizes before and after, and how many times smaller."""
    before, after = report.before, report.after
    rows = [
        (_said(language, "context, words", "Kontext, Wörter"), before.context_words, after.context_words),
        (_said(language, "prompt, tokens", "Prompt, Tokens"), before.prompt_tokens, after.prompt_tokens),
        (_said(language, "answer, words", "Antwort, Wörter"), before.answer_words, after.answer_words),
    ]
    unknown = _said(language, "not recorded", "nicht aufgezeichnet")

    def told(value: float | None, decimals: int = 0) -> str:
        return unknown if value is None else number(value, language, decimals=decimals)

    return [
        [name, told(one), told(other), told(one / other if one is not None and other else None, 2)]
        for name, one, other in rows
    ]
