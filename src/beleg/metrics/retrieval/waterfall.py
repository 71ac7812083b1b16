"""The evidence waterfall: every required piece of evidence, followed from the parser to the answer (Q11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from beleg.core.case import ExpectedPassage, Identifier
from beleg.core.model import StoredModel
from beleg.core.trace import STAGES, FilterKind, Passage, Stage
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import Piece, pieces
from beleg.metrics.retrieval.entitlement import admitted, predicates_of
from beleg.text.markers import markers_in, rendered, without_forms
from beleg.text.sentences import sentences


class StageState(StrEnum):
    """What is known of a piece of evidence at a stage."""

    PRESENT = "present"
    LOST = "lost"
    NOT_RECORDED = "not_recorded"
    """The run does not show this stage; nothing is assumed about it."""
    NOT_EVALUATED = "not_evaluated"
    """Only a judge can tell."""


class CaseWaterfall(StoredModel):
    """One row's required evidence at every stage; a stage is reached when all of it is there."""

    case_id: Identifier
    repeat: int
    states: dict[Stage, StageState]
    lost_at: Stage | None
    """The first stage where required evidence is gone for good."""


class StageTotal(StoredModel):
    """How a whole run did at one stage."""

    stage: Stage
    reached: int
    """Rows of which all required evidence was seen here."""
    lost: int
    """Rows that lost evidence here first."""
    lost_cases: tuple[Identifier, ...]
    not_recorded: int
    not_evaluated: int


class WaterfallTotals(StoredModel):
    """The waterfall of a run: followed rows by stage, and the rows that could not be followed."""

    stages: tuple[StageTotal, ...]
    followed: int
    without_required_evidence: int
    failed: int
    """Rows whose trace is missing or did not end well."""


def waterfalls(batch: Batch) -> list[CaseWaterfall | None]:
    """Follows the required evidence of every row.

    A stage that the run does not show (no inventory, filters or citations not recorded, no reranker) is marked so and
    skipped. Evidence that is itself seen at a later stage was not lost before it, except where an entitlement rule
    refused it: then it should not have been seen, and stays lost there. Of interchangeable evidence the piece
    that survives furthest counts.

    Args:
        batch: the run.

    Returns:
        One waterfall per row; ``None`` for a row without a usable trace or without required evidence.

    Example:
        >>> from beleg.core.case import Case
        >>> waterfalls(Batch.of([Case(case_id="c1", user_input="?")], [None]))
        [None]
    """
    return [_follow(row, batch) if isinstance(row, Row) else None for row in batch.rows]


def waterfall_totals(batch: Batch, followed: Sequence[CaseWaterfall | None]) -> WaterfallTotals:
    """Adds up the waterfalls of a run.

    Args:
        batch: the run.
        followed: what `waterfalls` returned for it.

    Returns:
        Totals in which followed, failed and rows without required evidence add up to all rows.
    """
    rows = [item for item in followed if item is not None]
    failed = sum(not isinstance(row, Row) for row in batch.rows)
    return WaterfallTotals(
        stages=tuple(_total(stage, rows) for stage in STAGES),
        followed=len(rows),
        without_required_evidence=len(followed) - len(rows) - failed,
        failed=failed,
    )


def _total(stage: Stage, rows: Sequence[CaseWaterfall]) -> StageTotal:
    states = [row.states[stage] for row in rows]
    lost = tuple(row.case_id for row in rows if row.lost_at is stage)
    return StageTotal(
        stage=stage,
        reached=states.count(StageState.PRESENT),
        lost=len(lost),
        lost_cases=lost,
        not_recorded=states.count(StageState.NOT_RECORDED),
        not_evaluated=states.count(StageState.NOT_EVALUATED),
    )


States = dict[Stage, StageState]

_RULES = frozenset({Stage.ELIGIBLE, Stage.FILTERED})
"""Stages at which a rule lets a document pass; at all others the evidence itself is seen."""

_WORST_FIRST = (StageState.LOST, StageState.NOT_RECORDED, StageState.NOT_EVALUATED, StageState.PRESENT)


def _follow(row: Row, batch: Batch) -> CaseWaterfall | None:
    needed = pieces(row.case)
    if not needed:
        return None
    answer = _AnswerView(row, batch)
    followed = [_best_alternative(answer, piece) for piece in needed]
    losses = [loss for loss in map(_lost_at, followed) if loss is not None]
    return CaseWaterfall(
        case_id=row.case.case_id,
        repeat=row.trace.repeat,
        states=_worst(followed),
        lost_at=min(losses, key=STAGES.index, default=None),
    )


def _worst(followed: Sequence[States]) -> States:
    if len(followed) == 1:
        return followed[0]
    return {stage: min((states[stage] for states in followed), key=_WORST_FIRST.index) for stage in STAGES}


def _best_alternative(answer: _AnswerView, piece: Piece) -> States:
    if len(piece) == 1:
        return _trail(answer, next(iter(piece)))

    def survival(states: States) -> tuple[int, int]:
        loss = _lost_at(states)
        seen = sum(state is StageState.PRESENT for state in states.values())
        return (len(STAGES) if loss is None else STAGES.index(loss), seen)

    return max((_trail(answer, expected) for expected in piece), key=survival)


def _lost_at(states: States) -> Stage | None:
    return next((stage for stage in STAGES if states[stage] is StageState.LOST), None)


def _trail(answer: _AnswerView, expected: ExpectedPassage) -> States:
    row, batch = answer.row, answer.batch
    states = _before_query(row, batch, expected)
    states.update(_through_filters(row, batch, expected))
    for stage in (Stage.RETRIEVED, Stage.RERANKED, Stage.DELIVERED):
        states[stage] = _at_rank(row, batch, expected, stage)
    states[Stage.CITED], states[Stage.SUPPORTED] = _in_answer(answer, expected)
    for stage in _before_last_seen(states):
        if states[stage] is StageState.LOST and stage is not Stage.ELIGIBLE:
            states[stage] = StageState.PRESENT
    return states


def _before_last_seen(states: States) -> tuple[Stage, ...]:
    """The stages before the last one at which the evidence itself is seen."""
    for number in range(len(STAGES) - 1, 0, -1):
        stage = STAGES[number]
        if states[stage] is StageState.PRESENT and stage not in _RULES:
            return STAGES[:number]
    return ()


_STATE_OF = {True: StageState.PRESENT, False: StageState.LOST, None: StageState.NOT_RECORDED}


def _document(row: Row, batch: Batch, expected: ExpectedPassage) -> str | None:
    return batch.matcher.document_of(expected, (passage for _, passage in row.passages()))


def _before_query(row: Row, batch: Batch, expected: ExpectedPassage) -> States:
    if batch.inventory is None:
        return dict.fromkeys((Stage.PARSED, Stage.CHUNKED, Stage.INDEXED), StageState.NOT_RECORDED)
    name = _document(row, batch, expected)
    parsed, chunked, indexed = batch.matcher.inventory_trail(expected, name)
    return {Stage.PARSED: _STATE_OF[parsed], Stage.CHUNKED: _STATE_OF[chunked], Stage.INDEXED: _STATE_OF[indexed]}


def _through_filters(row: Row, batch: Batch, expected: ExpectedPassage) -> States:
    if row.output.filters is None:
        return dict.fromkeys((Stage.ELIGIBLE, Stage.FILTERED), StageState.NOT_RECORDED)
    name = _document(row, batch, expected)
    metadata = batch.metadata(row, name) if name is not None else None
    return {
        Stage.ELIGIBLE: _STATE_OF[admitted(predicates_of(row.output, FilterKind.ENTITLEMENT), metadata)],
        Stage.FILTERED: _STATE_OF[admitted(predicates_of(row.output, FilterKind.RELEVANCE), metadata)],
    }


def _at_rank(row: Row, batch: Batch, expected: ExpectedPassage, stage: Stage) -> StageState:
    passages = row.output.passages_at(stage)
    return _STATE_OF[None if passages is None else batch.matcher.any_holds(passages, (expected,))]


def _in_answer(answer: _AnswerView, expected: ExpectedPassage) -> tuple[StageState, StageState]:
    """Whether a citation names a passage that holds the evidence, and whether its sentence stands there."""
    if answer.row.output.citations is None or answer.row.output.answer is None:
        return StageState.NOT_RECORDED, StageState.NOT_RECORDED
    held = [(cited, answer.batch.matcher.holds(cited.passage, expected)) for cited in answer.cited]
    holding = [cited for cited, holds in held if holds]
    if not holding:
        state = _STATE_OF[None if any(holds is None for _, holds in held) else False]
        return state, state
    if any(answer.supports(cited) for cited in holding):
        return StageState.PRESENT, StageState.PRESENT
    return StageState.PRESENT, StageState.NOT_EVALUATED


class _Cited(NamedTuple):
    """A delivered passage that the answer cites: how, and on which sentence where the candidate says so."""

    marker: str
    sentence: str | None
    passage: Passage

    @property
    def key(self) -> tuple[str, str | None, str]:
        """What makes two of them the same."""
        return self.marker, self.sentence, self.passage.passage_id


class _AnswerView:
    """The answer of one row, taken apart once for all of its citations and evidence."""

    def __init__(self, row: Row, batch: Batch) -> None:
        self.row = row
        self.batch = batch
        citations = row.output.citations or ()
        self._forms = frozenset(rendered(item.marker) for item in citations if item.marker.strip())
        self.cited = self._cited() if citations else []
        """Every cited passage, once for each marker and sentence."""
        self._supports: dict[tuple[str, str | None, str], bool] = {}

    def _cited(self) -> list[_Cited]:
        by_passage: dict[str, list[Passage]] = {}
        by_document: dict[str, list[Passage]] = {}
        for passage in self.row.output.final_passages():
            by_passage.setdefault(passage.passage_id, []).append(passage)
            by_document.setdefault(passage.document_id, []).append(passage)
        found: dict[tuple[str, str | None, str], _Cited] = {}
        for citation in self.row.output.citations or ():
            if citation.passage_id is not None:
                passages = by_passage.get(citation.passage_id, ())
            else:
                passages = by_document.get(citation.document_id or "", ())
            for passage in passages:
                cited = _Cited(rendered(citation.marker), citation.sentence, passage)
                found.setdefault(cited.key, cited)
        return list(found.values())

    def supports(self, cited: _Cited) -> bool:
        """Whether a sentence that carries the citation stands word for word in the cited passage."""
        key = cited.key
        if key not in self._supports:
            self._supports[key] = self._stands(cited)
        return self._supports[key]

    def _stands(self, cited: _Cited) -> bool:
        text = self.batch.matcher.text_of(cited.passage)
        if text is None:
            return False
        contains = self.batch.matcher.finder.contains
        return any(contains(text, sentence) for sentence in self._carrying(cited))

    def _carrying(self, cited: _Cited) -> Iterable[str]:
        """The sentences of the answer on which a citation stands; one that the answer does not hold is none of them."""
        if cited.sentence is not None:
            named = without_forms(cited.sentence, self._forms)
            if self.batch.matcher.finder.contains(self._bare, named):
                return [named]
        return self._sentences.get(cited.marker, ())

    @cached_property
    def _bare(self) -> str:
        return without_forms(self.row.output.answer or "", self._forms)

    @cached_property
    def _sentences(self) -> dict[str, dict[str, None]]:
        """The bare sentences that carry each marker."""
        found: dict[str, dict[str, None]] = {}
        for sentence in sentences(self.row.output.answer or ""):
            present = markers_in(sentence, self._forms)
            bare = without_forms(sentence, present) if present else ""
            for marker in present:
                found.setdefault(marker, {})[bare] = None
        return found
