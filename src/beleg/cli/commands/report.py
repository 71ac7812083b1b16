"""``beleg report``: the decision as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, say, warn

EPILOG = "Example: beleg report runs/new --baseline runs/released --policy policy.yaml --lang de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def report(
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
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write the decision as one self-contained HTML file, as Markdown for a pull request, and as JSON.

    The same options give the same decision as `beleg gate`, which is the command that gates: this one ends with exit
    code 0 whatever the decision is.
    """
    from beleg.app.gating import gate_runs
    from beleg.app.reporting import write_reports

    check_language(language)
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
    decision = outcome.decision
    if as_json:
        emit_json(
            {
                "verdict": decision.verdict.value,
                "html": str(written.html),
                "markdown": str(written.markdown),
                "decision": str(written.decision),
            }
        )
        return
    say(f"{decision.verdict.value}: {decision.headline.in_language(language)}")
    say(*(str(path) for path in written.paths()))
    next_step(f"open {written.html} in a browser")
