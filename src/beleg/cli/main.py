"""The entry point: a lazy table of commands, and the one place where errors become exit codes.

Exit codes: 0 PASS or done, 10 REVIEW, 20 BLOCK, 30 could not decide, 2 usage, 70 a fault of Beleg itself.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Any, NoReturn

import typer

from beleg.cli.lazy import LazyGroup
from beleg.core.errors import Error

EXIT_USAGE = 2
EXIT_UNDECIDED = 30
EXIT_OWN_FAULT = 70
EXIT_INTERRUPTED = 130

DISK_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

COMMANDS: dict[str, str] = {
    "init": "Make a project: suite, policy, candidate, CI workflow.",
    "run": "Run a candidate over a suite; a killed run resumes.",
    "score": "Score a run; what a judge found is scored too.",
    "gate": "Decide PASS, REVIEW or BLOCK by the policy.",
    "policy": "Lint, explain, compare and prove a policy; see whose turn it is.",
    "verify": "Say whether a candidate may be deployed here and now.",
    "trust": "Make, sign, show and renew trust files: whose signature counts.",
    "keys": "Make and show keys that sign decisions and overrides.",
    "sign": "Sign a stored decision, after making it again from the rows.",
    "override": "Let a candidate pass in spite of named checks, as their owner.",
    "compare": "Compare two runs measure by measure, or claim by claim.",
    "replay": "Ask the frozen cases of a stored run anew.",
    "rejudge": "Put stored answers before the judge of today.",
    "log": "Keep decisions in a log in which a change shows.",
    "report": "Write the decision as one HTML file and as Markdown.",
    "serve": "Look at decisions, runs and cases in the browser.",
    "pack": "Write a decision with all it rests on as one file.",
    "show": "Show one case of a run, stage by stage.",
    "judge": "Let a judge look at answers, and see how far to believe it.",
    "sheet": "Keep and check the evidence behind each claim.",
    "why": "Show why a case has its score, down to the judge's own words.",
    "workbench": "Prepare the workbench of a team: state, first account.",
    "review": "Let people judge the claims of a run; nothing of it is lost.",
    "metrics": "List every metric.",
    "answers": "Analyse answers: positions, calibration, repeats, refusals.",
    "ir": "Evaluate run files against relevance judgements.",
    "suite": "Validate, release, diff, cover, split or subset a suite.",
    "schema": "Export the JSON Schemas of all files.",
    "demo": "Run the demo: one baseline, three candidates, three decisions.",
}
"""Every command with its one line of help; ``beleg.cli.commands.<name>`` is imported when it is called."""

EPILOG = "Begin with: beleg init my-project   or see it work: beleg demo"


class RootGroup(LazyGroup):
    """All commands."""

    commands_with_help = COMMANDS

    def invoke(self, ctx: Any) -> Any:
        """Carries the command out, and says what an interrupt leaves behind."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _complain(f"interrupted; {_left_behind(ctx.invoked_subcommand)}")
            raise typer.Exit(EXIT_INTERRUPTED) from None


app = typer.Typer(
    cls=RootGroup,
    rich_markup_mode=None,
    add_completion=False,
    epilog=EPILOG,
    # Variables in a traceback would show keys and passwords.
    pretty_exceptions_show_locals=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"beleg {version('beleg')}")
        raise typer.Exit


@app.callback(no_args_is_help=True)
def root(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
    offline: bool = typer.Option(
        False, "--offline", envvar="BELEG_OFFLINE", help="Forbid every connection that leaves this machine."
    ),
) -> None:
    """Beleg decides whether a RAG system may be released, and hands over the proof.

    Exit codes: 0 PASS or done, 10 REVIEW, 20 BLOCK, 30 could not decide, 2 usage, 70 a fault of Beleg itself.
    """
    if offline:
        from beleg.app.offline import forbid_network

        forbid_network()


def main() -> NoReturn:
    """Runs the command line."""
    _speak_utf_8()
    try:
        app(prog_name="beleg")
        sys.exit(0)
    except Error as error:
        _complain(error.diagnostics())
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("BELEG_TRACEBACK"):
            raise
        sys.exit(_unexpected(error))


def _speak_utf_8() -> None:
    """Files and pipes get UTF-8 whatever the locale says: JSON is that, and an id must not end a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            encoding = stream.encoding if stream.isatty() else "utf-8"
            reconfigure(encoding=encoding, errors="backslashreplace")


def _unexpected(error: Exception) -> int:
    """Says what happened, and whether the system or Beleg is at fault."""
    if isinstance(error, OSError) and error.filename is not None:
        _complain(f"{error.filename}: {error.strerror}\nCheck the path, the rights on it and the space on its disk")
        return EXIT_USAGE
    if isinstance(error, OSError) and error.errno in DISK_FAULTS:
        _complain(f"the output cannot be written: {error.strerror}\nCheck where it goes and the space there")
        return EXIT_UNDECIDED
    _complain(
        f"a fault of Beleg itself: {type(error).__name__}: {error}\n"
        "Run again with BELEG_TRACEBACK=1 to see where, and please report it"
    )
    return EXIT_OWN_FAULT


def _left_behind(command: str | None) -> str:
    if command == "judge":
        return "what was judged is kept, and the same command again goes on from there"
    return "the finished cases of a run are kept, and --resume goes on from there"


def _complain(text: str) -> None:
    from beleg.app.safe import visible

    typer.echo(f"beleg: {visible(text)}", err=True)
