"""Imports name their module in full."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Module, modules, require_none


def relative_imports(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield f"{module.at(node)} {ast.unparse(node)}"


def test_no_module_imports_relatively() -> None:
    require_none(
        (found for module in modules() for found in relative_imports(module)),
        "Write the module's full name, as in: from beleg.core.case import Case",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    assert len(list(relative_imports(Module.of("from . import a\nfrom ..b import c\nfrom d import e\n")))) == 2
