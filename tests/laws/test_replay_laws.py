"""What holds of a replay whatever the system: one change shows in its own dimension, and no change shows in none."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from beleg.app.case_comparing import compare_cases
from beleg.app.sheets import evidence_of
from beleg.core.run_comparison import Aspect, Likeness, RunComparison
from cli.projects import beleg, write_lines

SOURCE_ASPECTS = {Aspect.SOURCE_SNAPSHOT, Aspect.LOCATOR_TEXT}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project with the embedded RAG, and one finished run."""
    folder = tmp_path_factory.mktemp("replay") / "p"
    assert beleg("init", str(folder), cwd=folder.parent).code == 0
    run = ("run", "candidates/released.yaml", "--suite", "suite/suite.yaml", "--out", "runs/old")
    assert beleg(*run, cwd=folder).code == 0
    return folder


def replayed(shop: Path, name: str, *, edits: dict[str, tuple[str, str]]) -> RunComparison:
    """A replay in a copy of the project in which words of files were exchanged, beside the old run."""
    copy = shop.parent / name
    shutil.copytree(shop, copy, ignore=shutil.ignore_patterns(".beleg"))
    for file, (old, new) in edits.items():
        text = (copy / file).read_text(encoding="utf-8")
        assert old in text
        (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    done = beleg("replay", "runs/old", "candidates/released.yaml", "--out", "runs/new", cwd=copy)
    assert done.code == 0, done.err
    return compare_cases(copy / "runs" / "new", shop / "runs" / "old")


def changed_aspects(found: RunComparison) -> set[Aspect]:
    return {each.aspect for case in found.cases for each in case.aspects if each.likeness is not Likeness.SAME}


def test_a_replay_by_a_deterministic_system_is_the_same_in_every_dimension(shop: Path) -> None:
    found = replayed(shop, "same", edits={})
    assert found.made_from_old
    assert found.rows
    assert all(case.is_same for case in found.cases)
    assert {each.status for each in found.configuration} == {"SAME"}
    assert found.new.run_id != found.old.run_id
    assert found.new.created_at > found.old.created_at


def test_another_setting_shows_in_the_configuration_and_not_in_the_sources(shop: Path) -> None:
    found = replayed(shop, "setting", edits={"candidates/released.yaml": ("top_k: 5", "top_k: 1")})
    assert all(case.likeness(Aspect.CONFIGURATION) is Likeness.CHANGED for case in found.cases)
    assert not changed_aspects(found) & {*SOURCE_ASPECTS, Aspect.QUERY}
    assert [each.name for each in found.configuration if each.status != "SAME"] == ["top_k"]


@pytest.mark.parametrize(
    ("edit", "state"),
    [(("# Fees", "Readers, please note.\n\n# Fees"), "MOVED"), (("For every week", "Per week"), "ORPHAN")],
)
def test_other_sources_show_as_sources_and_rows_on_what_moved_are_not_compared(
    shop: Path, edit: tuple[str, str], state: str
) -> None:
    found = replayed(shop, f"corpus-{state}", edits={"corpus/fees-en.md": edit})
    assert all(case.likeness(Aspect.SOURCE_SNAPSHOT) is Likeness.CHANGED for case in found.cases)
    assert all(case.likeness(Aspect.CONFIGURATION) is Likeness.SAME for case in found.cases)
    evidence = {each.case_id: each for each in evidence_of(shop / "runs" / "old")}
    drifted = {(each.document_id, each.state) for case in found.cases for each in case.drifted}
    assert drifted == {("fees-en", state)}
    for case in found.cases:
        lost = {each.passage_id for each in case.drifted}
        expected = Likeness.NOT_COMPARABLE if lost else Likeness.SAME
        assert case.likeness(Aspect.LOCATOR_TEXT) is expected
        for row in case.claims:
            old = next(each for each in evidence[case.case_id].claims if each.claim_id == row.old_claim_id)
            assert row.comparable == (bool(old.passages) and not lost.intersection(old.passages))


def recorded(folder: Path, name: str, **fields: Any) -> Path:
    """A run of recorded answers with everything on record; fields of the manifest, or of every trace, as told."""
    passage = {"passage_id": "p1", "document_id": "d1", "version": "v1", "text": "Returns are free within 30 days."}
    row = {
        "case_id": "c0",
        "retrieved": [passage],
        "delivered": [passage],
        "filters": [],
        "answer": "Returns are free within 30 days. [p1]",
        "model_answered": "writer-1",
    }
    given = {
        "name": name,
        "corpus_snapshot": "2026-08",
        "chunker": "words",
        "index_build": "7",
        "retriever": {"k": 60},
        "top_k": 5,
        "prompt": "v1",
        "generator": "writer",
        "application_revision": "abc",
        "not_used": ["embedding_model", "reranker", "temperature", "seed", "judge_model", "judge_prompt"],
    }
    write_lines(folder / "cases.jsonl", [{"case_id": "c0", "user_input": fields.pop("question", "Are returns free?")}])
    manifest = given | {key: value for key, value in fields.items() if key in given}
    write_lines(folder / f"{name}.jsonl", [row | {key: value for key, value in fields.items() if key in row}])
    write_lines(
        folder / f"{name}.yaml", [{"kind": "traces", "manifest": manifest, "traces": {"path": f"{name}.jsonl"}}]
    )
    done = beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=folder)
    assert done.code == 0, done.err
    return folder / "runs" / name


OTHER_WORDS = {"passage_id": "p1", "document_id": "d1", "version": "v2", "text": "Returns cost 5 euros."}


@pytest.mark.parametrize(
    ("fields", "aspects"),
    [
        ({}, set()),
        ({"prompt": "v2"}, {Aspect.CONFIGURATION}),
        ({"model_answered": "writer-2"}, {Aspect.CONFIGURATION}),
        ({"corpus_snapshot": "2026-09"}, {Aspect.SOURCE_SNAPSHOT}),
        ({"question": "Is it free?"}, {Aspect.QUERY}),
        ({"answer": "Returns are free. [p1]"}, {Aspect.ANSWER}),
        ({"answer": "Returns are free within 30 days. [d1]"}, {Aspect.ANSWER, Aspect.CITATIONS}),
        ({"retrieved": [OTHER_WORDS], "delivered": [OTHER_WORDS]}, {Aspect.PASSAGES, Aspect.LOCATOR_TEXT}),
    ],
)
def test_one_change_shows_in_its_own_dimension_and_in_no_other(
    tmp_path: Path, fields: dict[str, Any], aspects: set[Aspect]
) -> None:
    old = recorded(tmp_path, "old")
    new = recorded(tmp_path, "new", **fields)
    assert changed_aspects(compare_cases(new, old)) == aspects
    assert changed_aspects(compare_cases(old, new)) == aspects
