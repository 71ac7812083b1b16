"""Sessions: random ids of which only the hash is kept, with an end by idleness and an end in any case."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from beleg.core.access import Principal, Role
from beleg.web.settings import WebSettings

ID_BYTES = 32
MAX_SESSIONS = 10_000
FAILURES_ALLOWED = 10
FAILURES_WITHIN_S = 60.0
LOCAL_TENANT = "local"
EVERY_ROLE = frozenset(Role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A person who has signed in."""

    principal: Principal
    form_token: str = field(repr=False)
    """What every form of theirs carries, so that no other site can send one for them."""
    began_at: float
    seen_at: float


@dataclass(slots=True)
class Sessions:
    """Who is signed in; all of it is forgotten when the process ends."""

    settings: WebSettings
    clock: Callable[[], float] = time.monotonic
    _open: dict[str, Session] = field(default_factory=dict)
    _failures: deque[float] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, principal: Principal) -> str:
        """Opens a session under a new id, which is told once."""
        made = secrets.token_urlsafe(ID_BYTES)
        now = self.clock()
        with self._lock:
            self._forget_ended(now)
            while len(self._open) >= MAX_SESSIONS:
                self._open.pop(next(iter(self._open)))
            self._open[_hashed(made)] = Session(
                principal=principal, form_token=secrets.token_urlsafe(ID_BYTES), began_at=now, seen_at=now
            )
        return made

    def find(self, session_id: str | None) -> Session | None:
        """The session with an id, unless it is over."""
        if not session_id:
            return None
        now, key = self.clock(), _hashed(session_id)
        with self._lock:
            found = self._open.get(key)
            if found is None or self._is_over(found, now):
                self._open.pop(key, None)
                return None
            self._open[key] = replace(found, seen_at=now)
            return found

    def end(self, session_id: str | None) -> None:
        """Closes a session; one that is over already stays over."""
        with self._lock:
            self._open.pop(_hashed(session_id or ""), None)

    def local_principal(self, token: str) -> Principal | None:
        """The person of this laptop, where the token is the one that was printed at the start."""
        wanted = self.settings.start_token
        if not wanted or not hmac.compare_digest(token.encode(), wanted.encode()):
            with self._lock:
                self._failures.append(self.clock())
            return None
        return Principal(name=self.settings.person, tenant=LOCAL_TENANT, roles=EVERY_ROLE)

    @property
    def is_guessing(self) -> bool:
        """Whether so many tokens were wrong lately that no more are looked at."""
        with self._lock:
            while self._failures and self._failures[0] < self.clock() - FAILURES_WITHIN_S:
                self._failures.popleft()
            return len(self._failures) >= FAILURES_ALLOWED

    def _forget_ended(self, now: float) -> None:
        for key in [key for key, session in self._open.items() if self._is_over(session, now)]:
            del self._open[key]

    def _is_over(self, session: Session, now: float) -> bool:
        return now - session.seen_at > self.settings.idle_s or now - session.began_at > self.settings.absolute_s


def _hashed(session_id: str) -> str:
    return hashlib.sha256(session_id.encode()).hexdigest()
