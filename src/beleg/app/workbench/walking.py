"""Going through a project folder: what is hidden, too deep, or reached by a link is not part of the project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MAX_DEPTH = 6
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def project_folders(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Every folder with the names of its files, in order. Links could lead out of the project, or in circles.

    Example:
        >>> list(project_folders(Path("there is no such folder")))
        []
    """
    for folder, names, files in os.walk(root):
        place = Path(folder)
        deep = len(place.relative_to(root).parts) >= MAX_DEPTH
        names[:] = [] if deep else sorted(name for name in names if not (name.startswith(".") or name in _SKIPPED))
        yield place, sorted(name for name in files if not (place / name).is_symlink())
