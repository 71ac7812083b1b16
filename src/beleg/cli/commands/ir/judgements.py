"""``beleg ir judgements``: versions of relevance judgements."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.ir.judgements import Agreement, Kappa, VersionReport
    from beleg.core.score import Score

EPILOG = "Example: beleg ir judgements diff v1.qrels v2.qrels bm25.run dense.run"

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Merge labels into a new version of judgements, and show what differs.",
    epilog=EPILOG,
)


@app.command(epilog="Example: beleg ir judgements merge v1.qrels pool.jsonl --out v2.qrels --by ana")
def merge(
    qrels: Annotated[Path, typer.Argument(help="The version to start from; the word none for nothing.")],
    labelled: Annotated[Path, typer.Argument(help="Lines with query_id, doc_id and grade: JSONL, CSV or Parquet.")],
    out: Annotated[Path, typer.Option("--out", help="The new version; an existing file is never overwritten.")],
    on_conflict: Annotated[
        str, typer.Option("--on-conflict", help="A pair labelled differently: refuse, new or max.")
    ] = "refuse",
    by: Annotated[str | None, typer.Option("--by", help="Who merges, for the manifest.")] = None,
    on: Annotated[
        datetime | None, typer.Option("--on", formats=["%Y-%m-%d"], help="The day, for the manifest.")
    ] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Merge labels into a new version, with a manifest that names its parent by digest.

    The judgements are written in one canonical form, so that equal judgements have equal digests. A line whose grade
    is null is passed over.
    """
    from beleg.app.ir.judgements import manifest_path, merge_labels

    manifest = merge_labels(
        qrels, labelled, out, on_conflict=on_conflict, by=by, on=on.date() if on is not None else None
    )
    if as_json:
        emit_json(manifest.to_json_dict())
        return
    counts = manifest.counts
    say(
        f"Version {manifest.version}: {counts.after:,} judgements, {counts.added:,} added, {counts.changed:,} changed, "
        f"{counts.confirmed:,} confirmed, {counts.unlabelled:,} lines without a grade."
    )
    if counts.conflicting:
        say(f"{counts.conflicting:,} pairs were labelled differently; settled by --on-conflict {manifest.on_conflict}.")
    say(f"{out}: {manifest.digest}", str(manifest_path(out)))
    next_step(shell("beleg", "ir", "judgements", "diff", qrels, out))


@app.command(epilog=EPILOG)
def diff(
    old: Annotated[Path, typer.Argument(help="The one file of judgements.")],
    new: Annotated[Path, typer.Argument(help="The other.")],
    runs: Annotated[list[Path] | None, typer.Argument(metavar="[RUN]...", help="Runs to measure under both.")] = None,
    measures: Annotated[list[str] | None, typer.Option("--measure", "-m", help="Such as nDCG@10 or AP.")] = None,
    min_rel: Annotated[int, typer.Option("--min-rel", min=1, help="The lowest grade that counts as relevant.")] = 1,
    show: Annotated[int, typer.Option("--show", min=0, help="How many changed pairs to print.")] = 10,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show what differs between two versions, how far they agree, and what that does to runs.

    Intervals of kappa leave out one query after the other, for the documents of a query are not judged independently.
    """
    from beleg.app.ir.judgements import compare_judgements

    report = compare_judgements(old, new, runs or [], measures or ["nDCG@10"], min_rel=min_rel)
    if as_json:
        emit_json(report.to_json(show))
        return
    _print(report, show, min_rel)
    if runs:
        next_step(shell("beleg", "ir", "pool", new, *runs))
    else:
        next_step(shell("beleg", "ir", "judgements", "diff", old, new) + " RUN... -m nDCG@10")


def _print(report: VersionReport, show: int, min_rel: int) -> None:
    counts = report.counts()
    shared = counts["changed"] + counts["unchanged"]
    say(
        f"{counts['added']:,} judgements added, {counts['removed']:,} removed, "
        f"{counts['changed']:,} of {shared:,} shared ones have another grade."
    )
    for name, file, queries, digest in zip(
        ("Old", "New"), (report.old, report.new), report.queries, report.digests, strict=True
    ):
        say(f"{name}: {file}, {queries:,} queries, {digest}")
    if report.agreement is not None:
        _print_agreement(report.agreement, min_rel)
    _print_runs(report)
    if show and counts["changed"]:
        say("", "Changed, the largest first:")
        rows = [(row["query_id"], row["doc_id"], f"{row['old']:g}", f"{row['new']:g}") for row in report.changed(show)]
        print_table(("query", "document", "old", "new"), rows, numbers_from=2)


def _print_agreement(found: Agreement, min_rel: int) -> None:
    say("", f"Agreement on {found.table.n:,} shared pairs; a row is an old grade, a column a new one:")
    names = [f"{grade:g}" for grade in found.table.categories]
    rows = [
        [name, *(f"{count:,}" for count in row)] for name, row in zip(names, found.table.counts.tolist(), strict=True)
    ]
    print_table(("", *names), rows)
    print_table(
        ("", "value", "95 % interval over queries"),
        [
            ("same grade", f"{found.raw:.3f}", ""),
            ("Cohen's kappa", *_kappa(found.kappa)),
            ("kappa, squared distance", *_kappa(found.quadratic)),
            (f"kappa, relevant from {min_rel}", *_kappa(found.binary)),
            (f"relevant from {min_rel}, old", f"{found.relevant.old:.3f}", ""),
            (f"relevant from {min_rel}, new", f"{found.relevant.new:.3f}", ""),
            ("of the old relevant, so in new", *_share(found.relevant.follows_relevant)),
            ("of the old irrelevant, so in new", *_share(found.relevant.follows_irrelevant)),
        ],
    )


def _share(found: Score) -> tuple[str, str]:
    return ("none", found.detail or "") if found.value is None else (f"{found.value:.3f}", "")


def _kappa(found: Kappa) -> tuple[str, str]:
    if found.score.value is None:
        return "none", found.score.detail or ""
    bounds = found.interval
    return (
        f"{found.score.value:.3f}",
        "none: too few queries, or all alike" if bounds is None else f"[{bounds.lower:.3f}, {bounds.upper:.3f}]",
    )


def _print_runs(report: VersionReport) -> None:
    for place, measure in enumerate(report.measures):
        say("", f"{measure.label} of the runs:")
        rows = [
            (name, f"{old[place]:.4f}", f"{new[place]:.4f}", f"{new[place] - old[place]:+.4f}")
            for name, (old, new) in zip(report.runs, report.means, strict=True)
        ]
        print_table(("run", "old", "new", "change"), rows)
        if report.tau:
            tau = report.tau[place]
            said = f"{tau.value:.3f}" if tau.value is not None else f"none: {tau.detail}"
            say(f"Order of the {len(report.runs)} runs, Kendall's tau: {said}")
