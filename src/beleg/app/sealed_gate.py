"""Deciding on a sealed suite: asked, scored and decided in memory, and told in figures over many cases (G4).

No run folder is written: there is nothing to show, to judge or to build a sheet from, and a process that is killed
leaves no case behind. What is told is listed in `ToldDecision`; everything else ends with the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from beleg.adapters.formats.atomic import create_bytes
from beleg.app.candidates import open_candidate_file
from beleg.app.commands import LEDGER_NAME
from beleg.app.policy_files import load_policy
from beleg.app.running import RunRequest, header_of
from beleg.app.scoring import Recorded, evaluate_traces, parsed_metrics
from beleg.app.sealing import read_sealed, seal_key, unsealed
from beleg.core.decision import CheckResult, Decision
from beleg.core.errors import ConfigError, EvidenceError, Problem
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.protocols import Candidate
from beleg.core.run import RunSettings
from beleg.core.sealed import SealTerms, ToldCheck, ToldDecision
from beleg.core.suite import Suite
from beleg.gating.decide import decide, metrics_of
from beleg.gating.plan import PlannedCheck, plan_checks
from beleg.gating.telling import Mask, may_be_told
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric
from beleg.run.execute import execute, plan
from beleg.run.findings import FindingsContent
from beleg.run.folder import make_folder
from beleg.run.journal import HeldTraces
from beleg.suites.ledger import UsageEntry, read_ledger, record_use, usage


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRequest:
    """What is asked, by which policy, and who opens the seal."""

    sealed: Path
    key: str
    """PEM file or ``env:NAME``."""
    candidate: Path
    baseline: Path | None
    policy: Path
    settings: RunSettings


def decide_sealed(request: SealedRequest) -> ToldDecision:
    """Asks a candidate every case of a sealed suite and decides by a policy, in memory.

    The use is recorded beside the sealed file before the first case is asked.

    Raises:
        UsageError: if a file or the key cannot be used.
        ConfigError: if the policy asks for a judge or for looks, which would leave records.
        DataError: if the file is no sealed suite.
        EvidenceError: if the seal does not open, its uses are used up, or what is asked for would tell of too few
            cases. No message quotes a case.
    """
    sealed, policy = read_sealed(request.sealed), load_policy(request.policy)
    _require_no_records(policy, request.policy)
    suite = unsealed(sealed, seal_key(request.key))
    return asyncio.run(_decide(request, sealed.terms, suite, policy))


async def _decide(request: SealedRequest, terms: SealTerms, suite: Suite, policy: Policy) -> ToldDecision:
    with _without_words("the policy cannot be carried out on this suite"):
        planned = plan_checks(policy, suite.cases)
    _require_parts(planned, terms)
    candidate = await open_candidate_file(request.candidate, concurrency=request.settings.concurrency)
    baseline = None
    try:
        if request.baseline is not None:
            baseline = await open_candidate_file(request.baseline, concurrency=request.settings.concurrency)
        use = _claim_use(request, terms, candidate)
        with _without_words("asking or scoring ended early"):
            new = await _asked(candidate, suite, policy, request.settings)
            old = await _asked(baseline, suite, policy, request.settings) if baseline is not None else None
            decision = decide(policy, new, old, decided_at=datetime.now(UTC), beleg_version=version("beleg"))
        return _told(decision, planned, (new, old), terms, use)
    finally:
        await candidate.close()
        if baseline is not None:
            await baseline.close()


async def _asked(candidate: Candidate, suite: Suite, policy: Policy, settings: RunSettings) -> Evaluation:
    async def opened() -> Candidate:
        return candidate

    header = header_of(candidate, RunRequest(open_candidate=opened, suite=suite, settings=settings), suite.cases)
    held = HeldTraces()
    await execute(candidate, plan(suite.cases, settings.repeats, frozenset()), settings, held)
    recorded = Recorded(
        header=header,
        suite=suite,
        traces=held.traces,
        inventory=candidate.inventory(),
        findings=FindingsContent({}, 0, 0, None),
        traces_digest=None,
    )
    return evaluate_traces(recorded, parsed_metrics(metrics_of(policy)))[0]


def _claim_use(request: SealedRequest, terms: SealTerms, candidate: Candidate) -> int:
    """Records one use, and refuses it where the budget is used up; the same candidate again is another use."""
    header, ledger = terms.header, request.sealed.parent / LEDGER_NAME
    budget, at = header.usage_budget or 0, datetime.now(UTC)
    before = usage(read_ledger(ledger), header)
    if before.uses + before.unreadable >= budget:
        raise _used_up(terms, before.uses + before.unreadable)
    entry = UsageEntry(
        suite_name=header.name,
        suite_version=header.version,
        suite_digest=terms.suite_digest,
        used_by=f"sealed-{candidate.manifest.digest[7:19]}-{at:%Y%m%dT%H%M%S%fZ}",
        purpose="sealed",
        manifest_digest=candidate.manifest.digest,
        at=at,
    )
    record_use(ledger, entry)
    after = read_ledger(ledger)
    own = [each.used_by for each in after.entries if each.suite_name == header.name]
    use = own.index(entry.used_by) + 1 + len(after.damaged)
    if use > budget:
        # Another process was faster; which of them is in time stands in the ledger.
        raise _used_up(terms, use)
    return use


def _used_up(terms: SealTerms, uses: int) -> EvidenceError:
    return EvidenceError(
        f"{terms.header.name!r} may be used {terms.header.usage_budget} times, and {uses} uses are on record",
        hint="Its figures would flatter what was tuned on them; seal a new suite of new cases",
    )


def _require_no_records(policy: Policy, path: Path) -> None:
    judged = [name for name in metrics_of(policy) if is_judged(parse_metric(name).spec)]
    problems = [
        Problem(
            file=str(path),
            field="checks",
            message="a judge keeps a record of every case, and of a sealed suite none may be kept",
            value=name,
            remedy="Decide on measures that need no judge",
        )
        for name in judged
    ]
    if policy.sequential is not None:
        problems.append(
            Problem(
                file=str(path),
                field="sequential",
                message="a sealed suite is asked as a whole",
                remedy="Leave the section out of the policy for it",
            )
        )
    if problems:
        raise ConfigError(problems)


def _require_parts(planned: Sequence[PlannedCheck], terms: SealTerms) -> None:
    every = np.ones(terms.cases, dtype=bool)
    if not may_be_told([every, *(_mask(check, terms.cases) for check in planned)], terms.minimum_cases):
        raise EvidenceError(
            f"the checks of the policy, held against each other, would tell of fewer than {terms.minimum_cases} cases",
            hint="Leave out segments that hold few cases, or all but few; nobody was asked",
        )


def _told(
    decision: Decision,
    planned: Sequence[PlannedCheck],
    runs: tuple[Evaluation, Evaluation | None],
    terms: SealTerms,
    use: int,
) -> ToldDecision:
    compared = {name: _comparison_may_be_told(name, planned, runs, terms) for name in {str(p.metric) for p in planned}}
    return ToldDecision(
        verdict=decision.verdict,
        suite_name=terms.header.name,
        suite_version=terms.header.version,
        suite_digest=terms.suite_digest,
        cases=terms.cases,
        minimum_cases=terms.minimum_cases,
        use=use,
        usage_budget=terms.header.usage_budget or 0,
        policy_name=decision.policy_name,
        policy_digest=decision.policy_digest,
        candidate=decision.candidate.name,
        manifest_digest=decision.candidate.manifest_digest,
        baseline_manifest_digest=decision.baseline.manifest_digest if decision.baseline else None,
        checks=tuple(_told_check(check, compared) for check in decision.checks),
        beleg_version=decision.beleg_version,
        decided_at=decision.decided_at,
    )


def _told_check(check: CheckResult, compared: dict[str, bool]) -> ToldCheck:
    may_compare = check.metric is not None and compared.get(check.metric, False)
    return ToldCheck(
        check_id=check.check_id,
        kind=check.kind,
        state=check.state,
        figure=check.figure,
        events=check.events,
        baseline=check.baseline if may_compare else None,
        difference=check.difference if may_compare else None,
        withheld=check.difference is not None and not may_compare,
    )


def _comparison_may_be_told(
    name: str, planned: Sequence[PlannedCheck], runs: tuple[Evaluation, Evaluation | None], terms: SealTerms
) -> bool:
    """Whether a comparison may stand beside the figures of a metric, which alone may be told or nothing is."""
    new, old = runs
    scored = new.by_case(name).scored
    members = [np.ones(terms.cases, dtype=bool), *(_mask(p, terms.cases) for p in planned if str(p.metric) == name)]
    alone = [each & scored for each in members]
    if not may_be_told(alone, terms.minimum_cases):
        raise EvidenceError(
            f"the figures of {name} would tell of fewer than {terms.minimum_cases} cases: too few have a score",
            hint="Nothing is told of this use; find out on another suite why cases have no score",
        )
    if old is None:
        return False
    paired = [each & old.by_case(name).scored for each in alone]
    return may_be_told([*alone, *paired], terms.minimum_cases)


def _mask(check: PlannedCheck, cases: int) -> Mask:
    mask = np.zeros(cases, dtype=bool)
    mask[check.members] = True
    return mask


@contextmanager
def _without_words(what: str) -> Iterator[None]:
    """Lets nothing out of what a fault says: it may quote a case."""
    try:
        yield
    except Exception as fault:
        raise EvidenceError(
            f"{what} ({type(fault).__name__}); what the fault says is not told, since it may quote a case",
            hint="Try the same candidate and policy on a development suite of the same form",
        ) from None


def settings_of(concurrency: int, timeout_s: float) -> RunSettings:
    """How the cases are asked: each once."""
    return RunSettings(concurrency=concurrency, timeout_s=timeout_s)


def write_told(told: ToldDecision, path: Path) -> None:
    """Writes what is told; nothing is overwritten.

    Raises:
        UsageError: if the file is there already, or cannot be written.
    """
    make_folder(path.parent)
    create_bytes(path, told.model_dump_json(exclude_none=True, indent=1).encode() + b"\n")
