"""Drift on control cases: two calibrations of a judge on the same labels, and whether its verdicts moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.calibration import CalibrationRecord, ErrorRate, ItemVerdicts
from beleg.stats.changes import PairedChanges, paired_changes
from beleg.stats.intervals import Interval
from beleg.stats.square_and_add import difference_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlDrift:
    """What moved between two calibrations.

    Attributes:
        verdicts: verdicts on the items that both judged; a gain went from fail to pass. None where a record of before
            holds no verdicts, or no item was judged in both.
        agreement: the same items; a gain came to agree with people.
        agreement_difference: where items cannot be paired, the latest agreement minus the first; the interval takes the
            two as independent, and so is wider than need be. None where items are paired, or a rate is unknown.
        false_pass_difference: the same of the false pass rate.
    """

    verdicts: PairedChanges | None
    agreement: PairedChanges | None
    agreement_difference: Interval | None
    false_pass_difference: Interval | None


def control_groups(records: Sequence[CalibrationRecord]) -> list[list[CalibrationRecord]]:
    """Records of one model, measure and metric on the very same labels, oldest first; only groups of two and more.

    Labels are the same where their content address is. Settings of the model may differ within a group.
    """
    groups: dict[tuple[str, str, str, str], list[CalibrationRecord]] = {}
    for record in records:
        if record.judge is not None:
            key = record.judge.model, record.measure, record.metric, record.labels_digest
            groups.setdefault(key, []).append(record)
    found = [sorted(group, key=lambda each: each.created_at) for group in groups.values() if len(group) > 1]
    return sorted(found, key=lambda group: group[-1].created_at, reverse=True)


def control_drift(first: CalibrationRecord, latest: CalibrationRecord) -> ControlDrift:
    """Compares two calibrations on the same labels, item by item where both records hold their verdicts.

    Formula: McNemar's exact test on the items that both judged (`paired_changes`); else the difference of the rates
    with Newcombe's square-and-add interval (`difference_interval`).

    Args:
        first: the earlier record.
        latest: the later one, on the same labels.
    """
    pairs = _pairs(first.verdicts, latest.verdicts)
    if pairs:
        return ControlDrift(
            verdicts=_changes([(old, new) for _, old, new in pairs], latest.confidence),
            agreement=_changes([(old == human, new == human) for human, old, new in pairs], latest.confidence),
            agreement_difference=None,
            false_pass_difference=None,
        )
    now, before = latest.overall, first.overall
    is_alike = latest.confidence == first.confidence
    return ControlDrift(
        verdicts=None,
        agreement=None,
        agreement_difference=_difference(now.accuracy, before.accuracy, latest.confidence) if is_alike else None,
        false_pass_difference=_difference(now.false_pass, before.false_pass, latest.confidence) if is_alike else None,
    )


def _pairs(first: ItemVerdicts | None, latest: ItemVerdicts | None) -> list[tuple[bool, bool, bool]]:
    """What people, the first and the latest calibration say of each item that both judged."""
    if first is None or latest is None:
        return []
    before = dict(zip(first.items, first.judge, strict=True))
    return [
        (human == "1", before[item] == "1", now == "1")
        for item, human, now in zip(latest.items, latest.human, latest.judge, strict=True)
        if item in before
    ]


def _changes(pairs: Sequence[tuple[bool, bool]], confidence: float) -> PairedChanges:
    gained = sum(new and not old for old, new in pairs)
    lost = sum(old and not new for old, new in pairs)
    return paired_changes(gained, lost, len(pairs), confidence)


def _difference(latest: ErrorRate | None, first: ErrorRate | None, confidence: float) -> Interval | None:
    if latest is None or first is None:
        return None
    return difference_interval(_interval(latest, confidence), _interval(first, confidence))


def _interval(rate: ErrorRate, confidence: float) -> Interval:
    return Interval(rate.value, rate.lower, rate.upper, confidence, rate.method, rate.n)
