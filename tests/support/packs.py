"""Packs for tests: good ones of small runs, re-hashed forgeries, and containers with any field set at will."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beleg.adapters.formats.pack_zip import ATTRIBUTES, CENTRAL, DATE, END, LOCAL, MADE_BY, TIME, VERSION
from beleg.app.gating import gate_runs, store_decision
from beleg.core.case import Case, ExpectedPassage, Principal
from beleg.core.digest import canonical_json
from beleg.core.packs import MANIFEST_PATH, PackEntry, PackManifest, PackRole
from beleg.core.suite import Suite
from beleg.core.trace import Citation, FilterKind, FilterPredicate, Output, Passage, Trace, TraceStatus
from beleg.evidence.pack_rules import ROLE_RULES, ordered
from beleg.run import journal
from beleg.run.folder import RunFolder
from support.builders import header

CASES = 40
POLICY: dict[str, Any] = {
    "policy": "release",
    "minimum_n": 10,
    "checks": [
        {"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3, "margin": 0.2},
        {"metric": "entitlement_leak", "zero_tolerance": True},
    ],
}


def cases(count: int = CASES) -> tuple[Case, ...]:
    """Cases of two tenants that each expect document d1."""
    return tuple(
        Case(
            case_id=f"c{number}",
            user_input=f"What does tenant {number % 2} pay for item {number}?",
            expected_passages=(ExpectedPassage(document_id="d1"),),
            principal=Principal(tenant=f"tenant-{number % 2}"),
            required_clauses=(("12 €",),),
            language="de" if number % 2 else "en",
        )
        for number in range(count)
    )


def trace(case: Case, document: str = "d1") -> Trace:
    """A trace that found one document of the asker's own tenant."""
    tenant = case.principal.tenant
    passage = Passage(
        passage_id=f"{document}#1", document_id=document, score=0.5, text="Die Gebühr beträgt 12 €\u2028im Jahr.",
        metadata={"tenant": tenant, "entitlement": "public"},
    )  # fmt: skip
    output = Output(
        retrieved=(passage,),
        delivered=(passage,),
        filters=(FilterPredicate(kind=FilterKind.ENTITLEMENT, field="tenant", values=(tenant,)),),
        prompt=f"Answer from: {passage.text}",
        answer="It is 12 € a year [1].",
        citations=(Citation(marker="1", passage_id=passage.passage_id),),
    )
    return Trace(case_id=case.case_id, status=TraceStatus.OK, output=output, total_ms=12.5)


def write_run(folder: Path, name: str, given: Iterable[Case], document: Callable[[int], str] = lambda _: "d1") -> Path:
    """A finished run."""
    given = tuple(given)
    suite = Suite.of(given, name="s")
    run = RunFolder(folder / name)
    head = header(given, name, suite_digest=suite.digest)
    run.create(head, suite)
    run.journal_file.write_bytes(
        b"".join(journal.encode(trace(case, document(number))) for number, case in enumerate(given))
    )
    return run.path


@dataclass(frozen=True, slots=True)
class Decided:
    """Two runs, the policy, and the decision beside the first run."""

    folder: Path

    @property
    def run(self) -> Path:
        """The candidate's run."""
        return self.folder / "new"

    @property
    def baseline(self) -> Path:
        """The released run."""
        return self.folder / "released"

    @property
    def policy(self) -> Path:
        """The policy file."""
        return self.folder / "policy.yaml"

    def decide(self) -> None:
        """Decides, and stores the decision beside the run."""
        outcome = gate_runs(self.run, self.baseline, self.policy)
        store_decision(outcome, self.run / "decision" / "decision.json")


def decided(
    folder: Path, *, document: Callable[[int], str] = lambda _: "d1", policy: dict[str, Any] = POLICY
) -> Decided:
    """A run that was decided on: a PASS unless documents are missed."""
    given = cases()
    write_run(folder, "new", given, document)
    # One answer differs, since a run that is compared with its own copy decides nothing.
    write_run(folder, "released", given, lambda number: "d1" if number else "d2")
    made = Decided(folder)
    made.policy.write_text("# The bar for a release.\n" + json.dumps(policy) + "\n", encoding="utf-8")
    made.decide()
    return made


def parts(path: Path) -> dict[str, bytes]:
    """The members of a pack by name, in order."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(path: Path, target: Path, change: Callable[[dict[str, bytes]], None], **fields: Any) -> Path:
    """A pack whose entries were changed and whose manifest was made to fit again, as somebody who knows the form does.

    Args:
        path: the pack that it is made of.
        target: where it goes.
        change: changes the entries in place.
        fields: fields of the manifest to set besides.
    """
    members = parts(path)
    manifest = PackManifest.model_validate_json(members.pop(MANIFEST_PATH))
    signature = members.pop("manifest.dsse.json", None)
    change(members)
    known = {entry.path: entry for entry in manifest.entries}
    entries = tuple(_entry(name, data, known.get(name)) for name, data in sorted(members.items()))
    there = {entry.role for entry in entries}
    manifest = manifest.model_copy(
        update={
            "entries": entries,
            "root": PackManifest.root_of(entries),
            "missing": tuple(part for part in manifest.missing if part.role not in there),
            **fields,
        }
    )
    whole = {MANIFEST_PATH: canonical_json(manifest.to_json_dict()), **members}
    if signature is not None:
        whole["manifest.dsse.json"] = signature
    names = ordered(members, is_signed=signature is not None)
    target.write_bytes(raw_zip(Raw(name, whole[name]) for name in names))
    return target


def _entry(name: str, data: bytes, known: PackEntry | None) -> PackEntry:
    role = known.role if known else next(role for role in PackRole if ROLE_RULES[role].allows(name))
    return PackEntry(
        path=name,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        media_type=ROLE_RULES[role].media_type,
        role=role,
        original=known.original if known else None,
    )


@dataclass(frozen=True, slots=True)
class Raw:
    """A member of a container, with fields of its two headers set at will."""

    name: str | bytes
    data: bytes
    both: dict[str, Any] = field(default_factory=dict)
    """Fields of both headers."""
    local: dict[str, Any] = field(default_factory=dict)
    central: dict[str, Any] = field(default_factory=dict)
    before: bytes = b""
    """Bytes before its own header."""
    extra: bytes = b""
    comment: bytes = b""
    overlaps: bool = False
    """Whether the list says that it begins where the member before it does."""

    @property
    def raw_name(self) -> bytes:
        """The name as bytes."""
        return self.name.encode() if isinstance(self.name, str) else self.name


def raw_zip(
    members: Iterable[Raw], *, prefix: bytes = b"", suffix: bytes = b"", comment: bytes = b"", before_end: bytes = b"",
    **end: int,
) -> bytes:  # fmt: skip
    """A zip file made field by field."""
    body, listed, before = bytearray(prefix), bytearray(), 0
    count = 0
    for member in members:
        body += member.before
        offset = before if member.overlaps else len(body)
        before, count = len(body), count + 1
        body += _local(member) + member.extra + member.data
        listed += _central(member, offset) + member.extra + member.comment
    fields = {"disk": 0, "list_disk": 0, "here": count, "count": count, "size": len(listed), "start": len(body)} | end
    tail = END.pack(b"PK\x05\x06", *fields.values(), len(comment))
    return bytes(body) + bytes(listed) + before_end + tail + comment + suffix


def _shared(member: Raw) -> dict[str, Any]:
    size = len(member.data)
    return {
        "version": VERSION, "flags": 0, "method": 0, "time": TIME, "date": DATE, "crc": zlib.crc32(member.data),
        "packed": size, "size": size, "name_length": len(member.raw_name), "extra_length": len(member.extra),
    }  # fmt: skip


def _local(member: Raw) -> bytes:
    fields = _shared(member) | member.both | member.local
    name = fields.pop("name", member.raw_name)
    return LOCAL.pack(b"PK\x03\x04", *fields.values()) + name


def _central(member: Raw, offset: int) -> bytes:
    more = {
        "comment": len(member.comment), "disk": 0, "inner": 0, "outer": ATTRIBUTES, "offset": offset,
        "made_by": MADE_BY,
    }  # fmt: skip
    fields = _shared(member) | more | member.both | member.central
    made_by = fields.pop("made_by")
    return CENTRAL.pack(b"PK\x01\x02", made_by, *fields.values()) + member.raw_name
