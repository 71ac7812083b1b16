"""Which hosts and addresses a candidate may be reached at.

Every host has to be listed. A public address needs no more than that; a private or loopback address has to be listed
itself (or its network), so that a listed name cannot be turned against the own network by changing its address.
Addresses at which clouds hand out credentials are refused always.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from dataclasses import dataclass

from aiohttp.abc import AbstractResolver, ResolveResult

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NUMERIC_HOST = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+)){0,3}\.?", re.IGNORECASE)
_HOST = re.compile(r"[^\s/@?#\[\]:]+|\[[0-9a-f:.]+\]", re.IGNORECASE)

_NEVER: tuple[Network, ...] = tuple(
    ipaddress.ip_network(text)
    for text in ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "168.63.129.16/32")
)
"""Link-local addresses, and those of the metadata services of large clouds."""

_EMBEDS_IPV4: tuple[ipaddress.IPv6Network, ...] = tuple(
    ipaddress.IPv6Network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
)
"""Translation and tunnel prefixes: the address that is reached in the end lies within, and cannot be trusted."""


class RefusedAddressError(OSError):
    """A host leads to an address that may not be reached."""


def is_public(address: Address) -> bool:
    """Whether an address lies in the public internet beyond doubt.

    Example:
        >>> [is_public(ipaddress.ip_address(text)) for text in ("9.9.9.9", "100.64.0.1", "64:ff9b::7f00:1")]
        [True, False, False]
    """
    address = unmapped(address)
    if isinstance(address, ipaddress.IPv6Address) and any(address in network for network in _EMBEDS_IPV4):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def unmapped(address: Address) -> Address:
    """The IPv4 address that an IPv4-mapped IPv6 address stands for; any other address as it is."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped if mapped is not None else address


def literal_address(host: str) -> Address | None:
    """The address that a host is, in its canonical form, or ``None`` for a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def is_disguised_address(host: str) -> bool:
    """Whether a host is an IPv4 address in one of its old forms, such as ``127.1`` or ``0x7f000001``.

    Example:
        >>> [is_disguised_address(host) for host in ("127.1", "2130706433", "0177.0.0.1", "127.0.0.1", "a.example")]
        [True, True, True, False, False]
    """
    return literal_address(host) is None and _NUMERIC_HOST.fullmatch(host) is not None


def split_host_port(text: str) -> tuple[str, int | None]:
    """The host and port of an entry such as ``rag.example:8443`` or ``[::1]:80``.

    Raises:
        ValueError: if the entry has another form.
    """
    host, colon, port = text, "", ""
    if literal_address(text) is None:
        host, colon, port = text.rpartition(":") if re.search(r":\d+$", text) else (text, "", "")
    if literal_address(host) is None and not _HOST.fullmatch(host):
        raise ValueError(f"{text!r} is no host; write host or host:port, without scheme, path or wildcard")
    if "*" in host or is_disguised_address(host):
        raise ValueError(f"{text!r} cannot be listed; write the name, or the address as in 127.0.0.1")
    return _canonical(host), int(port) if colon else None


def _canonical(host: str) -> str:
    address = literal_address(host)
    return host.lower() if address is None else str(address)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The hosts that are listed, and the networks in which a listed name may lie."""

    entries: tuple[tuple[str, int | None], ...]
    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, hosts: tuple[str, ...], networks: tuple[str, ...] = ()) -> Allowed:
        """Reads the lists as written in a file.

        Raises:
            ValueError: naming the entry that is wrong.
        """
        return cls(tuple(split_host_port(host) for host in hosts), tuple(ipaddress.ip_network(n) for n in networks))

    def admits_host(self, host: str, port: int, *, default_port: int) -> bool:
        """Whether host and port are listed; an entry without a port means the default port of the scheme."""
        host = _canonical(host)
        return any(host == listed and port == (wanted or default_port) for listed, wanted in self.entries)

    def refusal(self, address: Address) -> str | None:
        """Why an address may not be reached, or ``None``."""
        address = unmapped(address)
        if any(address in network for network in _NEVER if network.version == address.version):
            return f"{address} is link-local or a metadata service, which is never reached"
        if is_public(address) or address in self._listed_addresses():
            return None
        if address.is_loopback and any(host == "localhost" for host, _ in self.entries):
            return None
        if any(address in network for network in self.networks if network.version == address.version):
            return None
        return f"{address} is not public; list the address in allowed_hosts or its network in allowed_networks"

    def _listed_addresses(self) -> frozenset[Address]:
        found = (literal_address(host) for host, _ in self.entries)
        return frozenset(unmapped(address) for address in found if address is not None)


class GuardedResolver(AbstractResolver):
    """Resolves a name once, refuses what may not be reached, and hands over only the checked addresses."""

    def __init__(self, allowed: Allowed) -> None:
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host.

        Raises:
            RefusedAddressError: if any of them may not be reached.
        """
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        results: list[ResolveResult] = []
        for found_family, _, protocol, _, place in found:
            text = str(place[0])
            refusal = self._allowed.refusal(ipaddress.ip_address(text))
            if refusal is not None:
                raise RefusedAddressError(f"{host}: {refusal}")
            results.append(
                ResolveResult(
                    hostname=host,
                    host=text,
                    port=port,
                    family=found_family,
                    proto=protocol,
                    flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
                )
            )
        return results

    async def close(self) -> None:
        """There is nothing to release."""
