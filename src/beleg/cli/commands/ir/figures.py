"""The figures of runs on the screen: as a table, as the lines of trec_eval, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beleg.cli.output import emit_json_text, json_object, print_table, say

if TYPE_CHECKING:
    from beleg.app.ir.evaluating import RunReport


def emit(reports: list[RunReport], *, per_query: bool) -> None:
    """One object for one run; for several, one under the name of each file."""
    texts = {report.file: report.json_text(per_query=per_query) for report in reports}
    emit_json_text(next(iter(texts.values())) if len(reports) == 1 else json_object("runs", texts))


def print_lines(reports: list[RunReport], *, per_query: bool) -> None:
    """The lines that trec_eval prints, one run after the other."""
    for report in reports:
        say("\n".join(report.trec_lines(per_query=per_query)))


def print_figures(reports: list[RunReport], *, per_query: bool) -> None:
    """A table with one line for each measure, and a column for each run."""
    summaries = [report.summary() for report in reports]
    rows = [[name, *(_figure(summary[name]) for summary in summaries)] for name in summaries[0]]
    slices = [report.summary_with_relevant() for report in reports]
    if slices[0] is not None:
        rows += [
            [f"{name}, where relevant exist", *(_figure(found[name]) for found in slices if found)]
            for name in slices[0]
        ]
    rows += [[name, *(str(report.counts().get(name, 0)) for report in reports)] for name in _count_names(reports)]
    print_table(("", *(report.file for report in reports)), rows)
    for report in reports if per_query else ():
        say("", report.file)
        found = report.to_json(per_query=True)["per_query"]
        names = list(next(iter(found.values())))
        print_table(
            ("query", *names),
            [[query, *(_figure(value) for value in values.values())] for query, values in found.items()],
        )


def _count_names(reports: list[RunReport]) -> list[str]:
    return list(dict.fromkeys(name for report in reports for name in report.counts()))


def _figure(value: float | str) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
