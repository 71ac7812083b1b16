"""Small judgements and runs, and one measure of them."""

from __future__ import annotations

import numpy as np

from beleg.metrics.ranking_runs.kernels import evaluate_groups, evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements, group_judgements
from beleg.metrics.ranking_runs.table import Names, table_from_mapping

Mapping = dict[str, dict[str, float]]


def listed(*names: str) -> Mapping:
    """A run of one query with these documents in this order."""
    return {"q": {name: -float(rank) for rank, name in enumerate(names)}}


def mean(judged: Mapping, run: Mapping, measure: str) -> float:
    """The figure of one measure."""
    return evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures([measure])).summary()[0]


def grouped(*rows: tuple[str, str, str, str, float]) -> GroupedJudgements:
    """Judgements as rows of query, group, subgroup, document and grade."""
    queries = list(dict.fromkeys(row[0] for row in rows))
    names = list(dict.fromkeys(name for row in rows for name in row[1:3]))
    query = np.array([queries.index(row[0]) for row in rows], dtype=np.int32)
    groups, subgroups = (np.array([names.index(row[at]) for row in rows], dtype=np.int32) for at in (1, 2))
    grade = np.array([row[4] for row in rows])
    return group_judgements(queries, query, (groups, subgroups), Names.of(row[3] for row in rows), grade)


def mean_of_groups(judged: GroupedJudgements, run: Mapping, measure: str) -> float:
    """The figure of one measure over groups, subtopics or preferences."""
    return evaluate_groups(judged, table_from_mapping(run), parse_measures([measure])).summary()[0]
