"""What the filter test found, in sentences and rows, in English and in German."""

from __future__ import annotations

from beleg.app.ir.filter_report import FilterReport, Proof, ShareFigure
from beleg.core.decision import Bounds
from beleg.stats.filter_rule import Choice, Condition, ConditionName, ConditionState
from beleg.text.figures import Unit, interval_text, limit_text
from beleg.text.numbers import number, percent

SHAPES = {
    ConditionState.MET: "●",
    ConditionState.VIOLATED: "■",
    ConditionState.OPEN: "◐",
    ConditionState.NOT_EVALUATED: "○",
}
_STATES = {
    ConditionState.MET: ("met", "erfüllt"),
    ConditionState.VIOLATED: ("violated", "verletzt"),
    ConditionState.OPEN: ("open", "offen"),
    ConditionState.NOT_EVALUATED: ("not evaluated", "nicht bewertet"),
}
HEAD = {
    "en": ("condition", "figure [{sure} bounds]", "registered", "state", "queries"),
    "de": ("Bedingung", "Wert [{sure}-Schranken]", "registriert", "Zustand", "Queries"),
}
HEAD_OF_SYSTEMS = {
    "en": ("filter as", "precision@{k}", "recall@{k}", "judged", "no list"),
    "de": ("Filter als", "Precision@{k}", "Recall@{k}", "beurteilt", "ohne Liste"),
}
_SYSTEMS = {"hard": ("hard predicate", "hartes Prädikat"), "soft": ("soft boost", "weicher Boost")}


def _pick(language: str, en: str, de: str) -> str:
    return de if language == "de" else en


def answer(report: FilterReport, language: str) -> str:
    """The decision as the first sentence."""
    rule, name = report.rule, report.registration.predicate
    n = _count(rule.n, language)
    if report.choice is not rule.choice:
        return _pick(
            language,
            f"NOT ENOUGH EVIDENCE: these queries were decided on under other terms before; {name} stays a soft boost. "
            "Draw new held-out queries for the new terms.",
            f"NICHT GENUG BELEGE: über diese Queries wurde schon unter anderen Bedingungen entschieden; {name} bleibt "
            "ein weicher Boost. Für die neuen Bedingungen neue, zurückgehaltene Queries ziehen.",
        )
    if rule.choice is Choice.HARD:
        return _pick(
            language,
            f"HARD: {name} may be a hard predicate; all three registered conditions are met on {n} queries.",
            f"HART: {name} darf ein hartes Prädikat sein; auf {n} Queries sind alle drei Bedingungen erfüllt.",
        )
    told = [each for each in rule.conditions if each.state is ConditionState.VIOLATED]
    if rule.choice is Choice.SOFT:
        why = "; ".join(_finding(each, report, language) for each in told)
        return _pick(
            language,
            f"SOFT: {name} stays a soft boost, for {why}.",
            f"WEICH: {name} bleibt ein weicher Boost, denn {why}.",
        )
    return _pick(
        language,
        f"NOT ENOUGH EVIDENCE on {n} queries: {name} stays a soft boost until it is there. {_needed(report, language)}",
        f"NICHT GENUG BELEGE auf {n} Queries: {name} bleibt bis dahin ein weicher Boost. {_needed(report, language)}",
    )


def _needed(report: FilterReport, language: str) -> str:
    rule, least = report.rule, report.registration.minimum_queries
    if rule.needed is not None:
        n = _count(rule.needed, language)
        return _pick(
            language,
            f"About {n} queries are needed if the figures stay as they are (registered: at least {least}).",
            f"Etwa {n} Queries sind nötig, wenn die Werte so bleiben (registriert: mindestens {least}).",
        )
    stuck = [each for each in rule.conditions if each.state is not ConditionState.MET and each.needed is None]
    names = ", ".join(title(each.name, report, language) for each in stuck)
    if any(each.state is ConditionState.NOT_EVALUATED for each in stuck):
        return _pick(
            language,
            "What the filter removed was not recorded: give --predicates with --documents, or --survivors.",
            "Was der Filter entfernte, ist nicht aufgezeichnet: --predicates und --documents oder --survivors.",
        )
    return _pick(
        language,
        f"More queries alone will not do, if the figures stay as they are: {names}.",
        f"Mehr Queries allein genügen nicht, wenn die Werte so bleiben: {names}.",
    )


def title(name: ConditionName, report: FilterReport, language: str) -> str:
    """A condition in words."""
    k = report.registration.k
    return {
        ConditionName.PRECISION_GAIN: _pick(language, f"gain of precision@{k}", f"Gewinn an Precision@{k}"),
        ConditionName.EXCLUSION_RATE: _pick(language, "false-exclusion rate", "False-Exclusion-Rate"),
        ConditionName.RECALL_CHANGE: _pick(language, f"change of recall@{k}", f"Änderung von Recall@{k}"),
    }[name]


def head(report: FilterReport, language: str) -> list[str]:
    """The head of the table of conditions; every bound is one-sided."""
    sure = percent(report.registration.confidence, language)
    return [name.format(sure=sure) for name in HEAD[language]]


def condition_row(condition: Condition, report: FilterReport, language: str) -> tuple[str, ...]:
    """One line of the table of conditions."""
    state = _pick(language, *_STATES[condition.state])
    queries = _count(condition.n, language)
    if condition.clusters is not None:
        queries += _pick(language, f" in {condition.clusters} groups", f" in {condition.clusters} Gruppen")
    if condition.unknown:
        queries += _pick(language, f", {condition.unknown} not recorded", f", {condition.unknown} nicht aufgezeichnet")
    limit = _limit(condition, language)
    return (
        title(condition.name, report, language),
        _figure(condition, report, language),
        limit,
        f"{SHAPES[condition.state]} {state}",
        queries,
    )


def _figure(condition: Condition, report: FilterReport, language: str) -> str:
    if condition.estimate is None:
        return _pick(language, "not recorded", "nicht aufgezeichnet")
    bounds = Bounds(
        estimate=condition.estimate,
        lower=condition.lower,
        upper=condition.upper,
        confidence=report.registration.confidence,
        method=condition.method,
        n=condition.n,
    )
    rate = condition.name is ConditionName.EXCLUSION_RATE
    return interval_text(bounds, language, unit=Unit.PERCENT if rate else Unit.PLAIN, signed=not rate)


def _limit(condition: Condition, language: str) -> str:
    if condition.name is ConditionName.EXCLUSION_RATE:
        return "≤ " + limit_text(condition.threshold, language, unit=Unit.PERCENT)
    sign = "≥" if condition.name is ConditionName.PRECISION_GAIN else ">"
    return f"{sign} {limit_text(condition.threshold, language, signed=condition.threshold != 0)}"


def _finding(condition: Condition, report: FilterReport, language: str) -> str:
    """A violated condition as part of a sentence."""
    figure, k = _figure(condition, report, language), report.registration.k
    if condition.name is ConditionName.EXCLUSION_RATE:
        lost, n = _count(report.exclusion.queries_excluded, language), _count(condition.n, language)
        allowed = limit_text(condition.threshold, language, unit=Unit.PERCENT)
        return _pick(
            language,
            f"the filter removes all eligible gold of {lost} of {n} queries ({figure}; allowed {allowed})",
            f"der Filter entfernt alles zulässige Gold von {lost} der {n} Queries ({figure}; erlaubt {allowed})",
        )
    limit = limit_text(condition.threshold, language, signed=True)
    if condition.name is ConditionName.PRECISION_GAIN:
        return _pick(
            language,
            f"precision@{k} gains {figure}, and {limit} was asked for",
            f"Precision@{k} gewinnt {figure}, verlangt war {limit}",
        )
    return _pick(
        language,
        f"recall@{k} changes by {figure}, and {limit} was allowed",
        f"Recall@{k} ändert sich um {figure}, erlaubt war {limit}",
    )


def system_row(name: str, report: FilterReport, language: str) -> tuple[str, ...]:
    """The figures of one system, over the same eligible gold."""
    lists = report.hard if name == "hard" else report.soft
    share = report.judged_shares[0 if name == "hard" else 1]
    return (
        _pick(language, *_SYSTEMS[name]),
        number(float(lists.precision.mean()), language, decimals=3),
        number(float(lists.recall.mean()), language, decimals=3),
        percent(share, language),
        _count(lists.missing, language),
    )


def notes(report: FilterReport, language: str) -> list[str]:
    """What belongs beside the figures: denominators, the invalid figure, documents, predicates."""
    found = [_gold_note(report, language)]
    if report.invalid_recall is not None:
        value = percent(report.invalid_recall, language)
        found.append(
            _pick(
                language,
                f"INVALID, not to be used: recall over gold rebuilt after filtering would say {value}; "
                "it drops what the filter lost.",
                f"UNGÜLTIG, nicht verwenden: Recall über nach dem Filtern neu gebautes Gold würde {value} melden; er "
                "streicht, was der Filter verlor.",
            )
        )
    name = report.registration.predicate
    found.append(
        _share(report.documents, language, "eligible gold documents removed", "zulässige Gold-Dokumente entfernt")
    )
    if report.quality is None:
        return found
    found.append(
        _share(report.predicate_precision, language, f"precision of {name} values", f"Precision der Werte von {name}")
    )
    found.append(_share(report.predicate_recall, language, f"recall of {name} values", f"Recall der Werte von {name}"))
    wrong, lost = len(report.quality.wrong), report.wrong_and_excluded
    if wrong:
        found.append(
            _pick(
                language,
                f"{wrong} of {report.quality.labelled} labelled queries got a wrong predicate; in {lost} of them "
                "all gold was lost.",
                f"{wrong} von {report.quality.labelled} gelabelten Queries bekamen ein falsches Prädikat; bei {lost} "
                "davon ging alles Gold verloren.",
            )
        )
    return found


def _gold_note(report: FilterReport, language: str) -> str:
    documents, queries = _count(len(report.gold.query), language), _count(report.rule.n, language)
    refused = _count(report.gold.refused, language)
    return _pick(
        language,
        f"The denominator is the gold that callers may see, before any relevance filter: {documents} documents of "
        f"{queries} queries; {refused} that they may not see are left out.",
        f"Nenner ist das Gold, das die Aufrufer sehen dürfen, vor jedem Relevanzfilter: {documents} Dokumente von "
        f"{queries} Queries; {refused}, die sie nicht sehen dürfen, bleiben draußen.",
    )


def _share(figure: ShareFigure, language: str, en: str, de: str) -> str:
    name = _pick(language, en, de)
    name = name[0].upper() + name[1:]
    if figure.value is None or figure.missing is not None:
        return _pick(
            language, f"{name}: missing, {figure.missing}.", f"{name}: fehlt, {_MISSING.get(figure.missing or '')}."
        )
    bounds = Bounds(
        estimate=figure.value, lower=figure.lower, upper=figure.upper, confidence=0.0, method="", n=figure.n
    )
    counted = _pick(language, f"{figure.events} of {figure.n}", f"{figure.events} von {figure.n}")
    return f"{name}: {interval_text(bounds, language, unit=Unit.PERCENT)}, {counted}."


_MISSING = {
    "nothing was recorded about what the filter removed": "was der Filter entfernte, wurde nicht aufgezeichnet",
    "no labelled query has an applied predicate": "keine gelabelte Query hat ein angewendetes Prädikat",
    "no labelled query has an expected predicate": "keine gelabelte Query hat ein erwartetes Prädikat",
}


def entitlement_lines(report: FilterReport, language: str) -> list[str]:
    """The proof of entitlement, apart from the test."""
    if not report.proofs:
        return [
            _pick(
                language,
                "Entitlement was not examined: no file says who may see what. All gold was taken as eligible.",
                "Berechtigung wurde nicht geprüft: keine Datei sagt, wer was sehen darf. Alles Gold galt als zulässig.",
            )
        ]
    head = _pick(
        language,
        "Entitlement, proven apart; no figure above makes up for it:",
        "Berechtigung, getrennt bewiesen; kein Wert oben gleicht sie aus:",
    )
    return [head, *(f"  {_proof(each, report, language)}" for each in report.proofs)]


def _proof(proof: Proof, report: FilterReport, language: str) -> str:
    leaks, system = proof.leaks, _pick(language, *_SYSTEMS[proof.system])
    documents, queries = _count(leaks.documents, language), _count(leaks.queries, language)
    upper, sure = percent(proof.upper, language, decimals=1), percent(report.registration.confidence, language)
    if proof.state == "broken":
        query, document = leaks.first or ("", "")
        bad, hit, top = leaks.unauthorised, leaks.queries_with_leak, leaks.in_top
        return _pick(
            language,
            f"■ {system}: {bad} of {documents} listed documents are not the caller's to see, in {hit} of {queries} "
            f"queries; {top} of them in the top {report.registration.k}; first {document} for {query}.",
            f"■ {system}: {bad} von {documents} gelisteten Dokumenten darf der Aufrufer nicht sehen, bei {hit} von "
            f"{queries} Queries; {top} davon in den Top {report.registration.k}; zuerst {document} bei {query}.",
        )
    if proof.state == "unknown":
        return _pick(
            language,
            f"○ {system}: not proven; of {leaks.unknown} of {documents} listed documents nothing says who may see.",
            f"○ {system}: nicht bewiesen; von {leaks.unknown} der {documents} gelisteten Dokumente steht nirgends, "
            "wer sie sehen darf.",
        )
    return _pick(
        language,
        f"● {system}: 0 unauthorised of {documents} listed documents in {queries} queries; at {sure} confidence fewer "
        f"than {upper} of queries would show one.",
        f"● {system}: 0 unberechtigte von {documents} gelisteten Dokumenten bei {queries} Queries; mit {sure} "
        f"Sicherheit zeigen weniger als {upper} der Queries eines.",
    )


def registration_lines(report: FilterReport, language: str) -> list[str]:
    """What was registered, by whom, and whether that changed after a decision."""
    terms = report.registration
    found = [
        _pick(
            language,
            f"Registered {terms.registered_on.isoformat()} by {terms.owner}: {terms.digest}",
            f"Registriert {terms.registered_on.isoformat()} von {terms.owner}: {terms.digest}",
        )
    ]
    if report.looks_before:
        error = limit_text(terms.alpha, language, unit=Unit.PERCENT)
        found.append(
            _pick(
                language,
                f"◐ Decision {report.looks_before + 1} under these terms on other files: if queries are the same, "
                f"the error rate is above {error}.",
                f"◐ Entscheidung {report.looks_before + 1} unter diesen Bedingungen mit anderen Dateien: sind Queries "
                f"dieselben, liegt die Fehlerrate über {error}.",
            )
        )
    if report.changed_after:
        times, last = len(report.changed_after), report.changed_after[-1]
        ended = f"{last.get('on')} ({last.get('choice')})"
        found.append(
            _pick(
                language,
                f"■ The registration was changed after a decision: earlier decisions on {terms.predicate} under other "
                f"terms: {times}, the last on {ended}.",
                f"■ Die Registrierung wurde nach einer Entscheidung geändert: frühere Entscheidungen zu "
                f"{terms.predicate} unter anderen Bedingungen: {times}, die letzte vom {ended}.",
            )
        )
    return found


def _count(value: int, language: str) -> str:
    return number(value, language, decimals=0)
