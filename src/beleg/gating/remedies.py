"""What would change the state of a check, as far as it was measured. A cause that was not measured is never named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from beleg.core.decision import CheckKind, CheckResult, CheckState, Counts, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.score import FAILED_STATUSES, ScoreStatus
from beleg.gating.bounds import QUANTILES
from beleg.gating.explain import losses_within, stage_name
from beleg.gating.sentences import both, pick
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric
from beleg.text.figures import UNIT_OF_KIND, Unit, limit_text
from beleg.text.numbers import number


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Where each case of a run loses required evidence first."""

    run: Evaluation
    stage_of: Mapping[str, str]

    @classmethod
    def of(cls, run: Evaluation) -> Losses:
        """The losses of a run by its waterfall."""
        found: dict[str, str] = {}
        for stage in run.waterfall:
            for case_id in stage.lost_cases:
                found.setdefault(case_id, stage.stage)
        return cls(run, found)

    def stage_for(self, cases: tuple[str, ...]) -> tuple[str, int] | None:
        """The stage at which most of some cases lose evidence, and how many do; the earliest where several tie."""
        counted = Counter(self.stage_of[case] for case in cases if case in self.stage_of)
        if not counted:
            return None
        order = [stage.stage for stage in self.run.waterfall]
        stage = min(counted, key=lambda name: (-counted[name], order.index(name)))
        return stage, counted[stage]


def with_remedy(result: CheckResult, losses: Losses) -> CheckResult:
    """Adds the stage at which the worst cases lose evidence, and what would change the state.

    Args:
        result: a check that was carried out; one that holds, or that says already what would change it, is left alone.
        losses: where the candidate's cases lose evidence.
    """
    if result.state is CheckState.PASS:
        return result
    lost = losses.stage_for(result.worst_cases)
    told = result.remedy or _remedy(result, losses, lost)
    changes: dict[str, object] = {"stage": lost[0] if lost else None, "remedy": told}
    return result.model_copy(update={name: value for name, value in changes.items() if value is not None})


def _remedy(result: CheckResult, losses: Losses, lost: tuple[str, int] | None) -> Sentence | None:
    of_kind: dict[CheckKind, Callable[[CheckResult], Sentence | None]] = {
        CheckKind.COVERAGE: _score_the_rest,
        CheckKind.COMPLETENESS: _run_the_rest,
        CheckKind.COMPARABILITY: _compare,
        CheckKind.REPRODUCIBILITY: lambda _: RESOLVE,
        CheckKind.SEQUENTIAL: lambda _: JUDGE_ON,
    }
    if result.kind in of_kind:
        return of_kind[result.kind](result)
    if result.state in (CheckState.NOT_EVALUATED, CheckState.ERROR):
        return _score_the_rest(result)
    if result.state is CheckState.INCONCLUSIVE and result.needed is not None:
        return _more_cases(result)
    return _mend(result, losses, lost)


RESOLVE = Sentence(
    en="give the open fields in the candidate file's manifest, or name them under not_used",
    de="die offenen Felder im Manifest der Kandidatendatei angeben oder unter not_used nennen",
)


JUDGE_ON = Sentence(
    en="have the cases of the next look judged by a calibrated judge: beleg judge settle",
    de="die Fälle des nächsten Blicks von einem kalibrierten Judge bewerten lassen: beleg judge settle",
)


def _compare(result: CheckResult) -> Sentence:
    if result.state is CheckState.NOT_EVALUATED:
        return Sentence(
            en="run what is released now on the same suite, and give it with --baseline",
            de="was heute freigegeben ist auf derselben Suite laufen lassen und mit --baseline angeben",
        )
    return Sentence(
        en="run both anew on the same suite with the same settings",
        de="beide auf derselben Suite mit denselben Einstellungen neu laufen lassen",
    )


def _run_the_rest(result: CheckResult) -> Sentence:
    return Sentence(en="run the whole suite", de="die ganze Suite laufen lassen")


def _score_the_rest(result: CheckResult) -> Sentence | None:
    missing = _failed(result.counts)
    if not missing or result.counts is None:
        return None
    unrecorded = result.counts.reasons.get(ScoreStatus.MISSING, 0) == missing
    judged = result.metric is not None and is_judged(parse_metric(result.metric).spec)
    by_answer = result.aggregate in {aggregate.value for aggregate in QUANTILES}

    def make(language: str) -> str:
        counted, one = number(missing, language, decimals=0), missing == 1
        how = pick(language, "finish the run, or repeat these cases", "den Lauf beenden oder diese Fälle wiederholen")
        if judged:
            how = pick(language, "have them judged", "sie beurteilen lassen")
        elif unrecorded:
            how = pick(
                language,
                "let the candidate record what the metric reads",
                "den Kandidaten aufzeichnen lassen, was die Metrik liest",
            )
        cases, faelle = ("case", "Fall") if one else ("cases", "Fälle")
        if by_answer:
            cases, faelle = ("answer", "Antwort") if one else ("answers", "Antworten")
        return pick(
            language,
            f"{counted} {cases} {'lacks' if one else 'lack'} a score: {how}",
            f"{counted} {faelle} {'hat' if one else 'haben'} keinen Wert: {how}",
        )

    return both(make)


def _failed(counts: Counts | None) -> int:
    return 0 if counts is None else sum(n for status, n in counts.reasons.items() if status in FAILED_STATUSES)


def _more_cases(result: CheckResult) -> Sentence:
    """So many cases more; where they are there and lack a score, these are named instead."""
    groups = result.needed_unit == "groups"
    bounds = result.figure or result.difference
    have = (bounds.clusters if groups else bounds.n) if bounds is not None else None
    if have is None:
        have = result.counts.scored if result.counts is not None else 0
    more = max((result.needed or 0) - have, 1)

    def make(language: str) -> str:
        counted = number(more, language, decimals=0)
        where = f" ({result.segment})" if result.segment else ""
        one = more == 1
        if groups:
            return pick(
                language,
                f"about {counted} more {'group' if one else 'groups'} of independent cases{where}",
                f"etwa {counted} weitere {'Gruppe' if one else 'Gruppen'} unabhängiger Fälle{where}",
            )
        return pick(
            language,
            f"about {counted} more {'case' if one else 'cases'}{where}",
            f"etwa {counted} {'weiterer Fall' if one else 'weitere Fälle'}{where}",
        )

    return both(make)


def _mend(result: CheckResult, losses: Losses, lost: tuple[str, int] | None) -> Sentence | None:
    """More cases do not help: which figure has to be reached, and what was measured about the cases that pull it."""
    figure = _to_reach(result)
    seen = _filter_seen(result, losses) or _stage_seen(result, lost)
    if figure is None or seen is None:
        return figure or seen
    return Sentence(en=f"{seen.en}; {figure.en}", de=f"{seen.de}; {figure.de}")


def _filter_seen(result: CheckResult, losses: Losses) -> Sentence | None:
    """Which relevance filter removes all gold in the cases at hand; that it does was measured case by case."""
    worst = set(result.worst_cases)
    by_field = {name: worst & set(cases) for name, cases in losses_within(result.segment, losses.run).items()}
    hit = {name: cases for name, cases in by_field.items() if cases}
    if not hit:
        return None
    name = max(hit, key=lambda field: (len(hit[field]), field))
    n, of = len(hit[name]), len(worst)
    return Sentence(
        en=f"fix filter {name}: it removes all right documents in {n} of the {of} cases named",
        de=f"Filter {name} beheben: er entfernt in {n} der {of} genannten Fälle alle richtigen Dokumente",
    )


def _stage_seen(result: CheckResult, lost: tuple[str, int] | None) -> Sentence | None:
    if lost is None:
        return None
    stage, n = lost
    of = len(result.worst_cases)

    def make(language: str) -> str:
        name = stage_name(stage, language)
        return pick(
            language,
            f"{n} of the {of} cases named lose required evidence at {name}; look there",
            f"{n} der {of} genannten Fälle verlieren Pflicht-Evidenz bei: {name}; dort nachsehen",
        )

    return both(make)


def _to_reach(result: CheckResult) -> Sentence | None:
    if result.kind is CheckKind.ZERO_TOLERANCE and result.events:
        n = len(result.worst_cases)
        return Sentence(
            en=f"not one event may be left; {n} {'case is' if n == 1 else 'cases are'} named",
            de=f"kein Ereignis darf übrig bleiben; {n} {'Fall ist' if n == 1 else 'Fälle sind'} genannt",
        )
    if result.figure is not None and result.pass_at is not None:
        return _level_to_reach(result, result.figure.estimate, result.pass_at)
    if result.difference is not None and result.margin is not None:
        return _loss_to_undo(result, result.margin)
    return None


def _level_to_reach(result: CheckResult, estimate: float, level: float) -> Sentence | None:
    up = bool(result.higher_is_better)
    if (estimate >= level) if up else (estimate <= level):
        missing = _failed(result.counts)
        return _score_the_rest(result) if missing else None

    def make(language: str) -> str:
        bar = limit_text(level, language, unit=_unit(result))
        way = pick(language, "rise to at least", "mindestens") if up else pick(language, "fall to at most", "höchstens")
        return pick(
            language,
            f"the figure itself has to {way} {bar}; more cases do not change that",
            f"der Wert selbst muss {way} {bar} erreichen; mehr Fälle ändern daran nichts",
        )

    return both(make)


def _loss_to_undo(result: CheckResult, margin: float) -> Sentence:
    def make(language: str) -> str:
        bar = limit_text(margin, language, unit=_unit(result), is_difference=True)
        return pick(
            language,
            f"the loss against the baseline has to shrink well below {bar}",
            f"der Verlust gegenüber der Baseline muss deutlich unter {bar} sinken",
        )

    return both(make)


def _unit(result: CheckResult) -> Unit:
    return UNIT_OF_KIND.get(parse_metric(result.metric).spec.kind, Unit.PLAIN) if result.metric else Unit.PLAIN
