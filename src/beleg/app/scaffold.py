"""Making a new project: a suite, a corpus, a policy, candidates and a CI workflow that work as they are."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from beleg.adapters.formats.atomic import write_bytes
from beleg.app.schemas import SCHEMAS, write_schemas
from beleg.core.errors import UsageError

LANGUAGES = ("en", "de")

CORPUS = "corpus"
SCHEMA_FOLDER = "schemas"

SHARED: dict[str, str] = {
    "suite/cases.jsonl": "cases.jsonl",
    ".github/workflows/beleg.yml": "workflow.yml.txt",
    ".gitignore": "gitignore.txt",
    "incidents.jsonl": "incidents.jsonl",
}
"""Files that are the same in every language, by the template that they are made from."""

TRANSLATED: dict[str, str] = {
    "README.md": "README.md",
    "policy.yaml": "policy.yaml",
    "judge.yaml": "judge.yaml",
    "suite/suite.yaml": "suite.yaml",
    "candidates/released.yaml": "released.yaml",
    "candidates/new.yaml": "new.yaml",
    "candidates/my_system.yaml": "my_system.yaml",
    "candidates/my_system.py": "my_system.py.txt",
    "candidates/http-example.yaml.txt": "http-example.yaml.txt",
}
"""Files with comments or prose, by their template in the folder of the language."""


def scaffold(folder: Path, *, language: str = "en") -> list[Path]:
    """Makes a project, or touches nothing.

    Args:
        folder: where to; it is created if it is not there, and may hold other files.
        language: of comments and README, ``en`` or ``de``.

    Returns:
        Every file that was written, in the order of their paths.

    Raises:
        UsageError: if the language is not known, or naming what is in the way; nothing was written then.

    Example:
        >>> scaffold(Path("my-project"), language="fr")
        Traceback (most recent call last):
        ...
        beleg.core.errors.UsageError: 'fr' is neither en nor de
    """
    if language not in LANGUAGES:
        raise UsageError(f"{language!r} is neither en nor de", hint="Choose one of the two for comments and README")
    content = {folder / name: template.read_bytes() for name, template in _templates(language).items()}
    schemas = [folder / SCHEMA_FOLDER / f"{name}.schema.json" for name in SCHEMAS]
    _refuse_what_is_in_the_way(folder, [*content, *schemas])
    for path, data in content.items():
        _make_folder(path.parent)
        write_bytes(path, data)
    _make_folder(folder / SCHEMA_FOLDER)
    return sorted([*content, *write_schemas(folder / SCHEMA_FOLDER)])


def _templates(language: str) -> dict[str, Traversable]:
    root = files("beleg.app") / "templates" / "init"
    return (
        {name: root / template for name, template in SHARED.items()}
        | {name: root / language / template for name, template in TRANSLATED.items()}
        | {f"{CORPUS}/{document.name}": document for document in (root / CORPUS).iterdir()}
    )


def _refuse_what_is_in_the_way(folder: Path, targets: Iterable[Path]) -> None:
    taken = [path for path in targets if path.exists() or path.is_symlink()]
    if taken:
        listed = ", ".join(str(path) for path in sorted(taken)[:5])
        more = f" and {len(taken) - 5} more" if len(taken) > 5 else ""
        raise UsageError(
            f"{listed}{more}: already there, and init overwrites nothing; nothing was written",
            hint="Name a new folder, such as: beleg init my-project   or move these files away",
        )
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; nothing was written", hint="Name a folder that is new or empty")
    for name in sorted({parent for path in targets for parent in path.relative_to(folder).parents}):
        place = folder / name
        # A link would lead out of the project.
        if place != folder and (place.is_symlink() or (place.exists() and not place.is_dir())):
            raise UsageError(
                f"{place} is no ordinary folder, and files have to go into it; nothing was written",
                hint="Move it away, or name a new folder, such as: beleg init my-project",
            )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"cannot make {folder}: {error.strerror}", hint="Check that the folder above it exists and can be written"
        ) from error
