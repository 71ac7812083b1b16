"""``assert`` vanishes under ``python -O``: the source checks nothing with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Module, modules, require_none


def asserts(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assert):
            yield f"{module.at(node)} {ast.unparse(node)}"


def test_the_source_asserts_nothing() -> None:
    require_none(
        (found for module in modules() for found in asserts(module)),
        "Raise an error of beleg.core.errors that names the value and the remedy",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    assert list(asserts(Module.of("def f(n):\n    assert n > 0\n"))) == ["snippet.py:2 assert n > 0"]
