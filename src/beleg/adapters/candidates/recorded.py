"""Recorded traces as a candidate: what a system answered earlier, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from beleg.adapters.candidates.outputs import CandidateTimeout, with_distinct_passages
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.row import Row
from beleg.adapters.formats.rows import read_rows
from beleg.adapters.formats.strict_json import parse_json
from beleg.adapters.formats.trec_answers import is_trec_answer, trec_trace
from beleg.core.errors import CandidateError, DataError, InvalidOutput, Problem, UsageError
from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.trace import NO_TRACE, Output, Query, Trace, TraceStatus

_ENVELOPE = frozenset(Trace.model_fields)
"""The fields of a trace; everything else in a row is a field of its output, written flat."""


class RecordedTraces:
    """Answers every query with the trace recorded for its case and repetition."""

    def __init__(self, traces: Mapping[tuple[str, int], Trace], *, manifest: Manifest) -> None:
        self._traces = dict(traces)
        self._manifest = manifest

    @property
    def manifest(self) -> Manifest:
        """What the recorded system was made of."""
        return self._manifest

    @property
    def case_ids(self) -> tuple[str, ...]:
        """The cases with a trace, in the order of the file."""
        return tuple(dict.fromkeys(case_id for case_id, _ in self._traces))

    def unknown_cases(self, known: Iterable[str]) -> tuple[str, ...]:
        """The recorded cases that are none of those known; their traces are never asked for."""
        known_ids = frozenset(known)
        return tuple(case_id for case_id in self.case_ids if case_id not in known_ids)

    def trace(self, case_id: str, repeat: int = 0) -> Trace | None:
        """The trace as recorded, with its time and attempts."""
        return self._traces.get((case_id, repeat))

    async def answer(self, query: Query) -> Output:
        """Gives the recorded output.

        Raises:
            CandidateError: of the kind ``no_trace`` if none was recorded, or with the recorded kind of fault.
            InvalidOutput: if the recorded attempt ended with something unusable.
        """
        trace = self.trace(query.case_id, query.repeat)
        if trace is None:
            repetition = f", repetition {query.repeat}" if query.repeat else ""
            raise CandidateError(f"no trace was recorded for case {query.case_id!r}{repetition}", kind=NO_TRACE)
        if trace.status is TraceStatus.OK and trace.output is not None:
            return with_distinct_passages(trace.output)
        kind = trace.error.kind if trace.error else "recorded_error"
        message = trace.error.message if trace.error else "the recorded attempt failed without saying why"
        if trace.status is TraceStatus.TIMEOUT:
            raise CandidateTimeout(message)
        if trace.status is TraceStatus.INVALID:
            raise InvalidOutput(message, kind=kind)
        raise CandidateError(message, kind=kind)

    def inventory(self) -> Inventory | None:
        """Nothing is known about the index behind recorded traces."""
        return None

    async def close(self) -> None:
        """There is nothing to release."""


def load_traces(path: Path, *, manifest: Manifest) -> RecordedTraces:
    """Reads traces from JSONL, JSON, YAML or Parquet.

    A row has ``case_id``; optionally ``repeat``, ``status``, ``error`` (a mapping with ``kind`` and ``message``, or
    text), ``attempts`` and ``total_ms``; and the fields of an output, either flat or as ``output`` (a mapping, or JSON
    text in a Parquet column). A row in the form of the TREC RAG track is read as well; see `trec_trace`.

    Raises:
        UsageError: if there is no such file or traces are not read from its format.
        DataError: naming file, line and field for everything that is wrong, and both lines of a repeated trace.
    """
    if path.suffix.lower() == ".csv":
        raise UsageError(f"{path}: traces are not read from CSV", hint="Write them as .jsonl or .parquet")
    traces = build_all(Trace, read_rows(path), key=("case_id", "repeat"), prepare=_as_trace)
    return RecordedTraces({(trace.case_id, trace.repeat): trace for trace in traces}, manifest=manifest)


def _as_trace(row: Row) -> Row:
    if is_trec_answer(row.data):
        row = trec_trace(row)
    data = {name: value for name, value in row.data.items() if name in _ENVELOPE}
    flat = {name: value for name, value in row.data.items() if name not in _ENVELOPE}
    if isinstance(data.get("output"), str):
        data["output"] = parse_json(data["output"], file=row.file, line=row.line)
    if flat:
        if data.get("output") is not None:
            raise _refused(row, next(iter(flat)), "the row has an output and fields beside it", "Move it into 'output'")
        data["output"] = flat
    if isinstance(data.get("error"), str):
        data["error"] = {"kind": "recorded_error", "message": data["error"]}
    status = data.setdefault("status", "error" if data.get("error") else "ok")
    if status == "ok" and not data.get("output"):
        raise _refused(row, "output", "the row records neither an output nor an error", "Add what the system returned")
    return Row(row.file, row.line, data)


def _refused(row: Row, field: str, message: str, remedy: str) -> DataError:
    return DataError(Problem(file=row.file, line=row.line, field=field, message=message, remedy=remedy))
