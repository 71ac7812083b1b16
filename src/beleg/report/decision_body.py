"""The sections about a decision, for the report and for every other page that shows it: one drawing of each figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from beleg.core.decision import CheckState, Decision, Sentence
from beleg.core.wording import LANGUAGES
from beleg.report.changes import Changes, changes
from beleg.report.chart import dot_plot, drawn_positions, is_available
from beleg.report.comparability import comparability_groups
from beleg.report.figures import both
from beleg.report.first_things import first_things
from beleg.report.intervals import WIDTH, intervals
from beleg.report.links import Links
from beleg.report.look_at import ClaimsToLookAt, excerpts
from beleg.report.overrides import OverrideView
from beleg.report.pages import environment
from beleg.report.segments import SegmentRow, segment_table
from beleg.report.view import (
    ReportInput,
    check_views,
    facts,
    headline,
    judge_lines,
    leading_checks,
    main_metric,
    settled_sentence,
)
from beleg.report.waterfall import BAR_WIDTH, waterfall
from beleg.report.words import SHAPES, phrase
from beleg.text.numbers import number

BODY_PLACES = ("why", "waterfall", "intervals", "segments", "changes", "checks", "run")
PLACES = (*BODY_PLACES[:-1], "cases", "sheet", "run")
"""The sections, in their order."""
CLASS_OF_STATE = {
    "PASS": "pass",
    "REVIEW": "review",
    "BLOCK": "block",
    CheckState.FAIL.value: "block",
    CheckState.ERROR.value: "block",
    CheckState.INCONCLUSIVE.value: "review",
    CheckState.NOT_EVALUATED.value: "none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyInput:
    """What the sections about a decision are made from."""

    decision: Decision
    changed: Changes | None = None
    """Case by case against the baseline; ``None`` where that was not measured."""
    segment_table: Sequence[SegmentRow] = ()
    overrides: Sequence[OverrideView] = ()
    claims: ClaimsToLookAt | None = None


def changed_cases(report: ReportInput) -> Changes | None:
    """The metric that the case-by-case view begins with, case by case."""
    return changes(report.candidate, report.baseline, main_metric(report))


def decision_body(body: BodyInput, links: Links, *, language: str) -> str:
    """What the report says before its list of cases, and of the runs, for a page that shows the cases itself.

    Args:
        body: what is told.
        links: where cases, stages and segments lead.
        language: the language of labels that are not shown; all else stands there in both.

    Returns:
        HTML in which every text of strangers is escaped.
    """
    values = decision_values(body, links, cut=None) | {"language": language, "places": BODY_PLACES}
    parts = (environment().get_template(name).render(**values) for name in ("decision_body.html", "decision_run.html"))
    return "\n".join(parts)


def decision_values(body: BodyInput, links: Links, *, cut: Sentence | None) -> dict[str, Any]:
    """What the templates of these sections ask for.

    Args:
        body: what is told.
        links: where cases, stages and segments lead.
        cut: what is to be said about texts that were shortened.
    """
    decision, changed = body.decision, body.changed
    urgent, waiting = leading_checks(decision)
    return {
        "links": links,
        "places": PLACES,
        "class_of": CLASS_OF_STATE.__getitem__,
        "decision": decision,
        "headline": headline(decision),
        "shape": SHAPES[decision.verdict],
        "first": first_things(decision),
        "facts": facts(decision),
        "overrides": body.overrides,
        "claims": body.claims,
        "excerpts": excerpts,
        "urgent": urgent,
        "waiting": waiting,
        "settled": settled_sentence(decision),
        "judges": judge_lines(decision),
        "comparability": comparability_groups(decision),
        "waterfall": waterfall(decision),
        "bar_width": BAR_WIDTH,
        "intervals": intervals(decision),
        "interval_width": WIDTH,
        "segments": segment_table(body.segment_table),
        "changes": changed,
        "drawings": _drawings(changed, links),
        "thinned": _thinned(changed),
        "checks": check_views(decision),
        "methods": _methods(decision),
        "cut": cut,
    }


def _drawings(changed: Changes | None, links: Links) -> dict[str, Markup]:
    if changed is None or not is_available():
        return {}
    return {lang: Markup(dot_plot(changed, lang, links.case)) for lang in LANGUAGES}  # noqa: S704 - built from our own words


def _thinned(changed: Changes | None) -> Sentence | None:
    if changed is None:
        return None
    total = len(changed.case_ids)
    drawn = len(drawn_positions(total))
    if drawn == total:
        return None
    return phrase(
        "changes.thinned",
        drawn=both(lambda lang: number(drawn, lang, decimals=0)),
        all=both(lambda lang: number(total, lang, decimals=0)),
    )


def _methods(decision: Decision) -> tuple[str, ...]:
    views = check_views(decision)
    return tuple(dict.fromkeys(view.method for view in views if view.method))
