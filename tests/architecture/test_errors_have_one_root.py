"""Everything that Beleg raises can be caught as ``beleg.Error``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

from architecture.source import Module, import_all, modules, require_none, require_used
from beleg.core.errors import Error

OUTSIDE_THE_TREE: dict[str, str] = {
    "beleg.adapters.candidates.addresses.RefusedAddressError": (
        "aiohttp passes only OSError through its resolver; the HTTP candidate turns it into a CandidateError"
    ),
    "beleg.adapters.formats.strict_json._RepeatedKeyError": (
        "raised inside json.loads' hooks, where only ValueError is expected, and turned into a DataError there"
    ),
    "beleg.adapters.formats.strict_json._NumberError": (
        "raised inside json.loads' hooks, where only ValueError is expected, and turned into a DataError there"
    ),
}
"""Exceptions that do not descend from Error, each with the reason why they may not and never leave the package."""


def exception_classes(module: ModuleType) -> Iterator[type[BaseException]]:
    """The exception classes that a module defines, nested ones included."""
    waiting = [value for value in vars(module).values() if isinstance(value, type)]
    seen: set[type] = set()
    while waiting:
        kind = waiting.pop()
        if kind in seen or kind.__module__ != module.__name__:
            continue
        seen.add(kind)
        waiting += [value for value in vars(kind).values() if isinstance(value, type)]
        if issubclass(kind, BaseException):
            yield kind


def local_exception_classes(module: Module) -> Iterator[str]:
    """Exception classes inside functions, which nobody outside can name to catch them."""
    for name, function in module.functions():
        for node in ast.walk(function):
            bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
            if any(base.endswith(("Error", "Exception")) for base in bases):
                yield f"{module.at(node)} in {name}"


def test_every_exception_descends_from_the_root() -> None:
    found = {
        f"{kind.__module__}.{kind.__qualname__}"
        for module in import_all().values()
        for kind in exception_classes(module)
        if not issubclass(kind, Error)
    }
    require_none(
        sorted(found - set(OUTSIDE_THE_TREE)),
        "Derive the class from the branch of beleg.core.errors that says who must act",
    )
    require_used(OUTSIDE_THE_TREE, found, "OUTSIDE_THE_TREE")


def test_no_exception_is_defined_inside_a_function() -> None:
    require_none(
        (found for module in modules() for found in local_exception_classes(module)),
        "Define the exception at module level, in the tree of beleg.core.errors",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    made = ModuleType("made")
    exec("class A(ValueError): pass\nclass B:\n    class C(KeyError): pass\n", vars(made))  # noqa: S102 - a made-up module
    assert {kind.__qualname__ for kind in exception_classes(made)} == {"A", "B.C"}
    assert list(local_exception_classes(Module.of("def f():\n    class A(ValueError): pass\n")))
