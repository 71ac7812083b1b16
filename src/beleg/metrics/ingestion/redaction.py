"""How much of the personal data a redaction leaves behind, and how much else it takes away, by characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ingestion.spans import Flags, Integers, Spans, labels_of_both

NO_GOLD = "there is no gold span"
NOTHING_REDACTED = "nothing was redacted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Characters of a corpus; each counts once, however many spans cover it.

    Attributes:
        sensitive: characters that should go.
        leaked: those of them that stay.
        redacted: characters that go.
        needless: those of them that could have stayed.
        leaked_by_type: for each type of gold span its characters, and those of them that stay.
    """

    sensitive: int
    leaked: int
    redacted: int
    needless: int
    leaked_by_type: Mapping[str, tuple[int, int]]

    def leak_rate(self) -> Score:
        """What stays over what should go; not applicable where nothing should."""
        if not self.sensitive:
            return Score.without(ScoreStatus.NOT_APPLICABLE, NO_GOLD)
        return Score.of(self.leaked / self.sensitive)

    def needless_rate(self) -> Score:
        """What could have stayed over what goes; not applicable where nothing goes."""
        if not self.redacted:
            return Score.without(ScoreStatus.NOT_APPLICABLE, NOTHING_REDACTED)
        return Score.of(self.needless / self.redacted)


def redaction(gold: Spans, predicted: Spans) -> Redaction:
    """Counts characters: a name of which one letter stays has leaked that letter, whatever type was told for the rest.

    Args:
        gold: what should go.
        predicted: what goes, of whatever type.

    Returns:
        Counts.

    Raises:
        DataError: if the sides are not of the same documents.

    Example:
        >>> told = redaction(Spans.of([[(0, 10, "PERSON")]]), Spans.of([[(4, 12, "LOCATION")]]))
        >>> told.leak_rate().value, told.needless_rate().value
        (0.4, 0.25)
    """
    labels, one, _ = labels_of_both(gold, predicted)
    longest = int(max(gold.end.max(initial=0), predicted.end.max(initial=0)))
    right, found = _merged(gold, longest), _merged(predicted, longest)
    by_type = {}
    for number in np.unique(one).tolist():
        own = _merged(gold, longest, one == number)
        by_type[labels[number]] = (_length(own), _length(own) - _common(own, found))
    common = _common(right, found)
    return Redaction(
        sensitive=_length(right),
        leaked=_length(right) - common,
        redacted=_length(found),
        needless=_length(found) - common,
        leaked_by_type=by_type,
    )


def _merged(spans: Spans, longest: int, rows: Flags | None = None) -> tuple[Integers, Integers]:
    """What spans cover together, as starts and ends on one line with every document behind the one before."""
    kept = spans if rows is None else spans.kept(rows)
    start = kept.document * (longest + 1) + kept.start
    order = np.argsort(start, kind="stable")
    start = start[order]
    reached = np.maximum.accumulate(start + (kept.end - kept.start)[order]) if len(kept) else start
    opens = np.ones(len(start), dtype=np.bool_)
    opens[1:] = start[1:] > reached[:-1]
    closes = np.append(opens[1:], [True])[: len(start)]
    return start[opens], reached[closes]


def _length(parts: tuple[Integers, Integers]) -> int:
    return int((parts[1] - parts[0]).sum())


def _common(parts: tuple[Integers, Integers], others: tuple[Integers, Integers]) -> int:
    """How many characters both cover."""
    start, end = others
    before = np.concatenate(([0], np.cumsum(end - start)))

    def covered_until(place: Integers) -> Integers:
        whole = np.searchsorted(start, place, side="right")
        last = np.maximum(whole - 1, 0)
        if not len(start):
            return np.zeros(len(place), dtype=np.int64)
        beyond = np.where(whole > 0, np.maximum(end[last] - place, 0), 0)
        inside: Integers = before[whole] - beyond
        return inside

    return int((covered_until(parts[1]) - covered_until(parts[0])).sum())
