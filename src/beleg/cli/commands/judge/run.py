"""``beleg judge run``: the answers of a run before a judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    next_step,
    print_table,
    say,
    shell,
    warn,
)

if TYPE_CHECKING:
    from beleg.app.judge_plan import JudgingPlan
    from beleg.app.judging_result import JudgingResult

EPILOG = "Example: beleg judge run runs/new --judge judge.yaml --metric faithfulness --plan"

EXIT_UNFINISHED = 30

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def run(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    judge: Annotated[Path, typer.Option(help="Judge file (YAML).")],
    metric: Annotated[list[str] | None, typer.Option(help="Judge what this metric needs; may be repeated.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Judge what the metrics of this policy need.")] = None,
    case: Annotated[list[str] | None, typer.Option(help="Judge only this case; may be repeated.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it would take.")] = False,
    replay: Annotated[bool, typer.Option("--replay", help="Use recorded verdicts only; nothing is sent.")] = False,
    cache: Annotated[Path | None, typer.Option(help="File of verdicts that several runs share.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0.0, help="Stop before more dollars are spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop before more tokens are used.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Judge the answers of a run. What was judged is kept at once, and never paid twice.

    Exit codes: 0 judged, 30 stopped before the end (budget, deadline, quota or a judge that does not answer), or no
    row that was asked about got a verdict.
    """
    from beleg.app.judging import JudgeCommand, judge_run, plan_run
    from beleg.cli.progress import judging_line

    check_language(language)
    command = JudgeCommand(
        run=run,
        judge=judge,
        metrics=tuple(metric or ()),
        policy=policy,
        cases=tuple(case or ()),
        replay=replay,
        cache=cache,
        max_usd=max_usd,
        max_tokens=max_tokens,
    )
    if plan:
        follow = shell("beleg", "judge", "run", run, "--judge", judge)
        print_plan(plan_run(command), follow, language, as_json=as_json)
        return
    with judging_line("judging") as on_progress:
        result = judge_run(command, on_progress)
    warn(*result.warnings)
    if as_json:
        emit_json(result.to_json_dict())
    else:
        _print_result(result, language)
    if result.is_unfinished:
        raise typer.Exit(EXIT_UNFINISHED)


def print_plan(plan: JudgingPlan, command: str, language: str, *, as_json: bool) -> None:
    """Says what a command would take.

    Args:
        plan: what it would take.
        command: the command that does it.
        language: ``en`` or ``de``.
        as_json: as JSON data instead.
    """
    if as_json:
        emit_json(plan.to_json_dict())
        return
    say(*plan.lines(language))
    next_step(command)


def _print_result(result: JudgingResult, language: str) -> None:
    say(result.answer(language))
    head = ("Measure", "judged", "without verdict") if language == "en" else ("Maß", "beurteilt", "ohne Urteil")
    print_table(head, result.rows(language))
    say(result.spent_text(language))
    place = result.run
    worst = result.first_failure
    look = shell("beleg", "why", place, *worst) if worst else shell("beleg", "score", place)
    next_step(look)
