"""Going through a project folder: what is hidden, too deep, or reached by a link is not part of the project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from beleg.core.errors import EvidenceError

MAX_DEPTH = 6
DEEPEST = MAX_DEPTH + 3
"""How far below a folder its own files may lie, such as what is asked for beside a decision."""
KEPT_FOLDER = ".beleg"
"""Where a project holds what the workbench keeps."""
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


def outward_links(root: Path, *, within: Path | None = None) -> tuple[Path, ...]:
    """Links within a project that lead out of it. What is read of a run or a decision must not be such a one.

    Args:
        root: the folder that is gone through.
        within: the project that it belongs to; the folder itself where none is named.

    Example:
        >>> outward_links(Path("there is no such folder"))
        ()
    """
    inside, found = (within or root).resolve(), []
    for folder, names, files in os.walk(root):
        place = Path(folder)
        # Resolved as far as it goes: a link to nothing may lead to something later.
        links = [place / name for name in (*names, *files) if os.path.islink(place / name)]  # noqa: PTH114 - as fast
        found += [link for link in links if not link.resolve().is_relative_to(inside)]
        deep = len(place.relative_to(root).parts) >= DEEPEST
        names[:] = [] if deep else [name for name in names if not (name.startswith(".") or name in _SKIPPED)]
    return tuple(sorted(found))


def require_own(root: Path) -> None:
    """Refuses a project whose index, ledger or labels are those of another one, reached by a link.

    Raises:
        EvidenceError: naming the first link.
    """
    kept = root / KEPT_FOLDER
    is_elsewhere = not kept.resolve().is_relative_to(root.resolve())
    require_within(kept, (kept,) if is_elsewhere else outward_links(kept, within=root))


def require_within(folder: Path, outward: tuple[Path, ...]) -> None:
    """Refuses a folder whose files lie elsewhere: they could be those of another project.

    Args:
        folder: with everything below it.
        outward: links that lead out of the project.

    Raises:
        EvidenceError: naming the first link.
    """
    for link in outward:
        if link.is_relative_to(folder):
            raise EvidenceError(
                f"{link} is a link that leads out of the project",
                hint="Copy the file into the project in place of the link",
            )
