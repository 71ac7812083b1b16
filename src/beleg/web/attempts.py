"""How often somebody was wrong lately: who guesses is not listened to for a while, and nobody else is kept out."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

ALLOWED = 10
WITHIN_S = 60.0
MOST_KEYS = 10_000
"""Who was wrong longest ago is forgotten first, so that many addresses do not fill the memory."""


@dataclass(slots=True)
class Attempts:
    """Failures by whatever they are counted for, such as an address and the name of an account."""

    clock: Callable[[], float] = time.monotonic
    _failures: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def failed(self, *keys: str) -> None:
        """Counts one failure for each key."""
        with self._lock:
            for key in keys:
                self._failures.setdefault(key, deque(maxlen=ALLOWED)).append(self.clock())
                self._failures.move_to_end(key)
            while len(self._failures) > MOST_KEYS:
                self._failures.popitem(last=False)

    def is_guessing(self, *keys: str) -> bool:
        """Whether any of the keys failed so often lately that no more is looked at."""
        since = self.clock() - WITHIN_S
        with self._lock:
            return any(sum(at >= since for at in self._failures.get(key, ())) >= ALLOWED for key in keys)
