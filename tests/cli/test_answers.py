"""``beleg answers`` as a user calls it, over recorded runs."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from cli.projects import Done, beleg, write_lines

CASES, REPEATS = 30, 2
PASSAGES = 9


def position(case: int, repeat: int) -> int:
    """Where the gold passage of a case stands."""
    return (case * 4 + repeat * 3) % PASSAGES


def is_right(case: int, repeat: int) -> bool:
    """Wrong where the evidence stands in the middle, but for every fifth case; else right but for every seventh."""
    return case % 5 == 0 if 3 <= position(case, repeat) <= 5 else case % 7 != 0


def row(case: int, repeat: int) -> dict[str, Any]:
    others = [{"passage_id": f"x{n}", "document_id": f"x{n}", "text": "of another matter " * 4} for n in range(8)]
    at = position(case, repeat)
    gold = {"passage_id": f"g{case}", "document_id": f"g{case}", "text": f"The fee is {case} euros."}
    listed = [*others[:at], gold, *others[at:]]
    answer = f"{case} euros" if is_right(case, repeat) else "99 euros"
    return {
        "case_id": f"c{case}",
        "repeat": repeat,
        "retrieved": listed,
        "delivered": listed,
        "answer": f"{answer}\nConfidence: {(90, 60)[case % 2]} %",
        "citations": [{"marker": "1", "passage_id": listed[0]["passage_id"]}],
    }


def outside(case: int, repeat: int) -> dict[str, Any]:
    """A case that no document answers: refused at times."""
    answer = "I don't know." if (case + repeat) % 2 else "7 euros"
    return {"case_id": f"o{case}", "repeat": repeat, "retrieved": row(case, repeat)["retrieved"][:3], "answer": answer}


def plan() -> list[dict[str, Any]]:
    listed = [row(case, repeat) for case in range(CASES) for repeat in range(REPEATS)]
    return listed + [outside(case, repeat) for case in range(4) for repeat in range(REPEATS)]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    write_lines(
        folder / "cases.jsonl",
        [
            {
                "case_id": f"c{case}",
                "user_input": f"fee {case}?",
                "language": "en",
                "expected_passages": [{"document_id": f"g{case}"}],
                "accepted_answers": [f"{case} euros"],
            }
            for case in range(CASES)
        ]
        + [
            {"case_id": f"o{case}", "user_input": "?", "language": "en", "expected_behaviour": "abstain"}
            for case in range(4)
        ],
    )
    reordered = [{**each, "delivered": each["delivered"][::-1]} if "delivered" in each else each for each in plan()]
    halved = [
        {**each, "delivered": [{**p, "text": " ".join(p["text"].split()[:5])} for p in each["delivered"]]}
        if "delivered" in each
        else each
        for each in plan()
    ]
    broken = [{**each, "answer": "99 euros"} if each["case_id"][0] == "c" else each for each in halved]
    for name, traces in (("new", plan()), ("reordered", reordered), ("halved", halved), ("broken", broken)):
        write_lines(folder / f"{name}.traces.jsonl", traces)
        (folder / f"{name}.yaml").write_text(
            f"kind: traces\nmanifest: {{name: {name}}}\ntraces: {{path: {name}.traces.jsonl}}\n"
        )
        words = ("run", f"{name}.yaml", "--suite", "cases.jsonl", "--repeats", str(REPEATS), "--out", name)
        assert beleg(*words, cwd=folder).code == 0
    once = [each for each in plan() if each["repeat"] == 0]
    write_lines(folder / "once.traces.jsonl", [{key: each[key] for key in each if key != "repeat"} for each in once])
    (folder / "once.yaml").write_text("kind: traces\nmanifest: {name: once}\ntraces: {path: once.traces.jsonl}\n")
    assert beleg("run", "once.yaml", "--suite", "cases.jsonl", "--out", "once", cwd=folder).code == 0
    return folder


def told(runs: Path, *words: str) -> Done:
    done = beleg("answers", *words, cwd=runs)
    assert done.code == 0, done.err
    return done


def test_correctness_by_place_is_that_of_a_plain_count(runs: Path) -> None:
    found = told(runs, "positions", "new", "--metric", "exact_match", "--json").json
    all_rows = [(case, repeat) for case in range(CASES) for repeat in range(REPEATS)]
    for number, third in enumerate(("begin", "middle", "end")):
        here = [is_right(*each) for each in all_rows if position(*each) // 3 == number]
        assert found["thirds"][third]["estimate"] == pytest.approx(sum(here) / len(here))
        assert found["thirds"][third]["n"] == len(here)
    for rank in range(1, 10):
        here = [is_right(*each) for each in all_rows if position(*each) == rank - 1]
        assert found["ranks"][str(rank)]["estimate"] == pytest.approx(sum(here) / len(here))
    assert found["middle_minus_edges"]["upper"] < 0
    assert [found["citation_coverage"][third]["estimate"] for third in ("begin", "middle", "end")] == pytest.approx(
        [1 / 3, 0, 0]
    )
    assert found["left_out"] == {"the case requires no evidence": 8}


def test_the_first_line_says_whether_the_middle_is_worse_in_both_languages(runs: Path) -> None:
    english = told(runs, "positions", "new", "--metric", "exact_match")
    assert english.lines[0].startswith("Exact match is lower with the evidence in the middle than at begin or end: −")
    assert english.lines[-1].startswith("Next: beleg score new")
    german = told(runs, "positions", "new", "--metric", "exact_match", "--lang", "de")
    assert german.lines[0].startswith("Exakte Übereinstimmung ist niedriger, wenn der Beleg in der Mitte steht")


def test_the_same_passages_in_another_order_are_compared_pair_by_pair(runs: Path) -> None:
    found = told(runs, "positions", "new", "--metric", "exact_match", "--against", "reordered", "--json").json
    assert found["reordering"]["difference"]["estimate"] == 0.0
    assert found["reordering"]["pairs"] == CASES * REPEATS
    line = told(runs, "positions", "new", "--against", "reordered").lines[1]
    assert line.startswith("Same passages in the order of reordered-")
    same = beleg("answers", "positions", "new", "--against", "new", cwd=runs)
    assert same.code != 0
    assert "no row of both runs has the same passages in another order" in same.err


def test_confidence_is_held_against_correctness(runs: Path) -> None:
    found = told(runs, "calibration", "new", "--json").json
    rows = [((0.9, 0.6)[case % 2], is_right(case, repeat)) for case in range(CASES) for repeat in range(REPEATS)]
    assert found["n"] == len(rows)
    gap = sum(sure - right for sure, right in rows) / len(rows)
    assert found["confidence_minus_accuracy"]["estimate"] == pytest.approx(gap)
    assert found["brier"]["estimate"] == pytest.approx(sum((sure - right) ** 2 for sure, right in rows) / len(rows))
    error = 0.0
    for sure, each in zip((0.6, 0.9), found["bins"], strict=True):
        here = [right for stated, right in rows if stated == sure]
        assert each["accuracy"]["estimate"] == pytest.approx(sum(here) / len(here))
        error += len(here) / len(rows) * abs(sum(here) / len(here) - sure)
    assert found["ece"] == pytest.approx(error)
    assert sum(found["left_out"].values()) == 8
    assert found["rows"] == len(rows) + 8


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_diagram_says_the_finding_and_reads_without_eyes(runs: Path, language: str) -> None:
    done = told(runs, "calibration", "new", "--plot", f"r-{language}.svg", "--lang", language)
    svg = ET.parse(runs / f"r-{language}.svg").getroot()  # noqa: S314 - our own file
    title = svg.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == done.lines[0]
    description = svg.find("{http://www.w3.org/2000/svg}desc")
    assert description is not None
    assert "90 %" in (description.text or "")
    assert told(runs, "calibration", "new", "--plot", "r.png").code == 0
    assert (runs / "r.png").read_bytes().startswith(b"\x89PNG")


def test_repeats_are_held_against_each_other(runs: Path) -> None:
    found = told(runs, "consistency", "new", "--json").json
    same = sum(is_right(case, 0) == is_right(case, 1) for case in range(CASES))
    assert found["unanimous"]["estimate"] == pytest.approx(same / (CASES + 4))
    assert found["majority"]["estimate"] == pytest.approx((same + (CASES + 4 - same) / 2) / (CASES + 4))
    assert found["sometimes_refused"] == 4
    assert len(found["flagged"]) == CASES + 4 - same
    assert told(runs, "consistency", "new").lines[0].startswith("The most frequent answer has ")
    assert told(runs, "consistency", "new", "--lang", "de").lines[0].startswith("Die häufigste Antwort hat ")
    alone = beleg("answers", "consistency", "once", cwd=runs)
    assert alone.code == 2
    assert "--repeats" in alone.err


def test_refusals_are_split_by_what_an_answer_could_rest_on(runs: Path) -> None:
    found = told(runs, "abstention", "new", "--json").json
    assert found["refused"]["out_of_scope"]["estimate"] == 0.5
    assert found["refused"]["delivered"]["n"] == CASES * REPEATS
    assert found["refused"]["missed"]["estimate"] is None
    assert found["answered_cases"]["out_of_scope"] == ["o0", "o2", "o1", "o3"]
    assert told(runs, "abstention", "new").lines[0].startswith("4 cases were answered without evidence; 0 were refused")


def test_compression_is_held_against_the_loss_that_was_set_before(runs: Path) -> None:
    words = ("--baseline", "new", "--metric", "exact_match", "--max-loss")
    kept = told(runs, "compression", "halved", *words, "0.15", "--json").json
    assert kept["state"] == "pass"
    assert kept["compression_ratio"] == pytest.approx((8 * 12 + 5) / (8 * 5 + 5))
    assert kept["difference"]["estimate"] == 0.0
    lost = told(runs, "compression", "broken", *words, "0.15")
    assert lost.lines[0].startswith("■ FAIL: the loss exceeds 0.150: −")
    tight = told(runs, "compression", "halved", *words, "0.01", "--lang", "de")
    assert tight.lines[0].startswith("◐ INCONCLUSIVE: nicht gezeigt ist ein Verlust unter 0,010: ")


def test_a_row_that_only_the_compressed_run_lost_counts_as_wrong(runs: Path) -> None:
    gone = [each for each in plan() if each["case_id"] != "c1"]
    write_lines(runs / "gone.traces.jsonl", gone)
    (runs / "gone.yaml").write_text("kind: traces\nmanifest: {name: gone}\ntraces: {path: gone.traces.jsonl}\n")
    beleg("run", "gone.yaml", "--suite", "cases.jsonl", "--repeats", str(REPEATS), "--out", "gone", cwd=runs)
    words = ("--baseline", "new", "--metric", "exact_match", "--max-loss", "0.1", "--json")
    found = told(runs, "compression", "gone", *words).json
    assert found["failed_here"] == REPEATS
    right = sum(is_right(1, repeat) for repeat in range(REPEATS))
    assert found["difference"]["estimate"] == pytest.approx(-right / (CASES * REPEATS))
    other_way = told(runs, "compression", "new", "--baseline", "gone", *words[2:]).json
    assert other_way["failed_here"] == 0
    assert other_way["pairs"] == (CASES - 1) * REPEATS


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("positions", "nowhere"), "holds no run"),
        (("positions", "new", "--metric", "latency_ms"), "no measure of correctness"),
        (("positions", "new", "--metric", "nope"), "no such metric"),
        (("calibration", "new", "--binning", "odd"), "equal_width"),
        (("calibration", "new", "--bins", "0"), "number of bins"),
        (("calibration", "new", "--correct-at", "2"), "above 0 and up to 1"),
        (("calibration", "new", "--plot", "r.txt"), ".svg or .png"),
        (("consistency", "new", "--flag-below", "3"), "from 0 to 1"),
        (("compression", "new", "--baseline", "new", "--max-loss", "0"), "above 0 and below 1"),
        (("compression", "new", "--max-loss", "0.1"), "--baseline"),
        (("answerability", "nope", "nope"), "cannot read nope"),
        (("answerability", "cases.jsonl", "cases.jsonl"), "cases.jsonl:1: field 'results'"),
    ],
)
def test_bad_input_is_named_with_its_remedy(runs: Path, words: tuple[str, ...], message: str) -> None:
    done = beleg("answers", *words, cwd=runs)
    assert done.code == (30 if words[-1] == "cases.jsonl" else 2)
    assert message in done.err
    assert done.out == ""


def test_a_run_without_any_confidence_gives_no_curve(runs: Path) -> None:
    write_lines(runs / "mute.traces.jsonl", [{**each, "answer": "99 euros"} for each in plan()])
    (runs / "mute.yaml").write_text("kind: traces\nmanifest: {name: mute}\ntraces: {path: mute.traces.jsonl}\n")
    beleg("run", "mute.yaml", "--suite", "cases.jsonl", "--repeats", str(REPEATS), "--out", "mute", cwd=runs)
    done = beleg("answers", "calibration", "mute", cwd=runs)
    assert done.code != 0
    assert "no row has both a confidence and a score" in done.err
    assert "Confidence: 80 %" in done.err


def test_the_field_of_a_candidate_is_its_confidence(runs: Path) -> None:
    traces = [{**each, "answer": "99 euros", "confidence": 0.25} for each in plan()]
    write_lines(runs / "field.traces.jsonl", traces)
    (runs / "field.yaml").write_text("kind: traces\nmanifest: {name: field}\ntraces: {path: field.traces.jsonl}\n")
    beleg("run", "field.yaml", "--suite", "cases.jsonl", "--repeats", str(REPEATS), "--out", "field", cwd=runs)
    found = told(runs, "calibration", "field", "--json").json
    assert found["ece"] == 0.25
    assert math.isclose(found["brier"]["estimate"], 0.0625)


def test_replies_of_models_are_read_from_files(runs: Path) -> None:
    replies = ["Yes, answer is present.", "I don't know.", "Paris"]
    for name in ("outside", "inside"):
        write_lines(
            runs / f"{name}.jsonl", [{"results": {"m": reply, "n": "Yes, answer is present"}} for reply in replies]
        )
    found = told(runs, "answerability", "outside.jsonl", "inside.jsonl", "--json").json
    assert found["m"]["hallucination"]["of_valid"]["estimate"] == 0.5
    assert found["m"]["hallucination"]["of_all"]["estimate"] == pytest.approx(1 / 3)
    assert found["m"]["error"]["invalid"] == 1
    assert found["n"]["hallucination"]["of_valid"]["estimate"] == 1.0
    lines = told(runs, "answerability", "outside.jsonl", "inside.jsonl").lines
    assert lines[0] == (
        "Where no passage holds an answer, m claims one in 50.0\u00a0% of its valid replies, n in 100.0\u00a0%"
    )


def test_ids_of_strangers_drive_no_terminal(runs: Path) -> None:
    hostile = "\x1b[31mred"
    write_lines(runs / "evil.jsonl", [{"results": {hostile: "I don't know."}}])
    done = told(runs, "answerability", "evil.jsonl", "evil.jsonl")
    assert "\x1b" not in done.out
    assert json.loads(told(runs, "answerability", "evil.jsonl", "evil.jsonl", "--json").out)[hostile]["error"]["n"] == 1
