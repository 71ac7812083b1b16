"""Options that commands over run files share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_KNOWN = "trec, jsonl, json, csv, tsv or parquet"
_JUDGEMENTS = "What QRELS holds: qrels, qrels_jg, subtopics, prefs or qrels_prefs. Default: what the measures need."

QrelsArgument = Annotated[Path, typer.Argument(help="Judgements: a file, or a folder of BEIR; - is standard input.")]
RunsArgument = Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs; one of them may be -.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Leave out faulty lines and count them.")]
MinRel = Annotated[int, typer.Option("--min-rel", "-l", help="The lowest grade that counts as relevant.")]
Depth = Annotated[int | None, typer.Option("--depth", "-M", help="End every list at this rank.")]
JudgedOnly = Annotated[
    bool, typer.Option("--judged-only", "-J", help="Leave documents without a judgement out of the lists.")
]
Judgements = Annotated[str | None, typer.Option("--judgements", "-R", help=_JUDGEMENTS)]
ZScores = Annotated[
    Path | None, typer.Option("--z-scores", "-Z", help="Means and deviations by query and measure, to compare with.")
]
SkipWithoutRelevant = Annotated[
    bool, typer.Option("--skip-without-relevant", help="Leave queries without a relevant document out.")
]
Complete = Annotated[
    bool,
    typer.Option(
        "--complete", "-c", help="Accepted as in trec_eval: means are over all judged queries with and without it."
    ),
]
QrelsFormat = Annotated[str | None, typer.Option("--qrels-format", help=f"Of the judgements: {_KNOWN}.")]
RunFormat = Annotated[str | None, typer.Option("--run-format", help=f"Of the runs: {_KNOWN}.")]
Split = Annotated[str | None, typer.Option("--split", help="Of a folder of BEIR, such as dev.")]
Fold = Annotated[
    str | None, typer.Option("--fold-parents", help="Fold passages to documents: best, first, sum or refuse.")
]
Parents = Annotated[Path | None, typer.Option("--parents", help="File of passage and document.")]
Separator = Annotated[
    str | None, typer.Option("--parent-separator", help="The document is what stands before the last of these.")
]
Budget = Annotated[
    int | None, typer.Option("--budget-tokens", help="End every list where it goes beyond this many tokens.")
]
Tokens = Annotated[Path | None, typer.Option("--tokens", help="File of passage and number of tokens.")]
