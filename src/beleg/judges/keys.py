"""The content address of a call: whatever can change a reply changes it (J2, J6)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from beleg.core.digest import canonical_json
from beleg.core.inference import ChatMessage
from beleg.core.judging import JudgeSpec, TaskReference

KEY_LAYOUT = "2"
"""Raised whenever the form of the key changes."""


def call_key(spec: JudgeSpec, task: TaskReference, messages: Sequence[ChatMessage], sample: int) -> str:
    """The content address of a call, as ``sha256:<hex>``.

    It covers the provider, its address, the model, all parameters, how JSON is had, the name, version, language, prompt
    and schema of the task, every message down to the last byte, and which repetition it is.

    Args:
        spec: the judge.
        task: what it is asked.
        messages: what it is sent.
        sample: which repetition this is.

    Example:
        >>> spec = JudgeSpec(provider="openai", model="m")
        >>> task = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")
        >>> call_key(spec, task, [], 0) == call_key(spec, task, [], 1)
        False
    """
    return key_of(key_base(spec, task), messages, sample)


def key_base(spec: JudgeSpec, task: TaskReference) -> bytes:
    """The part of the key that is the same for every row; it is worth keeping."""
    return canonical_json({"layout": KEY_LAYOUT, "judge": spec.to_json_dict(), "task": task.to_json_dict()})


def key_of(base: bytes, messages: Sequence[ChatMessage], sample: int) -> str:
    """The content address from the kept part and what changes from row to row."""
    hashed = hashlib.sha256(base)
    hashed.update(b"\n%d" % sample)
    for message in messages:
        for field in (message.role, message.content):
            data = field.encode("utf-8", "backslashreplace")
            # The length in front keeps two texts from running into each other.
            hashed.update(b"\n%d:" % len(data))
            hashed.update(data)
    return f"sha256:{hashed.hexdigest()}"
