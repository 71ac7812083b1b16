"""Signing in by an identity provider: only what fits in every part lets somebody in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import pytest
from fastapi import FastAPI
from joserfc.jwk import ECKey, OKPKey, RSAKey
from starlette.testclient import TestClient

from beleg.app.workbench.team import load_workbench_settings
from beleg.core.errors import UsageError
from support.oidc_provider import CLIENT, SECRET, Provider, running_provider
from support.teams import ADDRESS, team, write_settings
from support.workbench import form_token

PAYLOAD = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with running_provider() as found:
        yield found


@pytest.fixture
def provider(running: Provider) -> Provider:
    running.claims, running.cheat, running.document, running.alg = {}, "", {}, "RS256"
    running.person = {"sub": "u1", "email": "ada@example.org", "groups": ["reviewers"]}
    running.codes.clear()
    running.asked.clear()
    running.waiting.clear()
    return running


def settings(provider: Provider, **changes: Any) -> dict[str, Any]:
    return {
        "oidc": {
            "issuer": provider.issuer,
            "client_id": CLIENT,
            "client_secret_env": "OIDC_SECRET",
            "tenant": "acme",
            "roles": {"reviewers": ["reviewer"], "bosses": ["owner", "admin"]},
        }
        | changes
    }


@pytest.fixture
def app(provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FastAPI]:
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    with team(write_settings(tmp_path, sign_in=settings(provider))) as made:
        yield made


def browser_of(app: FastAPI) -> TestClient:
    return TestClient(app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=False)


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def at_provider(location: str) -> str:
    """Does what a browser does at the provider, and gives where it is led back."""
    try:
        build_opener(_Stay).open(location, timeout=10)
    except OSError as answer:
        return str(answer.headers["location"])  # type: ignore[attr-defined]
    raise AssertionError("the provider leads nowhere")


def sign_in(browser: TestClient, to: str = "/runs") -> Any:
    left = browser.get("/sign-in/provider", params={"to": to})
    assert left.status_code == 303, left.text
    back = at_provider(left.headers["location"])
    return browser.get(back.removeprefix(ADDRESS))


def test_somebody_of_a_known_group_is_let_in_with_its_roles(app: FastAPI) -> None:
    browser = browser_of(app)
    answer = sign_in(browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs")
    page = browser.get("/runs?lang=en")
    assert page.status_code == 200
    assert "ada@example.org" in page.text
    assert browser.get("/people").status_code == 403
    actors = [line.event.actor for line in app.state.sessions.state.audit_log("acme")]
    assert actors == ["ada@example.org"]


def test_the_provider_is_asked_with_pkce_state_and_nonce(app: FastAPI) -> None:
    left = browser_of(app).get("/sign-in/provider")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(left.headers["location"]).query).items()}
    assert asked["response_type"] == "code"
    assert asked["code_challenge_method"] == "S256"
    assert asked["redirect_uri"] == f"{ADDRESS}/sign-in/callback"
    assert asked["scope"].split() == ["openid", "profile", "email"]
    assert min(len(asked[name]) for name in ("state", "nonce", "code_challenge")) >= 43
    cookie = left.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert asked["state"] not in cookie


@pytest.mark.parametrize(
    "cheat",
    [
        "none",
        "hs256",
        "stranger",
        "tampered",
        "unknown-kid",
        "shared",
        "no-token",
        "list",
        "redirect",
        "state",
        "mix-up",
        "no-iss",
        "error",
    ],
)
def test_a_cheat_lets_nobody_in_and_nothing_of_it_is_shown(app: FastAPI, provider: Provider, cheat: str) -> None:
    provider.cheat = cheat
    browser = browser_of(app)
    answer = sign_in(browser)
    assert answer.status_code == 403
    assert "did not let you in" in answer.text or "nicht angemeldet" in answer.text
    assert PAYLOAD not in answer.text
    assert browser.get("/runs").status_code == 303


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://other.example"},
        {"aud": "somebody-else"},
        {"aud": ["beleg", "somebody-else"]},
        {"aud": None},
        {"aud": 7},
        {"azp": "somebody-else"},
        {"exp": 1},
        {"exp": None},
        {"exp": True},
        {"exp": "tomorrow"},
        {"iat": 1},
        {"iat": int(time.time()) + 86_400},
        {"iat": None},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"email": None},
        {"email": ""},
        {"email": "a" * 201},
        {"email": "program:nightly"},
        {"email": ["ada"]},
        {"email": "ada\u202e@example.org"},
        {"email_verified": False},
        {"groups": {"reviewers": 1}},
    ],
)
def test_a_claim_that_does_not_fit_lets_nobody_in(app: FastAPI, provider: Provider, claims: dict[str, Any]) -> None:
    provider.claims = claims
    assert sign_in(browser_of(app)).status_code == 403


@pytest.mark.parametrize("groups", [[], None, ["strangers"], [["reviewers"]], "strangers"])
def test_somebody_without_a_role_is_told_so(app: FastAPI, provider: Provider, groups: object) -> None:
    provider.claims = {"groups": groups}
    answer = sign_in(browser_of(app))
    assert answer.status_code == 403
    assert "none of your groups" in answer.text


@pytest.mark.parametrize(
    ("alg", "key"),
    [
        ("PS256", RSAKey.generate_key(2048, {"kid": "ps", "use": "sig"}, private=True)),
        ("ES256", ECKey.generate_key("P-256", {"kid": "es", "use": "sig"}, private=True)),
        ("EdDSA", OKPKey.generate_key("Ed25519", {"kid": "ed", "use": "sig"}, private=True)),
        ("Ed25519", OKPKey.generate_key("Ed25519", {"kid": "ed2", "use": "sig"}, private=True)),
    ],
)
@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
def test_every_signature_with_a_private_key_is_understood(
    app: FastAPI, provider: Provider, alg: str, key: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "key", key)
    provider.alg = alg
    assert sign_in(browser_of(app)).status_code == 303


def test_a_new_key_is_looked_up_once_and_then_known(
    app: FastAPI, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(app)
    assert sign_in(browser).status_code == 303
    assert sign_in(browser).status_code == 303
    assert provider.asked.count("/keys") == 1
    monkeypatch.setattr(provider, "key", RSAKey.generate_key(2048, {"kid": "k2", "use": "sig"}, private=True))
    door = app.state.door.provider
    assert sign_in(browser).status_code == 403
    door.clock = lambda: time.time() + 40
    provider.claims = {"iat": int(time.time()) + 40}
    assert sign_in(browser).status_code == 303
    assert provider.asked.count("/keys") == 2


def test_a_way_back_is_gone_once_and_by_the_browser_that_left(app: FastAPI) -> None:
    victim, thief = browser_of(app), browser_of(app)
    left = victim.get("/sign-in/provider")
    back = at_provider(left.headers["location"]).removeprefix(ADDRESS)
    assert thief.get(back).status_code == 403
    assert victim.get(back).status_code == 403
    again = sign_in(victim)
    assert again.status_code == 303


def test_signing_in_gives_a_new_session_and_ends_the_one_before(app: FastAPI) -> None:
    browser = browser_of(app)
    sign_in(browser)
    before = browser.cookies["beleg-session"]
    sign_in(browser)
    assert browser.cookies["beleg-session"] != before
    assert app.state.sessions.find(before) is None


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_nobody_is_led_to_another_site(app: FastAPI, to: str) -> None:
    assert sign_in(browser_of(app), to).headers["location"] == "/"


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://other.example"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"token_endpoint": "http://evil.example/token"},
        {"token_endpoint": None},
        {"jwks_uri": "file:///etc/passwd"},
        {"end_session_endpoint": "http://evil.example/out"},
        {"end_session_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
def test_a_document_that_does_not_fit_leads_nowhere(app: FastAPI, provider: Provider, document: dict[str, Any]) -> None:
    provider.document = document
    answer = browser_of(app).get("/sign-in/provider")
    assert answer.status_code == 502
    assert "evil" not in answer.text


def test_an_answer_that_is_too_long_is_not_read(app: FastAPI, provider: Provider) -> None:
    provider.cheat = "huge"
    assert sign_in(browser_of(app)).status_code == 403


def test_a_redirect_with_the_code_is_not_followed(app: FastAPI, provider: Provider) -> None:
    provider.cheat = "redirect"
    sign_in(browser_of(app))
    assert "/token" in provider.asked
    assert "/elsewhere" not in provider.asked


def test_without_the_verifier_of_this_sign_in_a_code_is_worth_nothing(app: FastAPI, provider: Provider) -> None:
    browser = browser_of(app)
    back = at_provider(browser.get("/sign-in/provider").headers["location"])
    for left in app.state.door._left.values():
        object.__setattr__(left, "flow", replace(left.flow, verifier="x" * 48))
    assert browser.get(back.removeprefix(ADDRESS)).status_code == 403
    assert provider.codes == {}


def test_a_provider_that_does_not_answer_is_not_waited_for(
    app: FastAPI, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beleg.adapters.identity.oidc.TIMEOUT_S", 0.2)
    provider.cheat = "slow"
    try:
        assert [browser_of(app).get("/sign-in/provider").status_code for _ in range(3)] == [502] * 3
        # Asked once: who comes next is told at once, and after a while it is asked again.
        assert len(provider.asked) == 1
    finally:
        provider.cheat = ""
        provider.waiting.set()
    app.state.door.provider.clock = lambda: time.time() + 6
    assert browser_of(app).get("/sign-in/provider").status_code == 303


def test_signing_out_offers_to_sign_out_at_the_provider_too(app: FastAPI, provider: Provider) -> None:
    browser = browser_of(app)
    sign_in(browser)
    out = browser.post("/sign-out", data={"form_token": form_token(browser.get("/runs").text)})
    assert out.headers["location"] == "/sign-in?out=yes"
    assert browser.get("/runs").status_code == 303
    assert 'href="/sign-out/provider"' in browser.get("/sign-in?out=yes").text
    left = browser.get("/sign-out/provider")
    assert left.headers["location"].startswith(f"{provider.issuer}/sign-out?client_id=beleg&")
    assert at_provider(left.headers["location"]) == f"{ADDRESS}/sign-in"


def test_a_provider_that_offers_no_sign_out_is_told(app: FastAPI, provider: Provider) -> None:
    provider.document = {"end_session_endpoint": "left out"}
    assert sign_in(browser_of(app)).status_code == 303
    answer = browser_of(app).get("/sign-out/provider?lang=en")
    assert answer.status_code == 502
    assert "offers no way to sign out from here" in answer.text


def test_an_address_under_another_domain_has_no_role(
    tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    with team(write_settings(tmp_path, sign_in=settings(provider, allowed_domains=["example.com"]))) as app:
        provider.claims = {"email_verified": True}
        assert "none of your groups" in sign_in(browser_of(app)).text
        provider.claims = {"email_verified": True, "email": "ada@example.com"}
        assert sign_in(browser_of(app)).status_code == 303


def test_a_provider_that_is_not_there_is_told(
    tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    with team(write_settings(tmp_path, sign_in=settings(provider, issuer="http://127.0.0.1:1"))) as app:
        assert browser_of(app).get("/sign-in/provider").status_code == 502


def test_a_tenant_by_its_claim_and_none_that_is_not_served(
    tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    path = write_settings(tmp_path, sign_in=settings(provider, tenant=None, tenant_claim="org"))
    with team(path) as app:
        provider.claims = {"org": "other"}
        browser = browser_of(app)
        assert sign_in(browser).status_code == 303
        assert browser.cookies["beleg-session"].startswith("other.")
        for org in ("nobody", "../acme", 7, None):
            provider.claims = {"org": org}
            assert sign_in(browser_of(app)).status_code == 403


def test_a_secret_that_is_not_set_stops_the_start(
    tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OIDC_SECRET", raising=False)
    with (
        pytest.raises(UsageError, match="OIDC_SECRET is not set"),
        team(write_settings(tmp_path, sign_in=settings(provider))),
    ):
        raise AssertionError("it started")


def test_the_settings_say_who_is_asked(tmp_path: Path, provider: Provider) -> None:
    read = load_workbench_settings(write_settings(tmp_path, sign_in=settings(provider)))
    assert read.sign_in.oidc is not None
    assert read.sign_in.oidc.issuer == provider.issuer
