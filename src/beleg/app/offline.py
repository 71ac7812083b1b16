"""Working without a network: what ``--offline`` does to everything in this process."""

from __future__ import annotations

from beleg.adapters import network


def forbid_network() -> None:
    """Forbids every connection that leaves this machine, until the process ends."""
    network.forbid_network()
