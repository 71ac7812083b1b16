"""Opening a pack of a stranger: container, names, manifest and every digest, before anything in it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beleg.adapters.formats.pack_reading import ListedMember, PackArchive, open_archive
from beleg.core.digest import canonical_json, digest_of_bytes
from beleg.core.errors import DataError, EvidenceError
from beleg.core.pack_faults import PackFault, PackProblem, PackRefused
from beleg.core.packs import MANIFEST_PATH, SIGNATURE_PATH, PackEntry, PackManifest, PackRole
from beleg.evidence.pack_rules import (
    HEAD_BYTES,
    JSON_LINES,
    MAX_MANIFEST_BYTES,
    ROLE_RULES,
    content_problem,
    manifest_problems,
    name_problems,
)
from beleg.evidence.redaction import REDACTABLE, markers_in, restored
from beleg.release.canonical import parse_canonical, read_as

MAX_SIGNATURE_BYTES = 2 * MAX_MANIFEST_BYTES

UNPACKED = frozenset(
    {
        PackRole.RUN, PackRole.SUITE, PackRole.INVENTORY, PackRole.TRACES, PackRole.FINDINGS, PackRole.CALLS,
        PackRole.BASELINE_RUN, PackRole.BASELINE_SUITE, PackRole.BASELINE_INVENTORY, PackRole.BASELINE_TRACES,
        PackRole.BASELINE_FINDINGS, PackRole.POLICY, PackRole.POLICY_SOURCE, PackRole.CALIBRATION, PackRole.LABELS,
        PackRole.DECISION, PackRole.FACTS, PackRole.STATEMENT, PackRole.VSA, PackRole.OVERRIDE,
        PackRole.SHEET_HEADER, PackRole.REVIEW_EVENTS,
    }
)  # fmt: skip
"""What is looked into; of everything else the digest is enough."""


@dataclass(slots=True)
class OpenPack:
    """A pack whose container and digests hold, with the entries that are looked into in a private folder."""

    manifest: PackManifest
    manifest_bytes: bytes
    signature: bytes | None
    folder: Path
    files: dict[PackRole, list[Path]] = field(default_factory=dict)
    """Where each entry was put, under a name of our own."""
    is_restored: bool = False
    """Whether redacted texts were put back from their owner's map."""

    def file(self, role: PackRole) -> Path | None:
        """The entry with a role, where there is one."""
        found = self.files.get(role)
        return found[0] if found else None

    def is_redacted(self, role: PackRole) -> bool:
        """Whether texts of the entry are still markers."""
        entry = self.manifest.entry_of(role)
        return entry is not None and entry.original is not None and not self.is_restored


def open_pack(path: Path, folder: Path, texts: Mapping[str, str] | None = None) -> OpenPack:
    """Checks a pack from the outside in, and puts what is looked into into a folder.

    Args:
        path: the pack.
        folder: an empty folder that nobody else can write to.
        texts: the texts behind markers, from their owner's map; left out: redacted texts stay markers.

    Raises:
        UsageError: if there is no such file.
        PackRefused: for a container or names or a manifest that break a rule.
        PackBroken: with every entry that is not the one in the manifest.
    """
    with open_archive(path) as archive:
        _raise_first(name_problems(archive.names))
        manifest, data = _manifest(archive)
        _raise_all(manifest_problems(manifest, archive.names))
        by_name = {member.path: member for member in archive.members}
        signature = by_name.get(SIGNATURE_PATH)
        signed = None if signature is None else archive.read(signature, limit=MAX_SIGNATURE_BYTES)
        pack = OpenPack(manifest, data, signed, folder, is_restored=texts is not None)
        problems: list[PackProblem] = []
        for number, entry in enumerate(manifest.entries):
            problems += _take_out(archive, by_name[entry.path], entry, (pack, number))
        _raise_all(problems)
    for entry in manifest.entries:
        if entry.original is not None:
            _check_redaction(pack, entry, texts)
    return pack


class PackBroken(EvidenceError):
    """A pack breaks several rules at once.

    Args:
        problems: all of them.
    """

    def __init__(self, problems: list[PackProblem]) -> None:
        super().__init__("\n".join(f"{item.sentence.en} ({item.fault.value})" for item in problems))
        self.problems = tuple(problems)


def _raise_first(problems: list[PackProblem]) -> None:
    _raise_all(problems[:1])


def _raise_all(problems: list[PackProblem]) -> None:
    if problems:
        raise PackBroken(problems)


def _manifest(archive: PackArchive) -> tuple[PackManifest, bytes]:
    first = archive.members[0] if archive.members else None
    if first is None or first.path != MANIFEST_PATH:
        raise PackRefused(PackFault.MANIFEST_NOT_FIRST, found=first.path if first else "missing")
    data = archive.read(first, limit=MAX_MANIFEST_BYTES)
    try:
        manifest = read_as(PackManifest, parse_canonical(data))
    except DataError as error:
        fault = PackFault.MANIFEST_NOT_CANONICAL if "canonical" in error.message else PackFault.MANIFEST_UNREADABLE
        raise PackRefused(fault, found=error.message) from error
    if canonical_json(manifest.to_json_dict()) != data:
        raise PackRefused(PackFault.MANIFEST_NOT_CANONICAL)
    return manifest, data


def _take_out(
    archive: PackArchive, member: ListedMember, entry: PackEntry, place: tuple[OpenPack, int]
) -> list[PackProblem]:
    """Looks at one entry, and puts it under a name of our own where it is looked into."""
    pack, number = place
    if member.size != entry.size:
        found = f"{member.size:,} bytes, and {entry.size:,} in the manifest"
        return [PackProblem(fault=PackFault.WRONG_SIZE, subject=entry.path, found=found)]
    target = None
    if entry.role in UNPACKED:
        own = ROLE_RULES[entry.role].place.replace("*", f"{number:05d}")
        target = pack.folder / own
        target.parent.mkdir(parents=True, exist_ok=True)
        pack.files.setdefault(entry.role, []).append(target)
    if archive.copy(member, target) != entry.sha256:
        return [PackProblem(fault=PackFault.WRONG_DIGEST, subject=entry.path)]
    problem = content_problem(entry, *archive.ends(member, HEAD_BYTES))
    return [] if problem is None else [problem]


def _check_redaction(pack: OpenPack, entry: PackEntry, texts: Mapping[str, str] | None) -> None:
    """Counts the markers of an entry, and puts the texts back where their owner gave them."""
    original, files = entry.original, pack.files.get(entry.role)
    if original is None or not files:
        return
    if entry.role not in REDACTABLE or pack.manifest.redacted is None:
        raise PackRefused(PackFault.REDACTION_UNDECLARED, entry.path, "such an entry is never redacted")
    text = files[0].read_bytes().decode("utf-8", "surrogateescape")
    count = markers_in(text)
    if count != original.fields:
        raise PackRefused(PackFault.REDACTION_UNDECLARED, entry.path, f"{count} markers and {original.fields} declared")
    if texts is None:
        return
    data = restored(text, texts, is_lines=entry.media_type == JSON_LINES).encode("utf-8", "surrogateescape")
    if len(data) != original.size or digest_of_bytes(data) != f"sha256:{original.sha256}":
        raise PackRefused(PackFault.REVEAL_DIFFERS, entry.path)
    files[0].write_bytes(data)
