"""Which addresses count as public."""

from __future__ import annotations

import ipaddress

import pytest

from beleg.adapters.candidates.addresses import Allowed, is_public, split_host_port


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104 - an address to be judged, not to be bound
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fc00::1",
        "fe80::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
    ],
)
def test_an_address_that_may_lead_inside_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [("A.example", "a.example", None), ("a:8080", "a", 8080), ("[::1]:80", "::1", 80), ("::1", "::1", None)],
)
def test_hosts_are_listed_with_or_without_port(text: str, host: str, port: int | None) -> None:
    assert split_host_port(text) == (host, port)


@pytest.mark.parametrize("text", ["", "*.example", "http://a", "a/b", "u@a", "a:", "a b", "127.1", "a:b"])
def test_what_is_no_exact_host_cannot_be_listed(text: str) -> None:
    with pytest.raises(ValueError, match=r"host|listed"):
        split_host_port(text)


def test_a_listed_private_address_is_admitted_and_its_neighbour_is_not() -> None:
    allowed = Allowed.parse(("rag.example", "10.0.0.5:8080"))
    assert allowed.refusal(ipaddress.ip_address("10.0.0.5")) is None
    assert allowed.refusal(ipaddress.ip_address("10.0.0.6")) is not None
