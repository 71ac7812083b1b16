"""Whether the traces record the places in which passages are to be looked for: what is not recorded shows nothing."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.core.policy_rules import RecordedPlace
from beleg.core.score import Score
from beleg.gating.sentences import both, pick
from beleg.metrics.batch import Batch

MAX_CASES = 10

PLACE_NAMES = {
    RecordedPlace.RERANKED: ("the reranked list", "die umsortierte Liste"),
    RecordedPlace.DELIVERED: ("the delivered passages", "die gelieferten Passagen"),
    RecordedPlace.PROMPT: ("the prompt", "der Prompt"),
    RecordedPlace.ANSWER: ("the answer", "die Antwort"),
    RecordedPlace.CITATIONS: ("the citations", "die Zitate"),
}


def unrecorded_cases(
    batch: Batch, places: Sequence[RecordedPlace], manifest: Manifest
) -> dict[RecordedPlace, tuple[str, ...]]:
    """For each place the cases with an answer in which it was not recorded; a part that is not used has no place.

    Args:
        batch: the run.
        places: where to look.
        manifest: what the candidate is made of.
    """
    wanted = [place for place in places if not (place is RecordedPlace.RERANKED and "reranker" in manifest.not_used)]
    found: dict[RecordedPlace, dict[str, None]] = {place: {} for place in wanted}
    for row in batch.rows:
        if isinstance(row, Score):
            continue
        for place in wanted:
            if getattr(row.output, place.value) is None:
                found[place][row.case.case_id] = None
    return {place: tuple(cases) for place, cases in found.items()}


def record_check(policy: Policy, run: Evaluation) -> CheckResult | None:
    """NOT_EVALUATED where a place that the policy names was not recorded; ``None`` where it names none."""
    if not policy.required_record:
        return None
    gaps = {place: run.unrecorded[place] for place in policy.required_record if run.unrecorded.get(place)}

    def make(language: str) -> str:
        if not gaps:
            return pick(
                language,
                "Every place that the policy names is recorded in every trace",
                "Jede Stelle, die die Policy nennt, ist in jedem Trace aufgezeichnet",
            )
        named = {place: (pick(language, *PLACE_NAMES[place]), len(cases)) for place, cases in gaps.items()}
        listed = ", ".join(
            pick(language, f"{name} in {n} {'case' if n == 1 else 'cases'}",
                 f"{name} in {n} {'Fall' if n == 1 else 'Fällen'}")
            for name, n in named.values()
        )  # fmt: skip
        return pick(
            language,
            f"Not recorded, so nothing is known of it: {listed}",
            f"Nicht aufgezeichnet, also ist nichts darüber bekannt: {listed}",
        )

    cases = dict.fromkeys(case for listed in gaps.values() for case in listed)
    return CheckResult(
        check_id="record",
        kind=CheckKind.RECORD,
        state=CheckState.NOT_EVALUATED if gaps else CheckState.PASS,
        reason=both(make),
        worst_cases=tuple(cases)[:MAX_CASES],
        owner=policy.owner,
        remedy=RETURN_THEM if gaps else None,
    )


RETURN_THEM = Sentence(
    en="let the candidate return these places in its traces",
    de="den Kandidaten diese Stellen in seinen Traces zurückgeben lassen",
)
