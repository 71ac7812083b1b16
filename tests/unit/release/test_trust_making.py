"""Trust files that a root may sign, and those that follow them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from beleg.core.attestation import TrustFile
from beleg.core.errors import DataError
from beleg.release.trust_making import next_version, require_usable
from support.vector_tools import NOW, parts


def trust(**changes: object) -> TrustFile:
    return TrustFile.model_validate_json(json.dumps(parts.trust(**changes)))


def test_a_file_by_which_nothing_could_be_let_in_is_refused() -> None:
    require_usable(trust(decisionThreshold=2), NOW)
    with pytest.raises(DataError, match="3 keys must sign, and the file names 2"):
        require_usable(trust(decisionThreshold=3), NOW)
    with pytest.raises(DataError, match="decisionThreshold"):
        require_usable(trust(keys={}), NOW)


def test_a_file_without_owners_means_it() -> None:
    keys = {key: value for key, value in parts.trust()["keys"].items() if value["predicateTypes"] != [parts.OVERRIDE]}
    require_usable(trust(keys=keys, overrideThreshold=2), NOW)


def test_a_file_that_ended_is_not_signed() -> None:
    with pytest.raises(DataError, match="out of date"):
        require_usable(trust(), NOW + timedelta(days=365))


def test_the_next_version_takes_back_and_ends_as_before() -> None:
    after = next_version(trust(), NOW, without_keys=[parts.ADA.id], statements=["a" * 64], minimum_sequence={"eu": "3"})
    assert (after.version, after.issued_at, after.expires_at) == ("8", NOW, trust().expires_at)
    assert parts.ADA.id not in after.keys
    assert after.revoked_statements == ("a" * 64,)
    assert after.minimum_sequence == {"eu": "3"}
    assert next_version(after, NOW, statements=["a" * 64]).revoked_statements == ("a" * 64,)


def test_a_key_that_is_not_there_cannot_be_taken_back() -> None:
    with pytest.raises(DataError, match="no key of this id"):
        next_version(trust(), NOW, without_keys=["ff"])


def test_a_least_sequence_never_goes_back() -> None:
    with pytest.raises(DataError, match="goes back"):
        next_version(trust(minimumSequence={"eu": "10"}), NOW, minimum_sequence={"eu": "9"})
