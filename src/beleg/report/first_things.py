"""The three things to know first: what decides, what to look at first, what is not measured or would change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.decision import STATE_ORDER, CheckKind, CheckResult, CheckState, Decision, Sentence
from beleg.core.score import ScoreStatus
from beleg.report.figures import both, counts_text
from beleg.report.naming import check_title
from beleg.report.view import STATES_BY_URGENCY, leading_checks, settled_sentence
from beleg.report.words import SHAPES, phrase, stage_word, state_word
from beleg.text.numbers import number

NAMED_CHECKS = 3
NAMED_CASES = 5
NOT_DUE = (ScoreStatus.SCORED, ScoreStatus.NOT_APPLICABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstThing:
    """One of the three, as a label and a sentence, with the cases that it is about."""

    label: Sentence
    text: Sentence
    cases: tuple[str, ...] = ()
    """The cases to open, kept apart from the sentence, because strangers name them."""
    more: int = 0
    """How many cases the check names beyond these."""


def first_things(decision: Decision) -> tuple[FirstThing, FirstThing, FirstThing]:
    """What a reader has to know before anything else, from the decision alone.

    Nothing in it is new: each sentence follows from the checks, and a rendering that shows them all shows it too.
    """
    return (_decides(decision), _look_at(decision), _open(decision))


def _decides(decision: Decision) -> FirstThing:
    """How many checks ended how, the deciding ones by name; where all passed, that they did."""
    label = phrase("first.decides")
    if all(check.state is CheckState.PASS for check in decision.checks):
        return FirstThing(label=label, text=settled_sentence(decision))
    told: list[Sentence] = []
    for state in STATE_ORDER:
        checks = decision.by_state(state)
        if checks:
            # The first state that is present is the one that decides.
            told.append(_counted(state, checks, is_deciding=not told))
    return FirstThing(label=label, text=_joined(told, " · "))


def _counted(state: CheckState, checks: Sequence[CheckResult], *, is_deciding: bool) -> Sentence:
    n = both(lambda lang: number(len(checks), lang, decimals=0))
    count = phrase("first.count", shape=SHAPES[state], n=n, state=state_word(state))
    return phrase("first.named", count=count, names=_names(checks)) if is_deciding else count


def _names(checks: Sequence[CheckResult]) -> Sentence:
    named = [_name(check) for check in checks[:NAMED_CHECKS]]
    left = len(checks) - len(named)
    return _joined([*named, *([phrase("why.more", n=left)] if left else [])], ", ")


def _name(check: CheckResult) -> Sentence:
    title = check_title(check)
    if check.kind is CheckKind.NO_REGRESSION:
        title = phrase("first.against", title=title)
    if check.segment is None:
        return title
    return phrase("first.in_segment", title=title, segment=check.segment)


def _look_at(decision: Decision) -> FirstThing:
    """The cases of the most urgent check that names any, else those that lose evidence, else the check itself."""
    label = phrase("first.look_at")
    states = [*STATES_BY_URGENCY, CheckState.PASS]
    naming = [check for state in states for check in decision.by_state(state) if check.worst_cases]
    if naming and naming[0].state is not CheckState.PASS:
        return _cases_of(naming[0], label)
    lost = max(decision.candidate.waterfall, key=lambda count: count.lost, default=None)
    if lost is not None and lost.lost_cases:
        text = phrase("first.lost", stage=stage_word(lost.stage))
        return _with_cases(label, text, lost.lost_cases, total=lost.lost)
    if naming:
        return _cases_of(naming[0], label)
    urgent = leading_checks(decision)[0]
    return FirstThing(label=label, text=urgent[0].reason if urgent else phrase("first.no_case"))


def _cases_of(check: CheckResult, label: Sentence) -> FirstThing:
    key = "first.worst_held" if check.state is CheckState.PASS else "first.worst"
    text = phrase(key, check=_name(check))
    if check.stage is not None:
        text = phrase("first.and_stage", text=text, stage=stage_word(check.stage))
    return _with_cases(label, text, check.worst_cases, total=len(check.worst_cases))


def _with_cases(label: Sentence, text: Sentence, cases: Sequence[str], *, total: int) -> FirstThing:
    shown = tuple(cases[:NAMED_CASES])
    return FirstThing(label=label, text=text, cases=shown, more=total - len(shown))


def _open(decision: Decision) -> FirstThing:
    """What would change the most urgent check, and what nobody measured."""
    told = _unmeasured(decision)
    urgent = leading_checks(decision)[0]
    by_id = {check.check_id: check for check in decision.checks}
    checks = [by_id[view.check_id] for view in urgent]
    remedied = next((check for check in checks if check.remedy is not None), None)
    if remedied is not None and remedied.remedy is not None:
        change = phrase("first.remedy", check=_name(remedied), text=remedied.remedy)
        return FirstThing(label=phrase("first.change"), text=_joined([change, *told], ". "))
    return FirstThing(label=phrase("first.open"), text=_joined(told, ". ") if told else phrase("first.all_measured"))


def _unmeasured(decision: Decision) -> list[Sentence]:
    told = []
    silent = [check for check in decision.checks if check.state in (CheckState.NOT_EVALUATED, CheckState.ERROR)]
    if silent:
        told.append(phrase("first.silent", n=len(silent), names=_names(silent)))
    gaps = [check for check in decision.checks if check.state not in (CheckState.NOT_EVALUATED, CheckState.ERROR)]
    worst = max(gaps, key=_lacking, default=None)
    counts = None if worst is None else worst.counts
    if worst is not None and counts is not None and _lacking(worst):
        rows = both(lambda lang: counts_text(counts, lang))
        told.append(phrase("first.gaps", check=_name(worst), rows=rows))
    if decision.baseline is None:
        told.append(phrase("first.no_baseline"))
    return told


def _lacking(check: CheckResult) -> int:
    """How many rows that were due have no score."""
    if check.counts is None:
        return 0
    return sum(n for status, n in check.counts.reasons.items() if status not in NOT_DUE)


def _joined(parts: Sequence[Sentence], between: str) -> Sentence:
    return both(lambda lang: between.join(part.in_language(lang).removesuffix(".") for part in parts))
