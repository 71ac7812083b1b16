"""``beleg ir rerank``: what reranking gains on identical candidates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.commands.ir.fuse import interval
from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.ir.uplift import Gain, Uplift

EPILOG = "Example: beleg ir rerank qrels.txt bm25.run reranked.run --record reranked.yaml -m nDCG@10 -m RR@10 -m P@1"


def rerank(
    qrels: Annotated[Path, typer.Argument(help="Judgements: a file, or a folder of BEIR; - is standard input.")],
    first_stage: Annotated[Path, typer.Argument(help="The run that was reranked.")],
    reranked: Annotated[list[Path], typer.Argument(metavar="RERANKED...", help="One or more runs after reranking.")],
    measures: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="nDCG@10, RR@10 and P@1 if none is named.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help="Candidates of each query; that of the record, or 100.")
    ] = None,
    record: Annotated[
        list[Path] | None, typer.Option("--record", help="YAML or JSON beside a run: model, hardware, latency.")
    ] = None,
    slices: Annotated[Path | None, typer.Option("--slices", help="Lines of query and slice: figures for each.")] = None,
    groups: Annotated[
        Path | None, typer.Option("--groups", help="Lines of query and topic group, for the intervals.")
    ] = None,
    allow_partial: Annotated[
        bool, typer.Option("--allow-partial", help="Count lists that do not hold exactly their candidates.")
    ] = False,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Show the queries that changed.")] = False,
    min_rel: Annotated[int, typer.Option("--min-rel", help="The lowest grade that counts as relevant.")] = 1,
    as_json: Annotated[bool, JSON_OPTION] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")] = False,
) -> None:
    """Compare reranked runs with their first stage on identical candidates.

    A list that holds other documents than the first of its first stage is refused: its gain would be no reranking.
    """
    from beleg.app.ir.uplift import DEFAULT_MEASURES, UpliftRequest, rerank_uplift

    request = UpliftRequest(
        qrels=qrels, first_stage=first_stage, reranked=tuple(reranked),
        measures=tuple(measures or DEFAULT_MEASURES), depth=depth, records=tuple(record or ()),
        slices=slices, groups=groups, min_rel=min_rel, allow_partial=allow_partial, lenient=lenient,
    )  # fmt: skip
    found = rerank_uplift(request)
    if as_json:
        emit_json(
            {"first_stage": str(first_stage), "reranked": [uplift.to_json(per_query=per_query) for uplift in found]}
        )
        return
    for uplift in found:
        _print(uplift, per_query=per_query)
    next_step(
        shell("beleg", "ir", "eval", qrels, first_stage, *reranked, *(w for m in request.measures for w in ("-m", m)))
    )


def _print(uplift: Uplift, *, per_query: bool) -> None:
    counts = uplift.candidates
    say(
        f"{uplift.file}: first {uplift.depth} of each list reranked; {counts.identical} of {counts.queries} judged "
        "queries hold exactly their candidates"
    )
    if counts.missing_queries:
        say(f"  {counts.missing_queries} lack {counts.missing_documents} candidates and count with what they have")
    if counts.extra_queries:
        say(
            f"  {counts.extra_queries} hold {counts.extra_documents} documents that are no candidates, and are left out"
        )
    for reason, number in uplift.dropped.items():
        say(f"  {number} lines left out ({reason})")
    say("")
    head = ("measure", "before", "after", "difference", "95 % interval", "better", "worse", "best order")
    print_table(head, [_gain(gain) for gain in uplift.gains])
    if uplift.slices:
        say("")
        rows = [[name, str(gain.difference.n), *_gain(gain)] for name, gains in uplift.slices.items() for gain in gains]
        print_table(("slice", "queries", *head), rows)
    if per_query:
        say("")
        _print_changed(uplift)
    _print_gold(uplift)
    _print_record(uplift)
    say("")


def _gain(gain: Gain) -> list[str]:
    difference = gain.difference
    return [
        gain.measure, f"{gain.before:.4f}", f"{gain.after:.4f}", f"{difference.estimate:+.4f}", interval(difference),
        str(difference.better), str(difference.worse), f"{gain.best:.4f}",
    ]  # fmt: skip


def _print_changed(uplift: Uplift) -> None:
    """The queries whose first measure changed, the greatest loss first."""
    label = uplift.gains[0].measure
    figures = [(each["query"], each["before"][label], each["after"][label]) for each in uplift.per_query()]
    rows = [[query, f"{old:.4f}", f"{new:.4f}", f"{new - old:+.4f}"] for query, old, new in figures if old != new]
    print_table((f"query, by {label}", "before", "after", "difference"), rows)


def _print_gold(uplift: Uplift) -> None:
    moves = uplift.moves
    say(
        "",
        f"Relevant documents: {moves.relevant}, of these {moves.available} among the candidates; "
        f"{moves.queries_without} queries have none there.",
        f"Moved up {moves.up}, down {moves.down}, not {moves.same}, lost {moves.lost}.",
    )
    rows = [[f"first {cut}", str(moves.into[cut]), str(moves.out_of[cut])] for cut in moves.into]
    print_table(("relevant documents", "came in", "fell out"), rows)


def _print_record(uplift: Uplift) -> None:
    record = uplift.record
    if record is None:
        say("", "No record was given: model, mode, batch size, hardware, latency and cost are not known.")
        return
    say(
        "", f"{record.model}: {record.mode}, depth {record.depth}, batch size {record.batch_size}, on {record.hardware}"
    )
    latency = uplift.latency()
    if not latency:
        say("Latency was not recorded.")
    for each in latency:
        known = each["lower"] is not None and each["upper"] is not None
        bounds = f" (95 % interval {each['lower']:.1f} to {each['upper']:.1f})" if known else ""
        over = f", {each['queries']} queries" if each["queries"] else ""
        say(f"Latency p{each['p'] * 100:.0f}: {each['ms']:.1f} ms{bounds}{over}")
    say("Cost was not recorded." if record.cost_usd is None else f"Cost: {record.cost_usd:.4f} USD for all queries")
