"""Printing for people and for programs: the answer first, no colour in pipes, the next useful command last."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
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
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def say(*lines: str) -> None:
    """Prints lines for a person."""
    for line in lines:
        typer.echo(line)


def warn(line: str) -> None:
    """Prints a warning beside the output."""
    typer.echo(f"beleg: {line}", err=True)


def next_step(command: str) -> None:
    """Names the next useful command."""
    typer.echo(f"Next: {command}")


def print_rich(renderable: Any) -> None:
    """Prints a rich renderable, without colour where nobody looks."""
    from rich.console import Console

    width = None if is_terminal() else max(PIPE_WIDTH, shutil.get_terminal_size().columns)
    Console(width=width, highlight=False, soft_wrap=False).print(renderable)


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1) -> None:
    """Prints a table; the columns from ``numbers_from`` on are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for position, name in enumerate(head):
        table.add_column(name, justify="right" if position >= numbers_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    print_rich(table)


def check_language(language: str) -> str:
    """Refuses a language that Beleg does not speak."""
    if language not in ("en", "de"):
        raise typer.BadParameter(f"{language!r} is neither en nor de", param_hint="--lang")
    return language
