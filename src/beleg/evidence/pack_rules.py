"""What an audit pack must be like: its paths, its entries, and that it accounts for everything it may hold (E8)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beleg.core.errors import shown
from beleg.core.pack_faults import PackFault, PackProblem
from beleg.core.packs import MANIFEST_PATH, SIGNATURE_PATH, PackEntry, PackManifest, PackRole

KIB, MIB, GIB = 2**10, 2**20, 2**30

JSON = "application/json"
JSON_LINES = "application/jsonl"
YAML = "application/yaml"
ENVELOPE = "application/vnd.dsse.envelope.v1+json"
JSON_SCHEMA = "application/schema+json"

MAX_MANIFEST_BYTES = 8 * MIB
MAX_PATH_CHARS = 200
HEAD_BYTES = 4 * KIB
"""How much of an entry is looked at to tell what it is."""

_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class RoleRule:
    """Where an entry of a role stands, and what it is."""

    place: str
    """Its path; with ``*`` in the place of a name where there may be several."""
    media_type: str
    max_bytes: int = 2 * GIB
    required: bool = False
    """Whether there is no pack without it."""

    def allows(self, path: str) -> bool:
        """Whether an entry of the role may stand at a path."""
        head, star, tail = self.place.partition("*")
        if not star:
            return path == self.place
        name = path[len(head) : len(path) - len(tail)]
        return path.startswith(head) and path.endswith(tail) and bool(name) and "/" not in name


_DOCUMENT = 8 * MIB

ROLE_RULES: dict[PackRole, RoleRule] = {
    PackRole.RUN: RoleRule("candidate/run.json", JSON, 512 * MIB, required=True),
    PackRole.SUITE: RoleRule("candidate/suite.json", JSON, required=True),
    PackRole.INVENTORY: RoleRule("candidate/inventory.json", JSON),
    PackRole.TRACES: RoleRule("candidate/traces.jsonl", JSON_LINES),
    PackRole.FINDINGS: RoleRule("candidate/findings.jsonl", JSON_LINES),
    PackRole.CALLS: RoleRule("candidate/calls.jsonl", JSON_LINES),
    PackRole.BASELINE_RUN: RoleRule("baseline/run.json", JSON, 512 * MIB),
    PackRole.BASELINE_SUITE: RoleRule("baseline/suite.json", JSON),
    PackRole.BASELINE_INVENTORY: RoleRule("baseline/inventory.json", JSON),
    PackRole.BASELINE_TRACES: RoleRule("baseline/traces.jsonl", JSON_LINES),
    PackRole.BASELINE_FINDINGS: RoleRule("baseline/findings.jsonl", JSON_LINES),
    PackRole.BASELINE_CALLS: RoleRule("baseline/calls.jsonl", JSON_LINES),
    PackRole.POLICY: RoleRule("policy/policy.json", JSON, _DOCUMENT),
    PackRole.POLICY_SOURCE: RoleRule("policy/source.yaml", YAML, _DOCUMENT),
    PackRole.CALIBRATION: RoleRule("calibrations/*.calibration.json", JSON, _DOCUMENT),
    PackRole.LABELS: RoleRule("labels/labels.jsonl", JSON_LINES),
    PackRole.DECISION: RoleRule("decision/decision.json", JSON, 64 * MIB, required=True),
    PackRole.FACTS: RoleRule("decision/facts.json", JSON, 64 * MIB),
    PackRole.STATEMENT: RoleRule("decision/decision.dsse.json", ENVELOPE, _DOCUMENT),
    PackRole.VSA: RoleRule("decision/vsa.dsse.json", ENVELOPE, _DOCUMENT),
    PackRole.OVERRIDE: RoleRule("decision/overrides/*.dsse.json", ENVELOPE, _DOCUMENT),
    PackRole.SHEET_HEADER: RoleRule("evidence/header.json", JSON, 512 * MIB),
    PackRole.SHEET_CASES: RoleRule("evidence/cases.jsonl", JSON_LINES),
    PackRole.REVIEW_EVENTS: RoleRule("review/events.jsonl", JSON_LINES),
    PackRole.REVIEW_CHECKPOINT: RoleRule("review/checkpoint.json", JSON, _DOCUMENT),
    PackRole.REPLAY: RoleRule("replay/comparison.json", JSON, 512 * MIB),
    PackRole.VERSIONS: RoleRule("versions.json", JSON, _DOCUMENT, required=True),
    PackRole.SCHEMA: RoleRule("schemas/*.schema.json", JSON_SCHEMA, _DOCUMENT, required=True),
}

BASELINE_ROLES = tuple(role for role in PackRole if role.value.startswith("baseline_"))
TOGETHER = (
    (PackRole.BASELINE_RUN, PackRole.BASELINE_SUITE),
    (PackRole.SHEET_HEADER, PackRole.SHEET_CASES),
)
"""Roles of which one means nothing without the other."""


def path_fault(path: str) -> PackFault | None:
    r"""The first rule that a path breaks; ``None`` for one that is safe on every system.

    Example:
        >>> path_fault("candidate/run.json") is None
        True
        >>> path_fault("../run.json").value, path_fault("a\\b").value
        ('parent_path', 'backslash')
    """
    parts = path.split("/")
    checks = (
        ("\x00" in path, PackFault.NUL_IN_PATH),
        ("\\" in path, PackFault.BACKSLASH),
        (path[1:2] == ":", PackFault.DRIVE_LETTER),
        (path.startswith("/"), PackFault.ABSOLUTE_PATH),
        (any(part in ("", ".", "..") for part in parts), PackFault.PARENT_PATH),
        (any(_RESERVED.fullmatch(part) for part in parts), PackFault.RESERVED_NAME),
        (any(part[-1:] in (".", " ") for part in parts), PackFault.TRAILING_DOT_OR_SPACE),
        (len(path) > MAX_PATH_CHARS or not _PATH.fullmatch(path), PackFault.CHARACTER),
    )
    return next((fault for broken, fault in checks if broken), None)


def name_problems(names: Sequence[str]) -> list[PackProblem]:
    """Names that stand twice, or are the same to some file systems, and names that no pack has."""
    problems: list[PackProblem] = []
    exact: set[str] = set()
    folded: dict[str, str] = {}
    normal: dict[str, str] = {}
    for name in names:
        case, form = name.casefold(), unicodedata.normalize("NFKC", name).casefold()
        if name in exact:
            problems.append(_problem(PackFault.DUPLICATE, name))
        elif case in folded:
            problems.append(_problem(PackFault.CASE_TWIN, name, folded[case]))
        elif form in normal:
            problems.append(_problem(PackFault.UNICODE_TWIN, name, normal[form]))
        exact.add(name)
        folded.setdefault(case, name)
        normal.setdefault(form, name)
    faults = ((name, path_fault(name)) for name in names)
    return problems + [_problem(fault, name) for name, fault in faults if fault is not None]


def manifest_problems(manifest: PackManifest, names: Sequence[str]) -> list[PackProblem]:
    """Where the manifest and the names in the archive do not agree, or the manifest does not keep its own rules.

    Args:
        manifest: what the pack says of itself.
        names: every name in the archive, in order; the manifest is the first.
    """
    beside = [name for name in names[1:] if name != SIGNATURE_PATH]
    named = [entry.path for entry in manifest.entries]
    known, there = set(named), set(beside)
    problems = [_problem(PackFault.EXTRA_ENTRY, name) for name in beside if name not in known]
    problems += [_problem(PackFault.MISSING_ENTRY, name) for name in named if name not in there]
    if len(known) != len(named):
        problems.append(_problem(PackFault.DUPLICATE, next(name for name in named if named.count(name) > 1)))
    if not problems and (named != sorted(named) or beside != named or names[1:].count(SIGNATURE_PATH) > 1):
        problems.append(_problem(PackFault.NOT_SORTED))
    if SIGNATURE_PATH in names[2:]:
        problems.append(_problem(PackFault.NOT_SORTED))
    if manifest.root != PackManifest.root_of(manifest.entries):
        problems.append(_problem(PackFault.WRONG_ROOT))
    for entry in manifest.entries:
        problems += _entry_problems(entry)
    return problems + _accounting_problems(manifest)


def _entry_problems(entry: PackEntry) -> list[PackProblem]:
    rule = ROLE_RULES[entry.role]
    problems = []
    if not rule.allows(entry.path):
        problems.append(_problem(PackFault.WRONG_PLACE, entry.path, f"{entry.role.value} stands at {rule.place}"))
    if entry.media_type != rule.media_type:
        problems.append(_problem(PackFault.WRONG_MEDIA_TYPE, entry.path, shown(entry.media_type)))
    if entry.size > rule.max_bytes:
        problems.append(
            _problem(PackFault.TOO_LARGE, entry.path, f"{entry.size:,} bytes of at most {rule.max_bytes:,}")
        )
    return problems


def _accounting_problems(manifest: PackManifest) -> list[PackProblem]:
    present = {entry.role for entry in manifest.entries}
    missing = [part.role for part in manifest.missing]
    problems = []
    for role in accountable_roles(has_baseline=PackRole.BASELINE_RUN in present):
        if ROLE_RULES[role].required:
            if role not in present:
                problems.append(_problem(PackFault.NOT_ACCOUNTED_FOR, role.value))
        elif role not in present and role not in missing:
            problems.append(_problem(PackFault.NOT_ACCOUNTED_FOR, role.value))
    problems += [_problem(PackFault.NOT_MISSING, role.value) for role in missing if role in present]
    problems += [_problem(PackFault.NOT_MISSING, role.value) for role in sorted(_repeated(missing))]
    problems += [
        _problem(PackFault.NOT_ACCOUNTED_FOR, (second if first in present else first).value)
        for first, second in TOGETHER
        if (first in present) != (second in present)
    ]
    return problems


def _repeated(roles: Sequence[PackRole]) -> set[PackRole]:
    return {role for role in roles if roles.count(role) > 1}


def accountable_roles(*, has_baseline: bool) -> tuple[PackRole, ...]:
    """The roles of which a pack must have an entry or say why it has none.

    Without a run of a baseline there is nothing to say of the baseline's other files.
    """
    left_out = () if has_baseline else BASELINE_ROLES[1:]
    return tuple(role for role in PackRole if role not in left_out)


def content_problem(entry: PackEntry, head: bytes, last: bytes) -> PackProblem | None:
    """Whether an entry begins and ends as its media type says.

    Args:
        entry: what the manifest says of it.
        head: its first bytes, `HEAD_BYTES` or fewer.
        last: its last byte; empty for an empty entry.
    """
    text = head.decode("utf-8", "ignore")
    if len(head) - len(text.encode()) > 3 or _CONTROL.search(text):
        return _problem(PackFault.WRONG_MEDIA_TYPE, entry.path, "it is no text")
    if entry.media_type == YAML:
        return None
    if entry.media_type == JSON_LINES:
        fits = not head or (head.startswith(b"{") and last == b"\n")
    else:
        fits = head.lstrip().startswith(b"{") and last in (b"}", b"\n")
    return None if fits else _problem(PackFault.WRONG_MEDIA_TYPE, entry.path, entry.media_type)


def ordered(names: Iterable[str], *, is_signed: bool) -> list[str]:
    """The order in which members stand in a pack: the manifest, its signature, then the entries by path."""
    return [MANIFEST_PATH, *([SIGNATURE_PATH] if is_signed else []), *sorted(names)]


def _problem(fault: PackFault, subject: str | None = None, found: str | None = None) -> PackProblem:
    return PackProblem(fault=fault, subject=None if subject is None else shown(subject).strip("'"), found=found)
