"""Verifying an audit pack offline: every digest, and the decision itself from the rows in it (E8, P4)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from beleg.app.pack_checks import entry_problems, signers, trusted_by_id
from beleg.app.pack_opening import OpenPack, PackBroken, open_pack
from beleg.app.pack_recomputing import recomputed_differences, stored_decision
from beleg.core.decision import EXIT_CODES, EXIT_UNDECIDED, Decision
from beleg.core.pack_faults import PackFault, PackProblem, PackRefused
from beleg.core.packs import PackManifest, RedactionMap
from beleg.evidence.decision_differences import DecisionDifference
from beleg.evidence.pack_words import verdict_lines
from beleg.run.folder import read_model

__all__ = ["PackState", "PackVerdict", "verify_pack"]


class PackState(StrEnum):
    """What became of a pack."""

    HOLDS = "holds"
    """Every digest is right, and the rows give the decision."""
    REFUSED = "refused"
    """It breaks a rule, or its rows give another decision."""
    NOT_RECOMPUTED = "not_recomputed"
    """Its digests are right, and it lacks something that the decision rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackVerdict:
    """Whether a pack holds, and what it says."""

    path: Path
    state: PackState
    manifest: PackManifest | None = None
    """What the pack says of itself; ``None`` where that could not be read."""
    decision: Decision | None = None
    """The decision in the pack; to be believed only if the pack holds."""
    is_signed: bool = False
    """Whether somebody signed the pack, whoever it was."""
    signed_by: tuple[str, ...] = ()
    """The ids of the trusted keys that did."""
    problems: tuple[PackProblem, ...] = ()
    differences: tuple[DecisionDifference, ...] = ()
    """Where the decision in the pack is not the one that its rows give."""
    is_restored: bool = False
    """Whether redacted texts were put back from their owner's map before anything was recomputed."""

    @property
    def holds(self) -> bool:
        """Whether every digest is right and the rows give the decision."""
        return self.state is PackState.HOLDS

    @property
    def exit_code(self) -> int:
        """That of the decision where the pack holds (0, 10 or 20), else 30: what does not hold decides nothing."""
        if not self.holds or self.decision is None:
            return EXIT_UNDECIDED
        return EXIT_CODES[self.decision.verdict]

    def lines(self, language: str = "en") -> list[str]:
        """The verdict for a person, the answer first."""
        told = verdict_lines(
            self.manifest,
            self.decision if self.holds else None,
            problems=self.problems,
            differences=self.differences,
            signed=(self.is_signed, self.signed_by, self.is_restored),
        )
        return [sentence.in_language(language) for sentence in told]

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        manifest, decision = self.manifest, self.decision if self.holds else None
        return {
            "pack": str(self.path),
            "state": self.state.value,
            "exit_code": self.exit_code,
            "verdict": decision.verdict.value if decision is not None else None,
            "headline": decision.headline.to_json_dict() if decision is not None else None,
            "run_id": manifest.run_id if manifest is not None else None,
            "root": manifest.root if manifest is not None else None,
            "entries": len(manifest.entries) if manifest is not None else None,
            "signed": self.is_signed,
            "signed_by": list(self.signed_by),
            "missing": [part.to_json_dict() for part in manifest.missing] if manifest is not None else [],
            "gaps": [gap.to_json_dict() for gap in manifest.gaps] if manifest is not None else [],
            "redacted": list(manifest.redacted or ()) if manifest is not None else [],
            "restored": self.is_restored,
            "problems": [item.to_json_dict() | {"sentence": item.sentence.to_json_dict()} for item in self.problems],
            "differences": [item.to_json_dict() for item in self.differences],
        }


def verify_pack(path: Path, *, trusted_keys: Iterable[str] = (), redactions: Path | None = None) -> PackVerdict:
    """Checks a pack from the outside in, and decides again from its rows.

    First the container, the names, the manifest and every digest; then the signature; then whether the entries speak of
    one run; at last both runs are scored from the traces in the pack and decided on by its policy, with its
    calibrations and labels, as of the time of its decision. Nothing is fetched, and no key in the pack is believed.

    Args:
        path: the pack.
        trusted_keys: public keys in PEM; where there are any, one of them must have signed the pack.
        redactions: the owner's map of redactions, with which the originals are put back first.

    Raises:
        UsageError: if there is no such file.
        DataError: if a trusted key is no public key of Ed25519 or P-256.
        EvidenceError: if the map of redactions is not there or damaged.
    """
    trusted = trusted_by_id(trusted_keys)
    texts = read_model(RedactionMap, redactions).texts if redactions is not None else None
    with tempfile.TemporaryDirectory(prefix="beleg-pack-") as private:
        try:
            pack = open_pack(path, Path(private), texts)
        except PackBroken as error:
            return PackVerdict(path=path, state=PackState.REFUSED, problems=error.problems)
        except PackRefused as error:
            return PackVerdict(path=path, state=PackState.REFUSED, problems=(error.problem,))
        return _verified(path, pack, trusted)


def _verified(path: Path, pack: OpenPack, trusted: dict[str, str]) -> PackVerdict:
    decision: Decision | None = None
    signed_by: tuple[str, ...] = ()
    problems: list[PackProblem] = []
    differences: tuple[DecisionDifference, ...] = ()
    try:
        signed_by = signers(pack, trusted)
        decision = stored_decision(pack)
        problems += entry_problems(pack, decision)
        if not problems:
            differences = recomputed_differences(pack, decision)
    except PackRefused as error:
        problems.append(error.problem)
    if differences and pack.manifest.redacted is not None and not pack.is_restored:
        # A text that a check reads may be a marker now. Nobody can tell that from a forgery without the owner's map.
        hidden = f"redacted {', '.join(pack.manifest.redacted)}; the owner's map of redactions restores the originals"
        problems.append(PackProblem(fault=PackFault.NOT_RECOMPUTABLE, found=hidden))
    elif differences:
        problems.append(PackProblem(fault=PackFault.DECISION_DIFFERS))
    return PackVerdict(
        path=path,
        state=_state(problems),
        manifest=pack.manifest,
        decision=decision,
        is_signed=pack.signature is not None,
        signed_by=signed_by,
        problems=tuple(problems),
        differences=differences,
        is_restored=pack.is_restored and pack.manifest.redacted is not None,
    )


def _state(problems: list[PackProblem]) -> PackState:
    if not problems:
        return PackState.HOLDS
    only_lacking = all(problem.fault is PackFault.NOT_RECOMPUTABLE for problem in problems)
    return PackState.NOT_RECOMPUTED if only_lacking else PackState.REFUSED
