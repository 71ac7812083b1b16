"""``beleg demo``: see it work, offline and without a key."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import JSON_OPTION, LANGUAGE_OPTION, check_language, emit_json, next_step, print_rich, say

EPILOG = "Example: beleg demo --lang de"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def demo(
    out: Annotated[Path, typer.Option(help="Folder for runs and reports.")] = Path("demo"),
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Run the released baseline and three candidates of an embedded RAG, and decide on each.

    One candidate passes, one is blocked by what its filter hides, one needs more cases. Always ends with exit code 0.
    """
    from beleg.app.demo import BASELINE, run_demo
    from beleg.app.views import decision_on_terminal
    from beleg.cli.progress import progress_line

    check_language(language)
    german = language == "de"
    started = time.monotonic()
    found = []
    with ExitStack() as stack:
        decisions = run_demo(
            out,
            language=language,
            progress_for=lambda name: stack.enter_context(progress_line(name)),
        )
        if not as_json:
            say(f"Baseline {BASELINE.name}: {BASELINE.what_de if german else BASELINE.what_en}")
        for made in decisions:
            stack.pop_all().close()
            found.append(made)
            if as_json:
                continue
            what = made.candidate.what_de if german else made.candidate.what_en
            say("", f"{'Kandidat' if german else 'Candidate'} {made.candidate.name}: {what}")
            print_rich(
                decision_on_terminal(made.outcome.decision, language=language, paths=made.written.paths(), brief=True)
            )
    if as_json:
        emit_json(
            [
                {
                    "candidate": made.candidate.name,
                    "report": str(made.written.html),
                    "decision": made.outcome.decision.to_json_dict(),
                }
                for made in found
            ]
        )
        return
    say("", f"{time.monotonic() - started:.1f} s")
    worst = found[1].outcome
    case = next((name for check in worst.decision.checks for name in check.worst_cases), "Q-017-de")
    next_step(f"beleg show {case} --run {worst.candidate.folder.path}   or: beleg init my-project")
