"""What nobody judged: counted over all lists, quotes and forbidden sources known, systems unnamed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from beleg.app.suite_labels import labels_file, read_labels
from beleg.app.workbench import unjudged
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.unjudged import LabelForm, Unjudged, item_of, label_item
from beleg.core.errors import DataError, UsageError
from support.unjudged import PLACE, QUOTE, unjudged_project

AT = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench.open(unjudged_project(tmp_path))


def found(bench: Workbench, depth: int = 10) -> Unjudged:
    return bench.unjudged.of(bench.suites.suite(PLACE), bench.holdings().runs, depth=depth)


def names(listed: Unjudged) -> list[tuple[str, str, int, int]]:
    return [(item.case_id, item.passage_id, item.lists, item.best_rank) for item in listed.items]


def say(bench: Workbench, key: str, verdict: str, quote: str = "", by: str = "ada") -> None:
    entry = bench.suites.suite(PLACE)
    label_item(bench.workspace.root, entry, item_of(found(bench), key), LabelForm(verdict=verdict, quote=quote),
               by=by, at=AT)  # fmt: skip


def test_the_most_frequent_come_first_and_then_the_highest_ranked(bench: Workbench) -> None:
    listed = found(bench)
    assert names(listed) == [("c1", "b1", 2, 1), ("c2", "b2", 2, 1), ("c1", "e1", 1, 3)]
    assert (listed.runs, listed.lists, listed.runs_left_out) == (2, 4, 0)
    assert listed.judged == pytest.approx((1 / 3 + 2 / 3 + 0 + 0) / 4)


def test_the_depth_ends_every_list(bench: Workbench) -> None:
    assert names(found(bench, 1)) == [("c2", "b2", 2, 1), ("c1", "b1", 1, 1)]


def test_what_was_labelled_is_judged_even_where_it_is_not_relevant(bench: Workbench) -> None:
    before = found(bench)
    say(bench, before.items[0].key, "0")
    after = found(bench)
    assert names(after) == names(before)[1:]
    assert after.judged is not None
    assert before.judged is not None
    assert after.judged > before.judged


def test_a_label_keeps_who_said_what_of_which_suite_and_words(bench: Workbench) -> None:
    say(bench, found(bench).items[0].key, "2", quote="3 days", by="bob")
    (label,) = read_labels(labels_file(bench.workspace.root, "shop"))
    assert (label.actor, label.verdict.grade, label.quote, label.passage_id) == ("bob", 2, "3 days", "b1")
    assert label.suite_digest == bench.suites.suite(PLACE).suite.digest
    assert label.text_digest is not None


@pytest.mark.parametrize(
    ("verdict", "quote", "field"),
    [("", "", "verdict"), ("7", "", "verdict"), ("2", "never said", "quote"), ("0", "3 days", "quote"),
     ("2", "x" * 2_001, "quote")],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_at_its_field(bench: Workbench, verdict: str, quote: str, field: str) -> None:
    with pytest.raises(DataError) as refused:
        say(bench, found(bench).items[0].key, verdict, quote)
    assert [problem.field for problem in refused.value.problems] == [field]
    assert read_labels(labels_file(bench.workspace.root, "shop")) == ()


def test_an_item_that_is_judged_by_now_is_told(bench: Workbench) -> None:
    key = found(bench).items[0].key
    say(bench, key, "1")
    with pytest.raises(UsageError, match="no unjudged passage"):
        item_of(found(bench), key)


def test_a_run_of_another_question_says_nothing_of_this_one(bench: Workbench) -> None:
    cases = bench.workspace.root / "suite" / "cases.jsonl"
    rows = [json.loads(line) for line in cases.read_text(encoding="utf-8").splitlines()]
    rows[0]["user_input"] = "Something else?"
    cases.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert {item.case_id for item in found(bench).items} == {"c2"}


def test_runs_beyond_the_bound_are_told_and_not_left_out_in_silence(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unjudged, "MAX_ROWS", 3)
    listed = found(bench)
    assert (listed.runs, listed.runs_left_out) == (1, 1)


def test_expected_words_are_found_wherever_they_stand(bench: Workbench) -> None:
    assert QUOTE not in [item.text for item in found(bench).items]
