"""Writing an audit pack: collect, redact, list, sign, write (E8)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import write_bytes
from beleg.adapters.formats.pack_zip import PackMember, PackSource, write_pack
from beleg.adapters.signing.envelopes import sign_payload
from beleg.app.pack_contents import PackContents, PackInputs, collect
from beleg.app.pack_versions import require_no_secrets
from beleg.core.attestation import PayloadSigner
from beleg.core.decision import Sentence
from beleg.core.digest import canonical_json
from beleg.core.errors import EvidenceError, UsageError, shown
from beleg.core.packs import (
    MANIFEST_PATH,
    PACK_PAYLOAD_TYPE,
    SIGNATURE_PATH,
    MissingPart,
    MissingReason,
    PackEntry,
    PackManifest,
    PackRole,
    RedactedOriginal,
    RedactionMap,
)
from beleg.evidence.pack_rules import ENVELOPE, JSON_LINES, ROLE_RULES, ordered
from beleg.evidence.pack_words import inventory_lines
from beleg.evidence.redaction import (
    CATEGORIES,
    MARKER,
    NOT_BY_FIELD,
    REDACTABLE,
    TEXTS,
    Redactor,
    holds_any,
    markers_in,
    restored,
)
from beleg.release.opening import open_envelope
from beleg.run.folder import read_model

SUFFIX = ".pack.zip"
MAP_SUFFIX = ".redactions.json"
MINIMUM_TEXT_CHARS = 3
"""A shorter text stands inside words that have nothing to do with it."""
FEW_CHARS = 64
"""With fewer characters redacted in a file, its digest in the decision lets somebody test a guess at all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackRequest:
    """What is packed and how."""

    inputs: PackInputs
    redact: tuple[str, ...] = ()
    """Kinds of text that give way to markers, of `CATEGORIES`."""
    redact_texts: Path | None = None
    """A file of texts, one a line, of which none may stand in the pack."""
    redactions: Path | None = None
    """Where the owner's map of redactions goes; one that is there is used again, so that the same text has the same
    marker in every pack."""
    signer: PayloadSigner | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackOutcome:
    """A pack that was written."""

    path: Path
    manifest: PackManifest
    size: int
    is_signed: bool
    redactions: Path | None = None
    """Where the map of redactions was written to."""
    warnings: tuple[str, ...] = ()

    def lines(self, language: str = "en") -> list[str]:
        """What was packed, for a person: what the pack holds, what it lacks, and at last where it is."""
        entries = len(self.manifest.entries)
        signed = ("signed", "signiert") if self.is_signed else ("not signed", "nicht signiert")
        head = Sentence(
            en=f"Packed: run {self.manifest.run_id} in {entries} entries, {signed[0]}",
            de=f"Gepackt: Lauf {self.manifest.run_id} in {entries} Einträgen, {signed[1]}",
        )
        keep = Sentence(
            en=f"Keep private, it undoes the redaction: {self.redactions}",
            de=f"Privat halten, es macht die Schwärzung rückgängig: {self.redactions}",
        )
        told = [head, *inventory_lines(self.manifest), *([keep] if self.redactions is not None else [])]
        return [*(sentence.in_language(language) for sentence in told), str(self.path)]

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        manifest = self.manifest.to_json_dict()
        return {
            "pack": str(self.path),
            "size": self.size,
            "signed": self.is_signed,
            "redactions": str(self.redactions) if self.redactions is not None else None,
            "manifest": manifest,
        }


def pack_run(
    request: PackRequest, out: Path | None = None, environment: Mapping[str, str] | None = None
) -> PackOutcome:
    """Writes everything that the decision on a run rests on into one file.

    The same content gives the same bytes, and a signature with Ed25519 too.

    Args:
        request: what is packed and how.
        out: where the pack goes; left out: ``NAME.pack.zip`` by the name of the run's folder, where one is.
        environment: the variables of the process; left out: those of this one.

    Raises:
        UsageError: for a file that is not there, a run that was not decided on, or redactions that cannot be made.
        EvidenceError: if something is not what the decision rests on, or holds a secret of this process.
    """
    environment = os.environ if environment is None else environment
    target = out or Path(f"{request.inputs.run.resolve().name}{SUFFIX}")
    contents = collect(request.inputs, environment)
    redacted = _redacted(request, contents, target)
    sources = {path: source for path, (_, source) in redacted.sources.items()}
    require_no_secrets(sources, environment)
    members = {path: PackMember.of(path, source) for path, source in sources.items()}
    manifest = _manifest(contents, redacted, members)
    data = canonical_json(manifest.to_json_dict())
    listed = {MANIFEST_PATH: PackMember.of(MANIFEST_PATH, data), **members}
    if request.signer is not None:
        listed[SIGNATURE_PATH] = PackMember.of(SIGNATURE_PATH, _signature(data, request.signer))
    if redacted.map is not None and redacted.map_path is not None:
        # Before the pack: originals without their map could never be restored.
        write_bytes(redacted.map_path, canonical_json(redacted.map.to_json_dict()), mode=0o600)
    write_pack(target, [listed[name] for name in ordered(members, is_signed=request.signer is not None)])
    return PackOutcome(
        path=target,
        manifest=manifest,
        size=target.stat().st_size,
        is_signed=request.signer is not None,
        redactions=redacted.map_path,
        warnings=(*_warnings(contents), *redacted.warnings),
    )


def _signature(manifest: bytes, signer: PayloadSigner) -> bytes:
    return canonical_json(sign_payload(manifest, PACK_PAYLOAD_TYPE, [signer]).to_json_dict())


def _manifest(contents: PackContents, redacted: _Redacted, members: Mapping[str, PackMember]) -> PackManifest:
    entries = tuple(
        PackEntry(
            path=path,
            size=members[path].size,
            sha256=members[path].sha256,
            media_type=ROLE_RULES[role].media_type,
            role=role,
            original=redacted.originals.get(path),
        )
        for path, (role, _) in sorted(redacted.sources.items())
    )
    baseline = next((role for role, _ in redacted.sources.values() if role is PackRole.BASELINE_RUN), None)
    named = contents.decision.baseline
    order = list(PackRole)
    return PackManifest(
        run_id=contents.header.run_id,
        baseline_run_id=named.run_id if named is not None and baseline is not None else None,
        beleg_version=version("beleg"),
        entries=entries,
        root=PackManifest.root_of(entries),
        missing=tuple(sorted([*contents.missing, *redacted.left_out], key=lambda part: order.index(part.role))),
        gaps=tuple(contents.gaps),
        redacted=redacted.kinds or None,
    )


@dataclass(slots=True)
class _Redacted:
    """The entries after redaction, and what was there before."""

    sources: dict[str, tuple[PackRole, PackSource]]
    kinds: tuple[str, ...] = ()
    originals: dict[str, RedactedOriginal] = field(default_factory=dict)
    left_out: list[MissingPart] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    map: RedactionMap | None = None
    map_path: Path | None = None


def _redacted(request: PackRequest, contents: PackContents, target: Path) -> _Redacted:
    texts = () if request.redact_texts is None else _texts(request.redact_texts)
    unknown = [name for name in request.redact if name not in CATEGORIES]
    if unknown:
        raise UsageError(f"no such kind of text: {shown(unknown[0])}", hint=f"There are: {', '.join(CATEGORIES)}")
    found = _Redacted(dict(contents.sources))
    if not request.redact and not texts:
        return found
    found.kinds = (*sorted(set(request.redact)), *([TEXTS] if texts else []))
    found.map_path = request.redactions or target.with_name(target.name.removesuffix(SUFFIX) + MAP_SUFFIX)
    known = _known_map(found.map_path)
    secret = secrets.token_bytes(32) if known is None else bytes.fromhex(known.secret)
    redactor = Redactor(tuple(sorted(set(request.redact))), texts, secret, {} if known is None else dict(known.texts))
    for path, (role, source) in sorted(found.sources.items(), key=lambda item: list(PackRole).index(item[1][0])):
        _redact_entry(found, redactor, path, (role, source))
    found.warnings += _still_named(found, redactor)
    found.map = redactor.map()
    return found


def _still_named(found: _Redacted, redactor: Redactor) -> Iterator[str]:
    """Warns of entries that must stay as they decided, and name an asker who was redacted elsewhere."""
    known = tuple(sorted(text for text in redactor.known if len(text) >= MINIMUM_TEXT_CHARS))
    for path, (role, source) in sorted(found.sources.items()):
        if not known or role in REDACTABLE or role is PackRole.SCHEMA:
            continue
        data = source if isinstance(source, bytes) else source.read_bytes()
        if holds_any(data.decode("utf-8", "replace"), known):
            yield f"{path} names an asker who is redacted elsewhere, and must stay as it decided"


def _texts(path: Path) -> tuple[str, ...]:
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="Write one text a line, in UTF-8") from error
    texts = tuple(dict.fromkeys(line for line in lines if line))
    short = [text for text in texts if len(text) < MINIMUM_TEXT_CHARS]
    if short or not texts:
        raise UsageError(
            f"{path}: {'it holds no text' if not texts else f'{shown(short[0])} is too short'}",
            hint=f"Write texts of {MINIMUM_TEXT_CHARS} characters or more, one a line",
        )
    return texts


def _known_map(path: Path) -> RedactionMap | None:
    return read_model(RedactionMap, path) if path.exists() else None


def _redact_entry(found: _Redacted, redactor: Redactor, path: str, entry: tuple[PackRole, PackSource]) -> None:
    role, source = entry
    if role in NOT_BY_FIELD:
        del found.sources[path]
        found.left_out.append(MissingPart(role=role, reason=MissingReason.REDACTED))
        return
    if role is PackRole.SCHEMA:
        return
    data = source if isinstance(source, bytes) else source.read_bytes()
    if role not in REDACTABLE:
        _require_clean(path, data.decode("utf-8", "replace"), redactor.texts)
        if ROLE_RULES[role].media_type == ENVELOPE:
            _require_clean(path, open_envelope(data).payload.decode("utf-8", "replace"), redactor.texts)
        return
    original = PackMember.of(path, data)
    before = data.decode("utf-8")
    text, count = redactor.redact(role, before)
    # A name of a field is never replaced.
    _require_clean(path, text, redactor.texts)
    if not count:
        return
    is_lines = ROLE_RULES[role].media_type == JSON_LINES
    if markers_in(text) != count or restored(text, redactor.found, is_lines=is_lines) != before:
        raise EvidenceError(
            f"{path}: the original could not be restored from what would be packed",
            hint="A text looks like a marker of a redaction; pack without redaction, or leave the run out",
        )
    if sum(len(redactor.found[marker]) for marker in set(MARKER.findall(text))) < FEW_CHARS:
        found.warnings.append(
            f"{path}: so little is redacted that its digest in the decision lets somebody test a guess at all of it; "
            "redact more, or give the pack to nobody who might guess"
        )
    found.sources[path] = (role, text.encode())
    found.originals[path] = RedactedOriginal(size=original.size, sha256=original.sha256, fields=count)


def _require_clean(path: str, text: str, texts: tuple[str, ...]) -> None:
    """Refuses a text that stands in what must stay the bytes that decided, or in the name of a field."""
    if holds_any(text, texts):
        raise UsageError(
            f"{path} holds a text that is to be redacted, in a place that must stay as it decided",
            hint="Take the text out of the policy, the suite's segments, the manifest or the override, and decide "
            "again; or leave it out of --redact-texts",
        )


def _warnings(contents: PackContents) -> tuple[str, ...]:
    lost = [part for part in contents.missing if part.reason is MissingReason.NOT_GIVEN]
    needed = {PackRole.POLICY: "--policy", PackRole.BASELINE_RUN: "--baseline", PackRole.LABELS: "--labels"}
    return tuple(
        f"the decision cannot be recomputed from the pack: it rests on something that was not given; name it with "
        f"{needed[part.role]}"
        for part in lost
        if part.role in needed
    )
