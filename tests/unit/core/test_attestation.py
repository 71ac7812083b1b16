"""Signed values on the wire: in-toto's names, figures as text."""

import pytest
from pydantic import TypeAdapter, ValidationError

from beleg.core.attestation import Counter, Decimal, DigestSet, Statement, Subject, TrustedKey

HEX = "ab" * 32


def test_a_statement_is_written_as_in_toto_has_it():
    statement = Statement(
        subject=(Subject(name="hybrid", digest=DigestSet(sha256=HEX)),), predicate_type="p/v1", predicate={"a": "1"}
    )
    assert statement.to_json_dict() == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "hybrid", "digest": {"sha256": HEX}}],
        "predicateType": "p/v1",
        "predicate": {"a": "1"},
    }
    assert Statement.model_validate_json(statement.model_dump_json()) == statement


def test_our_own_predicates_speak_camel_case():
    assert "predicateTypes" in TrustedKey.model_json_schema()["properties"]


def test_a_digest_loses_nothing_on_the_way():
    assert DigestSet.of(f"sha256:{HEX}").digest == f"sha256:{HEX}"
    with pytest.raises(ValidationError):
        DigestSet.of("sha256:ABC")


@pytest.mark.parametrize("text", ["0", "-0.5", "0.9125", "9007199254740993", "12.000000000000001"])
def test_decimals_are_text_and_keep_every_digit(text):
    assert TypeAdapter(Decimal).validate_python(text) == text


@pytest.mark.parametrize("text", ["NaN", "Infinity", "1e3", "01", ".5", "5.", "+1", "1_0", "", "١"])
def test_nothing_else_is_a_decimal(text):
    with pytest.raises(ValidationError):
        TypeAdapter(Decimal).validate_python(text)


@pytest.mark.parametrize("text", ["-1", "1.0", "007", "1" * 19])
def test_counters_are_whole_and_not_negative(text):
    with pytest.raises(ValidationError):
        TypeAdapter(Counter).validate_python(text)
