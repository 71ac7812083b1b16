"""``beleg ir fuse``: several runs fused into one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from beleg.app.ir.differences import Difference
    from beleg.app.ir.fusing import FusedRuns, SideBySide
    from beleg.app.ir.fusion_tuning import TunedFusion

EPILOG = "Example: beleg ir fuse bm25.run dense.run --out fused.run.gz --qrels qrels.txt -m nDCG@10"
TO_STDOUT = "-"


def fuse(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Two or more runs, as ir eval reads them.")],
    method: Annotated[
        str, typer.Option("--method", help="rrf, weighted-rrf, convex, combsum, combmnz or borda.")
    ] = "rrf",
    k: Annotated[int, typer.Option("--k", help="The rank constant of RRF.")] = 60,
    weights: Annotated[str | None, typer.Option("--weights", help="One for each run, such as 0.7,0.3.")] = None,
    norm: Annotated[
        str | None, typer.Option("--norm", help="minmax (if none is named), zscore, rank, max, sum or none.")
    ] = None,
    missing: Annotated[
        str | None, typer.Option("--missing", help="What a document counts that a run lacks: zero or lowest.")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", help="The longest list to write.")] = 1000,
    out: Annotated[
        Path | None, typer.Option("--out", help="The fused run, plain or .gz; - is standard output.")
    ] = None,
    tag: Annotated[str | None, typer.Option("--tag", help="The name of the fused run; the method if left out.")] = None,
    qrels: Annotated[Path | None, typer.Option("--qrels", help="Judgements: measure every run and the fused.")] = None,
    measures: Annotated[list[str] | None, typer.Option("--measure", "-m", help="Such as nDCG@10.")] = None,
    min_rel: Annotated[int, typer.Option("--min-rel", help="The lowest grade that counts as relevant.")] = 1,
    groups: Annotated[
        Path | None, typer.Option("--groups", help="Lines of query and topic group; a group is never split.")
    ] = None,
    tune: Annotated[bool, typer.Option("--tune", help="Choose the weights by cross-validation.")] = False,
    folds: Annotated[int, typer.Option("--folds", help="Folds of the cross-validation.")] = 5,
    steps: Annotated[int | None, typer.Option("--steps", help="Steps from 0 to 1 in which weights are tried.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Deals queries to folds.")] = 0,
    as_json: Annotated[bool, JSON_OPTION] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
) -> None:
    """Fuse runs by rank or by normalised scores, and measure what it gains.

    With --tune the weights are chosen for the first measure; the figure to trust is the one on held-out queries.
    """
    from beleg.app.ir.fusing import Judging, fuse_runs, fusion_of, measure_side_by_side, read_lanes
    from beleg.app.ir.fusion_tuning import TuningSettings, tune_fusion

    _require_use(out, qrels, measures, tune=tune, as_json=as_json)
    fusion = fusion_of(method, k=k, weights=weights, norm=norm, missing=missing)
    lanes = read_lanes(runs, lenient=lenient)
    asked = tuple(measures or ())
    judging = Judging(qrels=qrels, measures=asked, min_rel=min_rel, lenient=lenient) if qrels else None
    tuned = None
    if tune and judging is not None:
        settings = TuningSettings(folds=folds, seed=seed, parts=steps, groups=groups)
        tuned = tune_fusion(lanes, fusion, judging, settings, depth=depth)
        fusion = tuned.final
    fused = fuse_runs(lanes, fusion, depth=depth)
    found = None if judging is None or tuned else measure_side_by_side(fused, judging, groups=groups)
    if out is not None:
        fused.write(out, tag or method)
    if as_json:
        parts = {"fusion": fused, "tuning": tuned, "evaluation": found}
        emit_json({name: part.to_json() for name, part in parts.items() if part is not None})
    elif str(out) != TO_STDOUT:
        _print(fused, tuned, found, out)
        if out is not None and qrels is not None:
            next_step(shell("beleg", "ir", "eval", qrels, out, *(w for m in measures or () for w in ("-m", m))))


def _require_use(
    out: Path | None, qrels: Path | None, measures: list[str] | None, *, tune: bool, as_json: bool
) -> None:
    """Refuses a call that would do nothing, or put two things into one output."""
    if out is None and qrels is None:
        raise typer.BadParameter("name a file to write, or judgements to measure by", param_hint="--out, --qrels")
    if str(out) == TO_STDOUT and (qrels is not None or as_json):
        raise typer.BadParameter("the run goes to standard output; figures would mix with it", param_hint="--out")
    if qrels is not None and not measures:
        raise typer.BadParameter("name a measure, such as -m nDCG@10", param_hint="--measure")
    if qrels is None and (tune or measures):
        raise typer.BadParameter("judgements are needed to measure anything", param_hint="--qrels")


def _print(fused: FusedRuns, tuned: TunedFusion | None, found: SideBySide | None, out: Path | None) -> None:
    said = fused.to_json()
    settings = ", ".join(f"{name} {value}" for name, value in said["settings"].items())
    say(f"{said['method']} ({settings}) over {said['queries']:,} queries, {said['rows']:,} rows")
    for run in said["runs"]:
        dropped = "".join(f", {number} lines left out ({reason})" for reason, number in run["dropped"].items())
        absent = f", lacks {run['absent_queries']:,} of the queries" if run["absent_queries"] else ""
        say(f"  {run['weight']:.4g} x {run['file']}{absent}{dropped}")
    measured = tuned or found
    for reason, number in (measured.dropped if measured else {}).items():
        say(f"  {number} lines of the judgements left out ({reason})")
    if out is not None:
        say(f"Written to {out}")
    if tuned is not None:
        _print_tuned(tuned)
    if found is not None:
        _print_measured(found)


def _print_measured(found: SideBySide) -> None:
    summaries = {report.file: report.summary() for report in found.reports}
    labels = list(next(iter(summaries.values())))
    say("")
    print_table(("", *summaries), [[label, *(_figure(each[label]) for each in summaries.values())] for label in labels])
    say("")
    _print_differences("fused minus", found.differences)


def _print_tuned(tuned: TunedFusion) -> None:
    said = tuned.to_json()
    say("", f"Weights chosen for {said['tuned_by']} (seed {said['seed']}), {len(said['folds'])} folds:")
    rows = [
        [
            str(number),
            _weights(fold["weights"]),
            str(fold["chosen_on"]),
            str(fold["held_out"]),
            _figure(fold["held_out_mean"]),
        ]
        for number, fold in enumerate(said["folds"], start=1)
    ]
    print_table(("fold", "weights", "chosen on", "held out", f"{said['tuned_by']} held out"), rows)
    say("")
    names, labels = list(said["measures"]), [measure.label for measure in tuned.measures]
    print_table(("", *labels), [[name, *(_figure(said["measures"][name][each]) for each in labels)] for name in names])
    say("")
    _print_differences("tuned (held out) minus", tuned.differences)
    say("", f"Final weights, chosen on all queries: {_weights(list(tuned.tuned.final))}")


def _print_differences(head: str, found: Mapping[str, Sequence[Difference]]) -> None:
    """One line for each run and measure."""
    rows = [
        [name, each.measure, f"{each.estimate:+.4f}", interval(each), str(each.better), str(each.worse)]
        for name, differences in found.items()
        for each in differences
    ]
    print_table((head, "measure", "difference", "95 % interval", "better", "worse"), rows, numbers_from=2)


def interval(difference: Difference) -> str:
    """The interval of a difference, or why there is none."""
    if difference.lower is None or difference.upper is None:
        return difference.reason or "none"
    return f"{difference.lower:+.4f} to {difference.upper:+.4f}"


def _weights(weights: Iterable[float]) -> str:
    return ", ".join(f"{weight:.4g}" for weight in weights)


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
