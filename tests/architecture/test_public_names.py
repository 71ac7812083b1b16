"""What ``beleg`` promises at its root is what it serves."""

from __future__ import annotations

import ast

import pytest

import beleg
from architecture.source import modules, require_none


def served() -> dict[str, str]:
    """The table that ``beleg.__getattr__`` looks names up in."""
    return dict(vars(beleg)["_HOMES"])


def test_all_names_exactly_what_is_served() -> None:
    require_none(
        sorted(set(beleg.__all__) ^ set(served())), "Name these in both __all__ and the table of beleg/__init__.py"
    )
    assert list(beleg.__all__) == sorted(beleg.__all__), "sort __all__"
    assert len(set(beleg.__all__)) == len(beleg.__all__), "name each once in __all__"


@pytest.mark.parametrize("name", beleg.__all__)
def test_a_public_name_resolves(name: str) -> None:
    # Asked of the hook itself: a name that was used before is a plain attribute by now.
    value = vars(beleg)["__getattr__"](name)
    assert value is not None, f"correct the home of {name} in beleg/__init__.py"
    assert name in dir(beleg)


def test_type_checkers_see_the_same_names_in_the_same_places() -> None:
    (root,) = (module for module in modules() if module.name == "beleg")
    block = next(node for node in root.tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    typed = {alias.name: node.module for node in imports for alias in node.names}
    typed.update({name: f"beleg.{name}" for name, home in typed.items() if home == "beleg"})
    require_none(
        sorted(name for name in typed.keys() | served().keys() if typed.get(name) != served().get(name)),
        "Import these under TYPE_CHECKING in beleg/__init__.py from the module that the table names",
    )


def test_any_other_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        vars(beleg)["__getattr__"]("nothing")
