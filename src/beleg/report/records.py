"""Case records for the page: texts stand once in one table, records point at them by number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from beleg.core.case import Case, ExpectedPassage
from beleg.core.evidence import EvidencePassage
from beleg.core.trace import RANKED_STAGES, Output, Passage, Trace
from beleg.metrics.matching import EvidenceMatcher
from beleg.report.evidence import quote_span
from beleg.report.view import ReportInput

CASES_PER_BLOCK = 50
SHORTEST_PART = 40


@dataclass(slots=True)
class ItemTable:
    """Every text and passage of the report, each once. A passage is ``[id, document, version, text, metadata]``."""

    items: list[Any] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)
    """Texts that hold an expected quote."""
    _numbers: dict[Any, int] = field(default_factory=dict)

    def text(self, text: str) -> int:
        """The number of a text."""
        return self._number(text, text)

    def passage(self, passage: Passage) -> int:
        """The number of a passage."""
        text = None if passage.text is None else self.text(passage.text)
        metadata = json.dumps(passage.metadata, sort_keys=True, ensure_ascii=False) if passage.metadata else None
        key = (passage.passage_id, passage.document_id, passage.version, text, metadata)
        return self._number(key, [*key[:4], passage.metadata or None])

    def evidence_passage(self, passage: EvidencePassage) -> int:
        """The number of a passage of the evidence sheet, with what it takes to find it again.

        It begins as every passage does; behind that stand both digests, the address, and the place in the source.
        """
        text = None if passage.text is None else self.text(passage.text)
        found = passage.locator
        place = None if found is None else (found.span.start, found.span.end, found.prefix, found.suffix)
        named = (passage.passage_id, passage.document_id, passage.document_version, text, None)
        key = (*named, passage.passage_digest, passage.document_digest, passage.url, place)
        return self._number(key, list(key))

    def shortened(self, limit: int | None, *, keep_quoted: bool) -> Iterator[Any]:
        """The items with texts beyond a length cut; a cut text is a list of its head and its true length."""
        for position, item in enumerate(self.items):
            whole = limit is None or not isinstance(item, str) or len(item) <= limit
            if whole or (keep_quoted and position in self.quoted):
                yield item
            else:
                yield {"cut": item[:limit], "length": len(item)}

    def _number(self, key: Any, item: Any) -> int:
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.items)
            self.items.append(item)
        return known


class RecordWriter:
    """Turns cases and their traces into records over one item table."""

    def __init__(self, report: ReportInput) -> None:
        self.table = ItemTable()
        self._matcher = EvidenceMatcher()
        self._report = report

    def records(self) -> list[dict[str, Any]]:
        """One record per case, in suite order."""
        report = self._report
        return [
            {
                **self._case(case),
                "runs": [
                    [self._trace(trace, case) for trace in traces.get(case.case_id, ())]
                    for traces in (report.candidate_traces, report.baseline_traces)
                ],
            }
            for case in report.candidate.cases
        ]

    def _case(self, case: Case) -> dict[str, Any]:
        text = self.table.text
        record = {
            "question": text(case.question),
            "turns": [[turn.role.value, text(turn.content)] for turn in case.turns[:-1]],
            "labels": [f"{dimension}={name}" for dimension, name in sorted(case.segment_labels().items())],
            "behaviour": case.expected_behaviour.value,
            "expected": [_expected(expected, text) for expected in case.expected_passages],
            "reference": None if case.reference_answer is None else text(case.reference_answer),
            "clauses": [[text(wording) for wording in clause] for clause in case.required_clauses],
            "forbidden": list(case.forbidden_sources),
        }
        return {key: value for key, value in record.items() if value not in (None, [])}

    def _trace(self, trace: Trace, case: Case) -> dict[str, Any]:
        record: dict[str, Any] = {"status": trace.status.value}
        if trace.total_ms is not None:
            record["ms"] = round(trace.total_ms, 1)
        if trace.repeat:
            record["repeat"] = trace.repeat
        if trace.attempts > 1:
            record["attempts"] = trace.attempts
        if trace.error is not None:
            record["error"] = [trace.error.kind, self.table.text(trace.error.message)]
        if trace.output is not None:
            record |= self._output(trace.output, case)
        return record

    def _output(self, output: Output, case: Case) -> dict[str, Any]:
        text = self.table.text
        usage = output.usage
        stages = {stage.value: output.passages_at(stage) for stage in RANKED_STAGES}
        record: dict[str, Any] = {
            "answer": None if output.answer is None else text(output.answer),
            "abstained": output.abstained,
            "citations": None if output.citations is None else [_citation(c) for c in output.citations],
            "filters": None
            if output.filters is None
            else [[p.kind.value, p.field, p.op.value, list(p.values), p.hard] for p in output.filters],
            "rewrites": [text(rewrite) for rewrite in output.query_rewrites] or None,
            "prompt": None if output.prompt is None else self._prompt(output.prompt, output.final_passages()),
            "stageMs": {name: round(ms, 1) for name, ms in output.stage_ms.items()} or None,
            "firstMs": output.first_token_ms,
            "tokens": None
            if usage.prompt_tokens is None and usage.completion_tokens is None
            else [usage.prompt_tokens, usage.completion_tokens],
            "cost": usage.cost_usd,
            "model": output.model_answered,
        }
        kept: dict[str, Any] = {key: value for key, value in record.items() if value is not None}
        kept["stages"] = {name: self._listed(listed, case) for name, listed in stages.items() if listed is not None}
        return kept

    def _listed(self, passages: Sequence[Passage], case: Case) -> list[list[Any]]:
        """Each passage as ``[item, score, hits]``.

        A hit says which evidence the passage holds: ``[which]``, with the place of its quote ``[which, start, end]``,
        or ``[which, -1]`` where the text is not known.
        """
        rows: list[list[Any]] = []
        for passage in passages:
            row: list[Any] = [self.table.passage(passage), passage.score]
            found = [
                self._found(which, expected, passage, held=held)
                for which, expected in enumerate(case.expected_passages)
                if (held := self._matcher.holds(passage, expected)) is not False
            ]
            rows.append([*row, found] if found else row)
        return rows

    def _found(self, which: int, expected: ExpectedPassage, passage: Passage, *, held: bool | None) -> list[int]:
        if held is None:
            return [which, -1]
        if expected.quote is None or passage.text is None:
            return [which]
        span = quote_span(passage.text, expected.quote)
        if span is None:
            return [which]
        self.table.quoted.add(self.table.text(passage.text))
        return [which, *span]

    def _prompt(self, prompt: str, passages: Sequence[Passage]) -> list[int]:
        """The prompt as texts; a passage inside it is the text that the table holds anyway."""
        parts: list[int] = []
        rest = prompt
        for passage in passages:
            text = passage.text
            at = rest.find(text) if text is not None and len(text) >= SHORTEST_PART else -1
            if text is None or at < 0:
                continue
            parts += [self.table.text(rest[:at])] if at else []
            parts.append(self.table.text(text))
            rest = rest[at + len(text) :]
        return [*parts, self.table.text(rest)] if rest else parts


def _expected(expected: ExpectedPassage, text: Any) -> dict[str, Any]:
    record = {
        "document": expected.document_id,
        "passage": expected.passage_id,
        "quote": None if expected.quote is None else text(expected.quote),
        "grade": expected.grade,
        "required": expected.required,
        "group": expected.any_of,
    }
    return {key: value for key, value in record.items() if value is not None}


def _citation(citation: Any) -> list[Any]:
    return [citation.marker, citation.passage_id, citation.document_id]
