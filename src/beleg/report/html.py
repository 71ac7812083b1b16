"""The report as one HTML file that asks nothing of any network and runs only its own script."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from beleg.core.decision import CheckState, Sentence
from beleg.report.changes import Changes, changes
from beleg.report.chart import dot_plot, drawn_positions, is_available
from beleg.report.comparability import comparability_groups
from beleg.report.figures import both
from beleg.report.first_things import first_things
from beleg.report.intervals import WIDTH, intervals
from beleg.report.look_at import excerpts
from beleg.report.naming import MetricLabel, metric_label
from beleg.report.pages import asset, content_security_policy, environment
from beleg.report.payload import Payload, build_payload
from beleg.report.safe import UNSEEN_CLASS_JS, json_for_script
from beleg.report.segments import segment_table
from beleg.report.sheet_markdown import sheet_headline
from beleg.report.sheet_words import ATTRIBUTION_SHAPES, SUPPORT_SHAPES
from beleg.report.view import (
    ReportInput,
    check_views,
    facts,
    headline,
    judge_lines,
    leading_checks,
    main_metric,
    settled_sentence,
    stated_direction,
)
from beleg.report.waterfall import BAR_WIDTH, waterfall
from beleg.report.words import LANGUAGES, SHAPES, catalogue, phrase
from beleg.text.figures import Unit
from beleg.text.numbers import number

BUDGET_BYTES = 14_000_000
"""What the case data may weigh, so that the whole file stays under 15 MB."""

STYLES = ("page.css", "sheet.css")
SCRIPTS = ("data.js", "table.js", "case.js", "sheet.js", "page.js")
CASE_DIGITS = {
    Unit.PLAIN: (3, 3),
    Unit.PERCENT: (0, 2),
    Unit.MILLISECONDS: (0, 0),
    Unit.USD: (4, 6),
    Unit.COUNT: (0, 2),
}
"""The fewest and most decimals of one case's score; a rate is 0 or 1 in a single case."""
CLASS_OF_STATE = {
    "PASS": "pass",
    "REVIEW": "review",
    "BLOCK": "block",
    CheckState.FAIL.value: "block",
    CheckState.ERROR.value: "block",
    CheckState.INCONCLUSIVE.value: "review",
    CheckState.NOT_EVALUATED.value: "none",
}


def html_report(report: ReportInput, *, language: str = "en", budget: int = BUDGET_BYTES) -> str:
    """The whole report as one HTML page.

    Args:
        report: the decision, both runs and their traces.
        language: the language it opens in, ``en`` or ``de``; the page can switch.
        budget: how many bytes the case data may take; longer texts are cut to fit, and the page says so.

    Returns:
        The page. It works from a file, without a network, and shows everything up to the list of checks without
        scripts.
    """
    main = main_metric(report)
    metrics = _metrics(report, main)
    changed = changes(report.candidate, report.baseline, main)
    payload = build_payload(report, metrics, budget=budget)
    style, script = ("\n".join(map(asset, names)) for names in (STYLES, SCRIPTS))
    decision = report.decision
    return (
        environment()
        .get_template("page.html")
        .render(
            language=language,
            style=Markup(style),  # noqa: S704 - our own package file
            script=Markup(script),  # noqa: S704 - our own package file
            policy=content_security_policy(style, script),
            class_of=CLASS_OF_STATE.__getitem__,
            decision=decision,
            headline=headline(decision),
            shape=SHAPES[decision.verdict],
            first=first_things(decision),
            facts=facts(decision),
            overrides=report.overrides,
            claims=report.claims,
            excerpts=excerpts,
            urgent=leading_checks(decision)[0],
            waiting=leading_checks(decision)[1],
            settled=settled_sentence(decision),
            judges=judge_lines(decision),
            comparability=comparability_groups(decision),
            waterfall=waterfall(decision),
            bar_width=BAR_WIDTH,
            intervals=intervals(decision),
            interval_width=WIDTH,
            segments=segment_table(report.segment_table),
            changes=changed,
            drawings=_drawings(changed),
            thinned=_thinned(changed),
            checks=check_views(decision),
            methods=_methods(report),
            cases=len(report.candidate.cases),
            sheet=report.sheet,
            sheet_headline=None
            if report.sheet is None or report.sheet.header is None
            else sheet_headline(report.sheet.header),
            blocks=payload.blocks,
            cut=_cut_sentence(payload),
            settings=Markup(json_for_script(_settings(report, metrics))),  # noqa: S704 - escaped for scripts
        )
    )


def _metrics(report: ReportInput, main: MetricLabel | None) -> list[MetricLabel]:
    """The metrics of the candidate, the main one first."""
    names = list(report.candidate.scores)
    if main is not None:
        names = [main.name, *(name for name in names if name != main.name)]
    return [metric_label(name, higher_is_better=stated_direction(report, name)) for name in names]


def _drawings(changed: Changes | None) -> dict[str, Markup]:
    if changed is None or not is_available():
        return {}
    return {lang: Markup(dot_plot(changed, lang)) for lang in LANGUAGES}  # noqa: S704 - built from our own words


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


def _methods(report: ReportInput) -> tuple[str, ...]:
    views = check_views(report.decision)
    return tuple(dict.fromkeys(view.method for view in views if view.method))


def _cut_sentence(payload: Payload) -> Sentence | None:
    cut = payload.cut
    if cut is None:
        return None
    key = "run.cut" if payload.keeps_quoted else "run.cut_all"
    return phrase(key, n=both(lambda lang: number(cut, lang, decimals=0)))


def _settings(report: ReportInput, metrics: list[MetricLabel]) -> dict[str, Any]:
    """What the script needs besides the case data: words in both languages, and what the metrics are called."""
    sections = ("js.", "reason.", "stage.", "sheet.")
    return {
        "words": {
            lang: {key: text.in_language(lang) for key, text in catalogue().items() if key.startswith(sections)}
            for lang in LANGUAGES
        },
        "metrics": [
            {
                "name": metric.name,
                "title": {"en": metric.title.en, "de": metric.title.de},
                "unit": metric.unit.symbol if metric.unit in {Unit.MILLISECONDS, Unit.USD} else "",
                "digits": CASE_DIGITS[metric.unit],
                "higher": metric.higher_is_better,
            }
            for metric in metrics
        ],
        "shapes": {
            "attribution": {verdict.value: shape for verdict, shape in ATTRIBUTION_SHAPES.items()},
            "support": {verdict.value: shape for verdict, shape in SUPPORT_SHAPES.items()},
        },
        "unseen": UNSEEN_CLASS_JS,
        "hasBaseline": report.baseline is not None,
        "names": [report.decision.candidate.name, report.decision.baseline.name if report.decision.baseline else None],
    }
