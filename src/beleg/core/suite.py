"""A golden suite: a named, versioned, content-addressed set of cases of one kind (G2, G3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field

from beleg.core.case import Case, Identifier, LongText
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel


class SuiteKind(StrEnum):
    """What a suite is for; kinds are never mixed."""

    DEVELOPMENT = "development"
    CALIBRATION = "calibration"
    RELEASE = "release"
    MONITORING = "monitoring"
    HOLDOUT = "holdout"


class SuitePurpose(StrEnum):
    """Whether a suite holds stable knowledge or follows knowledge that changes."""

    REGRESSION = "regression"
    FRESHNESS = "freshness"


class RelevanceUnit(StrEnum):
    """What a rank counts: passages, or their parent documents after folding."""

    DOCUMENT = "document"
    PASSAGE = "passage"


class SuiteHeader(StoredModel):
    """What stands in the suite file beside the cases."""

    name: Identifier
    """The name of the suite."""
    kind: SuiteKind = SuiteKind.DEVELOPMENT
    """What the suite is for."""
    purpose: SuitePurpose = SuitePurpose.REGRESSION
    """Whether it holds stable knowledge or follows knowledge that changes."""
    version: Annotated[int, Field(ge=1)] = 1
    """Raised with every release."""
    description: LongText | None = None
    """What the suite covers, for its readers."""
    relevance_unit: RelevanceUnit = RelevanceUnit.DOCUMENT
    """What a rank counts."""
    usage_budget: Annotated[int, Field(ge=1)] | None = None
    """How often a release or holdout suite may be used before further use is reported."""


class Suite(StoredModel):
    """A header with its cases; the digest is over both, independent of the order of the cases."""

    header: SuiteHeader
    """What stands in the suite file beside the cases."""
    cases: tuple[Case, ...]
    """The cases in the order of their files."""

    @classmethod
    def of(cls, cases: Iterable[Case], *, name: str, kind: SuiteKind = SuiteKind.DEVELOPMENT) -> Self:
        """A suite of cases that were made in Python.

        Example:
            >>> Suite.of([Case(case_id="c1", user_input="?")], name="small").header.version
            1
        """
        return cls(header=SuiteHeader(name=name, kind=kind), cases=tuple(cases))

    @cached_property
    def digest(self) -> str:
        """The content address of the suite."""
        return digest_of(
            {
                "header": self.header.to_json_dict(),
                "cases": sorted(digest_of(case.to_json_dict()) for case in self.cases),
            }
        )

    @cached_property
    def case_digests(self) -> dict[str, str]:
        """The content address of every case, by case id."""
        return {case.case_id: digest_of(case.to_json_dict()) for case in self.cases}

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with its own digest; the cached one belongs to the cases it was made from."""
        copied = super().model_copy(update=update, deep=deep)
        for name in ("digest", "case_digests"):
            copied.__dict__.pop(name, None)
        return copied

    def case_by_id(self) -> dict[str, Case]:
        """The cases by their id."""
        return {case.case_id: case for case in self.cases}
