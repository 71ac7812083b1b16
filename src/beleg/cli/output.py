"""Printing for people and for programs: the answer first, no colour in pipes, the next useful command last."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import typer

PIPE_WIDTH = 140

JSON_OPTION = typer.Option("--json", help="Print the same figures as JSON.")
LANGUAGE_OPTION = typer.Option("--lang", help="Language of sentences: en or de.")


def is_terminal() -> bool:
    """Whether a person reads along."""
    return sys.stdout.isatty()


def emit_json(value: Any) -> None:
    """Prints JSON: one document, nothing beside it."""
    _put(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def emit_json_text(text: str) -> None:
    """Prints what is JSON already. It goes out as it is: looking through it for colours takes longer than making it."""
    _tolerant(lambda: sys.stdout.write(text + "\n"))


def json_object(name: str, members: Mapping[str, str]) -> str:
    """An object that holds one object under a name, whose members are JSON already."""
    inner = ",\n".join(f"{json.dumps(key, ensure_ascii=False)}: {text}" for key, text in members.items())
    return f'{{"{name}": {{\n{inner}\n}}}}'


def say(*lines: str) -> None:
    """Prints lines for a person; characters that could drive the terminal are shown by their code point."""
    from beleg.app.safe import visible

    for line in lines:
        _put(visible(line))


def warn(*lines: str) -> None:
    """Prints warnings beside the output."""
    from beleg.app.safe import visible

    for line in lines:
        typer.echo(f"beleg: {visible(line)}", err=True)


def shell(*words: object) -> str:
    """Words as one command to copy into a shell; names of strangers are quoted."""
    return shlex.join(str(word) for word in words)


def next_step(command: str) -> None:
    """Names the next useful command."""
    say(f"Next: {command}")


def print_rich(renderable: Any) -> None:
    """Prints a rich renderable, without colour where nobody looks."""
    from rich.console import Console

    console = Console(width=None if is_terminal() else _pipe_width(), highlight=False, soft_wrap=False)
    with console.capture() as captured:
        console.print(renderable)
    _put(captured.get().removesuffix("\n"))


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1) -> None:
    """Prints a table; the columns from ``numbers_from`` on are aligned to the right."""
    from beleg.app.safe import visible
    from beleg.cli.plain_table import plain_table

    head, *shown = [[visible(cell) for cell in row] for row in (head, *rows)]
    if not is_terminal() and sys.stdout.encoding == "utf-8":
        plain = plain_table(head, shown, numbers_from=numbers_from, width=_pipe_width())
        if plain is not None:
            _put(plain)
            return
    _print_rich_table(head, shown, numbers_from)


def _print_rich_table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for position, name in enumerate(head):
        table.add_column(Text(name), justify="right" if position >= numbers_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    print_rich(table)


def _pipe_width() -> int:
    return max(PIPE_WIDTH, shutil.get_terminal_size().columns)


def _put(text: str) -> None:
    """Writes to standard output.

    Where the reader has gone, as with ``| head``, the rest goes nowhere: the exit code may be a decision and stands.
    """
    _tolerant(lambda: typer.echo(text))


def _tolerant(write: Callable[[], object]) -> None:
    try:
        write()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_language(language: str) -> str:
    """Refuses a language that Beleg does not speak."""
    if language not in ("en", "de"):
        raise typer.BadParameter(f"{language!r} is neither en nor de", param_hint="--lang")
    return language
