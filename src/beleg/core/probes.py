"""What probes of a judge found: stored beside the run they asked about, never changed (J5)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Identifier, ShortText
from beleg.core.digest import digest_of
from beleg.core.judging import JudgeSpec
from beleg.core.model import StoredModel

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class ProbeDirection(StoredModel):
    """One way that a verdict went, with its exact interval over the cases that were probed."""

    name: Identifier
    """The count that tells it, such as ``to_pass``."""
    events: Count
    """Cases in which it went this way."""
    rate: Share
    lower: Share
    upper: Share


class ProbeReport(StoredModel):
    """How often a judge did what it should not.

    ``n`` cases were probed and ``missing`` tells how many were not and why; together they are all cases. Cases that the
    probe says nothing about (``not_applicable``, ``no_claims``) leave the rate, those that failed could have gone
    either way.
    """

    probe: Identifier
    asks: str
    """What the rate is the share of, in English."""
    asks_de: str
    """The same in German."""
    changed: str = ""
    """What the probe changed, in English."""
    changed_de: str = ""
    """The same in German."""
    n: Count
    events: Count
    rate: Share | None = None
    """``None`` where no case was probed: nothing is known then, which is not the same as no fault."""
    lower: Share | None = None
    upper: Share | None = None
    lowest: Share | None = None
    """The rate if no case that failed had shown the fault."""
    highest: Share | None = None
    """The rate if every case that failed had shown it."""
    confidence: Share
    method: Identifier = "clopper_pearson"
    directions: tuple[ProbeDirection, ...] = ()
    """Which way the verdicts went; ways may overlap where one case was asked about in several forms."""
    missing: dict[Identifier, int] = Field(default_factory=dict)
    """How many cases were not probed, by reason."""
    counts: dict[Identifier, int] = Field(default_factory=dict)
    """Further counts over all cases."""
    figures: dict[Identifier, float] = Field(default_factory=dict)
    """Further figures, each explained in the guide."""
    cases: tuple[Identifier, ...] = ()
    """The first cases on which it happened."""


class ProbeRecord(StoredModel):
    """One round of probes of one judge. A record is never changed: a new round makes a new one."""

    kind: Literal["beleg.probe/1"] = "beleg.probe/1"
    """What the file is."""
    run_id: Identifier
    """The run whose answers were asked about."""
    suite_digest: str
    """The cases of that run."""
    cases: Count
    """Cases that were asked about, those without an answer included."""
    judge: JudgeSpec | None = None
    """Who was probed; ``None`` where no model was asked."""
    sample: Annotated[int, Field(ge=1)] = 1
    """For ``drift``: which repetition the new round was."""
    pairs_digest: str | None = None
    """The content address of the labelled pairs, for ``self_preference``."""
    reports: Annotated[tuple[ProbeReport, ...], Field(min_length=1)]
    """One for each probe."""
    created_at: datetime
    """When the judge was asked."""
    beleg_version: ShortText
    """The version of Beleg that asked."""

    @property
    def digest(self) -> str:
        """The content address of the record."""
        return digest_of(self.to_json_dict())

    @property
    def judge_name(self) -> str | None:
        """The judge as people call it."""
        return None if self.judge is None else self.judge.model
