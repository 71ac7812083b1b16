"""JUnit XML: counted as CI systems count, legal whatever stands in a name."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from beleg.core.decision import CheckState, Decision, Sentence, Verdict
from beleg.report.junit import junit_xml, legal
from support.report_data import HOSTILE, build_report

DECISION = build_report().decision


def read(decision: Decision) -> ET.Element:
    return ET.fromstring(junit_xml(decision))  # noqa: S314 - our own text


def test_what_blocks_is_a_failure_and_what_is_open_an_error() -> None:
    suite = read(DECISION)[0]
    states = [check.state for check in DECISION.checks]
    assert int(suite.attrib["tests"]) == len(states) + 1
    assert int(suite.attrib["failures"]) == states.count(CheckState.FAIL) + 1
    still = len(states) - states.count(CheckState.FAIL) - states.count(CheckState.PASS)
    assert int(suite.attrib["errors"]) == still == len(suite.findall("testcase/error"))
    assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])
    assert suite.attrib["skipped"] == "0"


def test_review_is_never_green() -> None:
    review = DECISION.model_copy(update={"verdict": Verdict.REVIEW, "checks": ()})
    assert read(review)[0].attrib["errors"] == "1"


def test_it_names_what_was_decided_on() -> None:
    told = {each.attrib["name"]: each.attrib["value"] for each in read(DECISION)[0].iter("property")}
    assert told["verdict"] == "BLOCK"
    assert told["candidate_manifest_digest"] == DECISION.candidate.manifest_digest


@pytest.mark.parametrize("payload", [*HOSTILE, "a\x00b\x1b[2Jc", "\ud800", "\ufffe", "]]><x/>"])
def test_hostile_names_and_sentences_stay_text(payload: str) -> None:
    said = Sentence.model_construct(en=payload, de=payload)
    check = DECISION.checks[0].model_copy(update={"reason": said, "state": CheckState.FAIL})
    suite = read(DECISION.model_copy(update={"headline": said, "checks": (check,)}))[0]
    assert {each.tag for each in suite.iter()} == {
        "testsuite", "properties", "property", "testcase", "failure",
    }  # fmt: skip


def test_characters_that_xml_cannot_hold_are_shown_by_number() -> None:
    assert legal("a\x0bb\ud83d") == "a\\x0bb\\xd83d"
    assert legal("Ä 😀\n\t") == "Ä 😀\n\t"
