"""Which metrics of a decision were comparable with the baseline, grouped by the reason, for every report."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.decision import Decision, Sentence


@dataclass(frozen=True, slots=True)
class ComparabilityGroup:
    """Metrics of which the same is to be said."""

    metrics: tuple[str, ...]
    comparable: bool
    reason: Sentence

    @property
    def shape(self) -> str:
        """A shape beside the words: a triangle where the metric is not comparable, as for an error."""
        return "●" if self.comparable else "▲"


def comparability_groups(decision: Decision) -> list[ComparabilityGroup]:
    """The metrics grouped by the reason, those that are not comparable first; none without a baseline."""
    found: dict[tuple[bool, str, str], list[str]] = {}
    for each in decision.comparability or ():
        found.setdefault((each.comparable, each.reason.en, each.reason.de), []).append(each.metric)
    return [
        ComparabilityGroup(tuple(metrics), comparable, Sentence(en=en, de=de))
        for (comparable, en, de), metrics in sorted(found.items(), key=lambda item: item[0][0])
    ]
