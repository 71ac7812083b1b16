"""An evidence sheet is never averaged, ranked or rated: nothing that could do so has a name in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from architecture.source import Module, modules, require_none

RATING_WORDS = re.compile(
    "scores?|scored|rates?|rating|ratio|averages?|mean|median|share|percent|percentage|accuracy|ranking|leaderboard|"
    "grades?|best|worst|threshold"
)
SHEET_MODULES = re.compile(
    r"beleg\.core\.evidence|beleg\.run\.sheet_folder|beleg\.app\.sheet\w*|beleg\.cli\.commands\.sheet(\.\w+)*|"
    r"beleg\.evidence\.(attribution|citations|claims|diagnosis|drift|honest_failure|judged|locators|naming|passages|"
    r"placing|sheet|support|words)"
)


def sheet_modules() -> list[Module]:
    return [module for module in modules() if SHEET_MODULES.fullmatch(module.name)]


def public_names(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def test_the_modules_of_the_sheet_are_looked_at() -> None:
    names = {module.name for module in sheet_modules()}
    assert {"beleg.core.evidence", "beleg.evidence.sheet", "beleg.app.sheets"} <= names


def test_no_public_name_speaks_of_a_score() -> None:
    require_none(
        (
            f"{module.place}: {name}"
            for module in sheet_modules()
            for name in public_names(module)
            if any(RATING_WORDS.fullmatch(word) for word in words_of(name))
        ),
        "A sheet keeps evidence and verdicts; figures over them need a design of their own",
    )


def test_nothing_divides_and_nothing_returns_a_fraction() -> None:
    def found(module: Module) -> Iterator[int]:
        for node in ast.walk(module.tree):
            is_division = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not _is_path(node)
            returns = getattr(node, "returns", None)
            if is_division or (isinstance(returns, ast.Name) and returns.id == "float"):
                yield getattr(node, "lineno", 0)

    require_none(
        (f"{module.place}:{line}" for module in sheet_modules() for line in found(module)),
        "No share or mean is computed from a sheet",
    )


def _is_path(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in (node.left, node.right))
