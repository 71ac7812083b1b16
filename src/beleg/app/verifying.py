"""Asking the deployment controller: files in, one answer out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.files import read_document_text, require_file
from beleg.adapters.formats.limits import MIB
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.strict_json import parse_json
from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.adapters.signing.verification import verified_keys
from beleg.adapters.stores.controller_state import read_state, update_state
from beleg.app.key_files import read_public_key
from beleg.core.admission import Admission, ControllerState
from beleg.core.case import Identifier
from beleg.core.decision import Sentence
from beleg.core.errors import ConfigError, DataError, Problem, UsageError, shown
from beleg.core.manifest import Manifest
from beleg.release.admission_words import headline
from beleg.release.controller import Answer, NamedBytes, Question, admit
from beleg.report.safe import one_line

MAX_ENVELOPE_BYTES = 4 * MIB
MAX_ENVELOPES = 1_000
ENVELOPE_PATTERN = "*.dsse.json"
FOLDERS = ("overrides", "decision", "decision/overrides")
"""Folders below a decision or a run in which envelopes stand."""

PACK_SUFFIX = ".zip"

UNKNOWN_MAKER = Sentence(
    en="nobody you trust has signed this, and anybody can pack a run under a policy of their own; name --key, or "
    "--anyone to ask for its integrity alone",
    de="niemand, dem Sie vertrauen, hat das signiert, und jeder kann einen Lauf mit einer eigenen Policy packen; --key "
    "nennen, oder --anyone, um nur die Unversehrtheit zu prüfen",
)

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """What is about to be deployed, and by whose word."""

    trust: Path
    """The signed trust file."""
    roots: tuple[Path, ...]
    """Public keys in PEM that came by another way than the trust file."""
    subject: str
    """The SHA-256 of the candidate's manifest, in hex."""
    environment: str
    state: Path | None = None
    """Where the controller keeps what it has seen; ``None`` for no memory."""
    read_only: bool = False
    """Whether the memory is only looked at, as in CI."""


def verify_release(files: Sequence[Path], deployment: Deployment, *, at: datetime | None = None) -> Admission:
    """May this candidate be deployed here and now?

    Args:
        files: decisions and overrides, folders of them, or the folder of a run.
        deployment: what is about to be deployed.
        at: the time of asking, for tests; now where it is left out.

    Raises:
        UsageError: if a file is not there.
        DataError: if a root is no key, or the environment no name.
        EvidenceError: if the memory is damaged or missing.
    """
    question = Question(
        trust=_read(deployment.trust),
        roots=tuple(read_public_key(path) for path in deployment.roots),
        envelopes=tuple(NamedBytes(_name(path), _read(path)) for path in envelope_files(files)),
        subject=deployment.subject,
        environment=_environment(deployment.environment),
        at=at or datetime.now(UTC),
        state=ControllerState(),
    )
    return _with_memory(question, deployment)


def _with_memory(question: Question, deployment: Deployment) -> Admission:
    if deployment.state is None:
        return admit(question, verified_keys).admission
    if deployment.read_only:
        return _asked(question, read_state(deployment.state)).admission

    def step(state: ControllerState) -> tuple[Admission, ControllerState]:
        answer = _asked(question, state)
        return answer.admission, answer.state

    return update_state(deployment.state, step)


def _asked(question: Question, state: ControllerState) -> Answer:
    return admit(replace(question, state=state), verified_keys)


def envelope_files(files: Sequence[Path]) -> tuple[Path, ...]:
    """The envelopes that are meant: files as they are, folders by what ends in ``.dsse.json`` in them.

    Raises:
        UsageError: if a path is not there, or there are more than are read.
    """
    found = [path for named in files for path in _files_of(named)]
    if len(found) > MAX_ENVELOPES:
        raise UsageError(f"there are more than {MAX_ENVELOPES} envelopes", hint="Name the decision and its overrides")
    return tuple(dict.fromkeys(found))


def _files_of(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for folder in (path, *(path / below for below in FOLDERS)):
        yield from sorted(folder.glob(ENVELOPE_PATTERN))


def is_pack(files: Sequence[Path]) -> bool:
    """Whether an audit pack is meant, which is verified by what it holds and needs no trust file."""
    return any(path.suffix.lower() == PACK_SUFFIX for path in files)


def subject_of(digest: str | None, manifest: Path | None) -> str:
    """The SHA-256 of what is about to be deployed, in hex.

    Args:
        digest: as ``sha256:<hex>`` or hex alone.
        manifest: a manifest, a candidate file, or ``run.json``; its digest is computed here from what it says.

    Raises:
        UsageError: if none or both are given, or the digest is none.
        ConfigError: if the file holds no manifest.
    """
    if (digest is None) == (manifest is None):
        raise UsageError(
            "say what is about to be deployed", hint="Give either --subject sha256:<hex> or --manifest FILE"
        )
    if manifest is not None:
        return read_manifest(manifest).digest.removeprefix("sha256:")
    match = _DIGEST.fullmatch(digest or "")
    if match is None:
        raise UsageError(f"{shown(digest)} is no SHA-256", hint="Write it as sha256: and 64 digits in lower case")
    return match[1]


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file of its own, in a candidate file, or in the header of a run.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming everything that is wrong.
    """
    text, name = read_document_text(path), str(path)
    is_json = path.suffix.lower() == ".json"
    try:
        value: Any = parse_json(text, file=name) if is_json else parse_yaml(text, file=name).value
        return validated(Manifest, _manifest_in(value, name), Place(name))
    except DataError as error:
        raise ConfigError(error.problems, hint=error.hint) from error


def _manifest_in(value: Any, name: str) -> dict[str, Any]:
    inner = value.get("manifest", value) if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        raise DataError(
            Problem(file=name, message="there is no manifest in it", remedy="Name a candidate file or run.json")
        )
    if value.get("kind") == "reference":
        raise DataError(
            Problem(
                file=name,
                field="kind",
                message="the embedded RAG knows what it is made of only when it runs; this file does not say it all",
                remedy="Name run.json of the run that was decided on",
            )
        )
    return inner


def sentence(admission: Admission) -> Sentence:
    """The answer in one sentence and on one line, in both languages."""
    said = headline(admission)
    return Sentence(en=one_line(said.en), de=one_line(said.de))


def _environment(name: str) -> str:
    try:
        return TypeAdapter(Identifier).validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"{shown(name)} is no environment", hint="Write the name that stands in the trust file, such as production"
        ) from error


def _name(path: Path) -> str:
    """The path as text; bytes that are none in UTF-8 are shown by their number."""
    return one_line(str(path).encode("utf-8", "backslashreplace").decode("utf-8"))


def _read(path: Path) -> bytes:
    try:
        require_file(path, MAX_ENVELOPE_BYTES)
    except DataError:
        # What is empty or too large is no envelope; the controller says so, and what else there is still counts.
        return b""
    return path.read_bytes()


def pack_of(files: Sequence[Path]) -> Path:
    """The one audit pack that is meant.

    Raises:
        UsageError: if more than one file is named beside it.
    """
    if len(files) != 1:
        raise UsageError("an audit pack is verified by itself", hint="Name one pack, or the decisions without it")
    return files[0]
