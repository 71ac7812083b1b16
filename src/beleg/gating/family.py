"""Holm over the segments of a metric: many segments must not make a false alarm likely.

A PASS needs every segment to prove itself, so testing many segments cannot make a false PASS more likely and each
keeps its own bound. A BLOCK needs only one, so the evidence that a segment is worse is held to Holm's level over all
segments of the same metric.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.core.policy import Policy
from beleg.stats.multiplicity import holm
from beleg.text.numbers import number


def hold_to_family(results: Sequence[CheckResult], policy: Policy) -> list[CheckResult]:
    """Adjusts the no-regression checks of each metric over its protected segments."""
    families: dict[tuple[str | None, str | None], list[int]] = defaultdict(list)
    for position, result in enumerate(results):
        if result.kind is CheckKind.NO_REGRESSION and result.protected and result.p_inferior is not None:
            families[(result.metric, result.aggregate)].append(position)
    held = list(results)
    for positions in families.values():
        adjusted = holm([results[position].p_inferior or 0.0 for position in positions])
        for position, p_value in zip(positions, adjusted, strict=True):
            held[position] = _held(results[position], float(p_value), _alpha(results[position], policy), len(positions))
    return held


def _alpha(result: CheckResult, policy: Policy) -> float:
    """The level that the check was carried out at: a look has less of it than the whole."""
    return policy.alpha if result.difference is None else 1.0 - result.difference.confidence


def _held(result: CheckResult, p_adjusted: float, alpha: float, family: int) -> CheckResult:
    changes: dict[str, object] = {"p_inferior_adjusted": p_adjusted}
    if result.state is CheckState.FAIL and p_adjusted > alpha:
        changes["state"] = CheckState.INCONCLUSIVE
        english, german = (number(p_adjusted, language, decimals=3) for language in ("en", "de"))
        changes["reason"] = Sentence(
            en=f"{result.reason.en}; over {family} segments (Holm, p = {english}) it is not proven",
            de=f"{result.reason.de}; über {family} Segmente (Holm, p = {german}) ist es nicht belegt",
        )
    return result.model_copy(update=changes)
