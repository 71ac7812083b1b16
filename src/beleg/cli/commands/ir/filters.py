"""``beleg ir filters``: may a relevance preference be a hard predicate, by the registered rule?"""

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
    from beleg.app.ir.filter_evidence import FilterFiles
    from beleg.app.ir.filter_report import FilterReport

EPILOG = (
    "Example: beleg ir filters locale.yaml qrels.txt hard.run soft.run "
    "--predicates predicates.jsonl --documents documents.jsonl"
)
NO_RECORD = "none"


def filters(
    registration: Annotated[Path, typer.Argument(help="The registered terms, YAML or JSON.")],
    qrels: Annotated[
        Path, typer.Argument(help="Gold before any filter, as judgements; the word traces for stored runs.")
    ],
    hard: Annotated[Path, typer.Argument(help="The run with the filter as a predicate; with traces, its folder.")],
    soft: Annotated[Path, typer.Argument(help="The run with the filter as a boost.")],
    eligible: Annotated[
        Path | None, typer.Option("--eligible", help="Query, 0, document, 1 or 0: whether the caller may see it.")
    ] = None,
    predicates: Annotated[
        Path | None, typer.Option("--predicates", help="Rows with query_id, applied, expected.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option("--documents", help="Rows with doc_id, metadata; to know what was removed.")
    ] = None,
    survivors: Annotated[
        Path | None, typer.Option("--survivors", help="Instead: query, 0, gold document, 1 or 0: whether it passed.")
    ] = None,
    groups: Annotated[
        Path | None, typer.Option("--groups", help="Rows with query_id, group, where queries share a source.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", help="Where decisions are kept; left out: beside the terms; none: nowhere."),
    ] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Decide by the registered rule whether a relevance filter may be hard: hard, soft or not enough evidence.

    Entitlement is proven apart and never weighed against relevance. Exit codes: 0 decided, 30 could not decide, 20
    where a run lists what its caller may not see, whatever was decided.
    """
    from datetime import UTC, datetime

    from beleg.app.ir.filter_evidence import FilterFiles
    from beleg.app.ir.filtering import decide_filter, record_path

    check_language(language)
    files = FilterFiles(
        registration=registration,
        qrels=qrels,
        hard=hard,
        soft=soft,
        eligible=eligible,
        predicates=predicates,
        documents=documents,
        survivors=survivors,
        groups=groups,
    )
    kept = record_path(registration) if record is None else None if str(record) == NO_RECORD else record
    report = decide_filter(files, today=datetime.now(UTC).date(), record=kept)
    if as_json:
        emit_json(report.to_json())
    else:
        _print(report, language, kept)
        next_step(_next(files, report.registration.k))
    raise typer.Exit(report.exit_code)


def _next(files: FilterFiles, k: int) -> str:
    from beleg.app.ir.filter_evidence import TRACES

    if str(files.qrels) != TRACES:
        return shell("beleg", "ir", "pool", files.qrels, files.soft, files.hard, "-m", f"P@{k}")
    metrics = (f"precision@{k}", f"eligible_recall@{k}", "false_exclusion")
    words = [word for name in metrics for word in ("--metric", name)]
    return shell("beleg", "compare", files.hard, files.soft, *words)


def _print(report: FilterReport, language: str, record: Path | None) -> None:
    from beleg.app.ir import filter_words as words
    from beleg.app.ir.filter_report import SYSTEMS

    say(words.answer(report, language))
    print_table(
        words.head(report, language),
        (words.condition_row(each, report, language) for each in report.rule.conditions),
        numbers_from=5,
    )
    k = report.registration.k
    print_table(
        [name.format(k=k) for name in words.HEAD_OF_SYSTEMS[language]],
        (words.system_row(name, report, language) for name in SYSTEMS),
    )
    say(*words.notes(report, language), "", *words.entitlement_lines(report, language), "")
    say(*words.registration_lines(report, language), *([] if record is None else [str(record)]))
