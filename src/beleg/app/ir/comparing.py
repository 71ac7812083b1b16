"""Compares run files against the same judgements, and writes the comparison down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.formats.atomic import replacing, write_text
from beleg.adapters.formats.groups import read_groups
from beleg.app.ir.evaluating import RunReport, evaluate_files
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.comparison import RunComparison, RunDifference, compare_runs
from beleg.metrics.ranking_runs.measures import parse_measures, require_higher_is_better
from beleg.metrics.ranking_runs.paired_sample import POWER, ComparisonRules, IntervalRule, PairedTest
from beleg.report.runs_compared import (
    MOST_DRAWN,
    ComparisonView,
    QueryRow,
    comparison_views,
    drawn_comparisons,
    extreme_rows,
    headline,
)
from beleg.report.runs_page import COUNT_KEYS, RunsPage, runs_page
from beleg.report.win_loss import win_loss_png, win_loss_svg
from beleg.report.words import word
from beleg.stats.intervals import Interval

TESTS = tuple(test.value for test in PairedTest)
INTERVALS = tuple(rule.value for rule in IntervalRule)
PICTURES = (".svg", ".png")
MAX_RESAMPLES = 1_000_000
MIN_CONFIDENCE, MAX_CONFIDENCE = 0.5, 0.9999
QUERIES_NAMED = 3
MAX_NAME_CHARACTERS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """What is asked for.

    Attributes:
        measures: what to compute, see `parse_measures`.
        test: one of `TESTS`.
        interval: one of `INTERVALS`.
        groups: a file that assigns each query to a group; None where queries are independent.
        resamples: random sign patterns, resamples or permutations.
        seed: of the random generator.
        confidence: two-sided, of each interval.
        all_pairs: compare every run with every other.
        min_rel: the lowest grade that counts as relevant.
        lenient: leave out lines that cannot be read, and repeats, and count them.
    """

    measures: tuple[str, ...]
    test: str = PairedTest.RANDOMISATION.value
    interval: str = IntervalRule.AUTO.value
    groups: Path | None = None
    resamples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    all_pairs: bool = False
    min_rel: int = 1
    lenient: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparedRuns:
    """Runs compared, what they are called, and what was left out on the way.

    Attributes:
        names: of the runs, the baseline first.
        compared: the figures.
        reports: the evaluation of each run.
        seed: of the random generator.
        ungrouped: queries of the group file that nobody judged.
    """

    names: tuple[str, ...]
    compared: RunComparison
    reports: tuple[RunReport, ...]
    seed: int
    ungrouped: int

    def views(self) -> list[ComparisonView]:
        """Every comparison written out."""
        return comparison_views(self.compared, self.names)

    def headline(self, language: str) -> str:
        """The answer in one sentence."""
        return headline(self.compared, self.views(), self.names).in_language(language)

    def query_rows(self, at: int, *, top: int) -> tuple[QueryRow, ...]:
        """The queries with the largest losses and gains in one comparison."""
        return extreme_rows(self.compared, self.compared.comparisons[at], top=top)

    def notes(self, language: str) -> list[str]:
        """What the reader must know of the files: queries that a run lacks, and lines that were left out."""
        found = []
        for name, report in zip(self.names, self.reports, strict=True):
            told = [
                f"{number} {word(f'compare.count_{key}', language)}"
                for key in COUNT_KEYS[1:]
                if (number := asdict(report.values.counts)[key])
            ]
            told += [f"{key} {number}" for key, number in report.counts().items() if key.startswith("dropped_")]
            if told:
                found.append(f"{name}: {'; '.join(told)}")
        return found

    def to_json(self, *, per_query: bool) -> dict[str, Any]:
        """One object with every figure; ``per_query`` adds the values of every run for every query."""
        rules = self.compared.rules
        found: dict[str, Any] = {
            "baseline": self.names[0],
            "runs": [
                {"name": name, "file": report.file, "tag": report.tag, "counts": report.counts()}
                for name, report in zip(self.names, self.reports, strict=True)
            ],
            "queries": len(self.compared.queries),
            "groups": self.compared.groups,
            "ungrouped_ignored": self.ungrouped,
            "settings": {
                "test": rules.test.value,
                "interval": rules.interval.value,
                "resamples": rules.resamples,
                "seed": self.seed,
                "confidence": rules.confidence,
                "power": POWER,
                "correction": "holm",
            },
            "means": [
                {"run": name, "measure": label, **_interval_json(mean), "mean": mean.estimate}
                for name, row in zip(self.names, self.compared.means, strict=True)
                for label, mean in zip(self._labels(), row, strict=True)
            ],
            "comparisons": [
                self._json(each, view) for each, view in zip(self.compared.comparisons, self.views(), strict=True)
            ],
        }
        if per_query:
            found["per_query"] = self._per_query()
        return found

    def _labels(self) -> list[str]:
        return [measure.label or str(measure) for measure in self.compared.measures]

    def _per_query(self) -> dict[str, dict[str, dict[str, float]]]:
        """Measure, query, run: value."""
        found = {}
        for at, label in enumerate(self._labels()):
            rows = np.stack([report.values.values[at] for report in self.reports], axis=1).tolist()
            found[label] = {
                query: dict(zip(self.names, row, strict=True))
                for query, row in zip(self.compared.queries, rows, strict=True)
            }
        return found

    def _json(self, each: RunDifference, view: ComparisonView) -> dict[str, Any]:
        return {
            "measure": view.measure,
            "run": view.run,
            "against": view.against,
            "finding": each.finding.value,
            "run_mean": each.run_mean,
            "against_mean": each.against_mean,
            "difference": each.estimate,
            **(_interval_json(each.interval) if each.interval else {"lower": None, "upper": None, "method": None}),
            "p": each.p_value,
            "p_adjusted": each.adjusted_p,
            "p_tukey": each.tukey_p,
            "p_exact": each.exact,
            "effect": {
                "cohen_dz": each.effect.cohen_dz,
                "hedges_g": each.effect.hedges_g,
                "rank_biserial": each.effect.rank_biserial,
                "superiority": each.effect.superiority,
                "dominance": each.effect.dominance,
            },
            "wins": each.effect.wins,
            "ties": each.effect.ties,
            "losses": each.effect.losses,
            "detectable": each.detectable,
            "needed": each.needed,
            "sentence": {"en": view.sentence.en, "de": view.sentence.de},
        }

    def write_html(self, path: Path, *, language: str, top: int) -> None:
        """Writes the page.

        Raises:
            UsageError: if the file cannot be written.
        """
        page = RunsPage(
            compared=self.compared,
            names=self.names,
            counts=tuple(asdict(report.values.counts) for report in self.reports),
            seed=self.seed,
            version=version("beleg"),
            top=top,
        )
        write_text(path, runs_page(page, language=language))

    def write_plot(self, path: Path, *, language: str) -> None:
        """Writes the win and loss plots as SVG or PNG, by the end of the name.

        Raises:
            UsageError: for another end of the name, more comparisons than a picture holds, or a file that cannot be
                written.
            MissingExtra: for PNG, if the extra ``report`` is not installed.
        """
        require_picture(path)
        if len(self.compared.comparisons) > MOST_DRAWN:
            raise UsageError(
                f"a picture holds {MOST_DRAWN} comparisons, and there are {len(self.compared.comparisons)}",
                hint="Name fewer runs or measures",
            )
        panels = [drawn.panel for drawn in drawn_comparisons(self.compared, self.names, top=0)]
        if path.suffix.lower() == ".svg":
            write_text(path, win_loss_svg(panels, language))
            return
        picture = win_loss_png(panels, language)
        with replacing(path) as fresh:
            fresh.write_bytes(picture)


def require_picture(path: Path) -> None:
    """Refuses a name that says neither SVG nor PNG.

    Raises:
        UsageError: naming both.
    """
    if path.suffix.lower() not in PICTURES:
        raise UsageError(f"{path} names no kind of picture", hint="Give a name that ends in .svg or .png")


def compare_files(qrels: Path, baseline: Path, runs: Sequence[Path], request: CompareRequest) -> ComparedRuns:
    """Evaluates run files against the same judgements and compares them query by query.

    Args:
        qrels: the judgements; ``-`` reads the standard input.
        baseline: the run that the others are compared with.
        runs: the others.
        request: what to compute, and how.

    Raises:
        UsageError: if a file is not there, a measure is unknown, has no mean over queries or does not say which run
            is better, or a setting is out of range.
        DataError: if a file is faulty, or a judged query has no group.
    """
    rules = _rules(request)
    require_higher_is_better(parse_measures(request.measures, min_rel=request.min_rel))
    reports = evaluate_files(
        qrels, [baseline, *runs], request.measures, min_rel=request.min_rel, lenient=request.lenient
    )
    queries = reports[0].values.queries
    groups, ungrouped = (None, 0) if request.groups is None else _groups(request.groups, queries)
    compared = compare_runs(
        [report.values for report in reports], rules, np.random.default_rng(request.seed), groups=groups
    )
    return ComparedRuns(
        names=_names(reports), compared=compared, reports=tuple(reports), seed=request.seed, ungrouped=ungrouped
    )


def _rules(request: CompareRequest) -> ComparisonRules:
    for what, value, known in (("test", request.test, TESTS), ("interval", request.interval, INTERVALS)):
        if value not in known:
            raise UsageError(f"there is no {what} {value!r}", hint=f"Take one of {', '.join(known)}")
    if not 1 <= request.resamples <= MAX_RESAMPLES:
        raise UsageError(
            f"{request.resamples} resamples are asked for", hint=f"Take 1 to {MAX_RESAMPLES:,}; 10,000 are usual"
        )
    if request.seed < 0:
        raise UsageError(f"the seed is {request.seed}", hint="Take 0 or more")
    if not MIN_CONFIDENCE < request.confidence <= MAX_CONFIDENCE:
        raise UsageError(
            f"the confidence is {shown(request.confidence)}",
            hint=f"Take more than {MIN_CONFIDENCE:g}, up to {MAX_CONFIDENCE:g}; 0.95 is usual",
        )
    return ComparisonRules(
        test=PairedTest(request.test),
        interval=IntervalRule(request.interval),
        resamples=request.resamples,
        confidence=request.confidence,
        all_pairs=request.all_pairs,
    )


def _groups(path: Path, queries: Sequence[str]) -> tuple[list[str], int]:
    """The group of every judged query, and how many queries of the file are not judged."""
    found = read_groups(path)
    without = [query for query in queries if query not in found]
    if without:
        named = ", ".join(shown(query) for query in without[:QUERIES_NAMED])
        raise DataError(
            Problem(
                file=str(path),
                message=f"{len(without)} of {len(queries)} judged queries have no group",
                value=named if len(without) <= QUERIES_NAMED else f"{named} and {len(without) - QUERIES_NAMED} more",
                remedy="Give each of them a group; a query that stands alone is a group of its own",
            )
        )
    groups = [found[query] for query in queries]
    if len(set(groups)) < 2:
        raise DataError(
            Problem(
                file=str(path),
                message="all queries are in one group",
                value=shown(groups[0]),
                remedy="Two groups or more are needed to tell a difference from chance",
            )
        )
    return groups, len(found) - len(queries)


def _names(reports: Sequence[RunReport]) -> tuple[str, ...]:
    """The names that the runs give themselves, or their files where a name is missing, taken twice or endless."""
    tags = Counter(report.tag for report in reports)
    named = [
        report.tag if 0 < len(report.tag) <= MAX_NAME_CHARACTERS and tags[report.tag] == 1 else report.file
        for report in reports
    ]
    taken: Counter[str] = Counter()
    found = []
    for name in named:
        taken[name] += 1
        found.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return tuple(found)


def _interval_json(interval: Interval) -> dict[str, Any]:
    return {"lower": interval.lower, "upper": interval.upper, "method": interval.method}
