"""The audit pack: one file that holds a decision with everything that it rests on (E8)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.attestation import Sha256Hex
from beleg.core.case import Identifier, ShortText
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel

PACK_SCHEMA: Literal["beleg-audit-pack/v1"] = "beleg-audit-pack/v1"
"""The version of the pack's form."""

PACK_PAYLOAD_TYPE = "application/vnd.beleg.audit-pack+json"
"""The payload type under which a manifest is signed, so that no other signed document passes for one."""

MANIFEST_PATH = "manifest.json"
"""The first member of every pack."""

SIGNATURE_PATH = "manifest.dsse.json"
"""The second member of a signed pack; the manifest cannot hold its digest, since it is made over the manifest."""

ByteCount = Annotated[int, Field(ge=0, le=2**53 - 1)]


class PackRole(StrEnum):
    """What an entry is in the pack; where it may stand and what it may hold follow from it."""

    RUN = "run"
    SUITE = "suite"
    INVENTORY = "inventory"
    TRACES = "traces"
    """Raw retrieval, answers and citations, row by row."""
    FINDINGS = "findings"
    CALLS = "calls"
    """What judges were asked and what they replied, word for word."""
    BASELINE_RUN = "baseline_run"
    BASELINE_SUITE = "baseline_suite"
    BASELINE_INVENTORY = "baseline_inventory"
    BASELINE_TRACES = "baseline_traces"
    BASELINE_FINDINGS = "baseline_findings"
    BASELINE_CALLS = "baseline_calls"
    POLICY = "policy"
    """The policy in its canonical form, from which the decision is recomputed."""
    POLICY_SOURCE = "policy_source"
    """The policy as its owner wrote it, with comments."""
    CALIBRATION = "calibration"
    LABELS = "labels"
    """What people said about answers of this run, where the decision used it."""
    DECISION = "decision"
    FACTS = "facts"
    """What the decision rests on beside the runs: reviews, incidents, registered policies."""
    STATEMENT = "statement"
    """The signed decision."""
    VSA = "vsa"
    """The verification summary for tools that know only SLSA."""
    OVERRIDE = "override"
    SHEET_HEADER = "sheet_header"
    SHEET_CASES = "sheet_cases"
    REVIEW_EVENTS = "review_events"
    """What reviewers did, event by event: their verdicts, notes and disagreements."""
    REVIEW_CHECKPOINT = "review_checkpoint"
    REPLAY = "replay"
    """How a new run of the same cases compares with this one."""
    VERSIONS = "versions"
    SCHEMA = "schema"


class MissingReason(StrEnum):
    """Why something that a pack may hold is not in it."""

    NOT_RECORDED = "not_recorded"
    """The run has none: nobody recorded or made it."""
    NOT_GIVEN = "not_given"
    """Whoever packed did not name it."""
    NOT_NEEDED = "not_needed"
    """The decision does not rest on it."""
    REDACTED = "redacted"
    """It holds text of a kind that was redacted, and cannot be redacted field by field."""


class MissingPart(StoredModel):
    """Something that the pack does not hold, with the reason."""

    role: PackRole
    reason: MissingReason
    detail: ShortText | None = None
    """More about it, such as which cases have no trace."""


class PackGap(StoredModel):
    """Something that an entry of the pack lacks: it is there, and not whole."""

    role: PackRole
    what: Identifier
    """One word, such as ``rows_without_trace``."""
    count: Annotated[int, Field(ge=1)]
    names: tuple[Identifier, ...] = ()
    """The first of them."""


class RedactedOriginal(StoredModel):
    """What an entry was before text in it was replaced by markers."""

    size: ByteCount
    sha256: Sha256Hex
    fields: Annotated[int, Field(ge=1)]
    """How many texts were replaced."""


class PackEntry(StoredModel):
    """One member of the pack."""

    path: Annotated[str, Field(min_length=1, max_length=512)]
    size: ByteCount
    sha256: Sha256Hex
    """Of the bytes in the pack."""
    media_type: Identifier
    role: PackRole
    original: RedactedOriginal | None = None
    """``None`` where nothing was redacted."""


class PackManifest(StoredModel):
    """The first member of a pack: what it holds, what it does not hold, and one digest over all of it."""

    schema_version: Literal["beleg-audit-pack/v1"] = PACK_SCHEMA
    run_id: Identifier
    """The run that was decided on."""
    baseline_run_id: Identifier | None = None
    """The run that it was compared with."""
    beleg_version: Identifier
    """The version of Beleg that packed."""
    entries: tuple[PackEntry, ...]
    """Every member but the manifest and its signature, sorted by path."""
    root: str
    """The digest over the canonical form of the entries."""
    missing: tuple[MissingPart, ...] = ()
    """What a pack may hold and this one does not."""
    gaps: tuple[PackGap, ...] = ()
    """What entries that are there lack."""
    redacted: tuple[Identifier, ...] | None = None
    """Which kinds of text were replaced by markers; ``None`` where none were."""

    @staticmethod
    def root_of(entries: tuple[PackEntry, ...]) -> str:
        """The digest that stands for all entries: SHA-256 of their canonical form."""
        return digest_of([entry.to_json_dict() for entry in entries])

    def entry_of(self, role: PackRole) -> PackEntry | None:
        """The first entry with a role."""
        return next((entry for entry in self.entries if entry.role is role), None)

    def paths_of(self, role: PackRole) -> tuple[str, ...]:
        """The paths of every entry with a role."""
        return tuple(entry.path for entry in self.entries if entry.role is role)


class PackVersions(StoredModel):
    """With what a run was decided on and packed; nothing of the environment but what is listed by name."""

    beleg: Identifier
    python: Identifier
    packages: dict[Identifier, Identifier] = Field(default_factory=dict)
    """The packages that Beleg rests on, with their versions."""
    environment: dict[Identifier, Identifier] = Field(default_factory=dict)
    """Which revision and which job, where a CI system says so."""


class RedactionMap(StoredModel):
    """What was redacted, for its owner alone: with it, every original can be restored."""

    schema_version: Literal["beleg-redactions/v1"] = "beleg-redactions/v1"
    secret: Sha256Hex
    """From this and a text, its salt is derived; whoever has it can test guesses."""
    texts: dict[str, str]
    """The text behind every marker."""


class RevealedText(StoredModel):
    """One redacted text, revealed with the salt that proves it."""

    marker: Annotated[str, Field(max_length=200)]
    salt: Sha256Hex
    text: str
