"""``beleg gate``: PASS, REVIEW or BLOCK."""

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
    shell,
    warn,
)

EPILOG = "Example: beleg gate runs/new --baseline runs/released --policy policy.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def gate(
    candidate: Annotated[Path, typer.Argument(help="Folder of the candidate's run.", show_default=False)],
    policy: Annotated[Path, typer.Option(help="Policy file (YAML).")],
    baseline: Annotated[Path | None, typer.Option(help="Folder of the run of what is released now.")] = None,
    calibration: Annotated[
        list[Path] | None, typer.Option(help="Record of a judge, or a folder of them; may be given again.")
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(help="Scores that people gave to a random sample of the cases that the candidate's run holds."),
    ] = None,
    reviews: Annotated[
        Path | None, typer.Option(help="What people decided about single claims: review events, exported.")
    ] = None,
    registered: Annotated[
        Path | None, typer.Option(help="Register in which the policy stood before the run (beleg policy register).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the reports. [default: RUN/decision]")] = None,
    sign: Annotated[
        list[str] | None,
        typer.Option(help="Sign by this key: PEM file, env:NAME or a key service; may be given again."),
    ] = None,
    environment: Annotated[str | None, typer.Option(help="Where a signed decision is to hold.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Also write the checks as JUnit XML.")] = None,
    sarif: Annotated[Path | None, typer.Option(help="Also write what does not hold as SARIF.")] = None,
    ci: Annotated[
        str | None, typer.Option(help="Annotate for this system: github (and the job's summary) or gitlab.")
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Decide by the policy whether the candidate may ship.

    Both runs are scored anew from their traces. Exit codes: 0 PASS, 10 REVIEW, 20 BLOCK, 30 could not decide.
    """
    from beleg.app.ci import CiOutputs, write_for_ci
    from beleg.app.gating import gate_runs
    from beleg.app.reporting import overrides_in, write_reports
    from beleg.app.signing import SigningRequest, sign_outcome
    from beleg.app.views import decision_on_terminal

    check_language(language)
    if ci not in (None, "github", "gitlab"):
        raise typer.BadParameter(f"{ci!r} is neither github nor gitlab", param_hint="--ci")
    outcome = gate_runs(
        candidate,
        baseline,
        policy,
        calibrations=calibration or (),
        labels=labels,
        reviews=reviews,
        registered=registered,
    )
    warn(*outcome.warnings())
    written = write_reports(outcome, out, language=language)
    decision = written.outcome.decision
    paths = written.paths()
    if sign:
        request = SigningRequest(keys=tuple(sign), environment=environment)
        paths = (*paths, *sign_outcome(written.outcome, written.decision.parent, request).paths)
    outputs = CiOutputs(junit=junit, sarif=sarif, system="github" if ci == "github" else "gitlab" if ci else None)
    told = write_for_ci(written.outcome, policy, outputs, language=language)
    for command in told.commands:
        # Beside the output, where GitHub reads them too: --json stays one document.
        typer.echo(command, err=True)
    if as_json:
        emit_json(decision.to_json_dict())
    else:
        overrides = overrides_in(written.decision.parent)
        every, notes = (*paths, *told.paths), written.notes(language)
        print_rich(decision_on_terminal(decision, language=language, paths=every, notes=notes, overrides=overrides))
        worst = next((name for check in decision.checks for name in check.worst_cases), None)
        beside = ("--baseline", baseline) if baseline else ()
        look = ("show", worst, "--run", candidate, *beside) if worst is not None else ("score", candidate)
        next_step(shell("beleg", *look))
    raise typer.Exit(decision.exit_code)
