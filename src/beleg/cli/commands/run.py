"""``beleg run``: every case of a suite through a candidate, journalled as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, say, shell, warn

if TYPE_CHECKING:
    from beleg.app.commands import RunResult

EPILOG = "Example: beleg run candidates/new.yaml --suite suite/suite.yaml --out runs/new"

LONGEST_TIMEOUT_S = 3600

app = typer.Typer(rich_markup_mode=None, add_completion=False)


def _check_timeout(seconds: float) -> float:
    # A range of the option would let nan through.
    if not 0 < seconds <= LONGEST_TIMEOUT_S:
        raise typer.BadParameter(f"{seconds:g} is not above 0 and at most {LONGEST_TIMEOUT_S}")
    return seconds


@app.command(epilog=EPILOG)
def run(
    candidate: Annotated[Path, typer.Argument(help="Candidate file (YAML).", show_default=False)],
    suite: Annotated[
        str,
        typer.Option(help="Suite file, file of cases, released version, beir:FOLDER or squad:FILE[:LANG]."),
    ],
    out: Annotated[Path | None, typer.Option(help="Folder of the run. [default: runs/NAME-TIME]")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Finish a run that was killed; needs --out.")] = False,
    subset: Annotated[int | None, typer.Option(min=1, help="Run a fixed stratified subset of about N cases.")] = None,
    seed: Annotated[int, typer.Option(help="Which subset.")] = 0,
    case: Annotated[list[str] | None, typer.Option(help="Run only this case; may be repeated.")] = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, help="How often each case is asked.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=1024, help="How many cases are under way at a time.")] = 8,
    timeout: Annotated[
        float, typer.Option(callback=_check_timeout, help="Seconds a case may take, retries included; at most 3600.")
    ] = 60.0,
    retries: Annotated[int, typer.Option(min=0, max=20, help="How often a passing fault is tried again.")] = 2,
    retrieve_only: Annotated[bool, typer.Option("--retrieve-only", help="Do not ask for an answer.")] = False,
    usage: Annotated[Path | None, typer.Option(help="Ledger of use. [default: usage.jsonl beside the suite]")] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Run a candidate over a suite. A killed run is finished with --resume: no case is lost or paid twice."""
    from beleg.app.commands import RunCommand, run_from_files
    from beleg.cli.progress import progress_line
    from beleg.core.errors import UsageError

    if resume and out is None:
        raise UsageError("--resume needs --out", hint="Name the folder of the run that is to be finished")
    if case and subset is not None:
        raise UsageError("--case and --subset exclude each other", hint="Choose cases by name or by number")
    command = RunCommand(
        candidate=candidate,
        suite=suite,
        out=out,
        resume=resume,
        subset=subset,
        seed=seed,
        cases=tuple(case or ()),
        repeats=repeats,
        concurrency=concurrency,
        timeout_s=timeout,
        retries=retries,
        retrieve_only=retrieve_only,
        usage=usage,
    )
    with progress_line(candidate.stem) as on_progress:
        result = run_from_files(command, on_progress)
    warn(*result.warnings)
    if as_json:
        emit_json(result.to_json_dict())
        return
    _print_result(result)


def _print_result(result: RunResult) -> None:
    from beleg.cli.progress import cost_text, failure_lines

    outcome, progress = result.outcome, result.outcome.progress
    answered = outcome.already_done + progress.done - outcome.failed
    failed = f", {outcome.failed} failed" if outcome.failed else ""
    what = "cases" if outcome.header.settings.repeats == 1 else "attempts"
    say(
        f"{answered} of {outcome.header.expected_rows} {what} answered{failed} · "
        f"{result.seconds:.1f} s · {cost_text(progress)}"
    )
    if outcome.already_done:
        say(f"{outcome.already_done} were there already, {progress.done} were added")
    say(*failure_lines(progress))
    say(f"Run {outcome.header.run_id} in {outcome.folder.path}")
    place, failure = outcome.folder.path, progress.first_failure
    look = shell("beleg", "show", failure.case_id, "--run", place) if failure else shell("beleg", "score", place)
    next_step(f"{look}   or: {shell('beleg', 'gate', place)} --policy POLICY")
