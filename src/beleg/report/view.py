"""The report as plain values: what every rendering shows, computed once (design rule 8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from beleg.core.decision import CheckKind, CheckResult, CheckState, Decision, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.evidence import SheetHeader
from beleg.core.sheet_export import ExportedCase
from beleg.core.trace import Trace
from beleg.report.changes import SAME, changes
from beleg.report.figures import both, counts_text
from beleg.report.look_at import ClaimsToLookAt
from beleg.report.naming import MetricLabel, check_title, metric_label, unit_of_check
from beleg.report.overrides import OverrideView
from beleg.report.segments import SegmentRow
from beleg.report.words import SHAPES, phrase, state_word
from beleg.text.figures import interval_text, quantity
from beleg.text.numbers import number, percent

TracesByCase = Mapping[str, Sequence[Trace]]
STATES_BY_URGENCY: tuple[CheckState, ...] = (
    CheckState.FAIL,
    CheckState.ERROR,
    CheckState.NOT_EVALUATED,
    CheckState.INCONCLUSIVE,
)

NOT_ABOUT_FIGURES = (CheckKind.CALIBRATION, CheckKind.COVERAGE, CheckKind.EVALUATOR, CheckKind.CRITICAL_CLAIMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSheet:
    """The evidence sheet of the candidate's run, or why there is none to show."""

    command: str
    """Builds it where it is absent or old, else shows it."""
    header: SheetHeader | None = None
    """``None`` where no sheet is shown."""
    cases: Iterable[ExportedCase] = ()
    """All answers with their claims, and what people decided; taken once, one by one."""
    unreadable: str | None = None
    """Why the sheet that is there says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """Everything a report is made from."""

    decision: Decision
    candidate: Evaluation
    baseline: Evaluation | None = None
    candidate_traces: TracesByCase = field(default_factory=dict)
    """All repeats of a case, by case id."""
    baseline_traces: TracesByCase = field(default_factory=dict)
    segment_table: Sequence[SegmentRow] = ()
    overrides: Sequence[OverrideView] = ()
    """What owners let pass in spite of the decision."""
    claims: ClaimsToLookAt | None = None
    """What the evidence sheet says of the cases to look at first."""
    sheet: ReportSheet | None = None
    """The evidence sheet as a whole; ``None`` where the report is made without looking for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """One check as a reader meets it."""

    check_id: str
    anchor: str
    """The id of its row in the page: a position, so that no name can clash or break out."""
    state: str
    shape: str
    state_word: Sentence
    title: Sentence
    kind: Sentence
    segment: str | None
    protected: bool
    reason: Sentence
    """A whole sentence that names the metric, the figure and what would change the answer."""
    candidate: Sentence
    baseline: Sentence
    difference: Sentence
    rows: Sentence
    bounds: Sentence | None
    """The figure with the unscored rows at worst and at best, where some are missing."""
    method: str
    owner: str | None
    worst_cases: tuple[str, ...]
    remedy: Sentence | None = None
    """What would change the state, as a whole sentence."""
    is_about_figure: bool = True
    """Whether it holds the metric's figure against a limit; else the title alone would be taken for that check."""

    @property
    def label(self) -> Sentence:
        """The title, with the kind where a row shows nothing else that tells it from another check of the metric."""
        if self.is_about_figure or self.title.en.endswith(self.kind.en):
            return self.title
        return Sentence(en=f"{self.title.en}: {self.kind.en}", de=f"{self.title.de}: {self.kind.de}")


def check_views(decision: Decision) -> tuple[CheckView, ...]:
    """All checks in the policy's order."""
    return tuple(_check_view(check, position) for position, check in enumerate(decision.checks, start=1))


def _check_view(check: CheckResult, position: int) -> CheckView:
    unit = unit_of_check(check)
    none = phrase("checks.not_compared")
    figure, difference, baseline, counts = check.figure, check.difference, check.baseline, check.counts
    methods = (bounds.method for bounds in (figure, difference) if bounds is not None)
    return CheckView(
        check_id=check.check_id,
        anchor=f"check-{position}",
        state=check.state.value,
        shape=SHAPES[check.state],
        state_word=state_word(check.state),
        title=check_title(check),
        kind=phrase(f"kind.{check.kind.value}"),
        segment=check.segment,
        protected=check.protected,
        reason=check.reason,
        candidate=_without_figure(check)
        if figure is None
        else both(lambda lang: interval_text(figure, lang, unit=unit)),
        baseline=none if baseline is None else both(lambda lang: quantity(baseline, lang, unit=unit)),
        difference=(
            none if difference is None else both(lambda lang: interval_text(difference, lang, unit=unit, signed=True))
        ),
        rows=_without_figure(check) if counts is None else both(lambda lang: counts_text(counts, lang)),
        bounds=_missing_bounds(check),
        method=", ".join(dict.fromkeys(methods)),
        owner=check.owner,
        worst_cases=check.worst_cases,
        remedy=None if check.remedy is None else phrase("why.remedy", text=check.remedy),
        is_about_figure=check.kind not in NOT_ABOUT_FIGURES,
    )


def urgent_checks(decision: Decision) -> tuple[CheckView, ...]:
    """Every check that did not pass, the most severe state first, in the policy's order within a state."""
    views = check_views(decision)
    return tuple(view for state in STATES_BY_URGENCY for view in views if view.state == state)


def leading_checks(decision: Decision) -> tuple[tuple[CheckView, ...], int]:
    """The urgent checks without those that only wait for a judge which another line names, and how many these are.

    A check that has a figure is told all the same: the figure may be worth a look before anybody believes it.
    """
    waits = {check.metric for check in decision.checks if check.kind is CheckKind.CALIBRATION and _is_open(check)}
    only_waiting = {
        check.check_id
        for check in decision.checks
        if check.metric in waits
        and check.kind not in (CheckKind.CALIBRATION, CheckKind.CRITICAL_CLAIMS)
        and check.state is CheckState.NOT_EVALUATED
        and check.figure is None
        and check.difference is None
    }
    urgent = urgent_checks(decision)
    told = tuple(view for view in urgent if view.check_id not in only_waiting)
    return told, len(urgent) - len(told)


def _is_open(check: CheckResult) -> bool:
    return check.segment is None and check.state is not CheckState.PASS


def settled_sentence(decision: Decision) -> Sentence:
    """What is to be said about the checks that passed."""
    passed = len(decision.by_state(CheckState.PASS))
    if not decision.checks:
        return phrase("why.no_checks")
    if passed == len(decision.checks):
        return phrase("why.all_passed", n=passed)
    return phrase("why.passed_one") if passed == 1 else phrase("why.passed_too", n=passed)


def judge_lines(decision: Decision) -> tuple[CheckView, ...]:
    """One line per judged metric that is believed: judge, labels, errors; one that is not is among the reasons."""
    calibrated = {check.check_id for check in decision.checks if check.kind is CheckKind.CALIBRATION}
    views = check_views(decision)
    return tuple(view for view in views if view.check_id in calibrated and view.state == CheckState.PASS.value)


def headline(decision: Decision) -> Sentence:
    """The headline without the verdict in front, which every rendering prints with its shape."""
    prefix = f"{decision.verdict.value}: "
    return both(lambda lang: decision.headline.in_language(lang).removeprefix(prefix))


def worst_cases(decision: Decision, *, limit: int) -> tuple[str, ...]:
    """The cases to look at first: those that the urgent checks name, without repetition."""
    named = (case_id for check in urgent_checks(decision) for case_id in check.worst_cases)
    return tuple(dict.fromkeys(named))[:limit]


def facts(decision: Decision) -> tuple[tuple[Sentence, Sentence], ...]:
    """What was decided on, as label and text."""
    baseline = decision.baseline
    return (
        (phrase("head.candidate"), _plain(decision.candidate.name)),
        (phrase("head.baseline"), phrase("head.no_baseline") if baseline is None else _plain(baseline.name)),
        (phrase("head.suite"), phrase("head.version", name=decision.suite_name, version=decision.suite_version)),
        (phrase("head.policy"), phrase("head.version", name=decision.policy_name, version=decision.policy_version)),
        (
            phrase("head.confidence"),
            phrase("head.one_sided", percent=both(lambda lang: percent(decision.confidence, lang))),
        ),
        (phrase("head.decided"), _plain(f"{decision.decided_at:%Y-%m-%d %H:%M %Z}".strip())),
    )


def main_metric(report: ReportInput) -> MetricLabel | None:
    """The metric that the case-by-case view begins with.

    It is that of the most urgent check, paired comparisons first, that both runs scored, that has a better direction
    and in which at least one case differs; where no case differs anywhere, that of the first such check.
    """
    order = [*STATES_BY_URGENCY, CheckState.PASS]
    checks = [check for state in order for check in report.decision.by_state(state)]
    checks.sort(key=lambda check: (order.index(check.state), check.difference is None))
    names = [check.metric for check in checks if check.metric is not None] + list(report.candidate.scores)
    shared = set(report.candidate.scores)
    if report.baseline is not None:
        shared &= set(report.baseline.scores)
    labels = [
        metric_label(name, higher_is_better=stated_direction(report, name))
        for name in dict.fromkeys(names)
        if name in shared
    ]
    directed = [label for label in labels if label.higher_is_better is not None]
    moved = (label for label in directed if _any_case_differs(report, label))
    return next(moved, directed[0] if directed else None)


def stated_direction(report: ReportInput, metric: str) -> bool | None:
    """The direction that a check of the decision records for a metric."""
    stated = (check.higher_is_better for check in report.decision.checks if check.metric == metric)
    return next((direction for direction in stated if direction is not None), None)


def _any_case_differs(report: ReportInput, label: MetricLabel) -> bool:
    found = changes(report.candidate, report.baseline, label)
    return found is not None and any(abs(difference) > SAME for difference in found.differences)


def _plain(text: str) -> Sentence:
    return Sentence(en=text, de=text)


def _without_figure(check: CheckResult) -> Sentence:
    """Why no figure stands where one could: it is not of that kind, it is elsewhere, or it was not measured."""
    if check.events is not None:
        events = check.events
        return phrase("checks.no_event") if events == 0 else both(lambda lang: number(events, lang, decimals=0))
    if check.kind is CheckKind.CALIBRATION or (check.metric is None and check.state is CheckState.PASS):
        return phrase("reason.not_applicable")
    if check.difference is not None:
        return phrase("checks.see_difference")
    has_rows = check.counts is not None and check.counts.scored > 0
    return phrase("checks.no_figure" if has_rows else "checks.not_measured")


def _missing_bounds(check: CheckResult) -> Sentence | None:
    worst, best, counts = check.worst_case, check.best_case, check.counts
    if worst is None or best is None or counts is None or counts.scored == counts.expected:
        return None
    unit = unit_of_check(check)
    return phrase(
        "why.bounds",
        worst=both(lambda lang: quantity(worst, lang, unit=unit)),
        best=both(lambda lang: quantity(best, lang, unit=unit)),
    )
