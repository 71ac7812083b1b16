"""No fault is swallowed: a handler does something."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Module, is_docstring, modules, require_only

REASONED: dict[tuple[str, str], str] = {
    ("beleg.adapters.candidates.threads", "BlockingCalls._call"): (
        "the event loop was closed while the call went on: there is nobody left to tell"
    ),
}
"""Handlers that only leave a function that returns nothing, by module and function, each with its reason."""


def silent_handlers(module: Module) -> Iterator[tuple[str, str]]:
    """The scope and the place of every handler that does nothing, a bare return included, and of ``suppress``."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and all(_does_nothing(statement) for statement in node.body):
            yield module.scope_of(node), module.at(node)
    for call, full in module.calls():
        if full == "contextlib.suppress":
            yield module.scope_of(call), module.at(call)


def _does_nothing(statement: ast.stmt) -> bool:
    ellipsis = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    leaves = isinstance(statement, ast.Return) and statement.value is None
    return isinstance(statement, ast.Pass | ast.Continue | ast.Break) or ellipsis or leaves or is_docstring(statement)


def test_no_handler_swallows_a_fault() -> None:
    require_only(
        REASONED,
        (((module.name, scope), place) for module in modules() for scope, place in silent_handlers(module)),
        "Count it, report it, return a value that says so, or do not catch it",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    text = """
from contextlib import suppress
def f():
    for _ in ():
        try: pass
        except ValueError: continue
        except OSError: pass
        except KeyError: return
        except IndexError: return None or 1
    with suppress(OSError): pass
"""
    assert [place for _, place in silent_handlers(Module.of(text))] == [f"snippet.py:{line}" for line in (6, 7, 8, 10)]
