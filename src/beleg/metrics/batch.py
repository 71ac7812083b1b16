"""A run as metrics see it: cases and traces side by side, one row per case and repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import EvidenceError, shown
from beleg.core.findings import Finding
from beleg.core.inventory import Inventory
from beleg.core.manifest import Setting
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.suite import RelevanceUnit
from beleg.core.trace import NO_TRACE, RANKED_STAGES, Output, Passage, Stage, Trace, TraceStatus
from beleg.metrics.matching import EvidenceMatcher
from beleg.metrics.ranks import RankedColumns, RankedRow, rank_row

_FAILED_TRACE = {
    TraceStatus.TIMEOUT: ScoreStatus.TIMEOUT,
    TraceStatus.ERROR: ScoreStatus.INFRA_ERROR,
    TraceStatus.INVALID: ScoreStatus.INVALID,
}


@dataclass(frozen=True, eq=False)
class Row:
    """One attempt that ended well: the case, its trace and what the candidate returned."""

    case: Case
    trace: Trace
    output: Output

    def passages(self) -> Iterator[tuple[Stage, Passage]]:
        """Every passage of every ranked stage that was recorded."""
        for stage in RANKED_STAGES:
            for passage in self.output.passages_at(stage) or ():
                yield stage, passage

    @cached_property
    def subject_digest(self) -> str:
        """The content address of what is judged: question, answer, citations, passages, and what is expected.

        It is kept, since every judged metric of a row compares it.
        """
        output = self.output
        return digest_of(
            {
                "case": self.case.to_json_dict(),
                "answer": output.answer,
                "citations": [citation.to_json_dict() for citation in output.citations or ()],
                "passages": [
                    [passage.passage_id, passage.document_id, passage.text] for passage in output.final_passages()
                ],
            }
        )

    @cached_property
    def metadata(self) -> dict[str, Metadata]:
        """What the passages tell of each document's metadata; of two values of a field the first seen counts."""
        merged: dict[str, dict[str, Setting]] = {}
        for _, passage in self.passages():
            if passage.metadata:
                known = merged.setdefault(passage.document_id, {})
                known.update({field: value for field, value in passage.metadata.items() if field not in known})
        return {name: Metadata(values, complete=False) for name, values in merged.items()}


FindingKey = tuple[str, int, str]
"""Case id, repeat and measure."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a document's metadata, and whether a field that is not there is known to be absent."""

    values: Mapping[str, Setting]
    complete: bool
    carried: frozenset[str] = frozenset()
    """The fields that any document of the same inventory carries; a field that none carries was not kept there."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Cases and traces of one run, aligned row by row, with everything that several metrics need computed once.

    Example:
        >>> case = Case(case_id="c1", user_input="?")
        >>> Batch.of([case], [None]).column(lambda row: Score.of(1.0)).score_at(0).status.value
        'missing'
    """

    cases: tuple[Case, ...]
    traces: tuple[Trace | None, ...]
    inventory: Inventory | None = None
    unit: RelevanceUnit = RelevanceUnit.DOCUMENT
    findings: Mapping[FindingKey, Finding] = field(default_factory=dict)
    """What judges found out, by case, repeat and measure."""

    def __post_init__(self) -> None:
        if len(self.cases) != len(self.traces):
            raise EvidenceError(
                f"{len(self.cases)} cases and {len(self.traces)} traces cannot be rows of one table",
                hint="Give one trace per row, None where there is none",
            )
        for row, (case, trace) in enumerate(zip(self.cases, self.traces, strict=True)):
            if trace is not None and trace.case_id != case.case_id:
                raise EvidenceError(
                    f"row {row} holds case {shown(case.case_id)} and the trace of {shown(trace.case_id)}",
                    hint="Align the traces to the cases",
                )

    @classmethod
    def of(
        cls,
        cases: Iterable[Case],
        traces: Iterable[Trace | None],
        *,
        inventory: Inventory | None = None,
        unit: RelevanceUnit = RelevanceUnit.DOCUMENT,
        findings: Mapping[FindingKey, Finding] | None = None,
    ) -> Batch:
        """A batch from any iterables.

        Args:
            cases: one case per row; a case with several repeats stands in several rows.
            traces: the trace of each row, ``None`` where there is none.
            inventory: what the candidate's index holds, where it is known.
            unit: whether a rank counts passages or their parent documents.
            findings: what judges found out about the rows.

        Raises:
            EvidenceError: if the rows do not align.
        """
        return cls(tuple(cases), tuple(traces), inventory, unit, findings or {})

    def __len__(self) -> int:
        return len(self.cases)

    @cached_property
    def matcher(self) -> EvidenceMatcher:
        """The evidence search over the inventory and the passages of all rows."""
        return EvidenceMatcher(self.inventory)

    @cached_property
    def rows(self) -> tuple[Row | Score, ...]:
        """Each row, or the reason why no metric can score it."""
        return tuple(_row(case, trace) for case, trace in zip(self.cases, self.traces, strict=True))

    def column(self, score: Callable[[Row], Score]) -> ScoreColumn:
        """Scores every attempt that ended well; the others keep the reason why they did not."""
        return ScoreColumn.from_scores(row if isinstance(row, Score) else score(row) for row in self.rows)

    def ranked(self, stage: Stage | None = None) -> RankedColumns:
        """The ranked lists of a stage as columns; without a stage, the last list each trace has."""
        if stage not in self._ranked:
            self._ranked[stage] = RankedColumns.from_rows([self._ranked_row(row, stage) for row in self.rows])
        return self._ranked[stage]

    def metadata(self, row: Row, document_id: str) -> Metadata | None:
        """What is known of a document's metadata: all of it from the inventory, else what the row's passages tell."""
        known = self.matcher.documents.get(document_id)
        if known is not None:
            return Metadata(known.metadata, complete=True, carried=self.matcher.metadata_fields)
        return row.metadata.get(document_id)

    @cached_property
    def _ranked(self) -> dict[Stage | None, RankedColumns]:
        return {}

    def _ranked_row(self, row: Row | Score, stage: Stage | None) -> RankedRow:
        if isinstance(row, Score):
            return RankedRow.without(row.status, row.detail)
        passages = passages_of(row.output, stage)
        if passages is None:
            return RankedRow.without(ScoreStatus.MISSING, f"the stage {stage} was not recorded")
        return rank_row(passages, row.case, self.matcher, self.unit)


def passages_of(output: Output, stage: Stage | None) -> Sequence[Passage] | None:
    """The passages of a stage, or the last ranked list there is; ``None`` where the stage was not recorded."""
    return output.final_passages() if stage is None else output.passages_at(stage)


def _row(case: Case, trace: Trace | None) -> Row | Score:
    if trace is None:
        return Score.without(ScoreStatus.MISSING, "there is no trace")
    if trace.error is not None and trace.error.kind == NO_TRACE:
        return Score.without(ScoreStatus.MISSING, trace.error.message)
    if trace.status in _FAILED_TRACE:
        detail = f"{trace.error.kind}: {trace.error.message}" if trace.error else None
        return Score.without(_FAILED_TRACE[trace.status], detail)
    if trace.output is None:
        return Score.without(ScoreStatus.INVALID, "the trace ended well and holds no output")
    return Row(case, trace, trace.output)
