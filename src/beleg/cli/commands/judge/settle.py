"""``beleg judge settle``: judge in batches, and stop as soon as the decision is settled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    next_step,
    print_rich,
    say,
    shell,
    warn,
)

EPILOG = "Example: beleg judge settle runs/new --baseline runs/released --policy policy.yaml --judge judge.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def settle(
    candidate: Annotated[Path, typer.Argument(help="Folder of the candidate's run.", show_default=False)],
    policy: Annotated[Path, typer.Option(help="Policy file (YAML) with a section 'sequential'.")],
    judge: Annotated[Path, typer.Option(help="Judge file (YAML).")],
    baseline: Annotated[Path | None, typer.Option(help="Folder of the run of what is released now.")] = None,
    calibration: Annotated[
        list[Path] | None, typer.Option(help="Record of a judge, or a folder of them; may be given again.")
    ] = None,
    labels: Annotated[Path | None, typer.Option(help="Scores of people for a random sample of the cases.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Use recorded verdicts only; nothing is sent.")] = False,
    cache: Annotated[Path | None, typer.Option(help="File of verdicts that several runs share.")] = None,
    max_usd: Annotated[float | None, typer.Option(min=0.0, help="Stop a batch before more dollars are spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop a batch before more tokens are used.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the reports. [default: RUN/decision]")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Judge look after look by the policy's plan, and stop as soon as PASS or BLOCK is settled.

    Exit codes: 0 PASS, 10 REVIEW, 20 BLOCK, 30 could not decide.
    """
    from beleg.app.reporting import write_reports
    from beleg.app.settling import SettleCommand
    from beleg.app.settling import settle as settle_runs
    from beleg.app.views import decision_on_terminal

    check_language(language)
    command = SettleCommand(
        candidate=candidate,
        baseline=baseline,
        policy=policy,
        judge=judge,
        calibrations=calibration or (),
        labels=labels,
        replay=replay,
        cache=cache,
        max_usd=max_usd,
        max_tokens=max_tokens,
    )
    settled = settle_runs(command)
    warn(*settled.outcome.warnings())
    if settled.stopped is not None:
        warn(settled.stopped.answer(language))
    written = write_reports(settled.outcome, out, language=language)
    decision = written.outcome.decision
    if as_json:
        emit_json(decision.to_json_dict())
    else:
        print_rich(decision_on_terminal(decision, language=language, paths=written.paths()))
        say(*(f"{result.run}: {result.answer(language)} · {result.spent_text(language)}" for result in settled.judged))
        next_step(shell("beleg", "score", candidate))
    raise typer.Exit(decision.exit_code)
