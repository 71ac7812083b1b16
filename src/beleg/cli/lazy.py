"""Groups of commands whose modules are imported when they are called, so that ``--help`` and others stay quick."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from beleg.cli.plain_values import read_plainly


class LazyGroup(TyperGroup):
    """Loads a command's module when the command is called.

    A module holds ``app``, or a function of its own name with ``EPILOG`` beside it.
    """

    package = "beleg.cli.commands"
    commands_with_help: dict[str, str] = {}  # noqa: RUF012 - filled once by each group, never changed
    """Every command with its one line of help."""
    modules: dict[str, str] = {}  # noqa: RUF012 - likewise
    """Where the module has another name than the command."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        read_plainly(self)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: D102
        return list(self.commands_with_help)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: D102
        if cmd_name not in self.commands_with_help:
            near = difflib.get_close_matches(cmd_name, self.commands_with_help, n=1)
            return ctx.fail(f"No such command {cmd_name!r}. Did you mean {near[0]!r}?") if near else None
        name = self.modules.get(cmd_name, cmd_name)
        module = importlib.import_module(f"{self.package}.{name}")
        command = typer.main.get_command(module.app if hasattr(module, "app") else _app_of(module, name))
        command.name = cmd_name
        read_plainly(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: D102
        with formatter.section("Commands"):
            formatter.write_dl(list(self.commands_with_help.items()))


def _app_of(module: Any, name: str) -> typer.Typer:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(epilog=module.EPILOG)(getattr(module, name))
    return app
