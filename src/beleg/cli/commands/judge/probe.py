"""``beleg judge probe``: what moves a judge that should not."""

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
)

if TYPE_CHECKING:
    from beleg.app.probing import ProbeCommand
    from beleg.core.probes import ProbeRecord

EPILOG = "Example: beleg judge probe runs/new --judge judge.yaml --probe injection"

EXIT_UNKNOWN = 30

HEAD = {
    "en": ("Share of", "Rate [95 % interval]", "Cases", "Not probed"),
    "de": ("Anteil der", "Rate [95-%-Intervall]", "Fälle", "Nicht geprüft"),
}

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def probe(
    run: Annotated[Path, typer.Argument(help="Folder of the run.", show_default=False)],
    judge: Annotated[Path, typer.Option(help="Judge file (YAML).")],
    probe: Annotated[
        list[str] | None,
        typer.Option(
            help="position, verbosity, injection, sensitivity, drift or self_preference; may be repeated. "
            "Left out: the first four."
        ),
    ] = None,
    case: Annotated[list[str] | None, typer.Option(help="Only this case; may be repeated.")] = None,
    sample: Annotated[int, typer.Option(min=1, help="For drift: the number of the new round.")] = 1,
    pairs: Annotated[Path | None, typer.Option(help="For self_preference: labelled pairs of answers.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder of records, or a .json file; evidence/probes of the run unless given.", show_default=False
        ),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it would take.")] = False,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Ask a judge about each answer again with a change that must not move its verdict, count where it did, record it.

    Exit codes: 0 probed, 30 where nothing was measured, or a probe got no verdict at all.
    """
    from beleg.app.probe_records import probes_folder, store_probes
    from beleg.app.probing import (
        DEFAULT_PROBES,
        ProbeCommand,
        is_known,
        plan_probes,
        probe_run,
    )

    check_language(language)
    command = ProbeCommand(
        run=run,
        judge=judge,
        probes=tuple(probe or DEFAULT_PROBES),
        cases=tuple(case or ()),
        sample=sample,
        pairs=pairs,
    )
    if plan:
        planned = plan_probes(command)
        if as_json:
            emit_json({"rows": planned.rows, "calls_at_most": planned.calls})
            return
        say(*planned.lines(language))
        next_step(f"{shell('beleg', 'judge', 'probe', run, '--judge', judge)}")
        return
    record = probe_run(command)
    _show(record, store_probes(record, out or probes_folder(run)), command, language=language, as_json=as_json)
    if not is_known(record.reports):
        raise typer.Exit(EXIT_UNKNOWN)


def _show(record: ProbeRecord, path: Path, command: ProbeCommand, *, language: str, as_json: bool) -> None:
    from beleg.app.probing import report_details, report_row

    if as_json:
        emit_json({**record.to_json_dict(), "digest": record.digest, "path": str(path)})
        return
    print_table(HEAD[language], (report_row(report, language) for report in record.reports))
    for report in record.reports:
        say(*report_details(report, language))
    say(str(path))
    next_step(f"{shell('beleg', 'show')} CASE --run {shell(command.run)}")
