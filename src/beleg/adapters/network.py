"""Whether the network may be used at all: what ``--offline`` forbids, for everything that runs in this process."""

from __future__ import annotations

from urllib.parse import urlsplit

from beleg.core.errors import UsageError

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""This very machine; a model server that runs here is no network."""


class _Permission:
    forbidden = False


def forbid_network() -> None:
    """Forbids every connection that leaves this machine, until the process ends."""
    _Permission.forbidden = True


def allow_network() -> None:
    """Takes the prohibition back; for tests and notebooks."""
    _Permission.forbidden = False


def require_network(url: str | None, what: str) -> None:
    """Refuses a connection where the network is forbidden.

    Args:
        url: where it leads; ``None`` where that is not known, which counts as leaving this machine.
        what: who wants it, such as ``the candidate``.

    Raises:
        UsageError: if the network is forbidden and the address is not this machine.

    Example:
        >>> require_network("https://example.org", "the judge")  # nobody forbade anything
    """
    if not _Permission.forbidden or (url is not None and urlsplit(url).hostname in LOOPBACK):
        return
    place = "another machine" if url is None else str(urlsplit(url).hostname)
    raise UsageError(
        f"{what} would be asked at {place}, and --offline forbids it",
        hint="Leave --offline away, or use what is recorded: traces for a candidate, --replay for a judge",
    )
