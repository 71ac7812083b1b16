"""``beleg answers answerability``: the rates of NoMIRACL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_table, say, shell

EPILOG = "Example: beleg answers answerability de.non_relevant.jsonl de.relevant.jsonl"
HEAD = {
    "en": ("Model", "Hallucination rate [95 % interval]", "Error rate [95 % interval]"),
    "de": ("Modell", "Halluzinationsrate [95-%-Intervall]", "Fehlerrate [95-%-Intervall]"),
}


def answerability(
    non_relevant: Annotated[Path, typer.Argument(help="Replies to passages that hold no answer.", show_default=False)],
    relevant: Annotated[Path, typer.Argument(help="Replies to passages that hold one.", show_default=False)],
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show how often models claim an answer that no passage holds, and miss one that a passage holds.

    Rows hold "results": a reply by model. A reply that begins no sentence with "Yes, answer is present" or "I don't
    know", or sentences with both, is invalid: it is counted and never guessed at.
    """
    from beleg.app.answers.answerability import answerability_answer, answerability_of_files, answerability_rows

    check_language(language)
    found = answerability_of_files(non_relevant, relevant)
    if as_json:
        emit_json(found.to_json())
        return
    say(answerability_answer(found, language))
    print_table(HEAD[language], answerability_rows(found, language), numbers_from=9)
    next_step(shell("beleg", "answers", "answerability", non_relevant, relevant, "--json"))
