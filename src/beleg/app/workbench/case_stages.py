"""What every stage of an attempt returned, what it dropped, and where the expected evidence was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from beleg.app.workbench.marking import Part, marked
from beleg.core.case import Case, ExpectedPassage
from beleg.core.trace import RANKED_STAGES, Output, Passage
from beleg.metrics.matching import EvidenceMatcher, cited_passages

MAX_LISTED = 100
"""How many passages of a stage are listed, and how many of those that it dropped."""
MAX_FIELDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageView:
    """A passage of any stage, shown once."""

    anchor: str
    passage: Passage
    parts: tuple[Part, ...]
    fields: tuple[tuple[str, str], ...]
    """The first fields of its metadata."""
    ranks: tuple[tuple[str, int], ...]
    """Stage and rank, wherever it is listed."""
    holds: tuple[int, ...]
    """Which of the expected evidence it holds, counted from 1."""
    is_cited: bool
    is_forbidden: bool

    @property
    def is_worth_a_look(self) -> bool:
        """Whether it is shown open: it holds evidence, is cited, or must not be there."""
        return bool(self.holds) or self.is_cited or self.is_forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A passage at its rank."""

    rank: int
    score: float | None
    view: PassageView
    rank_before: int | None
    """Its rank at the stage before; ``None`` where it was not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """One stage."""

    stage: str
    rows: tuple[StageRow, ...]
    more: int
    before: str | None
    """The stage that it is compared with: the last one before it that was recorded."""
    dropped: tuple[StageRow, ...]
    """What stood at the stage before, with its rank there, and is gone."""
    dropped_more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAt:
    """Where a piece of evidence was at one stage."""

    stage: str
    state: str
    """``rank``, ``absent``, ``text_unknown`` or ``not_recorded``."""
    rank: int | None = None
    anchor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceView:
    """A piece of expected evidence and where it was."""

    number: int
    expected: ExpectedPassage
    found: tuple[FoundAt, ...]


@dataclass(slots=True)
class StageReader:
    """Takes one attempt apart.

    Args:
        case: what was expected.
        output: what the candidate returned.
        prefix: begins the names of passages on the page.
        quotes: words that a judge quoted, by passage.
    """

    case: Case
    output: Output
    prefix: str
    quotes: Mapping[str, Sequence[str]]
    _matcher: EvidenceMatcher = field(default_factory=EvidenceMatcher)
    _views: dict[tuple[str, str, str | None, str | None], PassageView] = field(default_factory=dict)
    _ranks: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stage, passages in self._recorded():
            for rank, passage in enumerate(passages, start=1):
                ranks = self._ranks.setdefault(passage.passage_id, [])
                if not ranks or ranks[-1][0] != stage:
                    ranks.append((stage, rank))

    def stages(self) -> tuple[StageView, ...]:
        """Every stage that was recorded."""
        found: list[StageView] = []
        before: tuple[str, tuple[Passage, ...]] | None = None
        for stage, passages in self._recorded():
            earlier: tuple[Passage, ...] = before[1] if before is not None else ()
            rank_before = {each.passage_id: rank for rank, each in reversed(list(enumerate(earlier, start=1)))}
            here = {each.passage_id for each in passages}
            gone = [(rank, each) for rank, each in enumerate(earlier, start=1) if each.passage_id not in here]
            found.append(
                StageView(
                    stage=stage,
                    rows=tuple(
                        self._row(rank, each, rank_before.get(each.passage_id))
                        for rank, each in enumerate(passages[:MAX_LISTED], start=1)
                    ),
                    more=max(len(passages) - MAX_LISTED, 0),
                    before=None if before is None else before[0],
                    dropped=tuple(self._row(rank, each, rank) for rank, each in gone[:MAX_LISTED]),
                    dropped_more=max(len(gone) - MAX_LISTED, 0),
                )
            )
            before = stage, passages
        return tuple(found)

    def evidence(self) -> tuple[EvidenceView, ...]:
        """The expected evidence, and where it was at every stage."""
        return tuple(
            EvidenceView(
                number=number,
                expected=expected,
                found=tuple(
                    self._found(stage.value, self.output.passages_at(stage), expected) for stage in RANKED_STAGES
                ),
            )
            for number, expected in enumerate(self.case.expected_passages, start=1)
        )

    def targets(self) -> dict[str, str]:
        """For each marker of a citation where the first passage that it names stands; empty where it names none."""
        final = self.output.final_passages()
        found: dict[str, str] = {}
        for citation in self.output.citations or ():
            named = cited_passages(citation, final)
            found.setdefault(citation.marker, self.view(named[0]).anchor if named else "")
        return found

    def passages(self) -> tuple[PassageView, ...]:
        """All passages that were told of so far, each once."""
        return tuple(self._views.values())

    def view(self, passage: Passage) -> PassageView:
        """A passage as it is shown."""
        key = (passage.passage_id, passage.document_id, passage.version, passage.text)
        if key not in self._views:
            self._views[key] = self._made(passage, f"{self.prefix}passage-{len(self._views) + 1}")
        return self._views[key]

    def anchors(self) -> dict[str, str]:
        """Where each passage stands on the page, by its id."""
        return {key[0]: view.anchor for key, view in reversed(self._views.items())}

    def _made(self, passage: Passage, anchor: str) -> PassageView:
        held = [
            (number, expected)
            for number, expected in enumerate(self.case.expected_passages, start=1)
            if self._matcher.holds(passage, expected)
        ]
        quotes = [expected.quote for _, expected in held if expected.quote is not None]
        return PassageView(
            anchor=anchor,
            passage=passage,
            parts=marked(passage.text or "", [*quotes, *self.quotes.get(passage.passage_id, ())]),
            fields=tuple((name, str(value)) for name, value in list(passage.metadata.items())[:MAX_FIELDS]),
            ranks=tuple(self._ranks.get(passage.passage_id, ())),
            holds=tuple(number for number, _ in held),
            is_cited=self._is_cited(passage),
            is_forbidden=passage.document_id in self.case.forbidden_sources,
        )

    def _is_cited(self, passage: Passage) -> bool:
        return any(passage in cited_passages(each, (passage,)) for each in self.output.citations or ())

    def _row(self, rank: int, passage: Passage, rank_before: int | None) -> StageRow:
        return StageRow(rank=rank, score=passage.score, view=self.view(passage), rank_before=rank_before)

    def _recorded(self) -> Iterator[tuple[str, tuple[Passage, ...]]]:
        for stage in RANKED_STAGES:
            passages = self.output.passages_at(stage)
            if passages is not None:
                yield stage.value, tuple(passages)

    def _found(self, stage: str, passages: Sequence[Passage] | None, expected: ExpectedPassage) -> FoundAt:
        if passages is None:
            return FoundAt(stage=stage, state="not_recorded")
        is_unknown = False
        for rank, passage in enumerate(passages, start=1):
            held = self._matcher.holds(passage, expected)
            if held:
                anchor = self.view(passage).anchor if rank <= MAX_LISTED else None
                return FoundAt(stage=stage, state="rank", rank=rank, anchor=anchor)
            is_unknown = is_unknown or held is None
        return FoundAt(stage=stage, state="text_unknown" if is_unknown else "absent")
