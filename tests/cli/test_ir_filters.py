"""``beleg ir filters``: the worked example, the three ends, the proof of entitlement and the record of decisions."""

from __future__ import annotations

import gzip
import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from beleg.metrics.retrieval.filters import FilteredQuery, false_exclusion_rate
from cli.projects import Done, beleg, write_lines

TERMS: dict[str, Any] = {
    "predicate": "locale",
    "k": 10,
    "precision_gain_min": 0.02,
    "exclusion_rate_max": 0.02,
    "recall_loss_max": 0.02,
    "confidence": 0.95,
    "minimum_queries": 100,
    "seed": 7,
    "owner": "search team",
    "registered_on": "2026-11-01",
}
DOCUMENTS = {
    "d1": ("acme", "en-US"),
    "d2": ("acme", "en-GB"),
    "d3": ("globex", "en-US"),
    "d4": ("acme", "en-US"),
    "d5": ("acme", "de-DE"),
    "d6": ("acme", "fr-FR"),
}
GOLD = {"q1": "d2", "q2": "d4", "q3": "d6", "q4": "d5"}
APPLIED = {"q1": {"locale": "en-US"}, "q2": {}, "q3": {"locale": "en-US"}, "q4": {"locale": "de-DE"}}
EXPECTED = {"q1": {"locale": "en-GB"}, "q2": {}, "q3": {"locale": "fr-FR"}, "q4": {"locale": "de-DE"}}
FILES = ("locale.json", "qrels", "hard", "soft")
EVIDENCE = ("--predicates", "predicates.jsonl", "--documents", "documents.jsonl")


def passes(query: str, document: str) -> bool:
    return APPLIED[query].get("locale") in (None, DOCUMENTS[document][1])


def write_run(path: Path, lists: dict[str, list[str]]) -> None:
    rows = (f"{q} Q0 {d} 1 {100 - place} run\n" for q, names in lists.items() for place, d in enumerate(names))
    path.write_text("".join(rows))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """Four queries and six documents; the filter removes the gold of two, and d3 is another tenant's."""
    (tmp_path / "locale.json").write_text(json.dumps(TERMS))
    (tmp_path / "qrels").write_text("".join(f"{query} 0 {name} 1\n" for query, name in GOLD.items()))
    may_see = [name for name, (tenant, _) in DOCUMENTS.items() if tenant == "acme"]
    write_run(tmp_path / "hard", {query: [name for name in may_see if passes(query, name)] for query in GOLD})
    write_run(tmp_path / "soft", dict.fromkeys(GOLD, may_see))
    write_lines(
        tmp_path / "predicates.jsonl",
        ({"query_id": query, "applied": APPLIED[query], "expected": EXPECTED[query]} for query in GOLD),
    )
    write_lines(
        tmp_path / "documents.jsonl",
        ({"doc_id": name, "metadata": {"tenant": t, "locale": place}} for name, (t, place) in DOCUMENTS.items()),
    )
    stated = (f"{query} 0 {name} {int(name in may_see)}\n" for query in GOLD for name in DOCUMENTS)
    (tmp_path / "eligible").write_text("".join(stated))
    return tmp_path


@pytest.fixture
def clear(tmp_path: Path) -> Path:
    """300 queries on which the filter only helps."""
    queries = [f"q{number}" for number in range(300)]
    (tmp_path / "locale.json").write_text(json.dumps(TERMS | {"k": 2}))
    (tmp_path / "qrels").write_text("".join(f"{query} 0 {name} 1\n" for query in queries for name in ("a", "b")))
    write_run(tmp_path / "hard", {query: ["a", "b"] for query in queries})
    write_run(
        tmp_path / "soft", {query: ["a", "b"] if place % 2 else ["a", "x", "b"] for place, query in enumerate(queries)}
    )
    (tmp_path / "survivors").write_text("".join(f"{query} 0 {name} 1\n" for query in queries for name in ("a", "b")))
    return tmp_path


def filters(folder: Path, *words: str) -> Done:
    return beleg("ir", "filters", *FILES, *words, cwd=folder)


def test_the_worked_example_is_fifty_per_cent_on_four_of_four(example: Path) -> None:
    done = filters(example, *EVIDENCE, "--eligible", "eligible", "--json")
    found, exclusion = done.json, done.json["false_exclusion"]
    assert (exclusion["queries_excluded"], exclusion["queries"]) == (2, 4)
    assert found["conditions"][1]["estimate"] == 0.5
    assert (exclusion["documents"]["events"], exclusion["documents"]["n"]) == (2, 4)
    assert found["systems"]["hard"]["recall"] == 0.5
    assert found["INVALID_recall_over_gold_rebuilt_after_filtering"] == 1.0
    assert (done.code, found["choice"]) == (0, "soft")
    eligible = {name: {"locale": place} for name, (tenant, place) in DOCUMENTS.items() if tenant == "acme"}
    queries = [
        FilteredQuery(
            query,
            frozenset({name}),
            lambda metadata, query=query: APPLIED[query].get("locale") in (None, metadata["locale"]),  # type: ignore[misc]
        )
        for query, name in GOLD.items()
    ]
    assert false_exclusion_rate(queries, eligible).rate == found["conditions"][1]["estimate"]


def test_the_first_line_is_the_decision_with_its_figure(example: Path) -> None:
    english, german = filters(example, *EVIDENCE).lines, filters(example, *EVIDENCE, "--lang", "de").lines
    assert english[0].replace("\u00a0", " ") == (
        "SOFT: locale stays a soft boost, for the filter removes all eligible gold of 2 of 4 queries "
        "(50 [10, 90] %; allowed 2 %)."
    )
    assert german[0].startswith("WEICH: locale bleibt ein weicher Boost, denn der Filter entfernt alles zulässige Gold")
    assert any(line.startswith("INVALID, not to be used") for line in english)
    assert any(line.startswith("UNGÜLTIG, nicht verwenden") for line in german)
    assert english[-1] == "Next: beleg ir pool qrels soft hard -m P@10"


def test_precision_and_recall_of_the_predicates(example: Path) -> None:
    found = filters(example, *EVIDENCE, "--json").json["predicate"]
    assert (found["precision"]["events"], found["precision"]["n"]) == (1, 3)
    assert (found["recall"]["events"], found["recall"]["n"]) == (1, 3)
    assert (found["labelled_queries"], found["wrong_queries"], found["wrong_and_excluded_queries"]) == (4, 2, 2)


def test_labels_that_are_not_there_leave_precision_missing_and_not_nought(example: Path) -> None:
    write_lines(example / "predicates.jsonl", ({"query_id": query, "applied": APPLIED[query]} for query in GOLD))
    precision = filters(example, *EVIDENCE, "--json").json["predicate"]["precision"]
    assert (precision["value"], precision["missing"]) == (None, "no labelled query has an applied predicate")
    assert "Precision of locale values: missing" in filters(example, *EVIDENCE).out


def test_all_three_conditions_met_is_hard(clear: Path) -> None:
    done = filters(clear, "--survivors", "survivors")
    assert done.code == 0
    assert (
        done.lines[0] == "HARD: locale may be a hard predicate; all three registered conditions are met on 300 queries."
    )
    assert len(re.findall("● met", done.out)) == 3


def test_without_evidence_of_what_was_removed_nothing_is_decided(clear: Path) -> None:
    done = filters(clear)
    assert done.code == 30
    assert done.lines[0].startswith("NOT ENOUGH EVIDENCE on 300 queries")
    assert "give --predicates with --documents, or --survivors" in done.lines[0]
    assert "○ not evaluated" in done.out


def test_too_few_queries_name_how_many_are_needed(clear: Path) -> None:
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2, "exclusion_rate_max": 0.005}))
    done = filters(clear, "--survivors", "survivors")
    assert done.code == 30
    # Without one exclusion, ln 0.05 / ln 0.995 is 597.6.
    assert "About 598 queries are needed" in done.lines[0]


def test_queries_of_one_group_count_as_one_source(clear: Path) -> None:
    write_lines(clear / "groups.jsonl", ({"query_id": f"q{n}", "group": f"g{n // 30}"} for n in range(300)))
    done = filters(clear, "--survivors", "survivors", "--groups", "groups.jsonl")
    assert done.code == 30
    assert "300 in 10 groups" in done.out


def test_a_leak_ends_with_its_own_exit_code_and_does_not_change_the_choice(example: Path) -> None:
    (example / "soft").write_text((example / "soft").read_text() + "q2 Q0 d3 9 1 run\n")
    done = filters(example, *EVIDENCE, "--eligible", "eligible")
    assert (done.code, done.lines[0][:4]) == (20, "SOFT")
    assert "■ soft boost: 1 of 21 listed documents are not the caller's to see, in 1 of 4 queries" in done.out
    assert "● hard predicate: 0 unauthorised of 10 listed documents in 4 queries" in done.out
    found = filters(example, *EVIDENCE, "--eligible", "eligible", "--json").json["entitlement"]
    assert (found["state"], found["runs"]["hard"]["state"]) == ("broken", "held")
    # No leak in four queries: 1 - 0.05 ** (1 / 4).
    assert found["runs"]["hard"]["upper"] == pytest.approx(1 - 0.05**0.25)


def test_a_document_of_which_nothing_is_stated_leaves_the_proof_open(example: Path) -> None:
    (example / "soft").write_text((example / "soft").read_text() + "q2 Q0 d9 9 1 run\n")
    found = filters(example, *EVIDENCE, "--eligible", "eligible", "--json").json["entitlement"]
    assert (found["state"], found["runs"]["soft"]["unknown"]) == ("unknown", 1)
    assert filters(example, *EVIDENCE, "--json").json["entitlement"]["state"] == "not_given"


def test_changed_terms_show_after_a_decision(example: Path) -> None:
    assert filters(example, *EVIDENCE, "--json").json["registration_changed_after_a_decision"] is False
    filters(example, *EVIDENCE)
    record = example / "locale.json.decisions.jsonl"
    assert len(record.read_text().splitlines()) == 1
    (example / "locale.json").write_text(json.dumps(TERMS | {"exclusion_rate_max": 0.9}))
    done = filters(example, *EVIDENCE)
    assert "■ The registration was changed after a decision" in done.out
    assert len(record.read_text().splitlines()) == 2
    assert filters(example, *EVIDENCE, "--json").json["registration_changed_after_a_decision"] is True
    record.write_text(record.read_text().replace('"choice":"soft"', '"choice":"hard"', 1))
    tampered = filters(example, *EVIDENCE)
    assert (tampered.code, "the record was changed" in tampered.err) == (30, True)


def test_terms_that_were_eased_after_a_look_never_make_it_hard(clear: Path) -> None:
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2, "exclusion_rate_max": 0.005}))
    assert filters(clear, "--survivors", "survivors").code == 30
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2}))
    eased = filters(clear, "--survivors", "survivors")
    assert eased.code == 30
    assert eased.lines[0].startswith("NOT ENOUGH EVIDENCE: these queries were decided on under other terms before")


@pytest.fixture
def spent(clear: Path) -> Path:
    """Queries that were decided on once, and terms that were eased since."""
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2, "exclusion_rate_max": 0.005}))
    assert filters(clear, "--survivors", "survivors").code == 30
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2}))
    return clear


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: sorted(lines, reverse=True),
        lambda lines: lines[2:],
        lambda lines: [*lines, "new 0 a 0\n"],
        lambda lines: [line.replace(" 1\n", " 2\n") for line in lines],
    ],
)
def test_eased_terms_stay_spent_however_the_judgements_are_written(spent: Path, change: Any) -> None:
    (spent / "qrels").write_text("".join(change((spent / "qrels").read_text().splitlines(keepends=True))))
    done = filters(spent, "--survivors", "survivors")
    assert (done.code, "were decided on under other terms before" in done.lines[0]) == (30, True)


def test_eased_terms_may_be_tried_on_queries_that_nobody_saw(spent: Path) -> None:
    for name in ("qrels", "hard", "soft", "survivors"):
        (spent / name).write_text(re.sub(r"^q", "new", (spent / name).read_text(), flags=re.M))
    assert filters(spent, "--survivors", "survivors").lines[0].startswith("HARD")


def test_a_record_that_does_not_say_its_queries_counts_as_one_on_all(spent: Path) -> None:
    record = spent / "locale.json.decisions.jsonl"
    entry = json.loads(record.read_text())
    del entry["gold_queries"]
    record.write_text(json.dumps(entry) + "\n")
    assert filters(spent, "--survivors", "survivors").code == 30


def test_judgements_in_another_order_or_packed_are_the_same_evidence(clear: Path) -> None:
    before = filters(clear, "--survivors", "survivors", "--json").json["inputs"]
    lines = (clear / "qrels").read_text().splitlines(keepends=True)
    (clear / "qrels").write_bytes(gzip.compress("".join(reversed(lines)).encode()))
    assert filters(clear, "--survivors", "survivors", "--json").json["inputs"] == before


def test_judgements_come_from_the_standard_input_and_from_a_folder_of_beir(
    clear: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (clear / "qrels").read_text()
    words = ("hard", "soft", "--survivors", "survivors", "--record", "none", "--json")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    piped = beleg("ir", "filters", "locale.json", "-", *words, cwd=clear)
    (clear / "beir" / "qrels").mkdir(parents=True)
    rows = "".join("\t".join(line.split()[::2][:1] + line.split()[2:]) + "\n" for line in text.splitlines())
    (clear / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    folder = beleg("ir", "filters", "locale.json", "beir", *words, cwd=clear)
    assert (piped.code, folder.code) == (0, 0)
    assert piped.json["inputs"]["qrels"] == folder.json["inputs"]["qrels"]


def test_a_predicate_that_admits_nothing_removes_all_gold(example: Path) -> None:
    write_lines(example / "predicates.jsonl", ({"query_id": query, "applied": {"locale": []}} for query in GOLD))
    write_run(example / "hard", {"q1": ["other"]})
    (example / "qrels").write_text((example / "qrels").read_text() + "q1 0 other 0\n")
    done = filters(example, *EVIDENCE, "--json")
    assert done.json["false_exclusion"]["queries_excluded"] == 4
    assert done.json["choice"] != "hard"


def test_another_look_under_the_same_terms_is_counted(clear: Path) -> None:
    assert "Decision 2" not in filters(clear, "--survivors", "survivors").out
    (clear / "soft").write_text((clear / "soft").read_text().replace("q0 Q0 a 1 100", "q0 Q0 a 1 101"))
    done = filters(clear, "--survivors", "survivors")
    assert "◐ Decision 2 under these terms on other files" in done.out
    assert "above 5\u00a0%" in done.out


def test_another_owner_does_not_spend_the_queries(clear: Path) -> None:
    assert filters(clear, "--survivors", "survivors").code == 0
    (clear / "locale.json").write_text(json.dumps(TERMS | {"k": 2, "owner": "somebody else"}))
    again = filters(clear, "--survivors", "survivors")
    assert (again.code, "The registration was changed" in again.out) == (0, True)


def test_no_record_is_kept_where_none_is_wanted(example: Path) -> None:
    before = sorted(example.iterdir())
    assert filters(example, *EVIDENCE, "--record", "none").code == 0
    assert sorted(example.iterdir()) == before


def test_terms_in_yaml_with_a_missing_one_are_refused_by_name(example: Path) -> None:
    lines = (f"{name}: {value}" for name, value in TERMS.items() if name != "recall_loss_max")
    (example / "locale.yaml").write_text("\n".join(lines) + "\n")
    done = beleg("ir", "filters", "locale.yaml", *FILES[1:], cwd=example)
    assert (done.code, done.out) == (30, "")
    assert "recall_loss_max" in done.err


def test_terms_of_tomorrow_are_refused(example: Path) -> None:
    later = (datetime.now(UTC).date() + timedelta(days=3)).isoformat()
    (example / "locale.json").write_text(json.dumps(TERMS | {"registered_on": later}))
    done = filters(example, *EVIDENCE)
    assert (done.code, "dated after the decision" in done.err) == (30, True)


@pytest.mark.parametrize(
    ("change", "words", "code", "said"),
    [
        ({"hard": "q1 Q0 d2 1 9 run\n"}, EVIDENCE, 30, "lists 1 gold documents that the predicate removes"),
        ({"hard": "zz Q0 d2 1 9 run\n"}, EVIDENCE, 30, "no query with eligible gold"),
        ({"eligible": "q1 0 d2 1\n"}, ("--eligible", "eligible"), 30, "whether the caller may see 3 gold documents"),
        (
            {"eligible": "q1 0 d2 0\nq2 0 d4 0\nq3 0 d6 0\nq4 0 d5 0\n"},
            ("--eligible", "eligible"),
            30,
            "no query has gold that its caller may see",
        ),
        ({"groups.jsonl": '{"query_id": "q1", "group": "a"}\n'}, ("--groups", "groups.jsonl"), 30, "have no group"),
        ({"s": "q1 0 d2 1\n"}, ("--survivors", "s", *EVIDENCE), 2, "survivors, or predicates with documents"),
        ({}, ("--predicates", "absent.jsonl"), 2, "absent.jsonl"),
        (
            {"locale.json": json.dumps(TERMS | {"predicate": "local"})},
            EVIDENCE,
            30,
            "no query with eligible gold is filtered by 'local'; they are filtered by 'locale'",
        ),
        ({"e": "q1 0 d2 0.5\n"}, ("--eligible", "e"), 30, "0.5 for query 'q1', document 'd2'"),
        ({"s": "q1 0 d2 7\n"}, ("--survivors", "s"), 30, "1 statements are neither 1 nor 0"),
        ({}, ("--survivors", "-", "--eligible", "-"), 2, "the standard input is named twice"),
        ({"predicates.jsonl": '{"query_id": "q1", "aplied": {}}\n'}, EVIDENCE, 30, "aplied"),
        ({}, ("--lang", "fr"), 2, "neither en nor de"),
    ],
)
def test_files_that_cannot_be_used_are_refused_and_nothing_is_recorded(
    example: Path, change: dict[str, str], words: tuple[str, ...], code: int, said: str
) -> None:
    for name, text in change.items():
        (example / name).write_text(text)
    done = filters(example, *words)
    assert (done.code, done.out) == (code, "")
    assert said in re.sub(r"\s+", " ", done.err)
    assert not (example / "locale.json.decisions.jsonl").exists()


def test_the_help_shows_an_example(example: Path) -> None:
    done = beleg("ir", "filters", "--help", cwd=example)
    assert "Example: beleg ir filters locale.yaml" in re.sub(r"\s+", " ", done.out)
