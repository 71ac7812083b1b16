"""Values as their distance from what other runs reach on the same query, in standard deviations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from beleg.adapters.formats.decimals import decimal
from beleg.adapters.formats.files import BYTE_ORDER_MARK, decode_utf8, require_file
from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown
from beleg.metrics.ranking_runs.kernels import RunValues
from beleg.metrics.ranking_runs.trec_names import trec_name

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
        DataError: if a line is faulty, or a measure of a query stands twice.
    """
    require_file(path, MAX_DOCUMENT_BYTES)
    known: dict[tuple[str, str], tuple[float, float]] = {}
    # As bytes: text has more kinds of spaces and line breaks, which may stand in an id.
    for number, line in enumerate(path.read_bytes().removeprefix(BYTE_ORDER_MARK).splitlines(), start=1):
        fields = line.split()
        if not fields or fields[0] == b"#":
            continue
        text = decode_utf8(line, file=str(path), line=number)
        pair = _mean_and_deviation(fields)
        if pair is None:
            remedy = "Write query, measure, mean, standard deviation"
            raise _faulty(path, number, "the line is no z-score", text, remedy)
        key = (fields[0].decode("utf-8"), fields[1].decode("utf-8"))
        if key in known:
            raise _faulty(path, number, "the query and the measure stand twice", text, "Keep one of the lines")
        known[key] = pair
    return ZScores(str(path), known)


def _mean_and_deviation(fields: list[bytes]) -> tuple[float, float] | None:
    if len(fields) != _FIELDS:
        return None
    mean, deviation = map(decimal, fields[2:])
    if mean is None or deviation is None or not math.isfinite(mean) or not 0 <= deviation < math.inf:
        return None
    return mean, deviation


def _faulty(path: Path, line: int, message: str, value: str, remedy: str) -> DataError:
    return DataError(Problem(file=str(path), line=line, message=message, value=shown(value), remedy=remedy))
