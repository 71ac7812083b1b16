"""A decision as JUnit XML, which every CI system lists: FAIL is a failure, whatever is open is an error."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET  # writes only; nothing foreign is parsed

from beleg.core.decision import Decision
from beleg.report.ci_items import CheckItem, ci_items

# What XML 1.0 cannot hold, not even as a reference.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(decision: Decision, *, language: str = "en") -> str:
    """The decision and its checks as one test suite.

    Args:
        decision: what was decided.
        language: ``en`` or ``de``.

    Returns:
        XML in which ``failures`` counts what blocks and ``errors`` what is open, so that no reader takes REVIEW for
        green.
    """
    items = ci_items(decision, language)
    failures = sum(item.is_breach for item in items)
    errors = sum(not item.passed for item in items) - failures
    counts = {"tests": str(len(items)), "failures": str(failures), "errors": str(errors), "skipped": "0"}
    root = ET.Element("testsuites", {"name": "beleg", **counts})
    suite = ET.SubElement(
        root, "testsuite", {"name": "beleg", "timestamp": decision.decided_at.isoformat(), "time": "0", **counts}
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in _facts(decision).items():
        ET.SubElement(properties, "property", {"name": name, "value": legal(value)})
    for item in items:
        _add(suite, item)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _facts(decision: Decision) -> dict[str, str]:
    return {
        "verdict": decision.verdict.value,
        "exit_code": str(decision.exit_code),
        "policy_digest": decision.policy_digest,
        "suite_digest": decision.suite_digest,
        "candidate_manifest_digest": decision.candidate.manifest_digest,
        "candidate_run": decision.candidate.run_id,
        "baseline_run": decision.baseline.run_id if decision.baseline else "",
        "beleg_version": decision.beleg_version,
    }


def _add(suite: ET.Element, item: CheckItem) -> None:
    case = ET.SubElement(suite, "testcase", {"classname": "beleg", "name": legal(item.item_id), "time": "0"})
    if item.passed:
        ET.SubElement(case, "system-out").text = legal(item.message)
        return
    kind = "failure" if item.is_breach else "error"
    told = ET.SubElement(case, kind, {"type": item.state.value, "message": legal(f"{item.title}: {item.message}")})
    told.text = legal("\n".join([item.message, *(f"case {name}" for name in item.cases)]))


def legal(text: str) -> str:
    r"""A text without the characters that no XML document can hold; they are shown by their number.

    Example:
        >>> legal("a\x00b")
        'a\\x00b'
    """
    return _ILLEGAL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
