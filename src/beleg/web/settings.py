"""How the workbench is served."""

from __future__ import annotations

from dataclasses import dataclass, field

LOCAL_HOSTS: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """What the person who starts the server decides."""

    host: str = "127.0.0.1"
    port: int = 8765
    allowed_hosts: tuple[str, ...] = LOCAL_HOSTS
    """The names by which a browser may ask for it: another name is another site that points here."""
    is_secure: bool = False
    """Whether it is reached by HTTPS: cookies are then bound to it."""
    idle_s: int = 8 * 3_600
    """After how many seconds without a request a session is over."""
    absolute_s: int = 24 * 3_600
    """After how many seconds a session is over in any case."""
    start_token: str = field(default="", repr=False)
    """What opens the first session on a laptop; empty where nobody may sign in by it."""
    person: str = "local"
    """Whom the start token stands for."""
