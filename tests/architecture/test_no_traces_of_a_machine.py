"""The project holds no path of somebody's machine, no address of a package index, and no note to self."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from architecture.source import PROJECT, require_none

# Put together from halves, so that this file does not hold what it looks for.
MACHINE_PATH = re.compile(
    r"(?<![\w.-])(?:"
    + "|".join(["/work" + "/", "/root" + "/", "/home" + r"/(?!you\b)\w", "/Users" + r"/\w", r"[A-Z]:\\Users" + r"\\"])
    + ")"
)
NOTE_TO_SELF = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
ADDRESS = re.compile(r"\w+://|--(?:extra-)?index-url|--find-links|--trusted-host|^\s*-[if]\s", re.MULTILINE)
LOCK_FILES = ("requirements/*.txt", "tests/interop/package-lock.json", "*.lock", "*.lock.txt", "pylock*.toml")


def is_ignored(path: Path) -> bool:
    """Whether .gitignore keeps a file or folder out of the project; a leading slash means the root alone."""
    lines = (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()
    forms = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    place = path.relative_to(PROJECT).as_posix()
    return path.name == ".git" or any(
        place == form.strip("/") if form.startswith("/") else path.match(form.strip("/")) for form in forms
    )


def project_files() -> Iterator[tuple[Path, str]]:
    """Every text file of the project, with its text."""
    yield from _files(PROJECT)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.iterdir()):
        if is_ignored(path):
            continue
        if path.is_dir():
            yield from _files(path)
        elif b"\0" not in (data := path.read_bytes()):
            yield path, data.decode("utf-8", errors="replace")


def hits(form: re.Pattern[str], path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), start=1):
        if form.search(line):
            yield f"{path.relative_to(PROJECT).as_posix()}:{number} {line.strip()[:100]}"


def test_no_file_holds_a_path_of_a_machine() -> None:
    files = list(project_files())
    assert PROJECT / "pyproject.toml" in [path for path, _ in files]
    require_none(
        (found for path, text in files for found in hits(MACHINE_PATH, path, text)),
        "Compute the path from the file or take it as an argument",
    )


def test_no_file_holds_a_note_to_self() -> None:
    require_none(
        (found for path, text in project_files() for found in hits(NOTE_TO_SELF, path, text)),
        "Do it, or open an issue and remove the note",
    )


def test_no_lock_file_names_an_address() -> None:
    locks = [path for form in LOCK_FILES for path in PROJECT.glob(form)]
    assert locks, "requirements/ holds no lock file; run: make lock"
    require_none(
        (found for path in locks for found in hits(ADDRESS, path, path.read_text(encoding="utf-8"))),
        "Lock names, versions and hashes alone: make lock",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    path = PROJECT / "made-up.txt"
    assert list(hits(MACHINE_PATH, path, "a\nsee /wo" + "rk/main and /ho" + "me/jo\n"))
    assert not list(hits(MACHINE_PATH, path, "docs/work/notes.md, https://example.org/homework/"))
    assert list(hits(NOTE_TO_SELF, path, "# TO" + "DO: later"))
    assert list(hits(ADDRESS, path, "--index-url=x"))
    assert list(hits(ADDRESS, path, "a @ https://example.org/a.whl"))
    assert not list(hits(ADDRESS, path, "httpx==1.0 \\\n    --hash=sha256:00"))
