"""Rules of a policy that look at more than one metric: claims, evaluators, records, budgets (P1, P3)."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Case, Identifier, ShortText
from beleg.core.model import StoredModel


class CaseProperty(StrEnum):
    """What a golden case holds, beyond its labels."""

    REQUIRED_EVIDENCE = "required_evidence"
    """Evidence without which an answer is incomplete."""
    REQUIRED_CLAUSES = "required_clauses"
    """Clauses that an answer must name, all of them."""
    REFERENCE_ANSWER = "reference_answer"
    RUBRIC = "rubric"
    NUGGETS = "nuggets"
    FORBIDDEN_SOURCES = "forbidden_sources"
    """Documents that may appear nowhere."""
    RESTRICTED_PRINCIPAL = "restricted_principal"
    """An asker with a tenant or entitlements, by which access can be proved."""
    CONVERSATION = "conversation"
    """The question ends a conversation."""

    def holds(self, case: Case) -> bool:
        """Whether a case has the property.

        Example:
            >>> CaseProperty.REQUIRED_CLAUSES.holds(Case(case_id="c", user_input="?"))
            False
        """
        return bool(_HELD[self](case))

    @property
    def label(self) -> str:
        """The property as a segment is named by it, such as ``has=required_clauses``."""
        return f"has={self.value}"


_HELD: dict[CaseProperty, Callable[[Case], object]] = {
    CaseProperty.REQUIRED_EVIDENCE: lambda case: any(piece.required for piece in case.expected_passages),
    CaseProperty.REQUIRED_CLAUSES: lambda case: case.required_clauses,
    CaseProperty.REFERENCE_ANSWER: lambda case: case.reference_answer,
    CaseProperty.RUBRIC: lambda case: case.rubric,
    CaseProperty.NUGGETS: lambda case: case.nuggets,
    CaseProperty.FORBIDDEN_SOURCES: lambda case: case.forbidden_sources,
    CaseProperty.RESTRICTED_PRINCIPAL: lambda case: case.principal.tenant or case.principal.entitlements,
    CaseProperty.CONVERSATION: lambda case: case.turns,
}


class CriticalClaims(StoredModel):
    """No unsupported claim in a critical case: a person's confirmation blocks, a machine's word asks for a person.

    A machine is wrong now and then, in both directions, and one claim has no confidence interval: its word alone
    neither blocks nor, where nobody looked at a suspicion, lets pass.
    """

    where: Annotated[dict[Identifier, Identifier], Field(min_length=1)] = Field(
        default_factory=lambda: {"risk_tier": "high"}
    )
    """Labels that make a case critical."""
    flagged: Literal["review", "block"] = "review"
    """What a claim does whose numbers, names or denials are not in its quote, by a rule in code."""
    minimum_n: Annotated[int, Field(ge=1)] | None = None
    """Fewer critical cases than this never PASS; left out: as the policy says."""
    owner: ShortText | None = None
    """Whose queue the suspicions go to; left out: the owner of the policy."""


class EvaluatorFailures(StoredModel):
    """How often an evaluator may fail. That is no fault of the candidate, so it never blocks by itself."""

    ceiling: Annotated[float, Field(ge=0, lt=1)]
    """Per judged metric: the largest share of rows whose evaluator failed, timed out or answered unusably."""
    owner: ShortText | None = None
    """Who keeps the evaluators running; left out: the owner of the policy."""


class RecordedPlace(StrEnum):
    """A place of a trace in which a passage can stand."""

    RERANKED = "reranked"
    DELIVERED = "delivered"
    PROMPT = "prompt"
    ANSWER = "answer"
    CITATIONS = "citations"


class ErrorBudget(StoredModel):
    """How many failed releases and incidents a period may hold before releases need a person."""

    period_days: Annotated[int, Field(ge=1, le=3_650)]
    """How far back is counted from the decision."""
    allowed: Annotated[float, Field(ge=0)]
    """The budget; every entry uses up its weight."""
    ledger: ShortText = "incidents.jsonl"
    """The file of incidents, beside the policy."""
    owner: ShortText | None = None
    """Who decides once the budget is used up; left out: the owner of the policy."""
