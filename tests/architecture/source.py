"""The source tree as the rules of the architecture see it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src"
PURE_AREAS = ("core", "text", "stats", "metrics", "release")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, eq=False)
class Module:
    """One module: its name, where it stands, and its syntax tree."""

    name: str
    place: str
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, text: str, name: str = "snippet", place: str = "snippet.py") -> Module:
        """A module from its text; rules are proved on snippets that break them."""
        return cls(name, place, text, ast.parse(text))

    @property
    def area(self) -> str:
        """The package below ``beleg`` that the module belongs to."""
        return self.name.split(".")[1] if "." in self.name else ""

    @property
    def is_package(self) -> bool:
        """Whether this is an ``__init__`` file."""
        return self.place.endswith("/__init__.py")

    def at(self, node: ast.AST) -> str:
        """The place of a node, as editors open it."""
        return f"{self.place}:{getattr(node, 'lineno', 1)}"

    def scopes(self) -> Iterator[tuple[str, Scope]]:
        """Every function and class with its qualified name."""
        yield from _scopes(self.tree, "")

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function and method with its qualified name."""
        return ((name, node) for name, node in self.scopes() if not isinstance(node, ast.ClassDef))

    def scope_of(self, wanted: ast.AST) -> str:
        """The qualified name of the innermost function or class around a node."""
        around = [name for name, node in self.scopes() if node is not wanted and wanted in ast.walk(node)]
        return around[-1] if around else "<module>"

    def names(self) -> Iterator[tuple[ast.expr, str]]:
        """Every name and attribute chain in full: after ``import numpy as np``, ``np.load`` is ``numpy.load``."""
        imported = dict(_imported(self.tree))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute):
                full = _dotted(node, imported)
                if full is not None:
                    yield node, full

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        """Every call of a name or attribute chain, with the full name of what is called."""
        full = dict(self.names())
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and node.func in full:
                yield node, full[node.func]

    def imports(self) -> Iterator[tuple[ast.stmt, str]]:
        """Every imported module, in full."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def _scopes(node: ast.AST, prefix: str) -> Iterator[tuple[str, Scope]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Scope):
            name = f"{prefix}{child.name}"
            yield name, child
            yield from _scopes(child, f"{name}.")
        else:
            yield from _scopes(child, prefix)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _dotted(node: ast.expr, imported: Mapping[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return imported.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        left = _dotted(node.value, imported)
        return None if left is None else f"{left}.{node.attr}"
    return None


@cache
def modules(*areas: str) -> tuple[Module, ...]:
    """The modules of some areas; of all areas where none is named."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module.of(path.read_text(encoding="utf-8"), name, path.relative_to(PROJECT).as_posix()))
    absent = set(areas) - {module.area for module in found}
    if absent:
        pytest.fail(f"name the areas that there are; beleg has no {', '.join(sorted(absent))}", pytrace=False)
    return tuple(module for module in found if not areas or module.area in areas)


def import_all() -> dict[str, ModuleType]:
    """Every module of the package, imported; those that run the command line when imported are left out."""
    return {
        module.name: importlib.import_module(module.name)
        for module in modules()
        if not module.name.endswith("__main__")
    }


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is a bare text."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def require_none(found: Iterable[str], remedy: str) -> None:
    """Fails with what to do and every place where to do it."""
    listed = list(found)
    if listed:
        pytest.fail("\n  ".join([f"{remedy} ({len(listed)} places):", *listed]), pytrace=False)


def require_only(
    allowed: Mapping[tuple[str, str], str], found: Iterable[tuple[tuple[str, str], str]], remedy: str
) -> None:
    """Fails for every place that no exception covers, and for every exception that covers no place.

    Args:
        allowed: module and scope of each exception, with its reason; each covers one place.
        found: module and scope of each place, with the place as editors open it.
        remedy: what to do.
    """
    left = set(allowed)
    uncovered = []
    for key, place in found:
        if key in left:
            left.remove(key)
        else:
            uncovered.append(f"{place} in {key[1]}")
    require_none(uncovered, remedy)
    require_used(left, (), "the list of this rule")


def require_used(allowed: Iterable[object], used: Iterable[object], where: str) -> None:
    """Fails where an exception to a rule is listed and nothing needs it any more."""
    require_none(map(str, set(allowed) - set(used)), f"Remove the exceptions that nothing needs from {where}")
