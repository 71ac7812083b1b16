"""The case data inside the page: compressed blocks that the browser unpacks one by one, on demand."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from beleg.core.evaluation import Evaluation
from beleg.core.score import STATUS_ORDER, ScoreColumn
from beleg.core.trace import TraceStatus
from beleg.report.naming import MetricLabel
from beleg.report.records import CASES_PER_BLOCK, ItemTable, RecordWriter
from beleg.report.sheet_records import ANSWERS_PER_BLOCK, sheet_records
from beleg.report.view import ReportInput, TracesByCase

LEVEL = 6
ITEM_BLOCK_CHARS = 200_000
QUESTION_CHARS = 300
SIGNIFICANT_DIGITS = 6
HOPELESS = 1.3
CUTS: tuple[int, ...] = (4_000, 2_000, 1_000, 500, 250, 120)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One compressed part: ``name`` is its element id in the page, ``text`` its base64."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """All case data, and to how many characters long texts were cut so that it fits."""

    blocks: tuple[Block, ...]
    cut: int | None = None
    keeps_quoted: bool = True
    """Whether passages that hold an expected quote are whole."""


def build_payload(report: ReportInput, metrics: Sequence[MetricLabel], *, budget: int) -> Payload:
    """Compresses the case data so that it takes at most ``budget`` characters in the page.

    If it does not fit, long texts are cut: to each length of `CUTS` in turn, at first sparing the passages that hold
    an expected quote. Scores and ids are never cut; if they alone are too large, the page is larger.
    """
    writer = RecordWriter(report)
    records = writer.records()
    fixed = [_block("index", case_index(report, metrics))]
    fixed += [
        _block(f"cases-{number}", records[start : start + CASES_PER_BLOCK])
        for number, start in enumerate(range(0, len(records), CASES_PER_BLOCK))
    ]
    fixed += _sheet_blocks(report, writer.table)
    left = budget - sum(len(block.text) for block in fixed)
    attempts: list[tuple[int | None, bool]] = [(None, True), *((cut, keep) for keep in (True, False) for cut in CUTS)]
    ratio = 0.0
    for cut, keep in attempts[:-1]:
        characters = _characters(writer.table, cut, keep_quoted=keep)
        # a cut that by the ratio seen so far is far too long is not worth compressing
        if characters * ratio > HOPELESS * left:
            continue
        items = tuple(_item_blocks(writer.table, cut, keep_quoted=keep))
        size = sum(len(block.text) for block in items)
        if size <= left:
            return Payload(blocks=(*fixed, *items), cut=cut, keeps_quoted=keep)
        ratio = size / characters
    cut, keep = attempts[-1]
    items = tuple(_item_blocks(writer.table, cut, keep_quoted=keep))
    return Payload(blocks=(*fixed, *items), cut=cut, keeps_quoted=keep)


def _sheet_blocks(report: ReportInput, table: ItemTable) -> list[Block]:
    """The evidence sheet: the list of its claims, and its answers in blocks; nothing where there is none."""
    if report.sheet is None or report.sheet.header is None:
        return []
    row_of_case = {case.case_id: row for row, case in enumerate(report.candidate.cases)}
    made = sheet_records(report.sheet.cases, row_of_case, table)
    return [
        _block("sheet-index", made.index),
        *(
            _block(f"sheet-{number}", made.answers[start : start + ANSWERS_PER_BLOCK])
            for number, start in enumerate(range(0, len(made.answers), ANSWERS_PER_BLOCK))
        ),
    ]


def case_index(report: ReportInput, metrics: Sequence[MetricLabel]) -> dict[str, Any]:
    """The columns of the case table: what it can be filtered and sorted by."""
    cases, baseline = report.candidate.cases, report.baseline
    labels = [[f"{name}={label}" for name, label in sorted(case.segment_labels().items())] for case in cases]
    number = {label: position for position, label in enumerate(sorted({label for each in labels for label in each}))}
    return {
        "ids": [case.case_id for case in cases],
        "questions": [case.question[:QUESTION_CHARS] for case in cases],
        "segments": list(number),
        "caseSegments": [[number[label] for label in each] for each in labels],
        "stages": [count.stage for count in report.decision.candidate.waterfall],
        "lost": _lost_at(report),
        "followed": [bool(case.expected_passages) for case in cases],
        "status": [_status(report.candidate_traces, case.case_id) for case in cases],
        "candidate": [_column(report.candidate.by_case(metric.name)) for metric in metrics],
        "baseline": None if baseline is None else [_beside(report.candidate, baseline, m.name) for m in metrics],
        "casesPerBlock": CASES_PER_BLOCK,
    }


def _lost_at(report: ReportInput) -> list[int]:
    """For each case the position of the stage at which required evidence was lost, or -1."""
    stage_of: dict[str, int] = {}
    decided = report.decision.candidate.waterfall
    full = {count.stage: count.lost_cases for count in report.candidate.waterfall}
    for position, count in enumerate(decided):
        for case_id in full.get(count.stage, count.lost_cases):
            stage_of.setdefault(case_id, position)
    return [stage_of.get(case.case_id, -1) for case in report.candidate.cases]


def _status(traces: TracesByCase, case_id: str) -> str:
    """How the attempts on a case ended: the first that is not ok, else ok."""
    states = [trace.status for trace in traces.get(case_id, ())]
    if not states:
        return "no_trace"
    return next((state for state in states if state is not TraceStatus.OK), TraceStatus.OK).value


def _column(column: ScoreColumn) -> list[float | str]:
    """One entry per case: the score, or the reason why there is none."""
    row_of_value = column.row_of_value()
    return [
        float(f"{column.values[row_of_value[row]]:.{SIGNIFICANT_DIGITS}g}") if scored else STATUS_ORDER[code].value
        for row, (scored, code) in enumerate(zip(column.scored, column.status, strict=True))
    ]


def _beside(candidate: Evaluation, baseline: Evaluation, metric: str) -> list[float | str]:
    """The baseline's scores in the order of the candidate's cases."""
    if metric not in baseline.scores:
        return ["missing"] * len(candidate.cases)
    column = _column(baseline.by_case(metric))
    row = {case.case_id: position for position, case in enumerate(baseline.cases)}
    return [column[row[case.case_id]] if case.case_id in row else "missing" for case in candidate.cases]


def _item_blocks(table: ItemTable, cut: int | None, *, keep_quoted: bool) -> Iterator[Block]:
    """The item table in blocks of similar size; ``items-<number of the first item>``."""
    block: list[Any] = []
    first = size = 0
    for item in table.shortened(cut, keep_quoted=keep_quoted):
        block.append(item)
        size += _size(item)
        if size >= ITEM_BLOCK_CHARS:
            yield _block(f"items-{first}", block)
            first, size, block = first + len(block), 0, []
    if block:
        yield _block(f"items-{first}", block)


def _characters(table: ItemTable, cut: int | None, *, keep_quoted: bool) -> int:
    return sum(map(_size, table.shortened(cut, keep_quoted=keep_quoted)))


def _size(item: Any) -> int:
    if isinstance(item, str):
        return len(item)
    return len(item["cut"]) if isinstance(item, dict) else 64


def _block(name: str, data: Any) -> Block:
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    return Block(name=name, text=base64.b64encode(zlib.compress(raw, LEVEL)).decode("ascii"))
