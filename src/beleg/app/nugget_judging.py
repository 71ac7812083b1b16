"""Having a judge propose nuggets for the cases of a run: planned first, every call kept, nothing overwritten (A7)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.app.judge_opening import Opening, open_panel
from beleg.app.judge_plan import JudgingPlan, plan_of_questions
from beleg.app.judging import JudgeCommand, settings_of
from beleg.app.nuggets import Proposals, open_cases, propose_for_suite, require_new
from beleg.app.scoring import ScoredRun, score_run
from beleg.core.case import ExpectedBehaviour
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judging import JudgeFault
from beleg.judges.budget import Spending
from beleg.judges.tasks.nuggets import NUGGET_CREATION


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposingResult:
    """What was proposed, what it took, and how it ended."""

    run: Path
    out: Path
    found: Proposals
    spending: Spending
    recorded: int
    stopped: tuple[JudgeFault, str] | None
    seconds: float

    @property
    def nuggets(self) -> int:
        """How many nuggets were proposed."""
        return sum(len(proposal.nuggets) for proposal in self.found.proposals)

    @property
    def reasons(self) -> dict[str, int]:
        """Why cases have no proposal, each reason with its count."""
        return dict(Counter(f"{score.status.value}: {score.detail}" for score in self.found.without.values()))

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "run": str(self.run),
            "out": str(self.out) if self.found.proposals else None,
            "cases": [proposal.case_id for proposal in self.found.proposals],
            "nuggets": self.nuggets,
            "has_nuggets": list(self.found.has_nuggets),
            "without": {name: score.to_json_dict() for name, score in self.found.without.items()},
            "stopped": None if self.stopped is None else {"fault": self.stopped[0].value, "why": self.stopped[1]},
            "calls": self.spending.calls,
            "recorded": self.recorded,
            "cost_usd": self.spending.usd,
            "seconds": round(self.seconds, 3),
        }


def plan_nuggets(command: JudgeCommand) -> JudgingPlan:
    """What proposing would take; nobody is asked.

    Raises:
        UsageError: if there is no such run or judge file.
        ConfigError: if the judge file is wrong.
    """
    settings, batch = settings_of(command), _scored(command).batch
    chars = [
        len(case.question) + sum(len(text) for _, text in sources)
        for case, sources in open_cases(batch).values()
        if sources and case.expected_behaviour is not ExpectedBehaviour.ABSTAIN
    ]
    held = len({case.case_id for case in batch.cases if case.nuggets})
    return plan_of_questions(NUGGET_CREATION.name, chars, held=held, settings=settings)


def judge_nuggets(command: JudgeCommand, out: Path) -> ProposingResult:
    """Has nuggets proposed for every case of a run that has none, and writes them for a person to review.

    Args:
        command: the run and the judge.
        out: the file of proposals; an existing one is never overwritten.

    Raises:
        UsageError: if there is no such run, the file is there already, or another process is writing to the run.
        ConfigError: if the judge file is wrong.
        CandidateError: if the judge cannot be used at all.
    """
    require_new(out)
    settings, scored = settings_of(command), _scored(command)
    with scored.folder.locked():
        return asyncio.run(_proposed(command, scored, settings, out))


async def _proposed(command: JudgeCommand, scored: ScoredRun, settings: JudgeSettings, out: Path) -> ProposingResult:
    started = time.monotonic()
    async with open_panel(Opening(settings=settings, calls=scored.folder.calls_file)) as opened:
        found = await propose_for_suite(opened.engine, scored.batch, out)
        return ProposingResult(
            run=command.run,
            out=out,
            found=found,
            spending=opened.engine.spending,
            recorded=opened.engine.tally.recorded,
            stopped=opened.engine.stopped,
            seconds=time.monotonic() - started,
        )


def _scored(command: JudgeCommand) -> ScoredRun:
    return score_run(command.run, ("failed",))
