"""Putting the stored answers of a run before the judge of today, in a run of its own; nothing of before is touched."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import write_bytes
from beleg.app.calibration_subjects import with_standings
from beleg.app.judge_measures import metrics_resting_on
from beleg.app.judging import JudgeCommand, judge_run
from beleg.app.judging_result import JudgingResult, OnJudging
from beleg.app.run_sources import link_to, opened_run
from beleg.app.scoring import score_run
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judge_shift import JudgeShift
from beleg.core.run import RunLink
from beleg.evidence.judge_shift import claim_shifts, judges_in, metric_shift
from beleg.metrics.catalogue import CATALOGUE
from beleg.run.findings import measures_in, read_findings
from beleg.run.folder import RunFolder, write_model

SHIFT_FILE = "rejudged.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class RejudgeCommand:
    """What is to be judged anew, as the command line asks for it."""

    source: Path
    out: Path
    judge: Path | JudgeSettings
    metrics: tuple[str, ...] = ()
    policy: Path | None = None
    replay: bool = False
    cache: Path | None = None
    max_usd: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejudgeResult:
    """What judging took, and what became of the judgements."""

    judging: JudgingResult
    shift: JudgeShift
    stored: Path

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {"judging": self.judging.to_json_dict(), "shift": self.shift.to_json_dict()}


def rejudge_run(command: RejudgeCommand, on_progress: OnJudging | None = None) -> RejudgeResult:
    """Copies the stored answers of a run into a new run that names it, and judges them anew.

    The traces are copied byte for byte and pinned by their digest, so that whatever differs comes from the judge, its
    prompts or the version of the measure. What judges found before stays where it is. A rejudgement that was stopped is
    finished by the same command.

    Args:
        command: the run, the judge and what is wanted.
        on_progress: called after each finding.

    Raises:
        UsageError: if there is no such run, or the new folder holds another one.
        ConfigError: if the judge file or the policy is wrong.
        CandidateError: if the judge cannot be used at all.
        EvidenceError: if a run folder is damaged, or the disk takes no more.
    """
    with opened_run(command.source) as stored:
        if command.out.resolve() == stored.path.resolve():
            raise UsageError(
                f"{command.out} is the stored run itself; what its judges found stays as it is",
                hint="Name another folder with --out",
            )
        new = RunFolder(command.out)
        link = link_to(stored, "rejudge")
        _copy(stored, new, link)
        judging = judge_run(
            JudgeCommand(
                run=new.path,
                judge=command.judge,
                metrics=command.metrics,
                policy=command.policy,
                replay=command.replay,
                cache=command.cache,
                max_usd=command.max_usd,
                max_tokens=command.max_tokens,
            ),
            on_progress,
        )
        shift = judge_shift(stored, new, link)
    path = new.path / SHIFT_FILE
    write_model(path, shift)
    return RejudgeResult(judging=judging, shift=shift, stored=path)


def judge_shift(stored: RunFolder, new: RunFolder, link: RunLink) -> JudgeShift:
    """What changed by the judge alone.

    Args:
        stored: the run with the judgements of before.
        new: its copy with those of today.
        link: how the copy names the stored run.
    """
    before, today = read_findings(stored.findings_file), read_findings(new.findings_file)
    measures = measures_in(new.findings_file)
    resting = [name for measure in measures for name in metrics_resting_on(measure)]
    metrics = [name for name in resting if not CATALOGUE[name].required]
    runs = [with_standings(score_run(folder.path, metrics)).evaluation for folder in (stored, new)]
    ids = [case.case_id for case in runs[0].cases]
    return JudgeShift(
        run_id=new.header().run_id,
        made_from=link,
        judges_before=judges_in(each for key, each in before.latest.items() if key[2] in measures),
        judges_today=judges_in(today.latest.values()),
        findings_digest=today.digest,
        claims=claim_shifts(before.latest, today.latest),
        metrics=tuple(metric_shift(name, ids, runs[0].by_case(name), runs[1].by_case(name)) for name in runs[0].scores),
    )


def _copy(stored: RunFolder, new: RunFolder, link: RunLink) -> None:
    """The stored run without its judgements, under a name of its own; one that was begun before is gone on with.

    When the answers were made, and by what, is copied too: judging anew makes no answer any younger.
    """
    if new.exists():
        if new.header().made_from != link:
            raise UsageError(
                f"{new.path} holds another run, or the stored run was judged further since",
                hint="Name another folder with --out",
            )
    else:
        header = stored.header()
        now = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        name = f"{header.manifest.name[:400]}-rejudged-{now}-{secrets.token_hex(3)}"
        made = header.model_copy(update={"run_id": name, "made_from": link})
        new.create(made, stored.suite(), stored.inventory())
    if not new.journal_file.exists():
        whole = stored.traces().whole_bytes
        write_bytes(new.journal_file, stored.journal_file.read_bytes()[:whole] if whole else b"")
    if new.traces_digest() != link.traces_digest:
        raise EvidenceError(
            f"{new.journal_file} does not hold the answers of {stored.path}",
            hint="Remove the new folder and judge anew",
        )
