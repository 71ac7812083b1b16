"""``beleg ir``: run files and judgement files of information retrieval."""

from __future__ import annotations

import typer

from beleg.cli.lazy import LazyGroup

EPILOG = "Example: beleg ir eval qrels.txt run.txt -m nDCG@10 -m AP"


class IrGroup(LazyGroup):
    """The commands over run files."""

    package = "beleg.cli.commands.ir"
    modules = {"eval": "evaluate"}  # noqa: RUF012 - never changed
    commands_with_help = {  # noqa: RUF012 - never changed
        "eval": "Compute measures of runs, exact to the last digit of trec_eval.",
        "measures": "List every measure with its notation.",
        "compare": "Say whether one run is better than another, with intervals and corrected p-values.",
        "overlap": "Compare two runs without judgements, by rank-biased overlap.",
        "fuse": "Fuse runs, and tune the weights by cross-validation.",
        "rerank": "Measure what a reranker gains on identical candidates, and what it costs.",
        "pool": "List unjudged documents to label, and what they could change.",
        "judgements": "Merge labels into new versions of judgements, and compare versions.",
        "filters": "Decide by registered terms whether a relevance filter may be hard.",
        "ann": "Measure how much recall approximate indexes lose against exact search, and what they cost.",
    }


app = typer.Typer(
    cls=IrGroup,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Evaluate run files against relevance judgements.",
    epilog=EPILOG,
)


@app.callback()
def ir() -> None:
    """Evaluate run files against relevance judgements."""
