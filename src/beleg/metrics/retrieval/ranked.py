"""Ranked retrieval measures, as trec_eval defines them, over whole runs and over single lists.

Every measure counts each item once, takes unjudged items as not relevant, and divides by k even where a list is
shorter. The kernels are those of run files, `beleg.metrics.ranking_runs`: one figure has one way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from beleg.core.errors import UsageError
from beleg.core.ranking import require_unique
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Stage
from beleg.metrics.batch import Batch
from beleg.metrics.ranking_runs.kinds import Measure
from beleg.metrics.ranking_runs.registry import KINDS
from beleg.metrics.ranks import FloatColumn, RankedColumns, judged_row

Relevant = Mapping[str, int] | Collection[str]
"""The relevant ids of one list, with grades of at least 1 where relevance is graded."""


def _figures(columns: RankedColumns, name: str, k: int | None) -> FloatColumn:
    """A measure of ranked runs over the lists, with the kernel that run files have."""
    kind = KINDS[name]
    if kind.kernel is None:
        raise ValueError(f"{name} has no kernel over one grade for each item")
    return kind.kernel(columns.as_hits, Measure(kind, cut=k))


def _recall(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "R", k)


def _precision(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "SetP" if k is None else "P", k)


def _hit(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "Success", k)


def _reciprocal_rank(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "RR", k)


def _average_precision(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "AP", k)


def _ndcg(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "nDCG", k)


def _r_precision(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "Rprec", k)


def _judged(columns: RankedColumns, k: int | None) -> FloatColumn:
    return _figures(columns, "Judged", max(1, int(columns.lengths.max(initial=1))) if k is None else k)


Kernel = Callable[[RankedColumns, int | None], FloatColumn]


def _over_run(kernel: Kernel, batch: Batch, k: int | None, stage: str | None) -> ScoreColumn:
    columns = batch.ranked(None if stage is None else Stage(stage))
    return columns.column(kernel(columns, k))


def recall_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`recall` of every row."""
    return _over_run(_recall, batch, k, stage)


def precision_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`precision` of every row."""
    return _over_run(_precision, batch, k, stage)


def hit_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`hit` of every row."""
    return _over_run(_hit, batch, k, stage)


def reciprocal_rank_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`reciprocal_rank` of every row; its mean is MRR."""
    return _over_run(_reciprocal_rank, batch, k, stage)


def average_precision_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`average_precision` of every row; its mean is MAP."""
    return _over_run(_average_precision, batch, k, stage)


def ndcg_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`ndcg` of every row."""
    return _over_run(_ndcg, batch, k, stage)


def r_precision_column(batch: Batch, *, stage: str | None = None) -> ScoreColumn:
    """`r_precision` of every row."""
    return _over_run(_r_precision, batch, None, stage)


def judged_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """`judged` of every row."""
    return _over_run(_judged, batch, k, stage)


def _one(kernel: Kernel, ranked_ids: Sequence[str], relevant: Relevant, k: int | None) -> Score:
    if k is not None and k < 1:
        raise UsageError(f"k counts ranks from 1 (found {k})")
    require_unique(ranked_ids)
    grades = dict(relevant) if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
    if any(grade < 1 for grade in grades.values()):
        raise UsageError("relevant ids have grades of at least 1", hint="Leave out ids that are not relevant")
    if not grades:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "nothing is relevant")
    return Score.of(float(kernel(RankedColumns.from_rows([judged_row(ranked_ids, grades)]), k)[0]))


def recall(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """Share of the relevant items that stand in the top k.

    Formula: hits in the top k / number of relevant items. Range: 0 to 1, higher is better.
    Undefined: when nothing is relevant. Convention: an empty list scores 0.

    Args:
        ranked_ids: ids, best first, none twice.
        relevant: the relevant ids.
        k: the cut; ``None`` takes the whole list.

    Returns:
        The score, or the reason why there is none.

    Raises:
        DataError: if an id stands twice.
        UsageError: if k or a grade is below 1.

    Example:
        >>> recall(["d2", "d6", "d4", "d7"], {"d7", "d2"}, 3).value
        0.5
    """
    return _one(_recall, ranked_ids, relevant, k)


def precision(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """Share of the top k ranks that hold a relevant item.

    Formula: hits in the top k / k, also where the list is shorter. Range: 0 to 1, higher is better.
    Arguments, undefined and errors as in `recall`.

    Example:
        >>> precision(["d1", "d2"], {"d1", "d2", "d3"}, 5).value
        0.4
    """
    return _one(_precision, ranked_ids, relevant, k)


def hit(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """1 when a relevant item stands in the top k, else 0 (success@k).

    Higher is better. Arguments, undefined and errors as in `recall`.

    Example:
        >>> hit(["d8", "d3"], {"d3"}, 1).value
        0.0
    """
    return _one(_hit, ranked_ids, relevant, k)


def reciprocal_rank(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """1 / rank of the first relevant item in the top k, 0 when there is none.

    Range: 0 to 1, higher is better. Arguments, undefined and errors as in `recall`.

    Example:
        >>> reciprocal_rank(["d8", "d3"], {"d3"}).value
        0.5
    """
    return _one(_reciprocal_rank, ranked_ids, relevant, k)


def average_precision(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """Mean of the precision at the rank of each relevant item; an item that is not listed adds 0.

    Formula: sum of precision at each hit / number of relevant items. Range: 0 to 1, higher is better.
    Arguments, undefined and errors as in `recall`.

    Example:
        >>> average_precision(["d2", "d6", "d4", "d7"], {"d7", "d2"}).value
        0.75
    """
    return _one(_average_precision, ranked_ids, relevant, k)


def ndcg(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """Discounted gain of the top k against that of the best possible top k.

    Formula: sum of grade / log2(rank + 1), over the same sum for the grades in falling order, both cut at k.
    Source: Järvelin and Kekäläinen, 2002, with linear gain. Range: 0 to 1, higher is better.
    Arguments, undefined and errors as in `recall`.

    Example:
        >>> round(ndcg(["d8", "d3"], {"d3"}, 5).value or 0.0, 6)
        0.63093
    """
    return _one(_ndcg, ranked_ids, relevant, k)


def r_precision(ranked_ids: Sequence[str], relevant: Relevant) -> Score:
    """Precision at R, the number of relevant items.

    Range: 0 to 1, higher is better. Arguments, undefined and errors as in `recall`.

    Example:
        >>> r_precision(["d2", "d6", "d7"], {"d7", "d2"}).value
        0.5
    """
    return _one(_r_precision, ranked_ids, relevant, None)


def judged(ranked_ids: Sequence[str], relevant: Relevant, k: int | None = None) -> Score:
    """Share of the items shown in the top k that carry a judgement.

    Formula: judged items / min(k, length); an empty list scores 0. Range: 0 to 1; a low share warns that the other
    figures rest on incomplete labels. Arguments, undefined and errors as in `recall`.

    Example:
        >>> judged(["d1", "d9"], {"d1"}, 10).value
        0.5
    """
    return _one(_judged, ranked_ids, relevant, k)
