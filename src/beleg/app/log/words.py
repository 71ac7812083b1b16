"""What a decision log says, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from beleg.app.log.appending import Entered
from beleg.app.log.checkpointing import VerifiedLog, WrittenCheckpoint
from beleg.app.log.proving import ProvedEntry
from beleg.core.decision import Sentence
from beleg.core.decision_log import LogEntry, LogKind
from beleg.release.checkpoints import Checkpoint

_GERMAN = {
    LogKind.DECISION: "Entscheidung",
    LogKind.OVERRIDE: "Ausnahme",
    LogKind.SUMMARY: "Prüfbescheid",
    LogKind.TRUST: "Vertrauensdatei",
    LogKind.REVIEW_HEAD: "Stand der Prüfungen",
    LogKind.PACK: "Prüfpaket",
}

SHOWN_HEX = 16


def kind_in_words(kind: LogKind) -> Sentence:
    """The kind of a document."""
    return Sentence(en=kind.value.replace("_", " "), de=_GERMAN[kind])


def entered(each: Entered) -> Sentence:
    """One document that was entered, in one line."""
    name, kind = each.entry.name, kind_in_words(each.entry.kind)
    if each.is_new:
        return Sentence(en=f"Entry {each.index}: {kind.en} {name}", de=f"Eintrag {each.index}: {kind.de} {name}")
    return Sentence(
        en=f"Entry {each.index}: {kind.en} {name} was in the log already",
        de=f"Eintrag {each.index}: {kind.de} {name} stand schon im Protokoll",
    )


def dropped(entries: Sequence[Entered]) -> Sentence | None:
    """What was removed from the end before, or ``None``."""
    count = max((each.dropped_bytes for each in entries), default=0)
    if not count:
        return None
    return Sentence(
        en=f"{count} bytes of an entry that was never finished were removed from the end of the log",
        de=f"{count} Bytes eines nie fertig geschriebenen Eintrags wurden vom Ende des Protokolls entfernt",
    )


def verified(log: VerifiedLog) -> tuple[Sentence, ...]:
    """Whether the log is what it was, in one line, and what was not looked at."""
    n = len(log.entries)
    lines = [_held(log, n)]
    if log.against and not log.signed:
        lines.append(
            Sentence(
                en="Whose signature the checkpoints bear was not checked: name the log's key with --key",
                de="Wessen Signatur die Prüfpunkte tragen, wurde nicht geprüft: Schlüssel mit --key angeben",
            )
        )
    if log.cut_bytes:
        lines.append(
            Sentence(
                en=f"After them stand {log.cut_bytes} bytes of an entry that was never finished",
                de=f"Danach stehen {log.cut_bytes} Bytes eines nie fertig geschriebenen Eintrags",
            )
        )
    if log.without_document:
        lines.append(
            Sentence(
                en=f"The log does not keep the document itself of {log.without_document} of the entries",
                de=f"Bei {log.without_document} der Einträge bewahrt das Protokoll das Dokument selbst nicht auf",
            )
        )
    return tuple(lines)


def _held(log: VerifiedLog, n: int) -> Sentence:
    if not log.against:
        return Sentence(
            en=f"{n} entries, each as it was entered; whether some were cut off or all written anew shows only against "
            "a checkpoint that was kept elsewhere (--against)",
            de=f"{n} Einträge, jeder wie eingetragen; ob welche abgeschnitten oder alle neu geschrieben wurden, zeigt "
            "nur ein anderswo verwahrter Prüfpunkt (--against)",
        )
    covered = max(known.size for known in log.against)
    return Sentence(
        en=f"{n} entries, each as it was entered; the first {covered} are those of the checkpoint",
        de=f"{n} Einträge, jeder wie eingetragen; die ersten {covered} sind die des Prüfpunkts",
    )


def state(checkpoint: Checkpoint) -> Sentence:
    """The size and root of a log in one line."""
    root = checkpoint.root.hex()
    return Sentence(
        en=f"Log {checkpoint.origin}: {checkpoint.size} entries, root {root}",
        de=f"Protokoll {checkpoint.origin}: {checkpoint.size} Einträge, Wurzel {root}",
    )


def signed(made: WrittenCheckpoint) -> Sentence:
    """A checkpoint that was signed, in one line."""
    told = made.checkpoint
    return Sentence(
        en=f"Signed the state of {told.origin}: {told.size} entries, root {told.root.hex()[:SHOWN_HEX]}",
        de=f"Stand von {told.origin} signiert: {told.size} Einträge, Wurzel {told.root.hex()[:SHOWN_HEX]}",
    )


def proved(made: ProvedEntry, *, is_checked: bool) -> Sentence:
    """A proof that was written or that holds, in one line."""
    entry, told = made.entry, made.checkpoint
    kind = kind_in_words(entry.kind)
    holds = Sentence(
        en="The proof holds" if is_checked else "Proved", de="Der Beweis hält" if is_checked else "Bewiesen"
    )
    return Sentence(
        en=f"{holds.en}: {kind.en} {entry.name} is entry {made.index} of the {told.size} in {told.origin}, "
        f"entered {entry.at:%Y-%m-%d %H:%M} UTC",
        de=f"{holds.de}: {kind.de} {entry.name} ist Eintrag {made.index} der {told.size} in {told.origin}, "
        f"eingetragen {entry.at:%Y-%m-%d %H:%M} UTC",
    )


def proof_data(made: ProvedEntry) -> dict[str, Any]:
    """A proof as JSON data."""
    return {
        "index": made.index,
        "entry": made.entry.to_json_dict(),
        "checkpoint": checkpoint_data(made.checkpoint),
        "proof": str(made.path),
        "document_checked": made.is_this_file,
    }


def checkpoint_data(checkpoint: Checkpoint) -> dict[str, Any]:
    """The state of a log as JSON data."""
    return {"origin": checkpoint.origin, "size": checkpoint.size, "root": checkpoint.root.hex()}


def log_data(log: VerifiedLog) -> dict[str, Any]:
    """A log as JSON data."""
    return {
        **checkpoint_data(log.checkpoint),
        "entries": [entry_data(index, entry) for index, entry in enumerate(log.entries)],
        "against": [checkpoint_data(known) for known in log.against],
        "signatures_checked": log.signed,
        "without_document": log.without_document,
        "cut_bytes": log.cut_bytes,
    }


def entry_data(index: int, entry: LogEntry) -> dict[str, Any]:
    """An entry as JSON data."""
    return {"index": index, **entry.to_json_dict()}


def not_compared(made: ProvedEntry) -> Sentence:
    """What was not looked at where no document was named."""
    return Sentence(
        en=f"No document was compared with it (--file); its SHA-256 is {made.entry.sha256}",
        de=f"Kein Dokument wurde damit verglichen (--file); seine SHA-256 ist {made.entry.sha256}",
    )
