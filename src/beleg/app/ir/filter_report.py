"""What the filter test found: the decision with everything it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from beleg.core.digest import digest_of_bytes
from beleg.core.filter_test import FilterRegistration
from beleg.metrics.ranking_runs.filtering import Exclusion, Gold, Leaks, Lists
from beleg.metrics.ranking_runs.predicates import PredicateQuality
from beleg.stats.filter_rule import Choice, RuleResult

SYSTEMS = ("hard", "soft")
ABOUT_THE_TERMS = ("owner", "registered_on", "rationale", "seed")
"""Terms that decide nothing: who registered them, and why, may be put right later."""

EXIT_DECIDED, EXIT_LEAK, EXIT_UNDECIDED = 0, 20, 30


@dataclass(frozen=True, slots=True)
class ShareFigure:
    """A share with one-sided bounds, or the reason why there is none."""

    events: int
    n: int
    value: float | None
    lower: float | None
    upper: float | None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What one run shows against entitlement: a proof of its own, which nothing compensates."""

    system: str
    leaks: Leaks
    upper: float
    """Upper bound on the share of queries with such a document."""

    @property
    def state(self) -> str:
        """``held``, ``broken``, or ``unknown`` where nothing says of a listed document who may see it."""
        if self.leaks.unauthorised:
            return "broken"
        return "unknown" if self.leaks.unknown else "held"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FilterReport:
    """The decision with everything it rests on."""

    registration: FilterRegistration
    rule: RuleResult
    gold: Gold
    hard: Lists
    soft: Lists
    judged_shares: tuple[float, float]
    exclusion: Exclusion
    documents: ShareFigure
    invalid_recall: float | None
    quality: PredicateQuality | None
    predicate_precision: ShareFigure
    predicate_recall: ShareFigure
    wrong_and_excluded: int
    proofs: tuple[Proof, ...]
    inputs: Mapping[str, str]
    earlier: tuple[dict[str, Any], ...]
    """Decisions of the same predicate that were recorded before."""

    @property
    def changed_after(self) -> list[dict[str, Any]]:
        """Earlier decisions of this predicate under another registration."""
        return [entry for entry in self.earlier if entry.get("registration") != self.registration.digest]

    @property
    def looks_before(self) -> int:
        """Earlier decisions under these terms, on other files."""
        mine, inputs = self.registration.digest, dict(self.inputs)
        return sum(entry.get("registration") == mine and entry.get("inputs") != inputs for entry in self.earlier)

    @property
    def spent(self) -> bool:
        """Whether other terms were first tried on the same gold: these were then chosen after its figures were seen.

        Gold is the same where one query with gold is, by its id, whatever else changed in the files. A decision that
        does not say its queries counts as one on all of them.
        """
        mine = _deciding(self.registration.to_json_dict())
        unseen = query_marks(self.gold.queries)
        for entry in self.earlier:
            marks = entry.get("gold_queries")
            seen = unseen & {str(mark) for mark in marks} if isinstance(marks, list) else unseen
            if seen and _deciding(entry.get("terms", {})) != mine:
                return True
            unseen = unseen - seen
        return False

    @property
    def choice(self) -> Choice:
        """How the test ends: as the rule does, but never hard by terms that were changed after a look at the gold."""
        if self.spent and self.rule.choice is Choice.HARD:
            return Choice.UNDECIDED
        return self.rule.choice

    @property
    def entitlement(self) -> str:
        """The worst state of the proofs; ``not_given`` where no file says who may see what."""
        states = {proof.state for proof in self.proofs}
        return next((state for state in ("broken", "unknown", "held") if state in states), "not_given")

    @property
    def exit_code(self) -> int:
        """0 where the rule decided, 30 where it could not; 20 where a run lists what its caller may not see."""
        if self.entitlement == "broken":
            return EXIT_LEAK
        return EXIT_UNDECIDED if self.choice is Choice.UNDECIDED else EXIT_DECIDED

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        return {
            "choice": self.choice.value,
            "needed_queries": self.rule.needed,
            "registration": {"digest": self.registration.digest, **self.registration.to_json_dict()},
            "conditions": [asdict(condition) for condition in self.rule.conditions],
            "queries": self.rule.n,
            "eligible_gold": len(self.gold.query),
            "gold_not_eligible": self.gold.refused,
            "systems": {name: self._system(name) for name in SYSTEMS},
            "false_exclusion": {
                "queries_excluded": self.exclusion.queries_excluded,
                "queries": self.rule.n,
                "queries_unknown": int((~self.exclusion.is_known).sum()),
                "documents": asdict(self.documents),
                "documents_unknown": self.exclusion.documents_unknown,
            },
            "INVALID_recall_over_gold_rebuilt_after_filtering": self.invalid_recall,
            "predicate": {
                "precision": asdict(self.predicate_precision),
                "recall": asdict(self.predicate_recall),
                "labelled_queries": self.quality.labelled if self.quality else 0,
                "wrong_queries": len(self.quality.wrong) if self.quality else 0,
                "wrong_and_excluded_queries": self.wrong_and_excluded,
            },
            "entitlement": {
                "state": self.entitlement,
                "runs": {
                    proof.system: {"state": proof.state, **asdict(proof.leaks), "upper": proof.upper}
                    for proof in self.proofs
                },
            },
            "inputs": dict(self.inputs),
            "earlier_decisions": len(self.earlier),
            "earlier_decisions_under_these_terms": self.looks_before,
            "registration_changed_after_a_decision": bool(self.changed_after),
            "gold_was_decided_on_under_other_terms": self.spent,
        }

    def _system(self, name: str) -> dict[str, Any]:
        lists, share = (self.hard, self.judged_shares[0]) if name == "hard" else (self.soft, self.judged_shares[1])
        return {
            "precision": float(lists.precision.mean()),
            "recall": float(lists.recall.mean()),
            "judged_share": share,
            "queries_without_list": lists.missing,
        }


def query_marks(queries: Iterable[str]) -> set[str]:
    """By what queries are known again in the record: the first 16 digits of the SHA-256 of their ids."""
    return {digest_of_bytes(name.encode("utf-8", "surrogatepass")).removeprefix("sha256:")[:16] for name in queries}


def _deciding(terms: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in terms.items() if name not in ABOUT_THE_TERMS}
