"""What is told of sealed suites, in words."""

from __future__ import annotations

from beleg.core.decision import CheckState, Sentence
from beleg.core.sealed import SealTerms, ToldCheck, ToldDecision


def sealed(terms: SealTerms) -> Sentence:
    """The seal in one line."""
    name, n, least, budget = terms.header.name, terms.cases, terms.minimum_cases, terms.header.usage_budget
    return Sentence(
        en=f"Sealed {name}: {n} cases, {budget} uses, nothing told over fewer than {least} cases",
        de=f"{name} versiegelt: {n} Fälle, {budget} Nutzungen, keine Auskunft über weniger als {least} Fälle",
    )


def plain_remains(source: str) -> Sentence:
    """What sealing does not do."""
    return Sentence(
        en=f"{source} still stands there in the clear: move it to where nobody who tunes can read it",
        de=f"{source} liegt weiter im Klartext da: dorthin verschieben, wo niemand liest, der abstimmt",
    )


def decided(told: ToldDecision) -> tuple[Sentence, ...]:
    """The decision in one line, and how much of the budget is left."""
    passed = sum(check.state is CheckState.PASS for check in told.checks)
    return (
        Sentence(
            en=f"{told.verdict.value}: {passed} of {len(told.checks)} checks hold for {told.candidate} on the sealed "
            f"suite {told.suite_name} ({told.cases} cases)",
            de=f"{told.verdict.value}: {passed} von {len(told.checks)} Prüfungen halten für {told.candidate} auf der "
            f"versiegelten Suite {told.suite_name} ({told.cases} Fälle)",
        ),
        Sentence(
            en=f"Use {told.use} of {told.usage_budget}; no figure tells of fewer than {told.minimum_cases} cases",
            de=f"Nutzung {told.use} von {told.usage_budget}; keine Zahl sagt etwas über weniger als "
            f"{told.minimum_cases} Fälle",
        ),
    )


def row(check: ToldCheck) -> tuple[str, ...]:
    """One check as cells: id, state, figure, difference to the baseline, events."""
    events = "" if check.events is None else str(check.events)
    difference = "withheld" if check.withheld else _figure(check.difference, signed=True)
    return (check.check_id, check.state.value, _figure(check.figure, signed=False), difference, events)


def _figure(bounds: object, *, signed: bool) -> str:
    from beleg.core.decision import Bounds

    if not isinstance(bounds, Bounds):
        return ""
    form = "+.3f" if signed else ".3f"
    ends = ", ".join("open" if end is None else format(end, form) for end in (bounds.lower, bounds.upper))
    return f"{bounds.estimate:{form}} [{ends}] · n {bounds.n}"
