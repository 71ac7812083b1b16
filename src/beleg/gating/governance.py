"""Checks of the policy itself and of what stands around a release: review dates, registration, error budget, record.

None of them says anything about the candidate, so none blocks by itself; each keeps a PASS from being silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.governance import DecidedBefore, PolicyRegistration
from beleg.core.policy import Accountability, Policy, PolicyCheck
from beleg.core.policy_rules import ErrorBudget
from beleg.gating.facts import Facts
from beleg.gating.policy_diff import Change, Direction, name_of, policy_changes
from beleg.gating.record import record_check
from beleg.gating.sentences import both, pick
from beleg.text.numbers import number

MAX_NAMED = 3


def governance_checks(policy: Policy, run: Evaluation, facts: Facts, *, decided_at: datetime) -> list[CheckResult]:
    """Every check of the policy and of its surroundings that applies."""
    found = [
        review_dates_check(policy, decided_at.date()),
        registration_check(policy, run.header.created_at, facts),
        error_budget_check(policy, facts, decided_at),
        record_check(policy, run),
    ]
    return [check for check in found if check is not None]


def stands_behind(policy: Policy, check: PolicyCheck | None) -> Accountability:
    """Owner, rationale and review date of a check; what it does not say itself the policy says for it."""
    if check is None:
        return policy
    return Accountability(
        owner=check.owner or policy.owner,
        rationale=check.rationale or policy.rationale,
        review_by=check.review_by or policy.review_by,
    )


def lacking(policy: Policy, check: PolicyCheck | None, today: date) -> list[str]:
    """What is missing of owner, rationale and review date, or ``overdue``."""
    stand = stands_behind(policy, check)
    named = {"owner": stand.owner, "rationale": stand.rationale, "review_by": stand.review_by}
    missing = [name for name, value in named.items() if value is None]
    return missing + (["overdue"] if stand.review_by is not None and stand.review_by < today else [])


def review_dates_check(policy: Policy, today: date) -> CheckResult | None:
    """Whether somebody stands behind every threshold and looks at it again in time; ``None`` where nobody asks."""
    if not policy.require_review_dates:
        return None
    found = {name_of(check): lacking(policy, check, today) for check in policy.checks}
    open_ones = {name: missing for name, missing in found.items() if missing}
    overdue = sum("overdue" in missing for missing in open_ones.values())
    unnamed = sum(missing != ["overdue"] for missing in open_ones.values())

    def make(language: str) -> str:
        if not open_ones:
            return pick(
                language,
                "Every threshold has an owner, a rationale and a review date to come",
                "Jede Schwelle hat Verantwortliche, Begründung und einen künftigen Prüftermin",
            )
        listed = ", ".join(list(open_ones)[:MAX_NAMED]) + (" …" if len(open_ones) > MAX_NAMED else "")
        return pick(
            language,
            f"Of {len(found)} checks, {overdue} have a review date that has passed and {unnamed} lack owner, "
            f"rationale or review date ({listed})",
            f"Von {len(found)} Prüfungen ist bei {overdue} der Prüftermin verstrichen, bei {unnamed} fehlen "
            f"Verantwortliche, Begründung oder Prüftermin ({listed})",
        )

    return CheckResult(
        check_id="review_dates",
        kind=CheckKind.REVIEW_DATES,
        state=CheckState.INCONCLUSIVE if open_ones else CheckState.PASS,
        reason=both(make),
        owner=policy.owner,
        remedy=Sentence(
            en="look at these thresholds again, and give each an owner, a rationale and a new review date",
            de="diese Schwellen prüfen und jeder Verantwortliche, Begründung und neuen Prüftermin geben",
        )
        if open_ones
        else None,
    )


def first_seen(policy: Policy, registrations: Sequence[PolicyRegistration]) -> datetime | None:
    """When this very policy was registered first."""
    return min((entry.at for entry in registrations if entry.digest == policy.digest), default=None)


def registration_check(policy: Policy, run_began: datetime, facts: Facts) -> CheckResult | None:
    """Whether the bars stood before the run did; ``None`` where nobody registered anything and nobody asks.

    Without a register only one thing can be known: that the same run was decided before by another policy.
    """
    if facts.registrations is None:
        changed = _changed_since(policy, facts)
        if changed is not None:
            earlier, changes = changed
            return _registration(policy, CheckState.INCONCLUSIVE, _decided_before(earlier, policy), changes)
        return _registration(policy, CheckState.NOT_EVALUATED, NO_REGISTER, ()) if policy.require_registration else None
    seen = first_seen(policy, facts.registrations)
    if seen is not None and seen <= run_began:
        told = Sentence(
            en=f"The policy was registered on {seen:%Y-%m-%d %H:%M}, before the run began",
            de=f"Die Policy wurde am {seen:%Y-%m-%d %H:%M} registriert, vor Beginn des Laufs",
        )
        return _registration(policy, CheckState.PASS, told, ())
    return _registration(
        policy, CheckState.INCONCLUSIVE, _too_late(seen, run_began), _loosened(policy, run_began, facts)
    )


NO_REGISTER = Sentence(
    en="Nothing shows that the policy stood before the run did, and the policy requires it",
    de="Nichts zeigt, dass die Policy vor dem Lauf feststand, und die Policy verlangt es",
)


def _changed_since(policy: Policy, facts: Facts) -> tuple[DecidedBefore, tuple[Change, ...]] | None:
    """What is not stricter than in a state that decided on this run before; ``None`` where all of it is.

    Every earlier state counts, not the last one alone: deciding twice by a lowered bar does not make it the old one.
    """
    for earlier in facts.decided_before:
        if earlier.digest == policy.digest:
            continue
        if earlier.content is None or earlier.content.digest != earlier.digest:
            return earlier, ()
        changed = _not_stricter(earlier.content, policy)
        if changed:
            return earlier, changed
    return None


def _not_stricter(old: Policy, new: Policy) -> tuple[Change, ...]:
    return tuple(change for change in policy_changes(old, new) if change.direction is not Direction.STRICTER)


def _decided_before(earlier: DecidedBefore, policy: Policy) -> Sentence:
    at, verdict = f"{earlier.at:%Y-%m-%d %H:%M}", earlier.verdict.value
    is_same = earlier.policy == policy.policy
    by = "another state of the policy" if is_same else f"another policy, {earlier.policy}"
    durch = "einem anderen Stand der Policy" if is_same else f"einer anderen Policy, {earlier.policy},"
    return Sentence(
        en=f"This run was decided before by {by} (version {earlier.version}, {at}: {verdict}), so the bars were "
        "changed with its figures known",
        de=f"Über diesen Lauf wurde schon mit {durch} entschieden (Version {earlier.version}, {at}: {verdict}); die "
        "Schwellen wurden also in Kenntnis der Werte geändert",
    )


def _too_late(seen: datetime | None, run_began: datetime) -> Sentence:
    began = f"{run_began:%Y-%m-%d %H:%M}"
    if seen is None:
        return Sentence(
            en=f"This state of the policy is not in the register; the run began on {began}",
            de=f"Dieser Stand der Policy steht nicht im Register; der Lauf begann am {began}",
        )
    return Sentence(
        en=f"The policy was registered on {seen:%Y-%m-%d %H:%M}, after the run had begun ({began})",
        de=f"Die Policy wurde am {seen:%Y-%m-%d %H:%M} registriert, nach Beginn des Laufs ({began})",
    )


def _loosened(policy: Policy, run_began: datetime, facts: Facts) -> tuple[Change, ...]:
    """What is looser than in the newest state that stood before the run."""
    before = [
        entry
        for entry in facts.registrations or ()
        if entry.policy == policy.policy and entry.at <= run_began and entry.content is not None
    ]
    if not before:
        return ()
    newest = max(before, key=lambda entry: entry.at).content
    return () if newest is None else _not_stricter(newest, policy)


def _registration(policy: Policy, state: CheckState, told: Sentence, looser: Sequence[Change]) -> CheckResult:
    def make(language: str) -> str:
        named = "; ".join(change.sentence.in_language(language) for change in looser[:MAX_NAMED])
        more = f" (+{len(looser) - MAX_NAMED})" if len(looser) > MAX_NAMED else ""
        return told.in_language(language) + (f": {named}{more}" if named else "")

    return CheckResult(
        check_id="registration",
        kind=CheckKind.REGISTRATION,
        state=state,
        reason=both(make),
        owner=policy.owner,
        remedy=None
        if state is CheckState.PASS
        else Sentence(
            en="register the policy (beleg policy register) and run the candidate after that",
            de="die Policy registrieren (beleg policy register) und den Kandidaten danach laufen lassen",
        ),
    )


def error_budget_check(policy: Policy, facts: Facts, decided_at: datetime) -> CheckResult | None:
    """How much of the budget of failed releases and incidents is used up; ``None`` where there is no budget."""
    budget = policy.error_budget
    if budget is None:
        return None
    owner = budget.owner or policy.owner
    if facts.incidents is None:
        return CheckResult(
            check_id="error_budget",
            kind=CheckKind.ERROR_BUDGET,
            state=CheckState.NOT_EVALUATED,
            reason=Sentence(
                en=f"Error budget: there is no file of incidents ({budget.ledger}); none is not the same as no file",
                de=f"Fehlerbudget: es gibt keine Vorfallsdatei ({budget.ledger}); keine Datei heißt nicht kein Vorfall",
            ),
            owner=owner,
            remedy=Sentence(
                en=f"begin {budget.ledger} beside the policy, empty if nothing happened",
                de=f"{budget.ledger} neben der Policy anlegen, leer, wenn nichts geschehen ist",
            ),
        )
    used, counted = _used(budget, facts, decided_at)
    exceeded = used > budget.allowed
    return CheckResult(
        check_id="error_budget",
        kind=CheckKind.ERROR_BUDGET,
        state=CheckState.INCONCLUSIVE if exceeded else CheckState.PASS,
        reason=_budget_told(budget, used, counted),
        events=counted,
        owner=owner,
        remedy=Sentence(
            en="the budget is used up: its owner decides whether this release goes out all the same",
            de="das Budget ist aufgebraucht: wer dafür verantwortlich ist, entscheidet über diese Freigabe",
        )
        if exceeded
        else None,
    )


def _used(budget: ErrorBudget, facts: Facts, decided_at: datetime) -> tuple[float, int]:
    begin = decided_at - timedelta(days=budget.period_days)
    # An entry from the future is a slip of a clock or of a hand; it counts, for leaving it out could only help.
    counted = [entry.weight for entry in facts.incidents or () if entry.at > begin]
    return sum(counted), len(counted)


def _budget_told(budget: ErrorBudget, used: float, counted: int) -> Sentence:
    def make(language: str) -> str:
        spent, allowed = (number(value, language, decimals=0 if value == int(value) else 1) for value in
                          (used, budget.allowed))  # fmt: skip
        return pick(
            language,
            f"Error budget: {spent} of {allowed} used in {budget.period_days} days ({counted} entries)",
            f"Fehlerbudget: {spent} von {allowed} in {budget.period_days} Tagen verbraucht ({counted} Einträge)",
        )

    return both(make)
