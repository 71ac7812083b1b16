"""Sessions: random ids of which only the hash is kept, with an end by idleness and an end in any case."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from beleg.core.access import Principal, Role
from beleg.core.workbench_state import LOCAL_TENANT, OpenSession, WorkbenchState
from beleg.web.attempts import Attempts
from beleg.web.settings import WebSettings

ID_BYTES = 32
SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is known when a session was used: not every page is worth a write."""
EVERY_ROLE = frozenset(Role)
_SHAPE = re.compile(r"([a-z][a-z0-9-]{0,39})\.([A-Za-z0-9_-]{43})\Z")


def now() -> datetime:
    """The moment it is."""
    return datetime.now(UTC)


@dataclass(slots=True)
class Sessions:
    """Who is signed in, whichever process they signed in to.

    The id that a browser holds begins with the name of its tenant, since nothing can be asked for across tenants.
    """

    settings: WebSettings
    state: WorkbenchState
    clock: Callable[[], datetime] = now
    attempts: Attempts = field(default_factory=Attempts)

    def begin(self, principal: Principal) -> str:
        """Opens a session under a new id, which is told once."""
        made, at = secrets.token_urlsafe(ID_BYTES), self.clock()
        idle, absolute = self._limits(at)
        self.state.forget_sessions(principal.tenant, seen_before=idle, began_before=absolute)
        session = OpenSession(principal=principal, form_token=secrets.token_urlsafe(ID_BYTES), began_at=at, seen_at=at)
        self.state.begin_session(principal.tenant, _hashed(made), session)
        return f"{principal.tenant}.{made}"

    def find(self, session_id: str | None) -> OpenSession | None:
        """The session with an id, unless it is over."""
        shape = _SHAPE.match(session_id or "")
        if shape is None:
            return None
        tenant, key, at = shape[1], _hashed(shape[2]), self.clock()
        found = self.state.session(tenant, key)
        if found is None:
            return None
        idle, absolute = self._limits(at)
        if found.seen_at < idle or found.began_at < absolute:
            self.state.end_session(tenant, key)
            return None
        if at - found.seen_at >= min(SEEN_EVERY, timedelta(seconds=self.settings.idle_s) / 10):
            self.state.see_session(tenant, key, at)
        return found

    def end(self, session_id: str | None) -> None:
        """Closes a session; one that is over already stays over."""
        shape = _SHAPE.match(session_id or "")
        if shape is not None:
            self.state.end_session(shape[1], _hashed(shape[2]))

    def local_principal(self, token: str) -> Principal | None:
        """The person of this laptop, where the token is the one that was printed at the start."""
        wanted = self.settings.start_token
        if not wanted or not hmac.compare_digest(token.encode(), wanted.encode()):
            return None
        return Principal(name=self.settings.person, tenant=LOCAL_TENANT, roles=EVERY_ROLE)

    def _limits(self, at: datetime) -> tuple[datetime, datetime]:
        """Before when a session must not have been used last, and not have begun."""
        return at - timedelta(seconds=self.settings.idle_s), at - timedelta(seconds=self.settings.absolute_s)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
