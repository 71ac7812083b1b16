"""An identity provider on this machine: real HTTP, real signatures, and a switch for each way to cheat."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

CLIENT, SECRET = "beleg", "client-secret"


@dataclass(slots=True)
class Provider:
    """What the provider does; tests change it."""

    issuer: str = ""
    key: Any = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"}, private=True))
    claims: dict[str, Any] = field(default_factory=dict)
    """Claims that are put over the honest ones; ``None`` takes one away."""
    person: dict[str, Any] = field(
        default_factory=lambda: {"sub": "u1", "email": "ada@example.org", "groups": ["reviewers"]}
    )
    alg: str = "RS256"
    cheat: str = ""
    """The name of one way to cheat."""
    document: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    waiting: threading.Event = field(default_factory=threading.Event)
    """What a slow provider waits for."""

    def described(self) -> dict[str, Any]:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/sign-out",
            "authorization_response_iss_parameter_supported": True,
        }
        return {name: value for name, value in (found | self.document).items() if value != "left out"}

    def authorize(self, query: dict[str, str]) -> str:
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        answer = {"code": code, "state": query["state"], "iss": self.issuer}
        if self.cheat == "state":
            answer["state"] = "made-up"
        if self.cheat == "mix-up":
            answer["iss"] = "https://other.example"
        if self.cheat == "no-iss":
            del answer["iss"]
        if self.cheat == "error":
            answer = {"error": "<script>alert(1)</script>", "state": query["state"]}
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self.codes.pop(form.get("code", ""), None)
        expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked is None or authorization != f"Basic {expected}":
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked.get("code_challenge_method") != "S256" or challenge != asked.get("code_challenge"):
            return 400, {"error": "invalid_grant"}
        if self.cheat == "list":
            return 200, [self.signed(asked["nonce"])]  # type: ignore[return-value]
        if self.cheat == "no-token":
            return 200, {"access_token": "x"}
        return 200, {"id_token": self.signed(asked["nonce"]), "token_type": "Bearer"}

    def signed(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": nonce} | self.person
        claims = {name: value for name, value in (claims | self.claims).items() if value is not None}
        if self.cheat == "none":
            parts = (json.dumps({"alg": "none"}), json.dumps(claims))
            return ".".join(base64.urlsafe_b64encode(part.encode()).rstrip(b"=").decode() for part in parts) + "."
        if self.cheat == "hs256":
            shared = OctKey.import_key(self.key.as_pem(private=False))
            return str(jwt.encode({"alg": "HS256", "kid": "k1"}, claims, shared, algorithms=["HS256"]))
        key, kid = self.key, self.key.kid
        if self.cheat == "unknown-kid":
            kid = "of nobody"
        if self.cheat == "stranger":
            key = RSAKey.generate_key(2048, {"kid": "k1"}, private=True)
        if self.cheat == "tampered":
            token = str(jwt.encode({"alg": self.alg, "kid": kid}, claims, key))
            head, _, tail = token.partition(".")
            body, _, signature = tail.partition(".")
            other = json.dumps(claims | {"email": "eve@example.org"}).encode()
            assert body
            return f"{head}.{base64.urlsafe_b64encode(other).rstrip(b'=').decode()}.{signature}"
        return str(jwt.encode({"alg": self.alg, "kid": kid}, claims, key, algorithms=[self.alg]))

    def keys(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(KeySet([self.key]).as_dict(private=False))
        if self.cheat == "shared":
            found = {"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "k1"}]}
        if self.cheat == "huge":
            found["padding"] = "x" * 400_000
        return found


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Starts a provider on a free port, and ends it."""
    provider = Provider()
    leads = {"/authorize": provider.authorize, "/sign-out": lambda query: query["post_logout_redirect_uri"]}
    told = {"/.well-known/openid-configuration": provider.described, "/keys": provider.keys}

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Says nothing."""

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            provider.asked.append(parts.path)
            if provider.cheat == "slow":
                provider.waiting.wait(timeout=30)
            if parts.path in leads:
                self._lead(303, leads[parts.path](query))
            elif parts.path in told:
                self._json(200, told[parts.path]())
            else:
                self._json(404, {})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            form = {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}
            provider.asked.append(self.path)
            if provider.cheat == "redirect":
                self._lead(307, f"{provider.issuer}/elsewhere")
                return
            self._json(*provider.token(form, self.headers.get("authorization", "")))

        def _lead(self, status: int, location: str) -> None:
            self.send_response(status)
            self.send_header("location", location)
            self.end_headers()

        def _json(self, status: int, content: dict[str, Any]) -> None:
            raw = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
