"""Keys by reference: files, variables, key services; what is read never stands in a message."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from securesystemslib.exceptions import UnsupportedLibraryError
from securesystemslib.signer import SIGNER_FOR_URI_SCHEME, CryptoSigner, Signer

from beleg.adapters.signing.envelopes import sign_payload
from beleg.adapters.signing.key_references import SERVICES, known_services, open_signer
from beleg.adapters.signing.new_keys import make_key
from beleg.core.errors import DataError, EvidenceError, MissingExtra, UsageError


def nobody(name: str) -> str | None:
    raise AssertionError(f"asked for the password of {name}")


def opened(reference: str, environment: dict[str, str] | None = None) -> Any:
    return open_signer(reference, environment=environment or {}, ask_password=nobody)


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    make_key(tmp_path / "k.pem", tmp_path / "k.pub.pem")
    return tmp_path / "k.pem"


def test_a_file_and_a_variable_give_the_same_key(pem: Path) -> None:
    assert opened(str(pem)).key_id == opened("env:GATE", {"GATE": pem.read_text()}).key_id


def test_the_password_of_a_variable_stands_in_another_one(tmp_path: Path) -> None:
    make_key(tmp_path / "e.pem", tmp_path / "e.pub.pem", password=b"pw")
    held = {"GATE": (tmp_path / "e.pem").read_text(), "GATE_PASSWORD": "pw"}
    assert opened("env:GATE", held).public_key == (tmp_path / "e.pub.pem").read_text()


def test_the_password_of_a_file_is_asked_for(tmp_path: Path) -> None:
    make_key(tmp_path / "e.pem", tmp_path / "e.pub.pem", password=b"pw")
    asked = []
    open_signer(str(tmp_path / "e.pem"), environment={}, ask_password=lambda name: asked.append(name) or "pw")
    assert asked == [str(tmp_path / "e.pem")]


@pytest.mark.parametrize("reference", ["env:NOPE", "nowhere.pem", "awskms:key", "hv:gate@nowhere.pem"])
def test_what_is_not_there_is_named(reference: str) -> None:
    with pytest.raises(UsageError):
        opened(reference)


def test_nothing_of_a_broken_key_is_told(tmp_path: Path, pem: Path) -> None:
    canary = "CANARYf3a9"
    broken = pem.read_text().replace("-----END", f"{canary}\n-----END")
    (tmp_path / "broken.pem").write_text(broken)
    (tmp_path / "broken.pem").chmod(0o600)
    for reference, environment in ((str(tmp_path / "broken.pem"), {}), ("env:GATE", {"GATE": broken})):
        with pytest.raises(DataError) as caught:
            opened(reference, environment)
        told = (
            repr(caught.value) + str(caught.value) + str(caught.value.__cause__) + str(caught.value.__context__ or "")
        )
        assert canary not in told.split("file=")[0]
        assert broken.splitlines()[1] not in told


class FakeService(Signer):
    """A key service of which only the interface of the library is used."""

    key: CryptoSigner
    fails = False

    def __init__(self, public: Any) -> None:
        self._public = public

    @classmethod
    def from_priv_key_uri(cls, priv_key_uri: str, public_key: Any, secrets_handler: Any = None) -> FakeService:
        return cls(public_key)

    @property
    def public_key(self) -> Any:
        return self._public

    def sign(self, payload: bytes) -> Any:
        if self.fails:
            raise RuntimeError("token CANARYf3a9 was refused")
        return self.key.sign(payload)


@pytest.fixture
def service(tmp_path: Path) -> str:
    signer = make_key(tmp_path / "s.pem", tmp_path / "s.pub.pem")
    FakeService.key, FakeService.fails = signer._signer, False
    return f"awskms:alias/gate@{tmp_path / 's.pub.pem'}"


def test_a_key_in_a_service_signs_what_is_sent_to_it(service: str) -> None:
    with mock.patch.dict(SIGNER_FOR_URI_SCHEME, {"awskms": FakeService}):
        assert sign_payload(b"{}", "t", [opened(service)]).signatures


def test_what_a_service_says_when_it_fails_is_not_passed_on(service: str) -> None:
    FakeService.fails = True
    with (
        mock.patch.dict(SIGNER_FOR_URI_SCHEME, {"awskms": FakeService}),
        pytest.raises(EvidenceError, match="did not sign \\(RuntimeError\\)") as caught,
    ):
        sign_payload(b"{}", "t", [opened(service)])
    assert "CANARY" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_service_whose_package_is_missing_says_what_to_install(service: str) -> None:
    missing = mock.Mock(**{"from_priv_key_uri.side_effect": UnsupportedLibraryError("no boto3")})
    with mock.patch.dict(SIGNER_FOR_URI_SCHEME, {"awskms": missing}), pytest.raises(MissingExtra) as caught:
        opened(service)
    assert "beleg[kms]" in caught.value.diagnostics()


def test_the_library_knows_every_service_that_is_offered() -> None:
    assert set(known_services()) == SERVICES
