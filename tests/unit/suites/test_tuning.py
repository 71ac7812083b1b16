from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.core.suite import SuiteKind
from beleg.suites.tuning import mark_guided_tuning
from unit.suites.builders import make_suite, numbered


def test_a_development_suite_keeps_the_marked_cases_in_its_next_version() -> None:
    suite = make_suite(*numbered(3))
    retired = mark_guided_tuning(suite, ["q001"])
    assert retired.suite.header.version == 2
    assert [case.guided_tuning for case in retired.suite.cases] == [False, True, False]
    assert [case.case_id for case in retired.development] == ["q001"]


@pytest.mark.parametrize("kind", [kind for kind in SuiteKind if kind is not SuiteKind.DEVELOPMENT])
def test_every_other_kind_loses_them(kind: SuiteKind) -> None:
    retired = mark_guided_tuning(make_suite(*numbered(3), kind=kind), ["q001"])
    assert [case.case_id for case in retired.suite.cases] == ["q000", "q002"]
    assert [(case.case_id, case.guided_tuning) for case in retired.development] == [("q001", True)]


def test_the_suite_that_was_marked_is_unchanged() -> None:
    suite = make_suite(*numbered(2))
    digest = suite.digest
    mark_guided_tuning(suite, ["q000"])
    assert (suite.digest, suite.cases[0].guided_tuning) == (digest, False)


def test_an_unknown_case_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="'q9'"):
        mark_guided_tuning(make_suite(*numbered(2)), ["q000", "q9"])
