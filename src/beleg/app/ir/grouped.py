"""Reads judgements in groups into columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from beleg.adapters.formats.grouped import read_grouped
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements, group_judgements
from beleg.metrics.ranking_runs.table import Names

GroupedFormat = Literal["qrels_jg", "subtopics", "prefs", "qrels_prefs"]


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Judgements in groups, and where they come from."""

    file: str
    judgements: GroupedJudgements
    dropped: dict[str, int]
    """Lines that a lenient reading left out, by reason."""


def read_groups(path: Path, form: GroupedFormat, *, lenient: bool = False) -> Grouped:
    """Reads judgements in groups; ``-`` is the standard input.

    Args:
        path: the file.
        form: ``prefs`` has a fifth field, the subgroup; the others have the second field as group.
        lenient: leave out lines that cannot be read, and repeats, and count them.

    Raises:
        UsageError: if there is no such file.
        DataError: if the file is faulty or judges a document twice in a group.
    """
    columns = read_grouped(path, "preferences" if form == "prefs" else "groups", lenient=lenient)
    group, subgroup = (np.array(each, dtype=np.int32) for each in (columns.group, columns.subgroup))
    judgements = group_judgements(
        columns.queries, np.array(columns.query, dtype=np.int32), (group, subgroup), Names.of(columns.document),
        np.array(columns.grade, dtype=np.float64),
    )  # fmt: skip
    return Grouped(columns.file, judgements, columns.dropped)
