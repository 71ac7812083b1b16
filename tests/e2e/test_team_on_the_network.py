"""A team's workbench as it stands in a network: behind a proxy, with a certificate of its own, beside a provider."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect, sync_playwright

from beleg.app.workbench.state_opening import open_state
from beleg.app.workbench.team import add_account
from support.oidc_provider import CLIENT, SECRET, Provider, running_provider
from support.packs import decided
from support.served import served_team
from support.teams import write_settings

ARGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PASSWORD = "four words of cheese"


def signs_in(connection: HTTPConnection, host: str, password: str, **headers: str) -> HTTPResponse:
    form = urlencode({"tenant": "acme", "name": "ada", "password": password})
    given = {"host": host, "content-type": "application/x-www-form-urlencoded", **headers}
    connection.request("POST", "/sign-in/password", form, given)
    return connection.getresponse()


def who_was_refused(folder: Path) -> set[str]:
    state = open_state(str(folder / "state.db"))
    try:
        return {line.event.actor for line in state.audit_log("acme") if line.event.action == "sign_in_refused"}
    finally:
        state.close()


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [([], {"127.0.0.1"}), (["10.0.0.7"], {"127.0.0.1"}), (["127.0.0.1"], {"203.0.113.9", "127.0.0.1"})],
)
def test_only_a_trusted_proxy_says_where_somebody_comes_from(
    tmp_path: Path, proxies: list[str], seen: set[str]
) -> None:
    write_settings(tmp_path, listen_port=0, trusted_proxies=proxies)
    with served_team(tmp_path) as port:
        for headers in ({"x-forwarded-for": "198.51.100.1, 203.0.113.9"}, {}):
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            assert signs_in(connection, "127.0.0.1", "wrong", **headers).status == 403
            connection.close()
    assert who_was_refused(tmp_path) == seen


def test_another_name_of_the_host_is_refused_whatever_a_proxy_says(tmp_path: Path) -> None:
    write_settings(tmp_path, listen_port=0, address="https://beleg.example", trusted_proxies=["127.0.0.1"])
    with served_team(tmp_path) as port:
        for host, status in (("beleg.example", 200), ("evil.example", 400), ("127.0.0.1", 400)):
            connection = HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", "/sign-in", headers={"host": host, "x-forwarded-host": "beleg.example"})
            assert connection.getresponse().status == status
            connection.close()


def certificate(folder: Path) -> ssl.SSLContext:
    """Writes a certificate of this machine with its key, and gives what believes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    (folder / "server.pem").write_bytes(pem)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.key").write_bytes(private)
    return ssl.create_default_context(cadata=pem.decode())


def test_with_a_certificate_the_session_is_bound_to_https(tmp_path: Path) -> None:
    context = certificate(tmp_path)
    tls = {"certificate": "server.pem", "key": "server.key"}
    path = write_settings(tmp_path, listen_port=0, address="https://localhost:8443", tls=tls)
    add_account(path, tenant="acme", name="ada", roles=["admin"], password=PASSWORD)
    with served_team(tmp_path) as port:
        connection = HTTPSConnection("127.0.0.1", port, context=context, timeout=20)
        answer = signs_in(connection, "localhost:8443", PASSWORD, origin="https://localhost:8443")
        assert answer.status == 303
        cookie = str(answer.headers["set-cookie"])
        connection.close()
        plain = HTTPConnection("127.0.0.1", port, timeout=20)
        with pytest.raises((ConnectionError, OSError)):
            signs_in(plain, "localhost:8443", PASSWORD)
    assert cookie.startswith("__Host-beleg=acme.")
    assert all(said in cookie for said in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"))
    assert "Domain" not in cookie


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as found:
        yield found


@pytest.mark.browser
@pytest.mark.parametrize("options", [{"java_script_enabled": False}, {"locale": "de-DE"}], ids=["no script", "German"])
def test_signing_out_here_and_at_the_provider(
    tmp_path: Path, chromium: str, provider: Provider, monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    """In a real browser, since it holds the answers to forms to our content policy."""
    import socket

    decided(tmp_path / "acme")
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    oidc = {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret_env": "OIDC_SECRET",
        "tenant": "acme",
        "roles": {"reviewers": ["reviewer"]},
    }
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    tenants = {"acme": {"project": "acme", "title": "Acme <b>help</b>"}}
    write_settings(tmp_path, address=address, listen_port=port, sign_in={"oidc": oidc}, tenants=tenants)
    with served_team(tmp_path), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        page = browser.new_context(**options).new_page()  # type: ignore[arg-type]
        page.goto(f"{address}/runs")
        page.locator("a[href^='/sign-in/provider']").click()
        expect(page).to_have_url(f"{address}/runs")
        expect(page.locator(".mark")).to_contain_text("Acme <b>help</b>")
        page.locator("form[action='/sign-out'] button").click()
        expect(page).to_have_url(f"{address}/sign-in?out=yes")
        expect(page.get_by_role("status").first).to_be_visible()
        page.locator("a[href='/sign-out/provider']").click()
        expect(page).to_have_url(f"{address}/sign-in")
        assert "/sign-out" in provider.asked
        page.goto(f"{address}/runs")
        expect(page).to_have_url(f"{address}/sign-in?to=%2Fruns")
        browser.close()
