"""``beleg ir``: run files and judgement files of information retrieval."""

from __future__ import annotations

import typer

from beleg.cli.commands.ir import ann, compare, evaluate, filters, fuse, judgements, measures, overlap, pool, rerank

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Evaluate run files against relevance judgements.",
    epilog=evaluate.EPILOG,
)


@app.callback()
def ir() -> None:
    """Evaluate run files against relevance judgements."""


app.command("eval", epilog=evaluate.EPILOG)(evaluate.evaluate)
app.command("overlap", epilog=overlap.EPILOG)(overlap.overlap)
app.command("ann", epilog=ann.EPILOG)(ann.ann)
app.command("fuse", epilog=fuse.EPILOG)(fuse.fuse)
app.command("rerank", epilog=rerank.EPILOG)(rerank.rerank)
app.command("compare", epilog=compare.EPILOG)(compare.compare)
app.command("measures", epilog=measures.EPILOG)(measures.measures)
app.command("filters", epilog=filters.EPILOG)(filters.filters)
app.command("pool", epilog=pool.EPILOG)(pool.pool)
app.add_typer(judgements.app, name="judgements")
