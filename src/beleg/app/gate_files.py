"""Deciding by a gate file, as items that a test runner can list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.models import load_document
from beleg.app.ci import check_lines
from beleg.app.gating import GateOutcome, gate_runs
from beleg.core.decision import CheckState
from beleg.core.gate_file import GateFile
from beleg.report.ci_items import CheckItem, ci_items
from beleg.report.safe import one_line

__all__ = ["CaseItem", "CheckItem", "GateItems", "decide_gate_file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseItem:
    """One case, with what the checks that do not hold say of it."""

    case_id: str
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateItems:
    """A decision as items."""

    outcome: GateOutcome
    checks: tuple[CheckItem, ...]
    cases: tuple[CaseItem, ...]
    policy: Path


def decide_gate_file(path: Path) -> GateItems:
    """Decides what a gate file asks for.

    Raises:
        ConfigError: if the file or its policy is wrong.
        UsageError: if a run is not there.
        EvidenceError: if a run is damaged or empty.
    """
    wanted, folder = load_document(GateFile, path), path.parent
    policy = folder / wanted.policy
    outcome = gate_runs(
        folder / wanted.candidate,
        folder / wanted.baseline if wanted.baseline is not None else None,
        policy,
        calibrations=[folder / name for name in wanted.calibrations],
        labels=folder / wanted.labels if wanted.labels is not None else None,
    )
    lines = check_lines(outcome.policy, policy, outcome.decision.checks)
    items = ci_items(outcome.decision, wanted.language, lines)
    return GateItems(outcome=outcome, checks=tuple(items), cases=_cases(outcome, wanted), policy=policy)


def _cases(outcome: GateOutcome, wanted: GateFile) -> tuple[CaseItem, ...]:
    named: dict[str, list[str]] = {}
    for check in outcome.decision.checks:
        if check.state is not CheckState.PASS:
            for case_id in check.worst_cases:
                named.setdefault(case_id, []).append(
                    one_line(f"{check.state.value} {check.check_id}: {check.reason.in_language(wanted.language)}")
                )
    listed = {
        "none": [],
        "named": list(named),
        "all": [case.case_id for case in outcome.candidate.evaluation.cases],
    }[wanted.cases]
    return tuple(CaseItem(case_id=case_id, against=tuple(named.get(case_id, ()))) for case_id in listed)
