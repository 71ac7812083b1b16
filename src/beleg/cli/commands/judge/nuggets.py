"""``beleg judge nuggets``: the units of information of a good answer, proposed by a judge for a person to review."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.commands.judge.run import EXIT_UNFINISHED, print_plan
from beleg.cli.output import JSON_OPTION, emit_json, next_step, say, shell

EPILOG = "Example: beleg judge nuggets runs/new --judge judge.yaml --out nuggets.jsonl --plan"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def nuggets(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    judge: Annotated[Path, typer.Option(help="Judge file (YAML).")],
    out: Annotated[Path, typer.Option(help="File of proposals; an existing one is never overwritten.")],
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it would take.")] = False,
    cache: Annotated[Path | None, typer.Option(help="File of verdicts that several runs share.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0.0, help="Stop before more dollars are spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop before more tokens are used.")] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Have nuggets proposed for the cases of a run that have none. They count for nothing before a person's review.

    Exit codes: 0 proposed, 30 stopped before the end (budget, deadline, quota or a judge that does not answer).
    """
    from beleg.app.judging import JudgeCommand
    from beleg.app.nugget_judging import judge_nuggets, plan_nuggets

    command = JudgeCommand(run=run, judge=judge, cache=cache, max_usd=max_usd, max_tokens=max_tokens)
    if plan:
        follow = shell("beleg", "judge", "nuggets", run, "--judge", judge, "--out", out)
        print_plan(plan_nuggets(command), follow, "en", as_json=as_json)
        return
    result = judge_nuggets(command, out)
    if as_json:
        emit_json(result.to_json_dict())
    else:
        found = result.found
        had = f" · {len(found.has_nuggets)} have nuggets already" if found.has_nuggets else ""
        say(f"{result.nuggets} nuggets proposed for {len(found.proposals)} cases{had}")
        say(*(f"{count} without a proposal: {reason}" for reason, count in result.reasons.items()))
        if result.stopped is not None:
            say(f"{result.stopped[1]}. Calls are kept: with another --out nothing is paid twice")
        if found.proposals:
            say(f"{out}: accept or reject each, and sign the review")
            next_step(shell("beleg", "suite", "nuggets", "SUITE", out, "--out", "cases-2.jsonl"))
        else:
            next_step("add reference answers or quotes of evidence to the cases, and propose again")
    if result.stopped is not None:
        raise typer.Exit(EXIT_UNFINISHED)
