"""Every module that measures, decides or runs has the test file of its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import PROJECT, Module, is_docstring, modules, require_none

AREAS = ("core", "text", "stats", "metrics", "gating", "run", "suites")


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


def untested(areas: tuple[str, ...]) -> Iterator[str]:
    for module in modules(*areas):
        if not only_exports(module) and not (PROJECT / expected_file(module)).is_file():
            yield f"{module.place} needs {expected_file(module)}"


def test_every_module_has_its_test_file() -> None:
    require_none(untested(AREAS), "Write the test file that carries the name of the module")


def test_only_modules_that_define_nothing_are_excepted() -> None:
    assert only_exports(Module.of("'''Doc.'''\nfrom a import b\n__all__ = ['b']\n"))
    assert not only_exports(Module.of("'''Doc.'''\nLIMIT = 3\n"))
