"""Every public module, class, function and method says what it is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Module, Scope, modules, require_none, require_used

OVERRIDES: dict[str, str] = dict.fromkeys(
    ("beleg.cli.lazy.LazyGroup.list_commands", "beleg.cli.lazy.LazyGroup.get_command",
     "beleg.cli.lazy.LazyGroup.format_commands"),
    "overrides a documented method of click",
)  # fmt: skip


def undocumented(module: Module) -> Iterator[tuple[str, str]]:
    """The full name and the place of everything public without a docstring."""
    if ast.get_docstring(module.tree) is None and module.text.strip():
        yield module.name, f"{module.place}:1"
    yield from _undocumented(module, module.tree.body, module.name)


def _undocumented(module: Module, body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, str]]:
    for node in body:
        if not isinstance(node, Scope) or node.name.startswith("_") or _is_overload_or_setter(node):
            continue
        name = f"{prefix}.{node.name}"
        if ast.get_docstring(node) is None:
            yield name, module.at(node)
        if isinstance(node, ast.ClassDef):
            yield from _undocumented(module, node.body, name)


def _is_overload_or_setter(node: Scope) -> bool:
    return any(ast.unparse(decorator).endswith(("overload", ".setter")) for decorator in node.decorator_list)


def test_everything_public_is_documented() -> None:
    found = {name: place for module in modules() for name, place in undocumented(module)}
    require_none(
        (f"{place} {name}" for name, place in found.items() if name not in OVERRIDES),
        "Say in one sentence what it is for or what it measures",
    )
    require_used(OVERRIDES, found, "OVERRIDES")


def test_the_rule_sees_what_it_forbids() -> None:
    text = "class A:\n    '''A.'''\n    def b(self): ...\n    def _c(self): ...\ndef d(): ...\n"
    assert [name for name, _ in undocumented(Module.of(text))] == ["snippet", "snippet.A.b", "snippet.d"]
