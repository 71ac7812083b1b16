"""Values as their distance from what other runs reach on the same query, in standard deviations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown
from beleg.metrics.ranking_runs.kernels import RunValues
from beleg.metrics.ranking_runs.trec_names import trec_name

_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{0,18})?|[+-]?\.\d{1,18}", re.ASCII)
_FIELDS = 4


@dataclass(frozen=True, slots=True)
class ZScores:
    """Mean and standard deviation of measures over other runs, by query and name of the measure."""

    file: str
    known: dict[tuple[str, str], tuple[float, float]]

    def of(self, values: RunValues) -> RunValues:
        """The values less the mean, over the standard deviation; 0 where that is 0, as trec_eval has it.

        A measure that stands for all queries only has none and stays as it is.

        Raises:
            DataError: if a query or measure is not in the file.
        """
        found = values.values.copy()
        missing: list[Problem] = []
        for row, measure in enumerate(values.measures):
            if measure.kind.summary_only:
                continue
            name = trec_name(measure)
            pairs = [self.known.get((query, name)) for query in values.queries]
            missing += [
                self._missing(query, name) for query, pair in zip(values.queries, pairs, strict=True) if not pair
            ]
            mean, deviation = np.array([pair or (0.0, 0.0) for pair in pairs]).T
            scaled = np.divide(found[row] - mean, deviation, out=np.zeros_like(mean), where=deviation > 0)
            found[row] = scaled
        if missing:
            raise DataError(missing[:MAX_PROBLEMS_SHOWN])
        return replace(values, values=found)

    def _missing(self, query: str, name: str) -> Problem:
        return Problem(
            file=self.file,
            message=f"there is no mean of {name} for query {shown(query)}",
            remedy="Add a line: query, measure, mean, standard deviation",
        )


def read_z_scores(path: Path) -> ZScores:
    """Reads lines of query, name of the measure in trec_eval, mean and standard deviation.

    Raises:
        UsageError: if there is no such file.
        DataError: if a line is faulty.
    """
    require_file(path, MAX_DOCUMENT_BYTES)
    known: dict[tuple[str, str], tuple[float, float]] = {}
    for number, line in enumerate(decode_utf8(path.read_bytes(), file=str(path)).splitlines(), start=1):
        fields = line.split()
        if not fields or fields[0] == "#":
            continue
        if len(fields) != _FIELDS or not all(_NUMBER.fullmatch(each) for each in fields[2:]) or float(fields[3]) < 0:
            raise DataError(
                Problem(
                    file=str(path), line=number, message="the line is no z-score", value=shown(line),
                    remedy="Write query, measure, mean, standard deviation",
                )
            )  # fmt: skip
        known[fields[0], fields[1]] = (float(fields[2]), float(fields[3]))
    return ZScores(str(path), known)
