from __future__ import annotations

import pytest

from beleg.core.pack_faults import PackFault
from beleg.core.packs import MANIFEST_PATH, SIGNATURE_PATH, PackEntry, PackRole
from beleg.evidence.pack_rules import (
    BASELINE_ROLES,
    ENVELOPE,
    JSON,
    JSON_LINES,
    ROLE_RULES,
    YAML,
    accountable_roles,
    content_problem,
    name_problems,
    ordered,
    path_fault,
)


def test_every_role_has_a_place_of_its_own_that_is_a_safe_path() -> None:
    places = [rule.place for rule in ROLE_RULES.values()]
    assert set(ROLE_RULES) == set(PackRole)
    assert len(set(places)) == len(places)
    for role, rule in ROLE_RULES.items():
        path = rule.place.replace("*", "name-1")
        assert path_fault(path) is None
        assert [other for other in PackRole if ROLE_RULES[other].allows(path)] == [role]


@pytest.mark.parametrize("path", ["calibrations/.calibration.json", "calibrations/a/b.calibration.json", "x.json"])
def test_a_role_stands_nowhere_else(path: str) -> None:
    assert not ROLE_RULES[PackRole.CALIBRATION].allows(path)


def test_two_names_that_some_file_system_takes_for_one_are_found() -> None:
    # KELVIN SIGN folds to k by case; LATIN SMALL LIGATURE FI is fi in its compatibility form.
    pairs = {
        ("a.json", "a.json"): PackFault.DUPLICATE,
        ("a.json", "A.json"): PackFault.CASE_TWIN,
        ("k.json", "\u212a.json"): PackFault.CASE_TWIN,
        ("fi.json", "\ufb01.json"): PackFault.CASE_TWIN,
        ("e\u0301.json", "\u00e9.json"): PackFault.UNICODE_TWIN,
        ("1.json", "\u00b9.json"): PackFault.UNICODE_TWIN,
    }
    for names, fault in pairs.items():
        assert name_problems(names)[0].fault is fault, names


def entry(media_type: str) -> PackEntry:
    return PackEntry(path="x", size=1, sha256="0" * 64, media_type=media_type, role=PackRole.RUN)


@pytest.mark.parametrize(
    ("media_type", "head", "last", "fits"),
    [
        (JSON, b'{"a":1}', b"}", True),
        (JSON, b"[1]", b"]", False),
        (JSON, b"", b"", False),
        (JSON, b"<html>", b">", False),
        (ENVELOPE, b'{"payload":""}', b"}", True),
        (JSON_LINES, b"", b"", True),
        (JSON_LINES, b'{"a":1}\n', b"\n", True),
        (JSON_LINES, b'{"a":1}', b"}", False),
        (YAML, b"# bar\npolicy: x\n", b"\n", True),
        (YAML, b"policy: \x00", b"\x00", False),
        (YAML, b"\x89PNG\r\n\x1a\n", b"\n", False),
        (YAML, "gebühr: €".encode()[:-1], b"\x82", True),
    ],
)
def test_an_entry_is_what_its_media_type_says(media_type: str, head: bytes, last: bytes, fits: bool) -> None:
    assert (content_problem(entry(media_type), head, last) is None) is fits


def test_without_a_baseline_nothing_is_said_of_its_files() -> None:
    assert set(accountable_roles(has_baseline=True)) == set(PackRole)
    assert set(PackRole) - set(accountable_roles(has_baseline=False)) == set(BASELINE_ROLES[1:])


def test_the_manifest_comes_first_and_its_signature_second() -> None:
    assert ordered(["b", "a"], is_signed=True) == [MANIFEST_PATH, SIGNATURE_PATH, "a", "b"]
