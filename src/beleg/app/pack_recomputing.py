"""Deciding again from the rows of a pack, as of the time when it was decided."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import load_document, validated
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.app.gating import GateInputs, decide_again
from beleg.app.pack_opening import OpenPack
from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Decision
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import Error
from beleg.core.pack_faults import PackFault, PackRefused
from beleg.core.packs import PackRole
from beleg.core.policy import Policy
from beleg.core.run import RunHeader
from beleg.core.suite import Suite
from beleg.evidence.decision_differences import DecisionDifference, decision_differences
from beleg.evidence.pack_rules import BASELINE_ROLES, ROLE_RULES
from beleg.gating.decide import metrics_needed
from beleg.gating.facts import NO_FACTS, Facts
from beleg.run.folder import read_model, write_model

CANDIDATE_ROLES = (PackRole.RUN, PackRole.SUITE, PackRole.INVENTORY, PackRole.TRACES, PackRole.FINDINGS)


def stored_decision(pack: OpenPack) -> Decision:
    """The decision as the pack holds it.

    Raises:
        PackRefused: if it is no decision, or two readers could read it differently.
    """
    path = pack.file(PackRole.DECISION)
    if path is None:
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found="it holds no decision")
    try:
        return validated(Decision, parse_json_bytes(path.read_bytes(), file=path.name), Place(path.name))
    except Error as error:
        raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[PackRole.DECISION].place, error.message) from error


def recomputed_differences(pack: OpenPack, stored: Decision) -> tuple[DecisionDifference, ...]:
    """Scores the runs of a pack from their traces, decides by its policy, and compares with the decision in it.

    Raises:
        PackRefused: if something is missing that the decision rests on, or cannot be used.
    """
    policy = _policy(pack)
    if stored.baseline is not None and pack.file(PackRole.BASELINE_RUN) is None:
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found=f"the run {stored.baseline.run_id} is not in it")
    if pack.file(PackRole.LABELS) is None and any(
        check.figure is not None and check.figure.human_labels for check in stored.checks
    ):
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found="the labels of people are not in it")
    try:
        with _without_collecting():
            stand_ins = _stand_ins(pack, CANDIDATE_ROLES) | _stand_ins(pack, BASELINE_ROLES)
            facts = _facts(pack, stored)
            if facts.digest is not None and stored.facts_digest is not None and pack.is_redacted(PackRole.FACTS):
                stand_ins[facts.digest] = stored.facts_digest
            inputs = GateInputs(
                candidate=pack.folder / "candidate",
                baseline=pack.folder / "baseline" if stored.baseline is not None else None,
                policy=policy,
                calibrations=tuple(
                    read_model(CalibrationRecord, path) for path in pack.files.get(PackRole.CALIBRATION, ())
                ),
                labels=pack.file(PackRole.LABELS),
                facts=facts,
                metrics=tuple(metrics_needed(policy)),
            )
            recomputed = decide_again(inputs, decided_at=stored.decided_at, beleg_version=stored.beleg_version)
    except Error as error:
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found=_without_folder(error.message, pack.folder)) from error
    return decision_differences(stored, _with(recomputed, stand_ins))


def _facts(pack: OpenPack, stored: Decision) -> Facts:
    path = pack.file(PackRole.FACTS)
    if path is None and stored.facts_digest is None:
        return NO_FACTS
    if path is None:
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found="what the decision rests on beside the runs is not in it")
    return read_model(Facts, path)


def _policy(pack: OpenPack) -> Policy:
    path, source = pack.file(PackRole.POLICY), pack.file(PackRole.POLICY_SOURCE)
    if path is None:
        raise PackRefused(PackFault.NOT_RECOMPUTABLE, found="the policy is not in it")
    try:
        policy = load_document(Policy, path)
        as_written = None if source is None else load_document(Policy, source)
    except Error as error:
        message = _without_folder(error.message, pack.folder)
        raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[PackRole.POLICY].place, message) from error
    if as_written is not None and as_written.digest != policy.digest:
        raise PackRefused(PackFault.POLICY_SOURCE_DIFFERS, ROLE_RULES[PackRole.POLICY_SOURCE].place)
    return policy


def _stand_ins(pack: OpenPack, roles: tuple[PackRole, ...]) -> dict[str, str]:
    """Lets a redacted run be scored: its digests by those that it had before.

    What a redacted entry was before cannot be seen, so that the manifest is taken at its word for it; whoever has the
    owner's map sees it.
    """
    run, suite, inventory = (pack.file(role) for role in roles[:3])
    found: dict[str, str] = {}
    for role in roles[2:]:
        entry = pack.manifest.entry_of(role)
        if entry is not None and entry.original is not None and pack.is_redacted(role):
            found[f"sha256:{entry.sha256}"] = f"sha256:{entry.original.sha256}"
    if run is None or suite is None or not (pack.is_redacted(roles[1]) or pack.is_redacted(roles[2])):
        return found
    header = read_model(RunHeader, run)
    changed: dict[str, Any] = {}
    if pack.is_redacted(roles[1]):
        changed["suite_digest"] = read_model(Suite, suite).digest
        found[changed["suite_digest"]] = header.suite_digest
    if inventory is not None and pack.is_redacted(roles[2]):
        changed["inventory_digest"] = digest_of_bytes(inventory.read_bytes())
    run.unlink()
    write_model(run, header.model_copy(update=changed))
    return found


def _with(decision: Decision, stand_ins: dict[str, str]) -> Decision:
    if not stand_ins:
        return decision
    text = decision.model_dump_json(exclude_none=True)
    for redacted, original in stand_ins.items():
        text = text.replace(redacted, original)
    return Decision.model_validate_json(text)


def _without_folder(message: str, folder: Path) -> str:
    """A message without the private folder, which means nothing to its reader."""
    return message.replace(f"{folder}/", "")


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Keeps the garbage collector from walking over millions of rows that are all still needed."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
