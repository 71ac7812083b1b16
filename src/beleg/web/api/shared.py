"""What several routes of the API need of the project."""

from __future__ import annotations

from collections.abc import Iterable

from beleg.app.workbench.services import Workbench
from beleg.app.workbench.workspace import Unreadable


def unreadable(bench: Workbench, files: Iterable[Unreadable]) -> list[dict[str, str]]:
    """Files that cannot be read, by their place in the project; where that lies on the server is nobody's business."""
    root = bench.workspace.root
    return [{"file": each.path.relative_to(root).as_posix(), "why": each.why.replace(f"{root}/", "")} for each in files]
