"""Laying the judgements of two judges on the same answers side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from beleg.core.findings import Finding
from beleg.core.judge_shift import ClaimShift, MetricShift, MovedScore, MovedVerdict
from beleg.core.score import ScoreColumn
from beleg.metrics.batch import FindingKey

Claims = dict[str, list[str]]


def claim_shifts(before: Mapping[FindingKey, Finding], today: Mapping[FindingKey, Finding]) -> tuple[ClaimShift, ...]:
    """For each measure whose evidence is a list of claims: which verdicts moved.

    Claims are the same where their wording is; where one answer has a wording several times, the verdicts are taken in
    their order if both judges found it equally often, and the claims stand on one side only otherwise. Only rows that
    both judged count.

    Args:
        before: the findings of before.
        today: those of today.
    """
    measures = dict.fromkeys(name for _, _, name in today)
    found = []
    for measure in measures:
        rows = [key for key in today if key[2] == measure and key in before]
        pairs = [(key, _claims(before[key]), _claims(today[key])) for key in rows]
        both_told = [(key, old, new) for key, old, new in pairs if old is not None and new is not None]
        if both_told:
            found.append(_shift(measure, both_told))
    return tuple(found)


def metric_shift(metric: str, case_ids: Iterable[str], before: ScoreColumn, today: ScoreColumn) -> MetricShift:
    """Which cases have another score; columns hold one score per case, in the same order."""
    old_scored, new_scored = before.scored, today.scored
    both = old_scored & new_scored
    old, new = before.filled(0.0), today.filled(0.0)
    moved = tuple(
        MovedScore(case_id=case_id, old=float(old[at]), new=float(new[at]))
        for at, case_id in enumerate(case_ids)
        if both[at] and old[at] != new[at]
    )
    return MetricShift(
        metric=metric,
        scored_in_both=int(both.sum()),
        scored_before_only=int((old_scored & ~new_scored).sum()),
        scored_today_only=int((new_scored & ~old_scored).sum()),
        moved=moved,
    )


def judges_in(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Every judge of findings by model and digest, in order of name."""
    return tuple(sorted({f"{each.judge.model} {each.judge.digest}" for each in findings if each.judge is not None}))


def _shift(measure: str, rows: list[tuple[FindingKey, Claims, Claims]]) -> ClaimShift:
    moved: list[MovedVerdict] = []
    in_both = before_only = today_only = 0
    for (case_id, repeat, _), old, new in rows:
        for claim in dict.fromkeys((*old, *new)):
            mine, theirs = old.get(claim, []), new.get(claim, [])
            if len(mine) != len(theirs):
                before_only += len(mine)
                today_only += len(theirs)
                continue
            in_both += len(mine)
            moved += [
                MovedVerdict(case_id=case_id, repeat=repeat, claim=claim, old=was, new=now)
                for was, now in zip(mine, theirs, strict=True)
                if was != now
            ]
    return ClaimShift(
        measure=measure, in_both=in_both, before_only=before_only, today_only=today_only, moved=tuple(moved)
    )


def _claims(finding: Finding) -> Claims | None:
    """The verdicts by the wording of their claims; ``None`` where the evidence is no list of claims with verdicts."""
    listed: Any = (finding.evidence or {}).get("claims")
    if not isinstance(listed, (list, tuple)):
        return None
    found: Claims = defaultdict(list)
    for each in listed:
        claim, support = (each.get("claim"), each.get("support")) if isinstance(each, dict) else (None, None)
        if not isinstance(claim, str) or not isinstance(support, str):
            return None
        found[claim].append(support)
    return dict(found)
