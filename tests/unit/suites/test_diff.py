from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.case import Principal
from beleg.core.errors import DataError
from beleg.core.suite import Suite
from beleg.suites.diff import CaseChange, FieldChange, SuiteDiff, diff
from unit.suites.builders import drawn_suites, make_case, make_suite


def test_added_removed_and_changed_cases_are_told_apart() -> None:
    old = make_suite(make_case("kept"), make_case("gone"), make_case("edited", owner="A"))
    new = make_suite(make_case("edited", owner="B"), make_case("new"), make_case("kept"), version=2)
    result = diff(old, new)
    assert (result.added, result.removed, result.unchanged) == (("new",), ("gone",), 1)
    assert result.changed == (CaseChange(case_id="edited", fields=(FieldChange(field="owner", old="A", new="B"),)),)
    assert result.header == (FieldChange(field="version", old="1", new="2"),)
    assert result.summary() == "1 added, 1 removed, 1 changed, 1 unchanged, 1 header fields changed"


def test_a_field_that_was_not_set_has_no_value() -> None:
    change = diff(make_suite(make_case("1")), make_suite(make_case("1", language="de"))).changed[0]
    assert change.fields == (FieldChange(field="language", old=None, new="de"),)


def test_nested_fields_are_named_by_their_path() -> None:
    old = make_suite(make_case("1", principal=Principal(tenant="acme"), segments={"intent": "price"}))
    new = make_suite(make_case("1", principal=Principal(tenant="globex"), segments={"intent": "return"}))
    assert [change.field for change in diff(old, new).changed[0].fields] == ["principal.tenant", "segments.intent"]


def test_long_values_are_cut_to_where_they_differ() -> None:
    old = make_suite(make_case("1", reference_answer="x" * 500 + "old" + "y" * 500))
    new = make_suite(make_case("1", reference_answer="x" * 500 + "new" + "y" * 500))
    (change,) = diff(old, new).changed[0].fields
    assert change.old == "…" + "x" * 30 + "old" + "y" * 87 + "…"
    assert change.new == "…" + "x" * 30 + "new" + "y" * 87 + "…"


def test_a_value_that_only_grew_is_shown_at_its_end() -> None:
    old = make_suite(make_case("1", reference_answer="x" * 200))
    new = make_suite(make_case("1", reference_answer="x" * 200 + " and more"))
    (change,) = diff(old, new).changed[0].fields
    assert (change.old, change.new) == ("…" + "x" * 30, "…" + "x" * 30 + " and more")


def test_a_suite_with_one_id_twice_is_refused() -> None:
    with pytest.raises(DataError, match="used by 2 cases"):
        diff(make_suite(make_case("1")), make_suite(make_case("1"), make_case("1")))


def mirrored(result: SuiteDiff) -> SuiteDiff:
    def swap(fields: tuple[FieldChange, ...]) -> tuple[FieldChange, ...]:
        return tuple(FieldChange(field=change.field, old=change.new, new=change.old) for change in fields)

    return SuiteDiff(
        old_digest=result.new_digest,
        new_digest=result.old_digest,
        header=swap(result.header),
        added=result.removed,
        removed=result.added,
        changed=tuple(CaseChange(case_id=change.case_id, fields=swap(change.fields)) for change in result.changed),
        unchanged=result.unchanged,
    )


@settings(max_examples=60, deadline=None)
@given(old=drawn_suites(max_size=10), new=drawn_suites(max_size=10))
def test_the_way_back_is_the_inverse_and_every_case_is_accounted_for(old: Suite, new: Suite) -> None:
    result = diff(old, new)
    assert diff(new, old) == mirrored(result)
    kept = len(result.changed) + result.unchanged
    assert (kept + len(result.removed), kept + len(result.added)) == (len(old.cases), len(new.cases))
    assert json.loads(json.dumps(asdict(result)))["unchanged"] == result.unchanged


@settings(max_examples=40, deadline=None)
@given(suite=drawn_suites(max_size=10), data=st.data())
def test_nothing_differs_exactly_when_the_digests_are_equal(suite: Suite, data: st.DataObject) -> None:
    shuffled = Suite(header=suite.header, cases=tuple(data.draw(st.permutations(suite.cases))))
    result = diff(suite, shuffled)
    assert shuffled.digest == suite.digest
    assert (result.added, result.removed, result.changed, result.header) == ((), (), (), ())
