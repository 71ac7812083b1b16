"""The report as one HTML file that asks nothing of any network and runs only its own script."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from beleg.core.decision import Sentence
from beleg.core.wording import LANGUAGES
from beleg.report.changes import changes
from beleg.report.decision_body import BodyInput, decision_values
from beleg.report.figures import both
from beleg.report.links import REPORT_LINKS
from beleg.report.naming import MetricLabel, metric_label
from beleg.report.pages import asset, content_security_policy, environment
from beleg.report.payload import Payload, build_payload
from beleg.report.safe import UNSEEN_CLASS_JS, json_for_script
from beleg.report.sheet_markdown import sheet_headline
from beleg.report.sheet_words import ATTRIBUTION_SHAPES, SUPPORT_SHAPES
from beleg.report.view import (
    ReportInput,
    main_metric,
    stated_direction,
)
from beleg.report.words import catalogue, phrase
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
    payload = build_payload(report, metrics, budget=budget)
    style, script = ("\n".join(map(asset, names)) for names in (STYLES, SCRIPTS))
    return (
        environment()
        .get_template("page.html")
        .render(
            language=language,
            style=Markup(style),  # noqa: S704 - our own package file
            script=Markup(script),  # noqa: S704 - our own package file
            policy=content_security_policy(style, script),
            cases=len(report.candidate.cases),
            sheet=report.sheet,
            sheet_headline=None
            if report.sheet is None or report.sheet.header is None
            else sheet_headline(report.sheet.header),
            blocks=payload.blocks,
            settings=Markup(json_for_script(_settings(report, metrics))),  # noqa: S704 - escaped for scripts
            **decision_values(_body_input(report, main), REPORT_LINKS, cut=_cut_sentence(payload)),
        )
    )


def _body_input(report: ReportInput, main: MetricLabel | None) -> BodyInput:
    return BodyInput(
        decision=report.decision,
        changed=changes(report.candidate, report.baseline, main),
        segment_table=report.segment_table,
        overrides=report.overrides,
        claims=report.claims,
    )


def _metrics(report: ReportInput, main: MetricLabel | None) -> list[MetricLabel]:
    """The metrics of the candidate, the main one first."""
    names = list(report.candidate.scores)
    if main is not None:
        names = [main.name, *(name for name in names if name != main.name)]
    return [metric_label(name, higher_is_better=stated_direction(report, name)) for name in names]


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
