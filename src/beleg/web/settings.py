"""How the workbench is served."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from beleg.core.workbench_settings import OidcSettings, WorkbenchSettings

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
    has_accounts: bool = False
    """Whether people may sign in by a password of this workbench."""
    oidc: OidcSettings | None = None
    """The provider by which they may; ``None`` where there is none."""
    address: str = ""
    """Where browsers find it; what a provider leads back to."""

    @classmethod
    def of_team(cls, settings: WorkbenchSettings) -> WebSettings:
        """What a settings file decides."""
        parts = urlsplit(settings.address)
        name = parts.hostname or ""
        return cls(
            host=settings.listen_host,
            port=settings.listen_port,
            allowed_hosts=(f"[{name}]" if ":" in name else name,),
            is_secure=parts.scheme == "https",
            idle_s=int(settings.session.idle_hours * 3_600),
            absolute_s=int(settings.session.absolute_hours * 3_600),
            has_accounts=settings.sign_in.accounts,
            oidc=settings.sign_in.oidc,
            address=settings.address,
        )
