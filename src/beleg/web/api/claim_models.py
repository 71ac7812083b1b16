"""One claim under review as programs get it. What a reviewer is still blind to is no part of any of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AliasPath, Field

from beleg.core.evidence import Condition, EvidencePassage
from beleg.core.review import ReviewEvent, ReviewEventKind
from beleg.web.api.base import Address, Asked, Page, Said, Told


class PartTold(Told):
    """A stretch of a text."""

    text: str
    """Its words."""
    is_quoted: bool
    """Whether they are the claim, or quoted by a verdict that you may see."""


class ClaimPassageTold(Told):
    """A passage with what stands around it in its source."""

    passage: EvidencePassage
    """The passage as it was captured."""
    parts: tuple[PartTold, ...]
    """Its words with the quotes that you may see."""
    before: str
    """What stands before it."""
    after: str
    """What stands behind it."""


class VerdictTold(Told):
    """A verdict with its reason and who gave it."""

    code: str
    """As it is stored."""
    word: Said
    """In words."""
    rationale: str
    """Why."""
    missing: tuple[str, ...]
    """What is missing, for ``not_assessable``."""
    flags: tuple[str, ...]
    """What a check found against it."""
    decider: Said
    """What kind of decider gave it."""
    name: str
    """Which one."""
    version: str | None
    """In which version."""


class MachineTold(Told):
    """What machines propose."""

    attribution: VerdictTold
    """Whether a source is attached."""
    support: VerdictTold | None
    """Whether the passages carry the claim; ``None`` where nobody judged."""
    restated: str | None
    """The claim in the judge's words; ``None`` where there are none."""


class HumanTold(Told):
    """What one person decided."""

    version: int
    """Of the event, by which it is disputed, settled or withdrawn."""
    actor: Annotated[str, Field(validation_alias=AliasPath("view", "actor"))]
    """Who."""
    attribution: Annotated[VerdictTold | None, Field(validation_alias=AliasPath("view", "attribution"))]
    """On attribution; ``None`` where they said nothing."""
    support: Annotated[VerdictTold | None, Field(validation_alias=AliasPath("view", "support"))]
    """On support; ``None`` where they said nothing."""
    reason: Annotated[str | None, Field(validation_alias=AliasPath("view", "reason"))]
    """Why it replaces or settles something; ``None`` for a first verdict."""
    note: Annotated[str | None, Field(validation_alias=AliasPath("view", "note"))]
    """What they noted beside it."""


class DisputeTold(Told):
    """Somebody speaks against a verdict."""

    version: int
    """Of the event, by which it is withdrawn."""
    about: int | None
    """The version of the verdict."""
    actor: str
    """Who."""
    reason: str
    """Why."""
    is_own: bool
    """Whether it is yours."""


class HistoryTold(Told):
    """One event of a claim."""

    version: int
    """Its place in the history, counted from 1."""
    at: datetime
    """When."""
    actor: str
    """Who."""
    code: ReviewEventKind
    """What happened."""
    kind: Said
    """The same in words."""
    about: int | None
    """The version that it is about."""
    assignee: str | None
    """To whom it was assigned."""
    shown: Said | None
    """What the actor was shown."""
    condition: Said | None
    """Under which a verdict was given."""
    verdicts: tuple[EventVerdictTold, ...]
    """What was decided; empty where you are not shown it."""
    texts: tuple[str, ...]
    """Reason and note; empty where you are not shown them."""
    is_hidden: bool
    """Whether it says more than you are shown."""
    is_outdated: bool
    """Whether it is about an older row."""


class EventVerdictTold(Told):
    """A verdict in the history."""

    word: Said
    """In words."""
    rationale: str
    """Why."""


class PlaceTold(Told):
    """Where the claim stands in the queue."""

    number: int | None
    """Counted from 1; ``None`` where it is not in the queue, or not any more."""
    total: int
    """How many claims the queue holds."""
    left: int
    """How many you are still to decide."""
    previous: str | None
    """The claim before it."""
    following: str | None
    """The claim behind it."""
    next_open: str | None
    """The next one that you are still to decide."""


class ClaimTold(Told):
    """One claim with everything that you may see of it now."""

    run_id: str
    """The run."""
    claim_id: str
    """The claim."""
    address: Address
    """The same as one segment of a path."""
    case_id: str
    """Its case."""
    question: str
    """What was asked."""
    answer: tuple[PartTold, ...] | None
    """The answer with the claim marked; ``None`` where there is none."""
    wording: str
    """The claim in the words of the answer."""
    markers: tuple[str, ...]
    """The citations on it."""
    passages: tuple[ClaimPassageTold, ...]
    """Those that are cited or were weighed."""
    unknown_passages: tuple[str, ...]
    """Passages that are named and were not captured."""
    others: tuple[ClaimPassageTold, ...]
    """Everything else that was returned."""
    missing: tuple[str, ...]
    """Parts of the record that are absent."""
    version: int
    """Of its history; whoever acts on it sends it along."""
    digest: str
    """Of what is looked at; whoever acts on it sends it along as ``evidence_digest``."""
    state: str
    """How far its review is."""
    word: Said
    """The same in words."""
    given_under: Condition
    """The condition under which a verdict of yours would be recorded now."""
    shows_machine: bool
    """Whether you are shown what machines propose: once you decided, or asked for it and had that recorded."""
    machine: MachineTold | None
    """``None`` while you are not shown it."""
    shows_people: bool
    """Whether you are shown what others decided."""
    own: HumanTold | None
    """Your verdict in force."""
    standing: tuple[HumanTold, ...]
    """Verdicts of others in force; empty while you are not shown them."""
    disputes: tuple[DisputeTold, ...]
    """Disputes in force; empty while you are not shown them."""
    may_settle: bool
    """Whether you may settle the disagreement."""
    history: tuple[HistoryTold, ...]
    """Every event, as far as you are shown it."""
    assignees: tuple[str, ...]
    """Who is to look at it."""
    outdated: int
    """How many verdicts are about an older row."""
    place: PlaceTold
    """Where it stands in the queue."""


class RecordedTold(Told):
    """What stands in the ledger now. The same request sent again under its key gets the same answer."""

    event: ReviewEvent
    """The event, chained to the one before it."""


class DisagreementsAsked(Asked):
    """A part of what is to be settled."""

    page: Page = 1
    """Which page, counted from 1."""
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    """How many claims a page holds."""


class DisagreementTold(Told):
    """A claim on which people differ, or that somebody disputes."""

    claim_id: str
    """The claim."""
    address: Address
    """The same as one segment of a path."""
    wording: str
    """Its words."""
    differs_on: tuple[Said, ...]
    """On what people differ."""
    disputed: int
    """How often it is disputed."""
    shows_people: bool
    """Whether you are shown what was decided."""
    own: HumanTold | None
    """Your verdict in force."""
    standing: tuple[HumanTold, ...]
    """Verdicts of others; empty while you are not shown them."""
    disputes: tuple[DisputeTold, ...]
    """Disputes in force; empty while you are not shown them."""
    may_settle: bool
    """Whether you may settle it."""


class DisagreementsTold(Told):
    """A part of what is to be settled."""

    claims: tuple[DisagreementTold, ...]
    """In the order of the sheet."""
    total: int
    """How many there are."""
    page: int
    """This page, counted from 1."""
    pages: int
    """How many pages there are."""
