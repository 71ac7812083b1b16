"""What a check found, in one sentence, in English and in German.

A sentence states a figure, how sure it is and what was allowed. It never names a cause that was not measured.
"""

from __future__ import annotations

from collections.abc import Callable

from beleg.core.decision import Bounds, Sentence
from beleg.core.policy import Aggregate
from beleg.gating.plan import PlannedCheck
from beleg.text.figures import UNIT_OF_KIND, Unit, interval_text, limit_text
from beleg.text.numbers import number, percent

LARGER_THAN_SAID = Sentence(
    en="a case has more than the largest value that the policy names, so no bound holds",
    de="ein Fall hat mehr als den größten Wert, den die Policy nennt; damit gilt keine Schranke",
)


def both(make: Callable[[str], str]) -> Sentence:
    """One sentence made in both languages by one rule."""
    return Sentence(en=make("en"), de=make("de"))


def pick(language: str, en: str, de: str) -> str:
    """The wording of a language."""
    return de if language == "de" else en


def title(check: PlannedCheck, language: str) -> str:
    """The metric's name for people, with its parameters, aggregate and segment."""
    name = check.metric.title(language)
    if check.aggregate.value != "mean":
        name = f"{name} ({check.aggregate.value})"
    return f"{name}, {check.segment}" if check.segment else name


def unit_of(check: PlannedCheck) -> Unit:
    """The unit in which the metric is read."""
    return UNIT_OF_KIND.get(check.metric.spec.kind, Unit.PLAIN)


def _cases(bounds: Bounds, language: str) -> str:
    counted = number(bounds.n, language, decimals=0)
    if bounds.clusters is not None and bounds.clusters < bounds.n:
        groups = number(bounds.clusters, language, decimals=0)
        return pick(language, f"n {counted} in {groups} groups", f"n {counted} in {groups} Gruppen")
    return f"n {counted}"


def band(check: PlannedCheck, figure: Bounds, verdict: str) -> Sentence:
    """A figure against its bands.

    ``verdict`` is pass, block, liftable, noisy, interim, between, unproven, few or unscored.
    """
    pass_at, block_at = check.thresholds.pass_at or 0.0, check.thresholds.block_at or 0.0
    up = check.higher_is_better

    def make(language: str) -> str:
        unit = unit_of(check)
        told = f"{title(check, language)}: {interval_text(figure, language, unit=unit)}, {_cases(figure, language)}"
        at_pass, at_block = (limit_text(level, language, unit=unit) for level in (pass_at, block_at))
        least = pick(language, "at least" if up else "at most", "mindestens" if up else "höchstens")
        beyond = pick(language, "below" if up else "above", "unter" if up else "über")
        told += _corrected(figure, language)
        rest = {
            "noisy": pick(
                language,
                f"{beyond} {at_block} blocks, but asking the judge again could change that",
                f"{beyond} {at_block} wird gesperrt, aber eine erneute Frage an den Judge könnte das ändern",
            ),
            "interim": pick(
                language,
                f"{beyond} {at_block} blocks when it is proven, or when all cases are judged",
                f"{beyond} {at_block} wird gesperrt, sobald es belegt ist oder alle Fälle bewertet sind",
            ),
            "pass": pick(language, f"the bound clears {at_pass}", f"die Schranke hält {at_pass} ein"),
            "block": pick(language, f"{beyond} {at_block} blocks", f"{beyond} {at_block} wird gesperrt"),
            "liftable": pick(
                language,
                f"{beyond} {at_block} blocks, but the cases without a score could still lift it",
                f"{beyond} {at_block} wird gesperrt, aber die unbewerteten Fälle könnten ihn noch heben",
            ),
            "between": pick(
                language,
                f"PASS needs {least} {at_pass}, BLOCK begins {beyond} {at_block}",
                f"PASS verlangt {least} {at_pass}, BLOCK beginnt {beyond} {at_block}",
            ),
            "unproven": pick(
                language,
                f"the figure meets {at_pass}, its bound does not",
                f"der Wert erreicht {at_pass}, seine Schranke nicht",
            ),
            "few": pick(
                language,
                f"fewer than {check.minimum_n} scored cases never pass",
                f"weniger als {check.minimum_n} bewertete Fälle bestehen nie",
            ),
            "unscored": pick(
                language,
                f"the figure holds only if the cases without a score are not bad; counted as bad it misses {at_pass}",
                f"der Wert hält nur, wenn die unbewerteten Fälle gut sind; als schlecht gezählt verfehlt er {at_pass}",
            ),
        }[verdict]
        return f"{told}; {rest}"

    return both(make)


def _corrected(figure: Bounds, language: str) -> str:
    if not figure.human_labels:
        return ""
    labels = number(figure.human_labels, language, decimals=0)
    return pick(language, f", corrected by {labels} human labels", f", mit {labels} Labels von Menschen berichtigt")


def regression(check: PlannedCheck, difference: Bounds, verdict: str) -> Sentence:
    """A paired difference against the margin: ``verdict`` is pass, block, liftable, unproven, few or unscored."""
    margin = check.thresholds.margin or 0.0

    def make(language: str) -> str:
        against = pick(language, "against the baseline", "gegenüber der Baseline")
        unit = unit_of(check)
        shown = interval_text(difference, language, unit=unit, signed=True)
        told = f"{title(check, language)} {against}: {shown}, {_cases(difference, language)}"
        tolerated = limit_text(margin, language, unit=unit, is_difference=True)
        rest = {
            "pass": pick(
                language,
                f"a worsening of {tolerated} is ruled out",
                f"eine Verschlechterung um {tolerated} ist ausgeschlossen",
            ),
            "block": pick(
                language,
                f"a worsening beyond {tolerated} is proven",
                f"eine Verschlechterung über {tolerated} ist belegt",
            ),
            "liftable": pick(
                language,
                f"a worsening beyond {tolerated} shows, but the cases without a score could still undo it",
                f"es zeigt sich eine Verschlechterung über {tolerated}, aber die unbewerteten Fälle könnten sie noch "
                "aufheben",
            ),
            "unproven": pick(
                language,
                f"a worsening of {tolerated} is not ruled out",
                f"eine Verschlechterung um {tolerated} ist nicht ausgeschlossen",
            ),
            "few": pick(
                language,
                f"fewer than {check.minimum_n} paired cases never pass",
                f"weniger als {check.minimum_n} gepaarte Fälle bestehen nie",
            ),
            "unscored": pick(
                language,
                f"with the cases that lack one of the two scores counted as worse, a worsening of {tolerated} is not "
                "ruled out",
                f"zählt man Fälle, denen einer der beiden Werte fehlt, als schlechter, ist eine Verschlechterung um "
                f"{tolerated} nicht ausgeschlossen",
            ),
        }[verdict]
        return f"{told}; {rest}"

    return both(make)


def needed(sentence: Sentence, count: int | None, unit: str) -> Sentence:
    """Adds how many cases in all would be expected to settle the check, where that can be said."""
    if count is None:
        return sentence

    def make(language: str) -> str:
        counted = number(count, language, decimals=0)
        names = {"cases": pick(language, "cases", "Fälle"), "groups": pick(language, "groups", "Gruppen")}
        more = pick(
            language,
            f"about {counted} {names[unit]} in all would settle it if the figures stay as they are",
            f"bei gleichbleibenden Werten würden insgesamt etwa {counted} {names[unit]} genügen",
        )
        return f"{sentence.in_language(language)}; {more}"

    return both(make)


def zero_tolerance(check: PlannedCheck, events: int, affected: int, checked: int, unchecked: int) -> Sentence:
    """A count that must be zero in every case."""

    def make(language: str) -> str:
        name = title(check, language)
        if events:
            return pick(
                language,
                f"{name}: {events} in {affected} of {checked} cases; not one is allowed",
                f"{name}: {events} in {affected} von {checked} Fällen; erlaubt ist keiner",
            )
        if unchecked:
            return pick(
                language,
                f"{name}: none in {checked} cases, but {unchecked} cases could not be checked",
                f"{name}: keiner in {checked} Fällen, aber {unchecked} Fälle ließen sich nicht prüfen",
            )
        return pick(language, f"{name}: none in {checked} cases", f"{name}: keiner in {checked} Fällen")

    return both(make)


def coverage(check: PlannedCheck, scored: int, due: int, minimum: float) -> Sentence:
    """Too few of the expected cases have a score; a quantile counts every answer by itself."""
    english, german = ("cases", "Fällen") if check.aggregate is Aggregate.MEAN else ("answers", "Antworten")

    def make(language: str) -> str:
        share = percent(scored / due if due else 0.0, language, decimals=1)
        floor = percent(minimum, language, decimals=1)
        return pick(
            language,
            f"{title(check, language)}: only {scored} of {due} {english} have a score ({share}; {floor} are required)",
            f"{title(check, language)}: nur {scored} von {due} {german} haben einen Wert ({share}; nötig sind {floor})",
        )

    return both(make)


def nothing_scored(check: PlannedCheck, detail: Sentence) -> Sentence:
    """There is no figure, and why."""
    return both(lambda language: f"{title(check, language)}: {detail.in_language(language)}")
