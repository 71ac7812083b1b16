"""What a check found, in one sentence, in English and in German.

A sentence states a figure, how sure it is and what was allowed. It never names a cause that was not measured.
"""

from __future__ import annotations

from collections.abc import Callable

from beleg.core.decision import Bounds, Sentence
from beleg.gating.plan import PlannedCheck
from beleg.text.numbers import NO_BREAK, limit, number, percent

_UNITS = {"milliseconds": "ms", "usd": "USD", "tokens": "tokens"}
_RATES_AS_PERCENT = frozenset({"binary"})


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


def level(check: PlannedCheck, value: float, language: str, *, signed: bool = False) -> str:
    """A figure of the metric with its unit, at the precision at which it can be compared with a limit."""
    kind = check.metric.spec.kind
    if kind in _RATES_AS_PERCENT:
        return _points(value, language) if signed else percent(value, language, decimals=1)
    if kind in _UNITS:
        decimals = 4 if kind == "usd" else 0
        return f"{number(value, language, decimals=decimals, signed=signed)}{NO_BREAK}{_UNITS[kind]}"
    return number(value, language, decimals=3, signed=signed)


def _points(value: float, language: str) -> str:
    """A difference of shares: 0.80 to 0.85 is 5 percentage points, and not 5 %."""
    word = pick(language, "points", "Punkte")
    return f"{number(value * 100, language, decimals=1, signed=True)}{NO_BREAK}{word}"


def allowed(check: PlannedCheck, value: float, language: str, *, is_difference: bool = False) -> str:
    """A limit of the policy, as it was written."""
    kind = check.metric.spec.kind
    if kind in _RATES_AS_PERCENT:
        unit = pick(language, "points", "Punkte") if is_difference else "%"
        return f"{limit(value * 100, language)}{NO_BREAK}{unit}"
    return f"{limit(value, language)}{NO_BREAK}{_UNITS[kind]}" if kind in _UNITS else limit(value, language)


def interval(check: PlannedCheck, bounds: Bounds, language: str, *, signed: bool = False) -> str:
    """Estimate with both bounds."""
    parts = [level(check, value, language, signed=signed) for value in (bounds.estimate, bounds.lower, bounds.upper)]
    return f"{parts[0]} [{parts[1]}; {parts[2]}]"


def _cases(bounds: Bounds, language: str) -> str:
    counted = number(bounds.n, language, decimals=0)
    if bounds.clusters is not None and bounds.clusters < bounds.n:
        groups = number(bounds.clusters, language, decimals=0)
        return pick(language, f"n {counted} in {groups} groups", f"n {counted} in {groups} Gruppen")
    return f"n {counted}"


def band(check: PlannedCheck, figure: Bounds, verdict: str) -> Sentence:
    """A figure against its bands: ``verdict`` is pass, block, between, unproven or few."""
    pass_at, block_at = check.thresholds.pass_at or 0.0, check.thresholds.block_at or 0.0
    up = check.higher_is_better

    def make(language: str) -> str:
        told = f"{title(check, language)}: {interval(check, figure, language)}, {_cases(figure, language)}"
        at_pass, at_block = allowed(check, pass_at, language), allowed(check, block_at, language)
        least = pick(language, "at least" if up else "at most", "mindestens" if up else "höchstens")
        beyond = pick(language, "below" if up else "above", "unter" if up else "über")
        rest = {
            "pass": pick(language, f"the bound clears {at_pass}", f"die Schranke hält {at_pass} ein"),
            "block": pick(language, f"{beyond} {at_block} blocks", f"{beyond} {at_block} wird gesperrt"),
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


def regression(check: PlannedCheck, difference: Bounds, verdict: str) -> Sentence:
    """A paired difference against the margin: ``verdict`` is pass, block, unproven, few or unscored."""
    margin = check.thresholds.margin or 0.0

    def make(language: str) -> str:
        against = pick(language, "against the baseline", "gegenüber der Baseline")
        told = (
            f"{title(check, language)} {against}: "
            f"{interval(check, difference, language, signed=True)}, {_cases(difference, language)}"
        )
        tolerated = allowed(check, margin, language, is_difference=True)
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
                "with the cases without a score counted as worse, a worsening is not ruled out",
                "zählt man unbewertete Fälle als schlechter, ist eine Verschlechterung nicht ausgeschlossen",
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
    """Too few of the expected cases have a score."""

    def make(language: str) -> str:
        share = percent(scored / due if due else 0.0, language, decimals=1)
        floor = percent(minimum, language, decimals=1)
        return pick(
            language,
            f"{title(check, language)}: only {scored} of {due} cases have a score ({share}; {floor} are required)",
            f"{title(check, language)}: nur {scored} von {due} Fällen haben einen Wert ({share}; nötig sind {floor})",
        )

    return both(make)


def nothing_scored(check: PlannedCheck, detail: Sentence) -> Sentence:
    """There is no figure, and why."""
    return both(lambda language: f"{title(check, language)}: {detail.in_language(language)}")
