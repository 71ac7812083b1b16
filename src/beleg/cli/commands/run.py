"""``beleg run``: every case of a suite through a candidate, journalled as it goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, say, warn

EPILOG = "Example: beleg run candidates/new.yaml --suite suite/suite.yaml --out runs/new"

app = typer.Typer(rich_markup_mode=None)


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
    repeats: Annotated[int, typer.Option(min=1, help="How often each case is asked.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=1024, help="How many cases are under way at a time.")] = 8,
    timeout: Annotated[float, typer.Option(help="Seconds a case may take, retries included.")] = 60.0,
    retries: Annotated[int, typer.Option(min=0, help="How often a passing fault is tried again.")] = 2,
    retrieve_only: Annotated[bool, typer.Option("--retrieve-only", help="Do not ask for an answer.")] = False,
    usage: Annotated[Path | None, typer.Option(help="Ledger of use. [default: usage.jsonl beside the suite]")] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Run a candidate over a suite. A killed run is finished with --resume: no case is lost or paid twice."""
    from beleg.app.commands import RunCommand, run_from_files
    from beleg.cli.progress import cost_text, progress_line
    from beleg.core.errors import UsageError

    if resume and out is None:
        raise UsageError("--resume needs --out", hint="Name the folder of the run that is to be finished")
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
    for warning in result.warnings:
        warn(warning)
    if as_json:
        emit_json(result.to_json_dict())
        return
    progress = result.outcome.progress
    expected = result.outcome.header.expected_rows
    done = result.outcome.already_done + progress.done
    failed = f", {progress.failed} of them failed" if progress.failed else ""
    say(f"{done} of {expected} cases answered{failed} · {result.seconds:.1f} s · {cost_text(progress)}")
    if result.outcome.already_done:
        say(f"{result.outcome.already_done} were there already, {progress.done} were added")
    say(f"Run {result.outcome.header.run_id} in {result.outcome.folder.path}")
    next_step(f"beleg score {result.outcome.folder.path}   or: beleg gate {result.outcome.folder.path} --policy POLICY")
