"""``beleg ir measures``: what can be asked for."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say

if TYPE_CHECKING:
    from beleg.app.ir.listing import ListedMeasure

EPILOG = "Example: beleg ir measures DCG"


def measures(
    word: Annotated[str, typer.Argument(help="Only measures whose line holds this text.", show_default=False)] = "",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """List the measures of beleg ir eval, with their names in trec_eval and their parameters."""
    from beleg.app.ir.listing import listed_measures

    found = [each for each in listed_measures() if word.lower() in str(asdict(each)).lower()]
    if as_json:
        emit_json([asdict(each) for each in found])
        return
    if not found:
        say(f"No measure has {word!r} in its line.")
    for family in dict.fromkeys(each.family for each in found):
        rows = [
            (" ".join(each.written), each.says, " ".join(each.in_trec_eval), _parameters(each))
            for each in found
            if each.family == family
        ]
        say(family)
        print_table(("measure", "what it is", "in trec_eval", "parameters"), rows, numbers_from=4)
        say("")
    next_step("beleg ir eval QRELS RUN -m nDCG@10")


def _parameters(measure: ListedMeasure) -> str:
    """The names alone; judged_only, which nearly all take, is left to --json."""
    return " ".join(name for name in measure.parameters if name != "judged_only")
