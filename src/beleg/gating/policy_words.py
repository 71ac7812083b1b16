"""Every rule of a policy in one sentence, in English and in German."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.policy import Aggregate, Policy, PolicyCheck, Thresholds
from beleg.gating.governance import stands_behind
from beleg.gating.plan import default_aggregate, label_of
from beleg.gating.rule_words import rules_told
from beleg.gating.sentences import both, pick
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import Metric, parse_metric
from beleg.text.figures import UNIT_OF_KIND, Unit, limit_text
from beleg.text.numbers import number, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRule:
    """One rule with where it stands in the policy."""

    field: str
    sentence: Sentence


def explain_policy(policy: Policy) -> tuple[ExplainedRule, ...]:
    """Every rule of a policy in one sentence, in the order of the policy; how all of them are put together comes last.

    Args:
        policy: a policy whose metrics are known.

    Raises:
        ConfigError: for a metric that is not known.
    """
    told = [ExplainedRule(field=f"checks[{place}]", sentence=sentence)
            for place, check in enumerate(policy.checks) for sentence in _check(policy, check)]  # fmt: skip
    told += [ExplainedRule(field=field, sentence=sentence) for field, sentence in rules_told(policy)]
    return tuple(told)


def _check(policy: Policy, check: PolicyCheck) -> Iterator[Sentence]:
    metric = parse_metric(check.metric)
    part = label_of(check.where, check.having or ())
    if check.zero_tolerance:
        yield _named(metric, check, part, _ZERO)
    else:
        if not check.overall.is_empty():
            yield _limits(policy, check, metric, check.overall, part)
        if not check.protected.is_empty():
            yield _limits(policy, check, metric, check.protected, _segments(policy), is_protected=True)
    yield from _more(policy, check, metric, part)


_ZERO = Sentence(
    en="0 in every single case; one event blocks at once, and where some case could not be looked at, no event seen is "
    "no PASS",
    de="in jedem einzelnen Fall 0; ein Ereignis sperrt sofort, und wo ein Fall nicht angesehen werden konnte, ist kein "
    "gesehenes Ereignis kein PASS",
)


def _segments(policy: Policy) -> str:
    return " · ".join(segment.label for segment in policy.protected_segments)


def _named(metric: Metric, check: PolicyCheck, part: str | None, told: Sentence) -> Sentence:
    where = f" ({part})" if part else ""
    return both(lambda language: f"{_title(metric, check, language)}{where}: {told.in_language(language)}")


def _title(metric: Metric, check: PolicyCheck, language: str) -> str:
    aggregate = check.aggregate or default_aggregate(metric)
    return metric.title(language) + ("" if aggregate is Aggregate.MEAN else f" ({aggregate.value})")


def _limits(
    policy: Policy,
    check: PolicyCheck,
    metric: Metric,
    limits: Thresholds,
    part: str | None,
    *,
    is_protected: bool = False,
) -> Sentence:
    unit = UNIT_OF_KIND.get(metric.spec.kind, Unit.PLAIN)
    up = metric.spec.direction == "higher"

    def make(language: str) -> str:
        parts = []
        if limits.pass_at is not None and limits.block_at is not None:
            parts.append(_band(policy, limits, language, unit=unit, up=up))
        if limits.margin is not None:
            bar = limit_text(limits.margin, language, unit=unit, is_difference=True)
            parts.append(
                pick(
                    language,
                    f"against the baseline PASS needs a worsening of {bar} ruled out, and a proven larger one blocks",
                    f"gegenüber der Baseline verlangt PASS, dass eine Verschlechterung um {bar} ausgeschlossen ist, "
                    f"und "
                    "eine belegte größere sperrt",
                )
            )
        if len(parts) > 1:
            parts.append(pick(language, "the stricter of the two decides", "das strengere von beidem entscheidet"))
        each = pick(language, "In each of", "Jeweils in") if is_protected else ""
        lead = f"{each} {part}: " if is_protected else ""
        where = f" ({part})" if part and not is_protected else ""
        end = pick(
            language, "; gains elsewhere do not make up for it", "; Gewinne anderswo gleichen nichts aus"
        ) if is_protected else ""  # fmt: skip
        return f"{lead}{_title(metric, check, language)}{where}: " + "; ".join(parts) + end

    return both(make)


def _band(policy: Policy, limits: Thresholds, language: str, *, unit: Unit, up: bool) -> str:
    at_pass, at_block = (limit_text(level or 0.0, language, unit=unit) for level in (limits.pass_at, limits.block_at))
    sure = percent(policy.confidence, language)
    bound = pick(language, "lower", "untere") if up else pick(language, "upper", "obere")
    reach = pick(language, "reach", "erreicht") if up else pick(language, "stay within", "einhält")
    beyond = pick(language, "below", "unter") if up else pick(language, "above", "über")
    middle = (
        ""
        if limits.pass_at == limits.block_at
        else pick(language, ", and between the two a person decides", ", und dazwischen entscheidet ein Mensch")
    )
    return pick(
        language,
        f"PASS needs the {bound} bound ({sure}, one-sided) to {reach} {at_pass}, {beyond} {at_block} blocks{middle}",
        f"PASS verlangt, dass die {bound} Schranke ({sure}, einseitig) {at_pass} {reach}, {beyond} {at_block} wird "
        f"gesperrt{middle}",
    )


def _more(policy: Policy, check: PolicyCheck, metric: Metric, part: str | None) -> Iterator[Sentence]:
    names = [parse_metric(name) for name in check.together_with or ()]
    if names:
        yield both(
            lambda language: pick(
                language,
                f"{metric.title('en')} passes only together with {', '.join(name.title('en') for name in names)}",
                f"{metric.title('de')} besteht nur zusammen mit {', '.join(name.title('de') for name in names)}",
            )
        )
    if is_judged(metric.spec):
        yield both(
            lambda language: pick(
                language,
                f"{metric.title('en')} rests on a judge: without a calibration of this very judge it is not evaluated, "
                "and the decision is at best REVIEW",
                f"{metric.title('de')} beruht auf einem Gutachtermodell: ohne Kalibrierung genau dieses Modells bleibt "
                "es unbewertet, und die Entscheidung ist bestenfalls REVIEW",
            )
        )
    yield _accountable(policy, check, metric, part)


def _accountable(policy: Policy, check: PolicyCheck, metric: Metric, part: str | None) -> Sentence:
    stand = stands_behind(policy, check)
    n = check.minimum_n or policy.minimum_n

    def make(language: str) -> str:
        least = number(n, language, decimals=0)
        owner = stand.owner or pick(language, "nobody", "niemand")
        until = f"{stand.review_by:%Y-%m-%d}" if stand.review_by else pick(language, "no date", "kein Termin")
        where = f" ({part})" if part else ""
        why = f" ({check.rationale})" if check.rationale else ""
        return pick(
            language,
            f"{metric.title('en')}{where}: fewer than {least} scored cases never pass; {owner} answers for it{why}, "
            f"looked at again by {until}",
            f"{metric.title('de')}{where}: weniger als {least} bewertete Fälle bestehen nie; verantwortlich: {owner}"
            f"{why}; nächste Prüfung: {until}",
        )

    return both(make)
