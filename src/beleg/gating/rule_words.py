"""The rules of a policy that are about no single metric, each in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from beleg.core.decision import Sentence
from beleg.core.policy import Policy
from beleg.gating.sentences import both, pick
from beleg.text.numbers import number, percent


def rules_told(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    """Field and sentence of each rule, how missing scores count and how all is put together at the end."""
    yield from _claims_and_evaluators(policy)
    yield from _judge(policy)
    yield from _around(policy)
    yield from _comparison_looks_and_release(policy)
    yield from _of_the_run(policy)
    yield "minimum_coverage", _missing(policy)
    yield "checks", _TOGETHER


def _claims_and_evaluators(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    rule, failures = policy.critical_claims, policy.evaluator_failures
    if rule is not None:
        where = ",".join(f"{name}={label}" for name, label in sorted(rule.where.items()))
        strict = rule.flagged == "block"
        yield (
            "critical_claims",
            Sentence(
                en=f"A claim that people confirmed as not supported blocks at once where {where}; one that only a "
                f"machine "
                f"suspects waits for a person{', and one that a rule in code flags blocks' if strict else ''}",
                de=f"Eine Behauptung, die Menschen als nicht gestützt bestätigt haben, sperrt sofort, wo {where}; "
                f"eine, die "
                f"nur eine Maschine verdächtigt, wartet auf einen Menschen"
                f"{', und eine von einer festen Regel markierte sperrt' if strict else ''}",
            ),
        )
    if failures is not None:
        yield (
            "evaluator_failures",
            both(
                lambda language: pick(
                    language,
                    f"No evaluator may fail, time out or answer unusably on more than "
                    f"{percent(failures.ceiling, 'en', decimals=1)} of the rows; that is no fault of the candidate, "
                    f"and no "
                    "PASS",
                    f"Keine Auswertung darf auf mehr als {percent(failures.ceiling, 'de', decimals=1)} der Zeilen "
                    f"ausfallen "
                    "oder Unbrauchbares liefern; das ist kein Fehler des Kandidaten und kein PASS",
                )
            ),
        )


def _judge(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    trust = policy.trust
    if policy.judge is None:
        return
    refuse = trust.uncalibrated == "refuse"
    yield (
        "judge",
        Sentence(
            en=f"A judge is believed with a calibration of at least {trust.minimum_labels} labels of people; otherwise "
            + ("its checks are an error" if refuse else "a person looks at its checks"),
            de=f"Ein Gutachtermodell gilt mit einer Kalibrierung auf mindestens {trust.minimum_labels} Labels von "
            f"Menschen; "
            + ("sonst sind seine Prüfungen ein Fehler" if refuse else "sonst sieht ein Mensch seine Prüfungen an"),
        ),
    )


def _around(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    if policy.required_record:
        named = ", ".join(place.value for place in policy.required_record)
        yield (
            "required_record",
            Sentence(
                en=f"Every trace must record {named}; where it does not, nothing is known of it and nothing passes",
                de=f"Jeder Trace muss {named} aufzeichnen; wo das fehlt, ist nichts darüber bekannt, und nichts "
                f"besteht",
            ),
        )
    if policy.error_budget is not None:
        budget = policy.error_budget
        yield (
            "error_budget",
            Sentence(
                en=f"In {budget.period_days} days at most {budget.allowed:g} failed releases and incidents by "
                f"weight; beyond "
                "that a person decides on every release",
                de=f"In {budget.period_days} Tagen höchstens {number(budget.allowed, 'de', decimals=0)} "
                f"fehlgeschlagene "
                "Freigaben und Vorfälle nach Gewicht; darüber entscheidet bei jeder Freigabe ein Mensch",
            ),
        )
    if policy.require_review_dates:
        yield (
            "require_review_dates",
            Sentence(
                en="A threshold without owner, rationale and a review date to come keeps the decision from PASS",
                de="Eine Schwelle ohne Verantwortliche, Begründung und künftigen Prüftermin verhindert PASS",
            ),
        )
    if policy.require_registration:
        yield (
            "require_registration",
            Sentence(
                en="A policy that was not registered before the run began keeps the decision from PASS",
                de="Eine Policy, die nicht vor Beginn des Laufs registriert war, verhindert PASS",
            ),
        )
    if policy.block_when_open:
        kinds = ", ".join(kind.value for kind in policy.block_when_open)
        yield (
            "block_when_open",
            Sentence(
                en=f"Checks of these kinds block where they would only ask for a person: {kinds}",
                de=f"Prüfungen dieser Arten sperren, wo sie sonst nur nach einem Menschen verlangen: {kinds}",
            ),
        )


def _comparison_looks_and_release(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    if policy.sequential is not None:
        shares = {
            language: ", ".join(percent(look, language) for look in policy.sequential.looks)
            for language in ("en", "de")
        }
        yield (
            "sequential",
            Sentence(
                en=f"Judged metrics are looked at with {shares['en']} of the cases judged, the error spread over the "
                "looks; judging stops when they are settled",
                de=f"Auf bewertete Metriken fällt der Blick bei {shares['de']} der Fälle, der Fehler verteilt sich "
                "auf die Blicke; bewertet wird, bis sie entschieden sind",
            ),
        )
    if policy.treatment is not None:
        named = ", ".join(policy.treatment)
        yield (
            "treatment",
            Sentence(
                en="A metric is compared with the baseline only if nothing that it depends on differs"
                + (f" but {named}" if named else ""),
                de="Eine Metrik wird nur mit der Baseline verglichen, wenn sich nichts unterscheidet, wovon sie abhängt"
                + (f", außer {named}" if named else ""),
            ),
        )
    if policy.require_comparable == "strict":
        yield (
            "require_comparable",
            Sentence(
                en="A metric is not compared where it is not known whether what it depends on is the same",
                de="Eine Metrik wird nicht verglichen, wo nicht bekannt ist, ob das gleich ist, wovon sie abhängt",
            ),
        )
    if policy.release is not None:
        terms = policy.release
        waived = ", ".join(terms.waivable)
        yield (
            "release",
            Sentence(
                en=f"A signed decision holds for {', '.join(terms.environments)} and {terms.valid_hours} hours; "
                + (
                    f"a named owner may override {waived} for {terms.max_override_hours} hours"
                    if waived
                    else "nothing may be overridden"
                ),
                de=f"Eine signierte Entscheidung gilt für {', '.join(terms.environments)} und {terms.valid_hours} "
                "Stunden; "
                + (
                    f"Verantwortliche dürfen {waived} für {terms.max_override_hours} Stunden übergehen"
                    if waived
                    else "übergangen werden darf nichts"
                ),
            ),
        )


def _of_the_run(policy: Policy) -> Iterator[tuple[str, Sentence]]:
    yield (
        "require_baseline",
        (
            Sentence(
                en="Without a comparable run of what is released now there is no PASS",
                de="Ohne einen vergleichbaren Lauf dessen, was heute freigegeben ist, gibt es kein PASS",
            )
            if policy.require_baseline
            else Sentence(
                en="A decision without a baseline may PASS; then nothing holds against a worsening",
                de="Eine Entscheidung ohne Baseline darf PASS sein; dann schützt nichts vor einer Verschlechterung",
            )
        ),
    )
    if policy.require_reproducible:
        yield (
            "require_reproducible",
            Sentence(
                en="A manifest field that is not resolved keeps the decision from PASS",
                de="Ein offenes Feld im Manifest verhindert PASS",
            ),
        )
    yield (
        "allow_subset",
        (
            Sentence(
                en="The stratified subset may PASS for the suite; cases picked by name never do",
                de="Die stratifizierte Teilmenge darf für die Suite bestehen; einzeln ausgewählte Fälle nie",
            )
            if policy.allow_subset
            else Sentence(
                en="Only a run on the whole suite may PASS", de="Nur ein Lauf auf der ganzen Suite darf bestehen"
            )
        ),
    )


def _missing(policy: Policy) -> Sentence:
    return both(
        lambda language: pick(
            language,
            f"At least {percent(policy.minimum_coverage, 'en', decimals=1)} of the due cases must have a score, and a "
            "case without one counts as bad as can be before a PASS, and as good as can be before a BLOCK",
            f"Mindestens {percent(policy.minimum_coverage, 'de', decimals=1)} der fälligen Fälle müssen einen Wert "
            "haben; ein Fall ohne Wert zählt vor einem PASS als so schlecht und vor einem BLOCK als so gut wie möglich",
        )
    )


_TOGETHER = Sentence(
    en="One failed check is BLOCK; else one open check is REVIEW; only if every check holds it is PASS, and nothing "
    "makes up for anything",
    de="Eine verletzte Prüfung ist BLOCK; sonst ist eine offene Prüfung REVIEW; nur wenn jede Prüfung hält, ist es "
    "PASS, "
    "und nichts gleicht etwas anderes aus",
)
