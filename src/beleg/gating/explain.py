"""What a person should look at first: the lead sentence of a decision, and at which stage evidence is lost."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence, StageCount, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.policy_rules import CaseProperty
from beleg.gating.bounds import two_sided
from beleg.gating.sentences import both, pick
from beleg.text.figures import Unit, decimals_for, limit_text
from beleg.text.numbers import number, percent

EVIDENCE_METRICS = (
    "evidence_recall", "missing_evidence", "eligible_recall", "recall", "hit", "ndcg", "mrr", "map", "r_precision",
)  # fmt: skip
AFTER_RETRIEVAL = ("cited", "supported")
EXCLUSION_METRICS = ("false_exclusion", "document_exclusion")

STAGE_NAMES_DE = {
    "parsed": "Parsen",
    "chunked": "Chunking",
    "indexed": "Indexierung",
    "eligible": "Berechtigung",
    "filtered": "Filter",
    "retrieved": "Retrieval",
    "reranked": "Reranking",
    "delivered": "Übergabe",
    "cited": "Zitat",
    "supported": "Beleg",
}
STAGE_NAMES_EN = {
    "parsed": "parsing",
    "chunked": "chunking",
    "indexed": "indexing",
    "eligible": "entitlement",
    "filtered": "the relevance filter",
    "retrieved": "retrieval",
    "reranked": "reranking",
    "delivered": "delivery",
    "cited": "citation",
    "supported": "support",
}


def stage_name(stage: str, language: str) -> str:
    """A stage as people call it."""
    return (STAGE_NAMES_DE if language == "de" else STAGE_NAMES_EN).get(stage, stage)


def explained(result: CheckResult, candidate: Evaluation) -> CheckResult:
    """Adds what was measured about where the evidence goes; a check that holds needs no explanation."""
    if result.state is CheckState.PASS or result.metric is None or result.kind is CheckKind.CALIBRATION:
        return result
    base = result.metric.partition("@")[0].partition("(")[0]
    if base in EXCLUSION_METRICS and result.figure is not None:
        return result.model_copy(update={"reason": _exclusion(result, candidate)})
    if base in EVIDENCE_METRICS and result.segment is None:
        return result.model_copy(update={"reason": _with_stage(result.reason, candidate.waterfall)})
    return result


def _exclusion(result: CheckResult, candidate: Evaluation) -> Sentence:
    """A loss at a hard filter, named as such: which field, in how many cases."""
    figure = result.figure
    losses = losses_within(result.segment, candidate) if result.metric == "false_exclusion" else {}
    if figure is None or not losses:
        return result.reason
    field_name, cases = max(losses.items(), key=lambda item: (len(item[1]), item[0]))

    def make(language: str) -> str:
        hidden = number(round(figure.estimate * figure.n), language, decimals=0)
        counted = number(figure.n, language, decimals=0)
        digits = decimals_for(figure, Unit.PERCENT)
        share, low, high = (
            percent(value, language, decimals=digits)
            for value in (figure.estimate, figure.lower or 0.0, figure.upper or 1.0)
        )
        certain = percent(two_sided(figure.confidence), language)
        ceiling = limit_text(result.pass_at or 0.0, language, unit=Unit.PERCENT)
        where = f" ({result.segment})" if result.segment else ""
        told = pick(
            language,
            f"The hard filter on {field_name!r} hides every right document in {hidden} of {counted} cases{where} "
            f"({share}, {certain} interval {low} to {high}; allowed {ceiling})",
            f"Der harte Filter auf „{field_name}“ verdeckt in {hidden} von {counted} Fällen{where} jedes richtige "
            f"Dokument ({share}, {certain}-Intervall {low} bis {high}; erlaubt {ceiling})",
        )
        if len(losses) > 1:
            others = ", ".join(sorted(set(losses) - {field_name}))
            told += pick(language, f"; also filters on {others}", f"; ebenso Filter auf {others}")
        example = cases[0]
        return told + pick(language, f"; look at case {example} first", f"; zuerst Fall {example} ansehen")

    return both(make)


def losses_within(segment: str | None, candidate: Evaluation) -> dict[str, tuple[str, ...]]:
    """The cases that each field hides, of those that the check is about: no other case may stand as its example."""
    if segment is None or not candidate.filter_losses:
        return candidate.filter_losses
    wanted = set(segment.split(","))
    held = [found for found in CaseProperty if found.label in wanted]
    wanted -= {found.label for found in held}
    inside = {
        case.case_id for case in candidate.cases if wanted <= _labels(case) and all(found.holds(case) for found in held)
    }
    within = {name: tuple(case for case in cases if case in inside) for name, cases in candidate.filter_losses.items()}
    return {name: cases for name, cases in within.items() if cases}


def _labels(case: Case) -> set[str]:
    return {f"{dimension}={label}" for dimension, label in case.segment_labels().items()}


def _with_stage(reason: Sentence, waterfall: Sequence[StageCount]) -> Sentence:
    # What is not cited was still found: these figures measure the evidence up to the last list.
    losses = [stage for stage in waterfall if stage.lost and stage.stage not in AFTER_RETRIEVAL]
    if not losses:
        return reason
    total = len({case_id for stage in losses for case_id in stage.lost_cases})
    worst = max(losses, key=lambda stage: len(stage.lost_cases))
    there = len(worst.lost_cases)

    def make(language: str) -> str:
        name = stage_name(worst.stage, language)
        return reason.in_language(language) + pick(
            language,
            f"; {there} of the {total} cases that lose required evidence lose it at {name}",
            f"; {there} der {total} Fälle mit verlorener Pflicht-Evidenz verlieren sie bei: {name}",
        )

    return both(make)


def headline(verdict: Verdict, checks: Sequence[CheckResult], candidate: Evaluation) -> Sentence:
    """The sentence that answers "may this ship, and if not, what do I look at first?"."""
    if verdict is Verdict.PASS:
        return _all_hold(checks, candidate)
    wanted = (lambda check: check.state is CheckState.FAIL) if verdict is Verdict.BLOCK else _is_open
    found = [check for check in checks if wanted(check)]
    lead = min(found, key=_priority)
    if verdict is Verdict.BLOCK:
        return _with_others(lead.reason, len(found) - 1)
    return _open_checks(lead.reason, len(found), len(checks), len(candidate.cases))


def _with_others(lead: Sentence, others: int) -> Sentence:
    if not others:
        return lead

    def make(language: str) -> str:
        counted = number(others, language, decimals=0)
        more = pick(
            language,
            f"{counted} more {'check' if others == 1 else 'checks'} failed",
            f"{counted} weitere {'Prüfung ist' if others == 1 else 'Prüfungen sind'} durchgefallen",
        )
        return f"{lead.in_language(language)} ({more})"

    return both(make)


def _open_checks(lead: Sentence, n_open: int, n_checks: int, n_cases: int) -> Sentence:
    """What keeps a candidate between PASS and BLOCK: the open check that says most, and how many there are."""
    if n_open == 1:
        return lead

    def make(language: str) -> str:
        opened, checked, cases = (number(value, language, decimals=0) for value in (n_open, n_checks, n_cases))
        told = pick(
            language,
            f"{opened} of {checked} checks are not settled on {cases} cases; above all ",
            f"{opened} von {checked} Prüfungen sind auf {cases} Fällen offen; vor allem ",
        )
        return told + lead.in_language(language)

    return both(make)


def _is_open(check: CheckResult) -> bool:
    return check.state not in (CheckState.PASS, CheckState.FAIL)


def _priority(check: CheckResult) -> tuple[int, int, int]:
    """Strictest state first, then certain breaches, then the earliest loss, then the whole before its parts."""
    states = {CheckState.FAIL: 0, CheckState.ERROR: 0, CheckState.NOT_EVALUATED: 1, CheckState.INCONCLUSIVE: 2}
    base = (check.metric or "").partition("@")[0]
    if check.kind in (CheckKind.ZERO_TOLERANCE, CheckKind.CALIBRATION, CheckKind.SEQUENTIAL):
        # A judge that is not believed, or not asked yet, leaves all its checks open; it is named before any of them.
        order = 0
    elif base in EXCLUSION_METRICS:
        order = 1
    else:
        order = 2
    # Among open checks the one that needs most cases says what would settle all of them.
    most_needed = -(check.needed or 0) if check.state is CheckState.INCONCLUSIVE else 0
    return states.get(check.state, 3), order if not check.protected else order + 3, most_needed


def _all_hold(checks: Sequence[CheckResult], candidate: Evaluation) -> Sentence:
    held, cases = len(checks), len(candidate.cases)

    def make(language: str) -> str:
        n_checks, n_cases = (number(value, language, decimals=0) for value in (held, cases))
        return pick(
            language,
            f"All {n_checks} checks hold on {n_cases} cases",
            f"Alle {n_checks} Prüfungen sind auf {n_cases} Fällen erfüllt",
        )

    return both(make)
