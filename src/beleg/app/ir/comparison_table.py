"""The tables of a comparison that the command line prints, in either language."""

from __future__ import annotations

from beleg.app.ir.comparing import ComparedRuns
from beleg.report.runs_compared import ComparisonView, mean_text
from beleg.report.words import word

Table = tuple[tuple[str, ...], list[list[str]]]


def comparison_table(found: ComparedRuns, language: str) -> Table:
    """Heads and rows of the table of comparisons.

    Where all pairs are compared the other run is named too, and the means stand in a table of their own.
    """
    views = found.views()
    all_pairs = found.compared.rules.all_pairs
    named = ("against_short", "finding") if all_pairs else ("finding", "mean_against_short", "mean_run_short")
    keys = ["measure", "run", *named, "difference_short", "p", "adjusted_short"]
    keys += [*(["tukey_short"] if all_pairs else []), "effect_short", "wins_short", "detectable_short"]
    heads = tuple(word(f"compare.{key}", language) for key in keys)
    return heads, [_row(view, language, all_pairs=all_pairs) for view in views]


def _row(view: ComparisonView, language: str, *, all_pairs: bool) -> list[str]:
    texts = [] if all_pairs else [view.against_mean_short, view.run_mean_short]
    texts += [view.difference, view.p, view.adjusted, *([] if view.tukey is None else [view.tukey])]
    texts += [view.effect, view.wins, view.detectable]
    state = f"{view.shape} {view.state_word.in_language(language)}"
    named = [view.measure, view.run, *([view.against] if all_pairs else []), state]
    return [*named, *(text.in_language(language) for text in texts)]


def mean_table(found: ComparedRuns, language: str) -> Table:
    """Heads and rows of the means of all runs, each with its interval."""
    measures = (measure.label or str(measure) for measure in found.compared.measures)
    rows = [
        [name, *(mean_text(mean).in_language(language) for mean in row)]
        for name, row in zip(found.names, found.compared.means, strict=True)
    ]
    return (word("compare.run", language), *measures), rows


def query_table(
    found: ComparedRuns, at: int, language: str, *, top: int
) -> tuple[str, tuple[str, ...], list[list[str]]]:
    """Title, heads and rows of the queries that differ most in one comparison; no row where none differs."""
    view = found.views()[at]
    rows = [
        [row.query, *(text.in_language(language) for text in (row.run, row.against, row.difference))]
        for row in found.query_rows(at, top=top)
    ]
    heads = (word("compare.query", language), view.run, view.against, word("changes.difference", language))
    named = {"run": view.run, "against": view.against, "measure": view.measure}
    if not rows:
        return f"{view.measure}, {view.run}: {word('compare.no_extremes', language)}", heads, rows
    return word("compare.extremes", language, **named), heads, rows


def told(found: ComparedRuns, language: str) -> list[str]:
    """The sentences behind a table: each comparison where they are few, the rules of intervals, and the files."""
    views = found.views()
    lines = []
    if 1 < len(views) <= SENTENCES_UP_TO:
        lines += [f"{view.shape} {view.sentence.in_language(language)}" for view in views]
    if len(views) == 1 and views[0].aside is not None:
        lines.append(views[0].aside.in_language(language))
    methods: dict[str, dict[str, None]] = {}
    for view in views:
        methods.setdefault(view.method.in_language(language), {})[view.measure] = None
    rules = "; ".join(f"{method} ({', '.join(measures)})" for method, measures in methods.items())
    lines.append(f"{word('compare.method', language)}: {rules}")
    return [*lines, *found.notes(language)]


SENTENCES_UP_TO = 8
"""More sentences than these would bury the table."""
