from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from beleg.adapters.stores.run_index import SqliteRunIndex
from beleg.core.errors import UsageError
from unit.adapters.stores.test_run_index_queries import METRICS, SUMMARY, made, stored


def test_facets_summary_and_history_are_told_without_looking_through_cases(tmp_path: Path) -> None:
    index = SqliteRunIndex(tmp_path / "runs.db")
    stored(index, "a", made(1))
    stored(index, "b", made(2))
    facets = index.facets("a")
    assert (facets.cases, facets.metrics, facets.segments) == (90, METRICS, ("l=de", "t=1"))
    assert (facets.statuses, facets.lost_at) == (("error", "ok"), ("cited", "filtered"))
    assert index.summary("a") == SUMMARY
    history = {each.run_id: each.case for each in index.history("Fall-7", ["mrr"])}
    assert set(history) == {"a", "b"}
    assert [score.metric for score in history["b"].scores] == ["mrr"]
    assert index.history("nothing", METRICS) == ()
    assert index.detail("a", "Fall-7").case.case_id == "Fall-7"
    index.close()


def test_a_run_takes_its_own_place_and_no_other(tmp_path: Path) -> None:
    index = SqliteRunIndex(tmp_path / "runs.db")
    stored(index, "a", made(1))
    stored(index, "b", made(2))
    stored(index, "a", made(3, 5))
    assert (index.facets("a").cases, index.facets("b").cases) == (5, 90)
    assert index.case("a", "Fall-7") is None
    index.close()


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    index = SqliteRunIndex(tmp_path / "runs.db")
    for ask in (index.facets, index.summary):
        with pytest.raises(UsageError, match="not indexed"):
            ask("a")
    stored(index, "a", made(1, 3))
    with pytest.raises(UsageError, match="no case"):
        index.detail("a", "nothing")
    index.close()


def test_an_index_of_another_schema_is_emptied(tmp_path: Path) -> None:
    index = SqliteRunIndex(tmp_path / "runs.db")
    stored(index, "a", made(1, 3))
    index.close()
    with sqlite3.connect(tmp_path / "runs.db") as file:
        file.execute("PRAGMA user_version = 1")
    file.close()
    again = SqliteRunIndex(tmp_path / "runs.db")
    assert again.digest("a") is None
    again.close()
