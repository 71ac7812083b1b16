"""Overrides: what is let through and until when, and what somebody asks an owner to sign (P6)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from beleg.adapters.formats.atomic import create_bytes
from beleg.app.decision_files import POLICY_FILE, STATEMENT_FILE, read_statement
from beleg.app.overriding import OVERRIDES_FOLDER, overrides_of
from beleg.app.workbench.workspace import DecisionEntry
from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.decision import Verdict
from beleg.core.digest import digest_of
from beleg.core.errors import Error, UsageError
from beleg.core.model import StoredModel
from beleg.core.override_note import OverrideNote
from beleg.core.policy import Policy
from beleg.core.release_terms import ReleaseTerms
from beleg.release.overrides import OverrideRequest, override_statement
from beleg.run.folder import make_folder, read_model

REQUESTS_FOLDER = "requests"
MAX_REQUESTS = 200


class AskedOverride(StoredModel):
    """What somebody asks an owner to answer for. It lets nothing through: only the owner's signature does."""

    statement_digest: str
    """The signed decision that it is about."""
    checks: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    """All checks that did not pass."""
    owner: ShortText
    """Who is asked."""
    reason: LongText
    """Why it may pass nevertheless."""
    ticket: ShortText
    """Where it is followed up."""
    compensating_control: LongText
    """What protects users in the meantime."""
    hours: Annotated[int, Field(ge=1)]
    """For how long."""
    asked_by: Identifier
    """Who asks."""
    asked_at: datetime
    """When."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedView:
    """A request with the command by which its owner signs it."""

    name: str
    """By which it is told apart from others about the same decision."""
    asked: AskedOverride
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverridableDecision:
    """A signed decision that is no PASS: what of it may be overridden, and what was asked and signed."""

    entry: DecisionEntry
    terms: ReleaseTerms | None
    """``None`` where the policy is not kept beside the decision."""
    notes: tuple[OverrideNote, ...]
    """Signed overrides, the one that ends last first."""
    asked: tuple[AskedView, ...]
    """Requests that nobody has signed, the newest first."""

    @property
    def failed(self) -> tuple[str, ...]:
        """The checks that did not pass; an override covers all of them."""
        signed = self.entry.signed
        return () if signed is None else signed.failed_checks

    @property
    def not_waivable(self) -> tuple[str, ...]:
        """Those that nobody may override."""
        signed = self.entry.signed
        return () if signed is None else tuple(n for n in signed.failed_checks if n not in signed.waivable_checks)


def overridable(decisions: Sequence[DecisionEntry], root: Path) -> tuple[OverridableDecision, ...]:
    """Every signed decision that is no PASS, the newest first; commands count their paths from ``root``."""
    return tuple(
        overridable_decision(entry, root)
        for entry in decisions
        if entry.signed is not None and entry.decision.verdict is not Verdict.PASS
    )


def overridable_decision(entry: DecisionEntry, root: Path) -> OverridableDecision:
    """One decision with its overrides and requests.

    Raises:
        UsageError: if nothing is signed, or the decision is PASS: there is nothing to override.
    """
    if entry.signed is None or entry.decision.verdict is Verdict.PASS:
        raise UsageError(
            "there is nothing to override: the decision is PASS or not signed",
            hint="Sign a decision with: beleg sign",
        )
    notes = overrides_of(entry.folder)
    return OverridableDecision(entry=entry, terms=_terms(entry), notes=notes, asked=tuple(_asked(entry, root, notes)))


def ask_override(entry: DecisionEntry, request: OverrideRequest, *, by: str, at: datetime) -> AskedOverride:
    """Writes down what an owner is asked to sign, after checking that it would count.

    Args:
        entry: the decision.
        request: what is asked for.
        by: who asks.
        at: now.

    Raises:
        UsageError: if nothing is signed, the policy is not beside the decision, or too many requests wait.
        DataError: naming everything for which the override would not count.
    """
    terms = _terms(entry)
    if terms is None:
        raise UsageError(f"{entry.folder / POLICY_FILE} is missing", hint="Decide again with: beleg gate")
    _, statement, digest = read_statement(entry.folder / STATEMENT_FILE)
    override_statement(statement, digest, request, terms, at)
    folder = entry.folder / OVERRIDES_FOLDER / REQUESTS_FOLDER
    make_folder(folder)
    if sum(1 for _ in folder.glob("*.json")) >= MAX_REQUESTS:
        raise UsageError(f"{MAX_REQUESTS} requests wait already", hint=f"Take those away that are settled: {folder}")
    asked = AskedOverride(
        statement_digest=digest,
        checks=request.checks,
        owner=request.owner,
        reason=request.reason,
        ticket=request.ticket,
        compensating_control=request.compensating_control,
        hours=request.hours,
        asked_by=by,
        asked_at=at,
    )
    content = asked.to_json_dict()
    name = f"{at:%Y%m%dT%H%M%S}-{digest_of(content).removeprefix('sha256:')[:12]}.json"
    create_bytes(folder / name, json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n")
    return asked


def _terms(entry: DecisionEntry) -> ReleaseTerms | None:
    path = entry.folder / POLICY_FILE
    if not path.exists():
        return None
    policy = read_model(Policy, path)
    if policy.digest != entry.decision.policy_digest:
        raise UsageError(f"{path} is not the policy that decided", hint="Restore it, or decide again with: beleg gate")
    return policy.release_terms


def requests_of(folder: Path) -> tuple[tuple[str, AskedOverride], ...]:
    """Every request about the statement that is signed in a folder, by name, the newest first.

    What cannot be read asks for nothing.

    Raises:
        UsageError: if nothing is signed there.
        DataError: if the statement is damaged.
    """
    _, _, digest = read_statement(folder / STATEMENT_FILE)
    paths = sorted((folder / OVERRIDES_FOLDER / REQUESTS_FOLDER).glob("*.json"), reverse=True)
    found = ((path.stem, _read(path)) for path in paths)
    return tuple((name, asked) for name, asked in found if asked is not None and asked.statement_digest == digest)


def _asked(entry: DecisionEntry, root: Path, notes: Sequence[OverrideNote]) -> list[AskedView]:
    """Requests about this very statement that no override answers yet."""
    return [
        AskedView(name=name, asked=asked, command=_command(entry.folder.relative_to(root), asked))
        for name, asked in requests_of(entry.folder)
        if not _is_answered(asked, notes)
    ]


def _read(path: Path) -> AskedOverride | None:
    try:
        return read_model(AskedOverride, path)
    except (Error, OSError):
        return None


def _is_answered(asked: AskedOverride, notes: Sequence[OverrideNote]) -> bool:
    return any(
        (note.owner, note.ticket, set(note.checks)) == (asked.owner, asked.ticket, set(asked.checks))
        and note.issued_at >= asked.asked_at
        for note in notes
    )


def _command(folder: Path, asked: AskedOverride) -> str:
    words = ["beleg", "override", str(folder.parent), "--policy", str(folder / POLICY_FILE)]
    for check in asked.checks:
        words += ["--check", check]
    words += ["--owner", asked.owner, "--reason", asked.reason, "--ticket", asked.ticket]
    words += ["--control", asked.compensating_control, "--hours", str(asked.hours), "--key", "KEY"]
    return shlex.join(words)
