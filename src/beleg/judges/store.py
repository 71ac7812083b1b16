"""Where calls are kept: what was answered is never asked again."""

from __future__ import annotations

from typing import Protocol

from beleg.core.judging import Call


class CallStore(Protocol):
    """Keeps calls by their key. Only a call with a reply is ever given back: errors are never cached."""

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        ...

    def put(self, call: Call) -> None:
        """Keeps a call, with or without a reply; it is on disk when this returns."""
        ...


class MemoryStore:
    """Keeps calls as long as the process lives."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._answered: dict[str, Call] = {}

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``."""
        return self._answered.get(key)

    def put(self, call: Call) -> None:
        """Keeps a call."""
        self.calls.append(call)
        if call.reply is not None:
            self._answered[call.key] = call
