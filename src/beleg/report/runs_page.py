"""A comparison of runs as one HTML file that asks nothing of any network and runs no script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from beleg.core.decision import Sentence
from beleg.metrics.ranking_runs.comparison import RunComparison
from beleg.report.pages import asset, content_security_policy, environment
from beleg.report.runs_compared import (
    comparison_views,
    drawn_comparisons,
    headline,
    mean_text,
    percent_text,
    units_text,
    whole_text,
)
from beleg.report.win_loss import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from beleg.report.words import phrase

COUNT_KEYS = ("queries", "missing", "without_relevant", "extra")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunsPage:
    """What the page shows.

    Attributes:
        compared: the figures.
        names: what each run is called.
        counts: for each run, how many queries stand behind its means, by the keys of `COUNT_KEYS`.
        seed: of the random generator.
        version: of Beleg.
        top: how many of the largest losses, and of the largest gains, are listed for each comparison.
    """

    compared: RunComparison
    names: tuple[str, ...]
    counts: tuple[Mapping[str, int], ...]
    seed: int
    version: str
    top: int = 10


def runs_page(page: RunsPage, *, language: str = "en") -> str:
    """The comparison as one HTML page.

    Args:
        page: what it shows.
        language: the language it opens in, ``en`` or ``de``; the page can switch.

    Returns:
        The page. It works from a file, without a network and without scripts.
    """
    compared, rules = page.compared, page.compared.rules
    views = comparison_views(compared, page.names)
    style = f"{asset('page.css')}\n{asset('compare.css')}"
    return (
        environment()
        .get_template("compare.html")
        .render(
            language=language,
            style=Markup(style),  # noqa: S704 - our own package files
            policy=content_security_policy(style, None),
            names=page.names,
            headline=headline(compared, views, page.names),
            facts=_facts(page),
            views=views,
            all_pairs=rules.all_pairs,
            drawn=drawn_comparisons(compared, page.names, top=page.top),
            measures=[measure.label or str(measure) for measure in compared.measures],
            means=[[mean_text(mean) for mean in row] for row in compared.means],
            counts=page.counts,
            count_keys=COUNT_KEYS,
            alpha=percent_text(1.0 - rules.confidence),
            settings=_settings(page),
            version=page.version,
            width=WIDTH,
            height=HEIGHT,
            left=LEFT,
            right=RIGHT,
            top=TOP,
            bottom=BOTTOM,
        )
    )


def _facts(page: RunsPage) -> list[tuple[Sentence, Sentence]]:
    compared = page.compared
    found = [] if compared.rules.all_pairs else [(phrase("head.baseline"), _plain(page.names[0]))]
    if len(page.names) == 2:
        found.append((phrase("compare.run"), _plain(page.names[1])))
    else:
        found.append((phrase("compare.runs"), whole_text(len(page.names))))
    units = phrase("compare.independent") if compared.groups is None else units_text(0, compared.groups)
    queries = units_text(len(compared.queries), None)
    found.append((phrase("compare.units"), _joined(queries, units)))
    return [*found, (phrase("compare.test"), phrase(f"compare.test_{compared.rules.test.value}"))]


def _settings(page: RunsPage) -> list[tuple[Sentence, Sentence]]:
    rules = page.compared.rules
    return [
        (phrase("compare.test"), phrase(f"compare.test_{rules.test.value}")),
        (phrase("compare.confidence"), percent_text(rules.confidence)),
        (phrase("compare.resamples"), whole_text(rules.resamples)),
        (phrase("run.seed"), _plain(str(page.seed))),
    ]


def _plain(text: str) -> Sentence:
    return Sentence(en=text, de=text)


def _joined(*parts: Sentence) -> Sentence:
    return Sentence(en=", ".join(part.en for part in parts), de=", ".join(part.de for part in parts))
