"""Signed values on the wire: in-toto's names, figures as text."""

import json
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import TypeAdapter, ValidationError

from beleg.core.attestation import Counter, Decimal, DigestSet, Instant, Statement, Subject, TrustedKey

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


@pytest.mark.parametrize("text", ["2026-11-30T08:00:00Z", "2026-11-30T08:00:00.5Z", "2026-11-30T08:00:00.000001Z"])
def test_a_time_is_written_in_one_form(text):
    read = TypeAdapter(Instant).validate_json(json.dumps(text))
    assert read.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30T08:00:00", "2026-11-30T08:00:00+00:00", "2026-11-30 08:00:00Z", "2026-11-30T08:00Z", "1796000000",
        "2026-11-30t08:00:00z", "2026-11-30T08:00:00.1234567Z", "2026-13-01T08:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T08:00:60Z", "", "２026-11-30T08:00:00Z", "2026-11-30T08:00:00Z\n", 1_796_000_000, None,
    ],
)  # fmt: skip
def test_every_other_way_to_write_a_time_is_refused(text):
    with pytest.raises(ValidationError):
        TypeAdapter(Instant).validate_json(json.dumps(text))


def test_a_time_of_no_zone_is_no_instant():
    with pytest.raises(ValidationError, match="UTC"):
        TypeAdapter(Instant).validate_python(datetime(2026, 11, 30))  # noqa: DTZ001
    with pytest.raises(ValidationError, match="UTC"):
        TypeAdapter(Instant).validate_python(datetime(2026, 11, 30, tzinfo=timezone(timedelta(hours=1))))
