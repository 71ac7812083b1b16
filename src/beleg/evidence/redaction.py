"""Redaction of an audit pack: texts give way to salted digests of themselves, and everything else stays as it is (E8).

A text becomes the marker ``redacted:<hex>`` with hex = SHA-256(salt ‖ text) and salt = HMAC-SHA256(secret, text). The
secret stays with the owner, so that short texts cannot be guessed; the same text gives the same marker, so that what is
compared for equality still compares. Whoever is shown a text with its salt can check that it is the one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from beleg.core.packs import PackRole, RedactionMap, RevealedText

CATEGORIES = ("answers", "passages", "principals", "prompts", "questions")
"""The kinds of text that can be redacted by name."""
TEXTS = "texts"
"""The kind of redaction in which every text that holds one of some given texts is redacted."""

REDACTABLE = frozenset(
    {
        PackRole.SUITE, PackRole.INVENTORY, PackRole.TRACES, PackRole.FINDINGS, PackRole.CALLS, PackRole.SHEET_CASES,
        PackRole.BASELINE_SUITE, PackRole.BASELINE_INVENTORY, PackRole.BASELINE_TRACES, PackRole.BASELINE_FINDINGS,
        PackRole.BASELINE_CALLS, PackRole.REVIEW_EVENTS, PackRole.FACTS,
    }
)  # fmt: skip
"""What may be redacted. Decision, policy, labels and calibrations never are: they must stay the bytes that decided."""
NOT_BY_FIELD = frozenset({PackRole.REPLAY})
"""What holds texts in a form that is not known here, and is left out of a redacted pack."""

MARKER = re.compile(r"redacted:[0-9a-f]{64}")
_QUOTED_MARKER = re.compile(r'"(redacted:[0-9a-f]{64})"')
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],]')
_CHECKED_LINE = re.compile(r'\{"check":"[0-9a-f]{16}","([a-z_]+)":(.*)\}\n', re.DOTALL)

Path = tuple[str, ...]

ANY, REST = "*", "**"

_KEPT_KEYS = frozenset(
    {
        "case_id", "claim_id", "answer_id", "query_id", "passage_id", "document_id", "nugget_id", "run_id", "stream",
        "support", "match", "verdict", "relation", "kind", "status", "measure", "measure_version", "version", "name",
        "model", "provider", "condition", "decided_at", "recorded_at", "code", "honest_failure", "language", "unit",
        "idempotency_key", "actor", "assignee", "hash", "previous_hash", "field", "op", "marker", "document_version",
    }
)  # fmt: skip
"""What stays readable of findings, sheets and reviews: who said what about which row, but none of its words."""

_WORDS_OF_ANSWERS: dict[PackRole, tuple[Path, ...]] = {
    PackRole.FINDINGS: (("evidence", REST), ("detail",), ("subject_digest",), ("calls", ANY)),
    PackRole.CALLS: (
        ("key",), ("messages", ANY, ANY), ("attempts", ANY, "reply"), ("attempts", ANY, "message"), ("reply", REST),
    ),
    PackRole.SHEET_CASES: ((REST,),),
    PackRole.REVIEW_EVENTS: ((REST,),),
    PackRole.FACTS: (("reviews", ANY, ANY, "wording", ANY),),
}  # fmt: skip
"""Where texts that were derived from questions, passages and answers stand; digests of short texts are among them."""

_RULES: dict[str, dict[PackRole, tuple[Path, ...]]] = {
    "prompts": {PackRole.TRACES: (("output", "prompt"),)},
    "answers": {
        PackRole.SUITE: (
            ("cases", ANY, "reference_answer"), ("cases", ANY, "accepted_answers", ANY), ("cases", ANY, "rubric"),
            ("cases", ANY, "required_clauses", ANY, ANY), ("cases", ANY, "nuggets", ANY, "text"),
            ("cases", ANY, "nuggets", ANY, "aliases", ANY),
        ),
        PackRole.TRACES: (("output", "answer"), ("output", "citations", ANY, "sentence"), ("error", "message")),
        **_WORDS_OF_ANSWERS,
    },
    "questions": {
        PackRole.SUITE: (
            ("cases", ANY, "user_input"), ("cases", ANY, "turns", ANY, "content"), ("cases", ANY, "notes"),
            ("cases", ANY, "known_gaps", ANY),
        ),
        PackRole.TRACES: (("output", "prompt"), ("output", "query_rewrites", ANY), ("error", "message")),
        **_WORDS_OF_ANSWERS,
    },
    "passages": {
        PackRole.SUITE: (("cases", ANY, "expected_passages", ANY, "quote"),),
        PackRole.INVENTORY: (("documents", ANY, "text"), ("passages", ANY, "text")),
        PackRole.TRACES: (
            ("output", "prompt"),
            *(("output", stage, ANY, "text") for stage in ("retrieved", "reranked", "delivered")),
        ),
        **_WORDS_OF_ANSWERS,
    },
    "principals": {
        PackRole.SUITE: (("cases", ANY, "principal", REST),),
    },
}  # fmt: skip
_KNOWN_RULES: dict[str, dict[PackRole, tuple[Path, ...]]] = {
    "principals": {
        PackRole.INVENTORY: (("documents", ANY, "metadata", ANY),),
        PackRole.TRACES: (
            ("output", "filters", ANY, "values", ANY),
            *(("output", stage, ANY, "metadata", ANY) for stage in ("retrieved", "reranked", "delivered")),
        ),
        PackRole.SHEET_CASES: (("filters", ANY, "values", ANY),),
        PackRole.SUITE: (("cases", ANY, "segments", ANY), ("cases", ANY, "expected_filters", ANY, "value")),
    },
}
"""Where a text is redacted only if it was redacted somewhere by the rules above, as the tenant of an asker is."""

_ROLE_OF_CANDIDATE = {
    PackRole.BASELINE_SUITE: PackRole.SUITE,
    PackRole.BASELINE_INVENTORY: PackRole.INVENTORY,
    PackRole.BASELINE_TRACES: PackRole.TRACES,
    PackRole.BASELINE_FINDINGS: PackRole.FINDINGS,
    PackRole.BASELINE_CALLS: PackRole.CALLS,
}


@dataclass
class Redactor:
    """Replaces texts by markers, and remembers what stood there.

    Args:
        categories: the kinds of text, of `CATEGORIES`.
        texts: texts of which none may stand anywhere.
        secret: 32 bytes that nobody else has.
    """

    categories: tuple[str, ...]
    texts: tuple[str, ...]
    secret: bytes
    found: dict[str, str] = field(default_factory=dict)
    """The text behind every marker."""

    def __post_init__(self) -> None:
        self._known: set[str] = set()

    def redact(self, role: PackRole, text: str) -> tuple[str, int]:
        """One entry with markers in the place of texts, and how many there are.

        The suite must come first: what is known of askers stands there.
        """
        role = _ROLE_OF_CANDIDATE.get(role, role)
        chosen = self._chosen(role)
        if chosen is None:
            return text, 0
        if role is PackRole.SUITE:
            # Once to learn what is known of askers, so that where it stands does not decide whether it is redacted.
            self._replaced(text, chosen)
        if role in (PackRole.SUITE, PackRole.INVENTORY, PackRole.FACTS):
            return self._replaced(text, chosen)
        count, lines = 0, []
        for line in _lines(text):
            checked = _CHECKED_LINE.fullmatch(line)
            body, found = self._replaced(checked[2] if checked else line, chosen)
            count += found
            lines.append(checked_line(checked[1], body) if checked else body)
        return "".join(lines), count

    @property
    def known(self) -> frozenset[str]:
        """What of askers was redacted, such as their tenants."""
        return frozenset(self._known)

    def map(self) -> RedactionMap:
        """What the owner keeps."""
        return RedactionMap(secret=self.secret.hex(), texts=dict(sorted(self.found.items())))

    def _chosen(self, role: PackRole) -> Callable[[Path, str], bool] | None:
        always = tuple(path for name in self.categories for path in _RULES.get(name, {}).get(role, ()))
        known = tuple(path for name in self.categories for path in _KNOWN_RULES.get(name, {}).get(role, ()))
        if not (always or known or self.texts):
            return None
        memory: dict[Path, tuple[bool, bool]] = {}

        def is_chosen(path: Path, text: str) -> bool:
            if path not in memory:
                kept = path[-1] in _KEPT_KEYS
                memory[path] = (
                    any(_matches(rule, path) and not (kept and REST in rule) for rule in always),
                    any(_matches(rule, path) for rule in known),
                )
            by_rule, if_known = memory[path]
            return by_rule or (if_known and text in self._known) or any(secret in text for secret in self.texts)

        return is_chosen

    def _replaced(self, text: str, is_chosen: Callable[[Path, str], bool]) -> tuple[str, int]:
        pieces: list[str] = []
        done = count = 0
        for start, end, path, value in _strings(text):
            if value and is_chosen(path, value):
                pieces += (text[done:start], f'"{self._marker(value, path)}"')
                done, count = end, count + 1
        return "".join((*pieces, text[done:])), count

    def _marker(self, text: str, path: Path) -> str:
        marker = marker_of(text, salt_of(self.secret, text))
        self.found[marker] = text
        if "principal" in path:
            self._known.add(text)
        return marker


def salt_of(secret: bytes, text: str) -> bytes:
    """The salt of a text under an owner's secret."""
    return hmac.digest(secret, text.encode(), "sha256")


def marker_of(text: str, salt: bytes) -> str:
    """The marker that stands for a text.

    Example:
        >>> marker_of("Anna", bytes(32))[:24]
        'redacted:8706a41c785a53b'
    """
    return f"redacted:{hashlib.sha256(salt + text.encode()).hexdigest()}"


def reveal(known: RedactionMap, marker: str) -> RevealedText | None:
    """What its owner shows to prove one text without showing any other; ``None`` for a marker that is not known."""
    text = known.texts.get(marker)
    if text is None:
        return None
    return RevealedText(marker=marker, salt=salt_of(bytes.fromhex(known.secret), text).hex(), text=text)


def proves(revealed: RevealedText) -> bool:
    """Whether a text with its salt is the one that a marker stands for."""
    return hmac.compare_digest(marker_of(revealed.text, bytes.fromhex(revealed.salt)), revealed.marker)


def restored(text: str, texts: Mapping[str, str], *, is_lines: bool) -> str:
    """An entry with the texts in the place of their markers, byte for byte as it was."""

    def text_of(found: re.Match[str]) -> str:
        original = texts.get(found[1])
        return found[0] if original is None else json.dumps(original, ensure_ascii=False)

    if not is_lines:
        return _QUOTED_MARKER.sub(text_of, text)
    lines = []
    for line in _lines(text):
        body = _QUOTED_MARKER.sub(text_of, line)
        checked = _CHECKED_LINE.fullmatch(body)
        lines.append(checked_line(checked[1], checked[2]) if checked and body != line else body)
    return "".join(lines)


def markers_in(text: str) -> int:
    """How many texts of an entry are markers."""
    return sum(1 for _ in _QUOTED_MARKER.finditer(text))


def holds_any(text: str, secrets: tuple[str, ...]) -> bool:
    r"""Whether one of some texts stands in a file: as it is, or as JSON escapes it, in a value or the name of a field.

    Example:
        >>> holds_any(r'{"Anna \"A\" Weiss": 1}', ('Anna "A"',)), holds_any('{"a": 1}', ('Anna "A"',))
        (True, False)
    """
    if any(secret in text for secret in secrets):
        return True
    if "\\" not in text:
        return False
    escaped = (found[0] for found in _TOKEN.finditer(text) if "\\" in found[0])
    return any(secret in plain for plain in map(_unescaped, escaped) for secret in secrets)


def _unescaped(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        # Quotation marks of a file that is no JSON.
        return ""


def checked_line(name: str, body: str) -> str:
    """A line of a journal with the checksum of its body."""
    return f'{{"check":"{hashlib.sha256(body.encode()).hexdigest()[:16]}","{name}":{body}}}\n'


def _matches(rule: Path, path: Path) -> bool:
    if rule[-1] == REST:
        return len(path) >= len(rule) - 1 and _matches_all(rule[:-1], path[: len(rule) - 1])
    return len(path) == len(rule) and _matches_all(rule, path)


def _matches_all(rule: Path, path: Path) -> bool:
    return all(wanted in (ANY, found) for wanted, found in zip(rule, path, strict=True))


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends; only a line feed ends one, since JSON may hold the other separators as they are."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _strings(text: str) -> Iterator[tuple[int, int, Path, str]]:
    """Every string that is a value: where it stands, by which keys it is reached, and what it says."""
    path: list[str] = []
    is_object: list[bool] = []
    expects_key = False
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark in ("{", "["):
            path.append(ANY)
            is_object.append(mark == "{")
            expects_key = is_object[-1]
        elif mark in ("}", "]"):
            path.pop()
            is_object.pop()
            expects_key = False
        elif mark == ",":
            expects_key = bool(is_object) and is_object[-1]
        elif expects_key:
            path[-1] = json.loads(mark)
            expects_key = False
        else:
            yield found.start(), found.end(), tuple(path), json.loads(mark)
