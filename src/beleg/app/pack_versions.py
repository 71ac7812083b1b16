"""With what a pack was made, and what of the process must never get into one."""

from __future__ import annotations

import json
import mmap
import platform
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from beleg.adapters.formats.pack_zip import PackSource
from beleg.core.errors import EvidenceError
from beleg.core.packs import PackVersions

ENVIRONMENT = (
    "CI_COMMIT_SHA",
    "CI_PIPELINE_ID",
    "CI_PROJECT_PATH",
    "GITHUB_REPOSITORY",
    "GITHUB_RUN_ATTEMPT",
    "GITHUB_RUN_ID",
    "GITHUB_SHA",
    "SOURCE_DATE_EPOCH",
)
"""The variables that are kept: which revision was decided on, and in which job. Every other one stays out."""

MINIMUM_SECRET_CHARS = 8
"""A shorter value stands in any text by chance."""

_HARMLESS = re.compile(r"[A-Za-z0-9._/+-]{1,200}")
_NAME_OF_PACKAGE = re.compile(r"[A-Za-z0-9._-]+")
_SOUNDS_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH", re.IGNORECASE)


def versions(environment: Mapping[str, str]) -> PackVersions:
    """Beleg, Python, the packages that Beleg rests on, and the variables of `ENVIRONMENT` that hold plain words."""
    kept = {name: environment[name] for name in ENVIRONMENT if _HARMLESS.fullmatch(environment.get(name, ""))}
    return PackVersions(
        beleg=version("beleg"), python=platform.python_version(), packages=_packages(), environment=kept
    )


def _packages() -> dict[str, str]:
    needed = [line for line in requires("beleg") or () if "extra ==" not in line]
    names = sorted(found[0] for found in map(_NAME_OF_PACKAGE.match, needed) if found is not None)
    return {name: known for name in names if (known := _version(name)) is not None}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def require_no_secrets(sources: Mapping[str, PackSource], environment: Mapping[str, str]) -> None:
    """Refuses to pack a text that is the value of a secret of this process.

    A candidate may echo the header that it was called with, and a judge the key that it was asked with.

    Raises:
        EvidenceError: naming variable and entry, and not the value.
    """
    secrets = {
        name: value.encode()
        for name, value in environment.items()
        if _SOUNDS_SECRET.search(name) and len(value) >= MINIMUM_SECRET_CHARS and not _is_path(value)
    }
    found = sorted({(name, path) for path, source in sources.items() for name in _standing_in(source, secrets)})
    if found:
        name, path = found[0]
        raise EvidenceError(
            f"the value of the environment variable {name} stands in {path}, and would get into the pack",
            hint="Replace the secret, since it was recorded; then run again without it, or redact it with "
            "--redact-texts FILE",
        )


def _is_path(value: str) -> bool:
    """Whether a value names a file, as that of a socket does; what no system takes for a path names none."""
    try:
        return Path(value).exists()
    except OSError:
        # Too long for a path. The fault is not passed on: it would show the value.
        return False


def _standing_in(source: PackSource, secrets: Mapping[str, bytes]) -> Iterable[str]:
    if not secrets:
        return ()
    if isinstance(source, bytes):
        return [name for name, value in secrets.items() if any(form in source for form in _forms(value))]
    if source.stat().st_size == 0:
        return ()
    with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return [name for name, value in secrets.items() if any(data.find(form) >= 0 for form in _forms(value))]


def _forms(value: bytes) -> tuple[bytes, ...]:
    """A text as it is, and as it stands in JSON."""
    text = value.decode("utf-8", "surrogateescape")
    escaped = json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "surrogateescape")
    return (value,) if escaped == value else (value, escaped)
