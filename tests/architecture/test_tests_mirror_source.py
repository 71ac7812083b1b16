"""Every module that measures, decides or runs has the test file of its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import PROJECT, Module, is_docstring, modules, require_none, require_used

AREAS = ("core", "text", "stats", "metrics", "judges", "gating", "run", "suites", "evidence")

TESTED_ELSEWHERE: dict[str, str] = dict.fromkeys(
    (
        "beleg.metrics.context.entries",
        "beleg.metrics.generation.entries",
        "beleg.metrics.generation.entries_answers",
        "beleg.metrics.generation.entries_citations",
        "beleg.metrics.generation.entries_claims",
        "beleg.metrics.generation.entries_judged",
        "beleg.metrics.generation.entries_graded",
        "beleg.metrics.generation.entries_verification",
        "beleg.metrics.operations.entries",
        "beleg.metrics.retrieval.entries",
    ),
    "rows of the catalogue; the laws in tests/laws run over every one",
)
"""Modules without a test file of their own, each with the reason why."""


def expected_file(module: Module) -> str:
    """Where the tests of a module stand: ``tests/unit/<area>/…/test_<module>.py``."""
    *folders, name = module.name.split(".")[1:]
    return "/".join(["tests", "unit", *folders, f"test_{name}.py"])


def only_exports(module: Module) -> bool:
    """Whether a module defines nothing of its own: a docstring, imports, ``__all__``."""
    return all(
        is_docstring(node) or isinstance(node, ast.Import | ast.ImportFrom) or _is_all(node)
        for node in module.tree.body
    )


def _is_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]


def untested(areas: tuple[str, ...]) -> Iterator[Module]:
    for module in modules(*areas):
        if not only_exports(module) and not (PROJECT / expected_file(module)).is_file():
            yield module


def test_every_module_has_its_test_file() -> None:
    found = {module.name: f"{module.place} needs {expected_file(module)}" for module in untested(AREAS)}
    require_none(
        (needed for name, needed in found.items() if name not in TESTED_ELSEWHERE),
        "Write the test file that carries the name of the module",
    )
    require_used(TESTED_ELSEWHERE, found, "TESTED_ELSEWHERE")


def test_only_modules_that_define_nothing_are_excepted() -> None:
    assert only_exports(Module.of("'''Doc.'''\nfrom a import b\n__all__ = ['b']\n"))
    assert not only_exports(Module.of("'''Doc.'''\nLIMIT = 3\n"))
