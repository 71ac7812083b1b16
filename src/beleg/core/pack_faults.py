"""Why a pack is refused: one word and one sentence for each rule, in both languages."""

from __future__ import annotations

from enum import StrEnum

from beleg.core.decision import Sentence
from beleg.core.errors import EvidenceError, shown
from beleg.core.model import StoredModel


class PackFault(StrEnum):
    """The rule that a pack breaks."""

    # The container.
    NOT_A_PACK = "not_a_pack"
    TOO_LARGE = "too_large"
    COMMENT = "comment"
    DATA_AFTER_END = "data_after_end"
    PREPENDED_DATA = "prepended_data"
    TWO_END_RECORDS = "two_end_records"
    HIDDEN_DATA = "hidden_data"
    OVERLAP = "overlap"
    ZIP64 = "zip64"
    SPLIT = "split"
    TOO_MANY_ENTRIES = "too_many_entries"
    DAMAGED_DIRECTORY = "damaged_directory"
    EXTRA_FIELD = "extra_field"
    ENCRYPTED = "encrypted"
    DATA_DESCRIPTOR = "data_descriptor"
    UNKNOWN_FLAG = "unknown_flag"
    COMPRESSED = "compressed"
    SYMLINK = "symlink"
    ATTRIBUTES = "attributes"
    TIMESTAMP = "timestamp"
    HEADERS_DISAGREE = "headers_disagree"
    BOMB_RATIO = "bomb_ratio"
    BOMB_TOTAL = "bomb_total"
    NESTED_ARCHIVE = "nested_archive"
    WRONG_CHECKSUM = "wrong_checksum"
    # Names.
    NAME_NOT_TEXT = "name_not_text"
    NUL_IN_PATH = "nul_in_path"
    BACKSLASH = "backslash"
    DRIVE_LETTER = "drive_letter"
    ABSOLUTE_PATH = "absolute_path"
    PARENT_PATH = "parent_path"
    RESERVED_NAME = "reserved_name"
    TRAILING_DOT_OR_SPACE = "trailing_dot_or_space"
    CHARACTER = "character"
    DUPLICATE = "duplicate"
    CASE_TWIN = "case_twin"
    UNICODE_TWIN = "unicode_twin"
    # The manifest.
    MANIFEST_NOT_FIRST = "manifest_not_first"
    MANIFEST_UNREADABLE = "manifest_unreadable"
    MANIFEST_NOT_CANONICAL = "manifest_not_canonical"
    NOT_SORTED = "not_sorted"
    EXTRA_ENTRY = "extra_entry"
    MISSING_ENTRY = "missing_entry"
    WRONG_SIZE = "wrong_size"
    WRONG_DIGEST = "wrong_digest"
    WRONG_MEDIA_TYPE = "wrong_media_type"
    WRONG_PLACE = "wrong_place"
    WRONG_ROOT = "wrong_root"
    NOT_ACCOUNTED_FOR = "not_accounted_for"
    NOT_MISSING = "not_missing"
    # The signature.
    UNSIGNED = "unsigned"
    BAD_ENVELOPE = "bad_envelope"
    SIGNATURE_OF_OTHER = "signature_of_other"
    UNTRUSTED_KEY = "untrusted_key"
    # What stands in the entries.
    UNREADABLE_ENTRY = "unreadable_entry"
    OTHER_RUN = "other_run"
    POLICY_SOURCE_DIFFERS = "policy_source_differs"
    CALL_MISSING = "call_missing"
    STATEMENT_DIFFERS = "statement_differs"
    REVIEW_CHAIN_BROKEN = "review_chain_broken"
    REDACTION_UNDECLARED = "redaction_undeclared"
    REVEAL_DIFFERS = "reveal_differs"
    # The decision.
    DECISION_DIFFERS = "decision_differs"
    NOT_RECOMPUTABLE = "not_recomputable"


_SENTENCES: dict[PackFault, tuple[str, str]] = {
    PackFault.NOT_A_PACK: ("the file is no audit pack: {found}", "die Datei ist kein Prüfpaket: {found}"),
    PackFault.TOO_LARGE: ("the file is larger than a pack may be: {found}",
                          "die Datei ist größer, als ein Paket sein darf: {found}"),
    PackFault.COMMENT: ("the archive carries a comment", "das Archiv trägt einen Kommentar"),
    PackFault.DATA_AFTER_END: ("bytes follow after the end of the archive: {found}",
                               "nach dem Ende des Archivs folgen Bytes: {found}"),
    PackFault.PREPENDED_DATA: ("bytes stand before the first entry: {found}",
                               "vor dem ersten Eintrag stehen Bytes: {found}"),
    PackFault.TWO_END_RECORDS: ("the archive has two end records, and readers differ in which they take",
                                "das Archiv hat zwei Endsätze, und Leser nehmen verschiedene davon"),
    PackFault.HIDDEN_DATA: ("bytes stand between the entries that no reader of the list sees: {found}",
                            "zwischen den Einträgen stehen Bytes, die kein Leser der Liste sieht: {found}"),
    PackFault.OVERLAP: ("entries overlap: {subject}", "Einträge überlappen: {subject}"),
    PackFault.ZIP64: ("{subject}: sizes are given in the 64-bit form, which a pack never needs",
                      "{subject}: Größen stehen in der 64-Bit-Form, die ein Paket nie braucht"),
    PackFault.SPLIT: ("the archive claims to be one of several parts",
                      "das Archiv gibt sich als Teil von mehreren aus"),
    PackFault.TOO_MANY_ENTRIES: ("the archive has more entries than a pack may have: {found}",
                                 "das Archiv hat mehr Einträge, als ein Paket haben darf: {found}"),
    PackFault.DAMAGED_DIRECTORY: ("the list of entries is damaged: {found}",
                                  "das Verzeichnis der Einträge ist beschädigt: {found}"),
    PackFault.EXTRA_FIELD: ("{subject}: the entry carries extra fields or a comment",
                            "{subject}: der Eintrag trägt Zusatzfelder oder einen Kommentar"),
    PackFault.ENCRYPTED: ("{subject}: the entry is encrypted", "{subject}: der Eintrag ist verschlüsselt"),
    PackFault.DATA_DESCRIPTOR: ("{subject}: the size of the entry stands only after it",
                                "{subject}: die Größe des Eintrags steht erst hinter ihm"),
    PackFault.UNKNOWN_FLAG: ("{subject}: the entry sets flags that a pack never sets: {found}",
                             "{subject}: der Eintrag setzt Merker, die ein Paket nie setzt: {found}"),
    PackFault.COMPRESSED: ("{subject}: the entry is compressed, which a pack never is: method {found}",
                           "{subject}: der Eintrag ist komprimiert, was kein Paket ist: Verfahren {found}"),
    PackFault.SYMLINK: ("{subject}: the entry is a symbolic link",
                        "{subject}: der Eintrag ist eine symbolische Verknüpfung"),
    PackFault.ATTRIBUTES: ("{subject}: the entry has attributes that a pack never sets: {found}",
                           "{subject}: der Eintrag hat Attribute, die ein Paket nie setzt: {found}"),
    PackFault.TIMESTAMP: ("{subject}: the entry has a time of its own: {found}",
                          "{subject}: der Eintrag hat eine eigene Zeit: {found}"),
    PackFault.HEADERS_DISAGREE: ("{subject}: the entry's own header and the list disagree on {found}",
                                 "{subject}: Kopf des Eintrags und Verzeichnis sind uneins über {found}"),
    PackFault.BOMB_RATIO: ("{subject}: the entry unfolds more than a pack's entries do: {found}",
                           "{subject}: der Eintrag entfaltet sich stärker, als es Einträge eines Pakets tun: {found}"),
    PackFault.BOMB_TOTAL: ("the entries unfold to more than a pack may hold: {found}",
                           "die Einträge entfalten sich zu mehr, als ein Paket halten darf: {found}"),
    PackFault.NESTED_ARCHIVE: ("{subject}: the entry is itself an archive",
                               "{subject}: der Eintrag ist selbst ein Archiv"),
    PackFault.WRONG_CHECKSUM: ("{subject}: the bytes do not have the checksum of the archive",
                               "{subject}: die Bytes haben nicht die Prüfsumme des Archivs"),
    PackFault.NAME_NOT_TEXT: ("an entry's name is no UTF-8 text: {found}",
                              "der Name eines Eintrags ist kein UTF-8-Text: {found}"),
    PackFault.NUL_IN_PATH: ("{subject}: the path holds a NUL character", "{subject}: der Pfad enthält ein NUL-Zeichen"),
    PackFault.BACKSLASH: ("{subject}: the path holds a backslash", "{subject}: der Pfad enthält einen Rückstrich"),
    PackFault.DRIVE_LETTER: ("{subject}: the path names a drive", "{subject}: der Pfad nennt ein Laufwerk"),
    PackFault.ABSOLUTE_PATH: ("{subject}: the path is absolute", "{subject}: der Pfad ist absolut"),
    PackFault.PARENT_PATH: ("{subject}: the path leads out of the pack or is not in its shortest form",
                            "{subject}: der Pfad führt aus dem Paket hinaus oder ist nicht in kürzester Form"),
    PackFault.RESERVED_NAME: ("{subject}: the path holds a name that some systems reserve",
                              "{subject}: der Pfad enthält einen Namen, den manche Systeme belegen"),
    PackFault.TRAILING_DOT_OR_SPACE: ("{subject}: a part of the path ends in a dot or a space",
                                      "{subject}: ein Teil des Pfads endet auf Punkt oder Leerzeichen"),
    PackFault.CHARACTER: ("{subject}: the path holds characters that a pack never uses, or is too long",
                          "{subject}: der Pfad enthält Zeichen, die ein Paket nie nutzt, oder ist zu lang"),
    PackFault.DUPLICATE: ("{subject}: the entry is there twice, and readers differ in which they take",
                          "{subject}: der Eintrag ist doppelt, und Leser nehmen verschiedene davon"),
    PackFault.CASE_TWIN: ("{subject}: the path differs from {found} in upper and lower case alone",
                          "{subject}: der Pfad unterscheidet sich von {found} nur in Groß- und Kleinschreibung"),
    PackFault.UNICODE_TWIN: ("{subject}: the path is {found} in another Unicode form",
                             "{subject}: der Pfad ist {found} in anderer Unicode-Form"),
    PackFault.MANIFEST_NOT_FIRST: ("the first entry is {found} and not the manifest",
                                   "der erste Eintrag ist {found} und nicht das Manifest"),
    PackFault.MANIFEST_UNREADABLE: ("the manifest cannot be read: {found}", "das Manifest ist nicht lesbar: {found}"),
    PackFault.MANIFEST_NOT_CANONICAL: ("the manifest is not in its canonical form",
                                       "das Manifest ist nicht in seiner kanonischen Form"),
    PackFault.NOT_SORTED: ("the entries do not stand in the order of their paths",
                           "die Einträge stehen nicht in der Reihenfolge ihrer Pfade"),
    PackFault.EXTRA_ENTRY: ("{subject}: the manifest does not name the entry",
                            "{subject}: das Manifest nennt den Eintrag nicht"),
    PackFault.MISSING_ENTRY: ("{subject}: the manifest names the entry, and it is not there",
                              "{subject}: das Manifest nennt den Eintrag, und er ist nicht da"),
    PackFault.WRONG_SIZE: ("{subject}: the entry is not as long as the manifest says: {found}",
                           "{subject}: der Eintrag ist nicht so lang, wie das Manifest sagt: {found}"),
    PackFault.WRONG_DIGEST: ("{subject}: the entry is not the one whose digest the manifest holds",
                             "{subject}: der Eintrag ist nicht der, dessen Digest im Manifest steht"),
    PackFault.WRONG_MEDIA_TYPE: ("{subject}: the entry is not what its media type says: {found}",
                                 "{subject}: der Eintrag ist nicht, was sein Medientyp sagt: {found}"),
    PackFault.WRONG_PLACE: ("{subject}: an entry of this role does not stand here: {found}",
                            "{subject}: ein Eintrag dieser Rolle steht nicht hier: {found}"),
    PackFault.WRONG_ROOT: ("the root digest is not that of the entries",
                           "der Wurzel-Digest ist nicht der der Einträge"),
    PackFault.NOT_ACCOUNTED_FOR: ("{subject}: it is neither there nor named as missing",
                                  "{subject}: es ist weder da noch als fehlend genannt"),
    PackFault.NOT_MISSING: ("{subject}: it is named as missing, and it is there or named twice",
                            "{subject}: es ist als fehlend genannt, und es ist da oder doppelt genannt"),
    PackFault.UNSIGNED: ("nobody signed the pack, and a signature is asked for",
                         "niemand hat das Paket signiert, und eine Signatur ist verlangt"),
    PackFault.BAD_ENVELOPE: ("the signature cannot be read: {found}", "die Signatur ist nicht lesbar: {found}"),
    PackFault.SIGNATURE_OF_OTHER: ("what was signed is not this manifest", "signiert ist nicht dieses Manifest"),
    PackFault.UNTRUSTED_KEY: ("no key that is trusted has signed the pack; keys in the pack count for nothing",
                              "kein vertrauter Schlüssel hat das Paket signiert; Schlüssel im Paket zählen nicht"),
    PackFault.UNREADABLE_ENTRY: ("{subject}: the entry cannot be used: {found}",
                                 "{subject}: der Eintrag ist nicht brauchbar: {found}"),
    PackFault.OTHER_RUN: ("{subject}: the entry is about another run or other rows: {found}",
                          "{subject}: der Eintrag gehört zu einem anderen Lauf oder anderen Zeilen: {found}"),
    PackFault.POLICY_SOURCE_DIFFERS: ("{subject}: the policy as written is not the one that decided",
                                      "{subject}: die Policy, wie sie geschrieben ist, hat nicht entschieden"),
    PackFault.CALL_MISSING: ("{subject}: a finding rests on a call that is not there: {found}",
                             "{subject}: ein Befund beruht auf einem Aufruf, der nicht da ist: {found}"),
    PackFault.STATEMENT_DIFFERS: ("{subject}: what was signed is not the decision in the pack: {found}",
                                  "{subject}: signiert ist nicht die Entscheidung im Paket: {found}"),
    PackFault.REVIEW_CHAIN_BROKEN: ("{subject}: the chain of review events is broken: {found}",
                                    "{subject}: die Kette der Prüfereignisse ist unterbrochen: {found}"),
    PackFault.REDACTION_UNDECLARED: ("{subject}: markers and the manifest disagree on what was redacted: {found}",
                                     "{subject}: Marken und Manifest sind uneins darüber, was geschwärzt ist: {found}"),
    PackFault.REVEAL_DIFFERS: ("{subject}: the revealed text is not the one that was redacted",
                               "{subject}: der offengelegte Text ist nicht der geschwärzte"),
    PackFault.DECISION_DIFFERS: ("the rows in the pack give another decision",
                                 "die Zeilen im Paket ergeben eine andere Entscheidung"),
    PackFault.NOT_RECOMPUTABLE: ("the decision cannot be recomputed from the pack: {found}",
                                 "die Entscheidung lässt sich aus dem Paket nicht nachrechnen: {found}"),
}  # fmt: skip


class PackProblem(StoredModel):
    """One rule that a pack breaks, and where."""

    fault: PackFault
    subject: str | None = None
    """The entry, as its name can be shown."""
    found: str | None = None
    """What was found."""

    @property
    def sentence(self) -> Sentence:
        """What is wrong, in both languages."""
        english, german = _SENTENCES[self.fault]
        given = {"subject": self.subject or "the pack", "found": self.found or ""}
        return Sentence(
            en=english.format(**given), de=german.format(**(given | {"subject": self.subject or "das Paket"}))
        )


class PackRefused(EvidenceError):
    """A pack breaks a rule, and nothing of it is used.

    Args:
        fault: the rule.
        subject: the entry, as it is named.
        found: what was found.
    """

    def __init__(self, fault: PackFault, subject: str | None = None, found: object = None) -> None:
        self.problem = PackProblem(
            fault=fault,
            subject=None if subject is None else shown(subject).strip("'"),
            found=None if found is None else str(found),
        )
        super().__init__(
            f"{self.problem.sentence.en} ({fault.value})", hint="Fetch the pack again from whoever made it"
        )

    @property
    def fault(self) -> PackFault:
        """The rule that is broken."""
        return self.problem.fault
