"""``beleg rejudge``: stored answers before the judge of today."""

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
    from beleg.app.rejudging import RejudgeResult

EPILOG = "Example: beleg rejudge runs/released --judge judge.yaml --policy policy.yaml --out runs/released-rejudged"

EXIT_UNFINISHED = 30
MAX_SHOWN = 10
TEXT_CHARS = 160

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def rejudge(
    run: Annotated[Path, typer.Argument(help="Folder of the stored run.", show_default=False)],
    judge: Annotated[Path, typer.Option(help="Judge file (YAML).")],
    out: Annotated[Path, typer.Option(help="Folder of the new run.")],
    policy: Annotated[Path | None, typer.Option(help="Judge what the metrics of this policy need.")] = None,
    metric: Annotated[list[str] | None, typer.Option(help="Judge what this metric needs; may be repeated.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Use recorded verdicts only; nothing is sent.")] = False,
    cache: Annotated[Path | None, typer.Option(help="File of verdicts that several runs share.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0.0, help="Stop before more dollars are spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop before more tokens are used.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Put the stored answers of a run before the judge of today, in a new run; the old judgements stay.

    Says what changed by the judge alone, and the gate then compares a candidate with the new run under one judge.
    Exit codes: 0 judged, 30 stopped before the end; the same command again goes on.
    """
    from beleg.app.rejudging import RejudgeCommand, rejudge_run
    from beleg.cli.progress import judging_line

    check_language(language)
    command = RejudgeCommand(
        source=run,
        out=out,
        judge=judge,
        metrics=tuple(metric or ()),
        policy=policy,
        replay=replay,
        cache=cache,
        max_usd=max_usd,
        max_tokens=max_tokens,
    )
    with judging_line("judging") as on_progress:
        result = rejudge_run(command, on_progress)
    warn(*result.judging.warnings)
    if as_json:
        emit_json(result.to_json_dict())
    else:
        _print(result, language)
        gate = f"beleg gate CANDIDATE_RUN {shell('--baseline', out, *(('--policy', policy) if policy else ()))}"
        next_step(gate if policy else f"{gate} --policy POLICY")
    if result.judging.is_unfinished:
        raise typer.Exit(EXIT_UNFINISHED)


def _print(result: RejudgeResult, language: str) -> None:
    from beleg.app.rejudging_words import answer_of, metric_rows, moved_lines

    say(answer_of(result, language))
    print_table(*metric_rows(result.shift, language))
    say(*moved_lines(result.shift, language, most=MAX_SHOWN, chars=TEXT_CHARS))
    say(result.judging.spent_text(language), str(result.stored))
