"""Whether a run covers the suite: cases that nobody asked can hide anything."""

from __future__ import annotations

from beleg.core.decision import CheckKind, CheckResult, CheckState
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.gating.sentences import both, pick
from beleg.text.numbers import number


def completeness_check(policy: Policy, candidate: Evaluation) -> CheckResult | None:
    """What a run on a part of the suite may prove; ``None`` where it covers all of it.

    Only the stratified subset, which anybody can choose again from its seed, may pass, and only where the policy says
    so (``allow_subset``). Cases that somebody picked by name never pass for the suite.
    """
    whole, asked = candidate.suite_cases, len(candidate.cases)
    if whole is None or asked >= whole:
        return None
    allowed = policy.allow_subset and candidate.is_fast_subset

    def make(language: str) -> str:
        n_asked, n_whole = (number(count, language, decimals=0) for count in (asked, whole))
        told = pick(
            language,
            f"The run asked {n_asked} of the suite's {n_whole} cases",
            f"Der Lauf stellte {n_asked} der {n_whole} Fälle der Suite",
        )
        if allowed:
            return told + pick(
                language, ", the subset that the policy allows", ", die Teilmenge, die die Policy erlaubt"
            )
        if candidate.is_fast_subset:
            return told + pick(
                language,
                "; run all of them, or let the policy say allow_subset",
                "; alle stellen, oder in der Policy allow_subset setzen",
            )
        return told + pick(
            language,
            ", picked by name; such a choice proves nothing about the suite",
            ", einzeln ausgewählt; eine solche Auswahl belegt nichts über die Suite",
        )

    return CheckResult(
        check_id="completeness",
        kind=CheckKind.COMPLETENESS,
        state=CheckState.PASS if allowed else CheckState.INCONCLUSIVE,
        reason=both(make),
        needed=None if allowed else whole,
        needed_unit=None if allowed else "cases",
    )
