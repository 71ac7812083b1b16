"""Modules and functions stay small enough to be read at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Function, Module, is_docstring, modules, require_none, require_used

TARGET_LINES = 400
HARD_STOP_LINES = 600
FUNCTION_LINES = 60
FUNCTION_STATEMENTS = 40

OVER_TARGET: dict[str, str] = {}
"""Modules between target and hard stop, by name, each with the reason why a split would read worse."""


def lines_of(module: Module) -> int:
    return len(module.text.splitlines())


def statements_of(function: Function) -> int:
    inner = (node for statement in function.body for node in ast.walk(statement) if isinstance(node, ast.stmt))
    return sum(not is_docstring(node) for node in inner)


def long_functions(module: Module) -> Iterator[str]:
    for name, node in module.functions():
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > FUNCTION_LINES:
            yield f"{module.at(node)} {name}: {lines} lines, docstring included"
        if statements_of(node) > FUNCTION_STATEMENTS:
            yield f"{module.at(node)} {name}: {statements_of(node)} statements"


def test_modules_keep_the_target() -> None:
    over = {module.name: lines_of(module) for module in modules() if lines_of(module) > TARGET_LINES}
    require_none(
        (f"{name}: {lines} lines" for name, lines in over.items() if name not in OVER_TARGET),
        f"Split modules of more than {TARGET_LINES} lines by what their parts are about, or reason in OVER_TARGET",
    )
    require_used(OVER_TARGET, over, "OVER_TARGET")


def test_no_module_goes_beyond_the_hard_stop() -> None:
    require_none(
        (f"{module.place}: {lines_of(module)} lines" for module in modules() if lines_of(module) > HARD_STOP_LINES),
        f"Split these modules; beyond {HARD_STOP_LINES} lines no reason counts",
    )


def test_functions_are_short() -> None:
    require_none(
        (found for module in modules() for found in long_functions(module)),
        f"Give a part of the function a name of its own, or shorten its docstring: at most {FUNCTION_LINES} lines "
        f"and {FUNCTION_STATEMENTS} statements",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    wide = Module.of("def f():\n" + "    a = 1; b = 2\n" * 21)
    long = Module.of("async def f():\n" + "\n" * 60 + "    return 1\n")
    assert [found.split(": ")[1] for found in long_functions(wide)] == ["42 statements"]
    assert [found.split(": ")[1] for found in long_functions(long)] == ["62 lines, docstring included"]
