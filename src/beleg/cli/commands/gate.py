"""``beleg gate``: PASS, REVIEW or BLOCK."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from beleg.app.ci import CiOutputs
    from beleg.app.gating import GateOutcome
    from beleg.app.reporting import WrittenReports

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
    log: Annotated[
        Path | None, typer.Option(help="Enter what is signed into this decision log first (with --sign).")
    ] = None,
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
    from beleg.app.ci import CiOutputs, clear_for_ci
    from beleg.app.gating import gate_runs

    check_language(language)
    _check_options(ci, log, sign)
    for_ci = CiOutputs(junit=junit, sarif=sarif, system="github" if ci == "github" else "gitlab" if ci else None)
    clear_for_ci(for_ci, inputs=(policy, labels, reviews, registered, log, *(calibration or ())))
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
    told = _Told(policy=policy, baseline=baseline, sign=tuple(sign or ()), environment=environment, log=log)
    raise typer.Exit(told.tell(outcome, out, for_ci, language, as_json=as_json))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """How a decision is written down, signed and shown."""

    policy: Path
    baseline: Path | None
    sign: tuple[str, ...]
    environment: str | None
    log: Path | None

    def tell(
        self,
        outcome: GateOutcome,
        out: Path | None,
        for_ci: CiOutputs,
        language: str,
        *,
        as_json: bool,
    ) -> int:
        from beleg.app.reporting import write_reports
        from beleg.app.signing import SigningRequest, sign_outcome

        written = write_reports(outcome, out, language=language)
        paths = written.paths()
        if self.sign:
            request = SigningRequest(keys=self.sign, environment=self.environment, log=self.log)
            paths = (*paths, *sign_outcome(written.outcome, written.decision.parent, request).paths)
        paths = (*paths, *self._for_ci(written.outcome, for_ci, language))
        if as_json:
            emit_json(written.outcome.decision.to_json_dict())
        else:
            self._show(written, paths, language)
        return written.outcome.decision.exit_code

    def _for_ci(self, outcome: GateOutcome, for_ci: CiOutputs, language: str) -> tuple[Path, ...]:
        from beleg.app.ci import write_for_ci

        told = write_for_ci(outcome, self.policy, for_ci, language=language)
        for command in told.commands:
            # Beside the output, where GitHub reads them too: --json stays one document.
            typer.echo(command, err=True)
        return told.paths

    def _show(self, written: WrittenReports, paths: tuple[Path, ...], language: str) -> None:
        from beleg.app.reporting import overrides_in
        from beleg.app.views import decision_on_terminal

        decision, run = written.outcome.decision, written.outcome.candidate.folder.path
        overrides, notes = overrides_in(written.decision.parent), written.notes(language)
        print_rich(decision_on_terminal(decision, language=language, paths=paths, notes=notes, overrides=overrides))
        worst = next((name for check in decision.checks for name in check.worst_cases), None)
        beside = ("--baseline", self.baseline) if self.baseline else ()
        next_step(shell("beleg", *(("show", worst, "--run", run, *beside) if worst is not None else ("score", run))))


def _check_options(ci: str | None, log: Path | None, sign: list[str] | None) -> None:
    if ci not in (None, "github", "gitlab"):
        raise typer.BadParameter(f"{ci!r} is neither github nor gitlab", param_hint="--ci")
    if log is not None and not sign:
        raise typer.BadParameter("a log takes what was signed: give --sign as well", param_hint="--log")
