"""Every field in the generated reference has a meaning that a reader can act on."""

from __future__ import annotations

from architecture.generated import generator
from architecture.source import require_none


def test_no_field_is_left_without_a_meaning() -> None:
    require_none(
        (f"{name}: {line}" for name, text in generator().pages().items() for line in empty_cells(text)),
        "Write one line under the field in the source, in other words than those of the model it leads to, "
        "which pydantic leaves out",
    )


def empty_cells(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("|") and line.endswith("|  |")]


def test_the_rule_sees_what_it_forbids() -> None:
    assert empty_cells("| `a` | text | `1` |  |\n| `b` | text | `1` | Said. |\n") == ["| `a` | text | `1` |  |"]
