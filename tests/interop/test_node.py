"""The Node verifier of the examples and Beleg give the same answer to everything, by the same reason."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import release_vectors
from support.vector_tools import parts, tool

NodeAnswers = Callable[[Path], dict[str, dict[str, Any]]]
CHANGED = 1_500


def test_every_vector_has_one_answer(node_answers: NodeAnswers) -> None:
    expected = {name: release_vectors.vector(name)["expected"] for name in release_vectors.names()}
    assert node_answers(release_vectors.FOLDER) == expected


def test_changed_vectors_have_one_answer(node_answers: NodeAnswers, tmp_path: Path) -> None:
    """Bytes of statements are changed and signed anew, and bytes of envelopes and trust files as they are."""
    rng = random.Random(14)
    for number in range(CHANGED):
        vector = {**rng.choice(ORIGINALS), "name": f"changed-{number}"}
        rng.choice([_change_statement, _change_trust, _change_envelope, _change_times])(vector, rng)
        (tmp_path / f"{vector['name']}.json").write_text(json.dumps(vector))
    theirs = node_answers(tmp_path)
    differing = {}
    reasons = set()
    for path in sorted(tmp_path.glob("*.json")):
        ours = release_vectors.outcome_of(json.loads(path.read_text()))
        reasons.add(ours["reason"])
        if theirs[path.stem] != ours:
            differing[path.stem] = (ours, theirs[path.stem], path.read_text())
    assert len(theirs) == CHANGED
    assert differing == {}
    assert len(reasons) > 20, reasons


ORIGINALS = [data for _, data in tool("release_vectors").vectors() if data["envelopes"]]
KEYS = [parts.GATE, parts.GATE, parts.GATE, parts.ADA, parts.GATE_P256, parts.ROGUE]
WORDS = (
    "PASS", "REVIEW", "BLOCK", "production", "staging", "42", "43", "0", "1e3", "null", "true", "{}", "[]", "2026", "T",
    "Z", "Ada", "\\u0041", "\\ud800", "🙂", "ü", "\u2028", ",", ":", '"', " ", "9007199254740993", "1.0", "sha256",
    "2026-11-30T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-02-29T00:00:00Z", "\x7f", "",
)  # fmt: skip


def _change_statement(vector: dict[str, Any], rng: random.Random) -> None:
    def change(text: str) -> str:
        payload = _payload(text)
        if payload is None:
            return text
        key = rng.choice(KEYS)
        return str(parts.text(parts.signed(_changed(payload, rng), key)))

    vector["envelopes"] = [{**one, "text": change(one["text"])} for one in vector["envelopes"]]


def _change_trust(vector: dict[str, Any], rng: random.Random) -> None:
    payload = _payload(vector["trust"])
    if payload is not None:
        changed = _changed(payload, rng)
        vector["trust"] = parts.text(parts.signed(changed, parts.ROOT, payload_type=parts.TRUST))


def _change_envelope(vector: dict[str, Any], rng: random.Random) -> None:
    one = rng.choice(vector["envelopes"])
    changed = _changed(one["text"].encode(), rng).decode(errors="replace")
    vector["envelopes"] = [{**one, "text": changed}]


def _change_times(vector: dict[str, Any], rng: random.Random) -> None:
    vector["at"] = (
        f"2026-1{rng.randint(1, 2)}-{rng.randint(1, 30):02}T{rng.randint(0, 23):02}:00:00.{rng.randint(0, 9)}Z"
    )


def _payload(text: str) -> bytes | None:
    try:
        return base64.b64decode(json.loads(text)["payload"], validate=True)
    except (ValueError, KeyError, TypeError):
        return None


def _changed(data: bytes, rng: random.Random) -> bytes:
    """Some bytes exchanged, or the text of one JSON string by another, so that much of it still parses."""
    text = data.decode(errors="replace")
    if rng.random() < 0.3:
        at = rng.randrange(len(data))
        return data[:at] + rng.choice([b"", bytes([rng.randrange(256)])]) + data[at + rng.randint(0, 2) :]
    pieces = text.split('"')
    at = rng.randrange(len(pieces))
    pieces[at] = rng.choice(WORDS) if rng.random() < 0.7 else rng.choice(pieces)
    return '"'.join(pieces).encode(errors="surrogatepass")
