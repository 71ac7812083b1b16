"""Run evaluation from Python: ``beleg.ir.evaluate(qrels, run, ["nDCG@10"])``.

Runs and judgements may be files, nested mappings, frames of polars, pandas, pyarrow or DuckDB, mappings of columns,
numpy arrays of ranked ids, or rows. None of them is changed, and figures do not depend on the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from beleg.app.ir.evaluating import RunReport, report_of
from beleg.app.ir.memory import take_judgements, take_run
from beleg.app.ir.shaping import Shape
from beleg.core.errors import UsageError, shown
from beleg.metrics.ranking_runs.arrays import Lists, lists_of
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.text.identifiers import as_text

__all__ = ["Lists", "RunReport", "Shape", "evaluate", "ranked_lists"]


def evaluate(  # noqa: PLR0913 - the options of an evaluation, all keyword-only
    qrels: object,
    run: object,
    measures: str | Iterable[str],
    *,
    min_rel: int = 1,
    lenient: bool = False,
    name: str = "run",
    shape: Shape | None = None,
) -> RunReport:
    """Computes measures of a run against relevance judgements.

    Ids are text, or whole numbers that equal their decimal text: 7 is "7" and is not "007". Scores and grades are any
    numbers of Python or numpy; fractions of grades are kept. Order: score descending, then document id descending by
    bytes. Every mean is over all judged queries.

    Args:
        qrels: a file (see `beleg ir eval`), ``{query: {document: grade}}``, ``{query: [relevant document, …]}``, a
            frame or a mapping of columns with query, document and grade, or rows of these three.
        run: a file, ``{query: {document: score}}``, ``{query: [document, …]}`` in the order of ranks, a frame or a
            mapping of columns, rows, `ranked_lists`, or a 2-D array of numbered documents whose row is the query.
        measures: such as ``"nDCG@10"``, ``["RR@10", "AP(rel=2)"]`` or ``"official"``.
        min_rel: the lowest grade that counts as relevant.
        lenient: for files, leave out what cannot be read, and count it.
        name: what to call a run that is no file.
        shape: what is done to the run before: ended at a budget of tokens, folded to parent documents.

    Returns:
        The figures: ``summary()`` of all queries, ``per_query()``, ``counts()`` of what stands behind them.

    Raises:
        UsageError: if a file is not there, a measure is unknown, or a source has no known form.
        DataError: naming query and document of what cannot be used: NaN, text as a score, an id that is neither text
            nor a whole number, a pair that stands twice; or if no query of the run is judged.

    Example:
        >>> report = evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 0.9, "d1": 0.4}}, "nDCG@10 RR(rel=2)")
        >>> {name: round(value, 4) for name, value in report.summary().items()}
        {'nDCG@10': 0.8597, 'RR(rel=2)': 0.5}
    """
    asked = parse_measures([measures] if isinstance(measures, str) else measures, min_rel=min_rel)
    judged, given = take_judgements(qrels, lenient=lenient), take_run(run, lenient=lenient, name=name)
    return report_of(judged, (shape or Shape()).prepared().of(given), asked)


def ranked_lists(documents: Any, scores: Any = None, queries: Sequence[object] | None = None) -> Lists:
    """Ranked lists of numbered documents, as an index for vectors returns them.

    Args:
        documents: a 2-D array of whole numbers with a row for each query; a negative number is an empty place.
        scores: numbers of the same shape, the higher the better; without them the order of the row is that of ranks.
        queries: the id of the query of every row; without them the number of the row.

    Raises:
        DataError: if shapes differ, a document is no whole number or stands twice in a row, or a score is NaN or no
            number.
        UsageError: if the queries are no list.

    Example:
        >>> evaluate({"a": {7: 1}}, ranked_lists([[3, 7, -1]], queries=["a"]), "RR").summary()
        {'RR': 0.5}
    """
    if isinstance(queries, str) or not (queries is None or isinstance(queries, Iterable)):
        raise UsageError(f"the queries are {shown(queries)}", hint="Give a list with an id for every row")
    names = None if queries is None else [as_text(name, "query") for name in queries]
    return lists_of(documents, scores, names)
