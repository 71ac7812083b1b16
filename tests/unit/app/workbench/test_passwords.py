"""Passwords are kept as slow salted hashes, and the first that somebody would guess are refused."""

from __future__ import annotations

import base64
import hashlib

import pytest

from beleg.app.workbench.passwords import generated_password, hashed_password, is_password, require_usable
from beleg.core.errors import DataError

GOOD = "vier Worte über Käse"


def test_a_password_fits_its_own_hash_and_no_other() -> None:
    kept = hashed_password(GOOD)
    assert is_password(GOOD, kept)
    assert not is_password(GOOD + " ", kept)
    assert kept != hashed_password(GOOD)
    assert GOOD not in kept


def test_the_hash_is_scrypt_as_the_standard_library_computes_it() -> None:
    scheme, cost, block, parallel, salt, kept = hashed_password(GOOD).split("$")
    assert scheme == "scrypt"
    wanted = hashlib.scrypt(
        GOOD.encode(),
        salt=base64.b64decode(salt),
        n=int(cost),
        r=int(block),
        p=int(parallel),
        maxmem=2**27,
        dklen=32,
    )
    assert base64.b64decode(kept) == wanted
    assert int(cost) * int(block) * 128 == 32 * 1024 * 1024


def test_the_same_letter_written_in_two_ways_is_the_same_password() -> None:
    assert is_password("Ka\u0308sebrotzeit", hashed_password("K\u00e4sebrotzeit"))


@pytest.mark.parametrize("kept", ["", "scrypt$1$1$1$AAAA$AAAA", "plain", "$$$$$", "scrypt$32768$8$1$AAAA"])
def test_a_hash_of_another_form_or_cost_fits_nothing(kept: str) -> None:
    assert not is_password("", kept)


@pytest.mark.parametrize(
    "password",
    [
        "",
        "short",
        "x" * 201,
        "aaaaaaaaaaaaaaaa",
        "abababababab",
        "Password1234",
        "passwordpassword99!",
        "my name is ada",
    ],
)
def test_what_is_soon_guessed_is_refused_without_being_repeated(password: str) -> None:
    with pytest.raises(DataError) as told:
        require_usable(password, "ada")
    assert len(password) < 6 or password not in str(told.value)


def test_a_random_password_is_good_enough_for_ourselves() -> None:
    made = {generated_password() for _ in range(20)}
    assert len(made) == 20
    for password in made:
        require_usable(password, "ada")
