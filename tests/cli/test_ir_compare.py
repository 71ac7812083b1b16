"""``beleg ir compare``: the answer first, the same figures as JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cli.projects import beleg

QUERIES = 40


def write_run(path: Path, ranks: list[int], tag: str) -> None:
    """A run whose only relevant document stands at the given rank of each query; 0 leaves the query out."""
    lines = []
    for query, rank in enumerate(ranks):
        documents = [f"x{place}" for place in range(1, rank)] + ["rel"]
        lines += [f"q{query} Q0 {name} {at} {100 - at} {tag}\n" for at, name in enumerate(documents, 1) if rank]
    path.write_text("".join(lines))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    old = rng.integers(2, 6, QUERIES).tolist()
    (tmp_path / "qrels").write_text("".join(f"q{query} 0 rel 1\n" for query in range(QUERIES)))
    write_run(tmp_path / "old.run", old, "old")
    write_run(tmp_path / "new.run", [max(1, rank - 1) for rank in old], "new")
    write_run(tmp_path / "gap.run", [rank if query > 2 else 0 for query, rank in enumerate(old)], "gap")
    (tmp_path / "groups.tsv").write_text("".join(f"q{query}\tg{query // 5}\n" for query in range(QUERIES + 2)))
    return tmp_path


def test_the_first_line_is_the_answer(folder: Path) -> None:
    done = beleg("ir", "compare", "qrels", "old.run", "new.run", "-m", "RR", cwd=folder)
    assert done.code == 0
    assert done.lines[0].startswith("new is better than old in RR, +0.")
    assert "shown (randomisation test, p < 0.0001)." in done.lines[0]
    assert done.lines[-1] == "Next: beleg ir compare qrels old.run new.run -m RR --html comparison.html"


def test_json_has_every_figure(folder: Path) -> None:
    done = beleg("ir", "compare", "qrels", "old.run", "new.run", "gap.run", "-m", "RR AP", "--json", "-q", cwd=folder)
    found = json.loads(done.out)
    assert [run["name"] for run in found["runs"]] == ["old", "new", "gap"]
    assert found["runs"][2]["counts"]["missing"] == 3
    assert [(each["measure"], each["run"]) for each in found["comparisons"]] == [
        ("RR", "new"), ("RR", "gap"), ("AP", "new"), ("AP", "gap"),
    ]  # fmt: skip
    gap = found["comparisons"][1]
    assert (gap["wins"], gap["ties"], gap["losses"]) == (0, QUERIES - 3, 3)
    assert gap["finding"] == "not_shown"
    assert gap["p"] == 0.25
    assert gap["lower"] < gap["difference"] < gap["upper"]
    assert len(found["per_query"]["RR"]) == QUERIES
    assert found["per_query"]["RR"]["q0"]["gap"] == 0.0
    assert len(found["means"]) == 6


def test_a_missing_query_counts_as_0_and_is_said(folder: Path) -> None:
    done = beleg("ir", "compare", "qrels", "old.run", "gap.run", "-m", "RR", cwd=folder)
    assert "gap: 3 missing in the run, counted as 0" in done.lines


def test_groups_make_the_analysis_clustered(folder: Path) -> None:
    words = ("ir", "compare", "qrels", "old.run", "new.run", "-m", "RR", "--json")
    found = beleg(*words, "--groups", "groups.tsv", cwd=folder).json
    assert found["groups"] == 8
    assert found["ungrouped_ignored"] == 2
    assert found["comparisons"][0]["method"] == "cluster_adjusted_t"
    assert found["comparisons"][0]["p"] == 2 / 2**8


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "bootstrap"])
@pytest.mark.parametrize("interval", ["auto", "t", "adjusted-t", "bca", "percentile"])
def test_every_test_and_interval(folder: Path, test: str, interval: str) -> None:
    done = beleg(
        "ir", "compare", "qrels", "old.run", "new.run", "-m", "RR", "--test", test, "--interval", interval,
        "--resamples", "500", "--json", cwd=folder,
    )  # fmt: skip
    each = done.json["comparisons"][0]
    assert each["p"] <= 0.01
    assert 0.0 < each["lower"] < each["difference"] < each["upper"]


def test_a_seed_repeats_and_another_moves_the_last_digits(folder: Path) -> None:
    words = ("ir", "compare", "qrels", "old.run", "gap.run", "-m", "RR", "--interval", "bca", "--json", "--seed")
    one, same, other = (beleg(*words, seed, cwd=folder).out for seed in ("4", "4", "5"))
    assert one == same
    assert one != other.replace('"seed": 5', '"seed": 4')


def test_runs_of_one_name_get_their_files(folder: Path) -> None:
    write_run(folder / "twin.run", [1] * QUERIES, "old")
    found = beleg("ir", "compare", "qrels", "old.run", "twin.run", "twin.run", "-m", "RR", "--json", cwd=folder).json
    assert [run["name"] for run in found["runs"]] == ["old.run", "twin.run", "twin.run (2)"]


def test_an_endless_or_hostile_name_does_no_harm(folder: Path) -> None:
    write_run(folder / "long.run", [1] * QUERIES, "x" * 5000)
    write_run(folder / "evil.run", [1] * QUERIES, "<b>\x1b[31m</b>")
    done = beleg(
        "ir", "compare", "qrels", "old.run", "long.run", "evil.run", "-m", "RR", "--html", "a.html", cwd=folder
    )
    assert "long.run" in done.out
    assert "x" * 200 not in done.out
    assert "\x1b" not in done.out
    assert "<b>" not in (folder / "a.html").read_text("utf-8")


def test_a_run_against_itself_has_no_difference(folder: Path) -> None:
    done = beleg("ir", "compare", "qrels", "old.run", "old.run", "-m", "RR", "--lang", "de", cwd=folder)
    assert done.lines[0] == "old.run (2) und old.run haben in allen 40 Anfragen dasselbe RR."
    assert "nan" not in done.out.lower()


def test_all_pairs_and_the_queries_that_differ_most(folder: Path) -> None:
    done = beleg(
        "ir", "compare", "qrels", "old.run", "new.run", "gap.run", "-m", "RR", "--all-pairs", "--per-query",
        "--top", "2", "--resamples", "500", cwd=folder,
    )  # fmt: skip
    assert done.lines[0].startswith("All pairs: 1 shown to be better, 1 shown to be worse")
    assert "p Tukey" in done.out
    assert sum(line.startswith("q") for line in done.lines) >= 4


def test_a_page_and_pictures_are_written(folder: Path) -> None:
    words = ("ir", "compare", "qrels", "old.run", "new.run", "-m", "RR", "--lang", "de")
    done = beleg(*words, "--html", "page.html", "--plot", "plot.svg", cwd=folder)
    assert done.lines[-3:-1] == ["page.html", "plot.svg"]
    assert '<html lang="de">' in (folder / "page.html").read_text("utf-8")
    assert "Anfragen besser" in (folder / "plot.svg").read_text("utf-8")
    assert beleg(*words, "--plot", "plot.png", cwd=folder).code == 0
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--test", "z"), 2, "there is no test 'z'"),
        (("--interval", "wald"), 2, "there is no interval 'wald'"),
        (("--resamples", "0"), 2, "0 resamples"),
        (("--resamples", "99999999"), 2, "1,000,000"),
        (("--confidence", "95"), 2, "the confidence is 95"),
        (("--confidence", "0.5"), 2, "the confidence is 0.5"),
        (("--confidence", "0.9999999999999999"), 2, "the confidence is 0.9999999999999999"),
        (("--confidence", "nan"), 2, "the confidence is nan"),
        (("--seed", "-1"), 2, "Take 0 or more"),
        (("--plot", "plot.pdf"), 2, ".svg or .png"),
        (("--lang", "fr"), 2, "neither en nor de"),
        (("-m", "Unjudged@10"), 2, "Unjudged@10 does not say which run is better"),
        (("-m", "NumNonRelRet"), 2, "NumNonRelRet is better where it is lower"),
        (("-m", "RunId"), 2, "RunId is a text"),
        (("-m", "RelString@5"), 2, "RelString@5 is a text"),
        (("-m", "GMAP"), 2, "no mean over queries"),
        (("--groups", "absent"), 2, "cannot read absent"),
        (("--groups", "few"), 30, "38 of 40 judged queries have no group"),
        (("--groups", "one"), 30, "all queries are in one group"),
        (("--html", "nowhere/page.html"), 2, "cannot write"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (folder / "few").write_text("q0\ta\nq1\tb\n")
    (folder / "one").write_text("".join(f"q{query}\ta\n" for query in range(QUERIES)))
    done = beleg("ir", "compare", "qrels", "old.run", "new.run", "-m", "RR", *words, cwd=folder)
    assert done.code == code
    assert said in done.err
    assert done.out == ""


def test_a_run_without_any_judged_query_is_refused(folder: Path) -> None:
    (folder / "other.run").write_text("z Q0 d 1 1.0 other\n")
    done = beleg("ir", "compare", "qrels", "old.run", "other.run", "-m", "RR", cwd=folder)
    assert done.code == 30
    assert "no query of the run is judged" in done.err


@pytest.mark.parametrize("interval", ["auto", "t", "adjusted-t", "bca", "percentile"])
def test_the_highest_confidence_is_kept_by_every_interval(folder: Path, interval: str) -> None:
    words = ("-m", "RR", "--confidence", "0.9999", "--interval", interval, "--resamples", "500", "--json")
    done = beleg("ir", "compare", "qrels", "old.run", "new.run", *words, cwd=folder)
    assert done.code == 0, done.err
    each = done.json["comparisons"][0]
    assert each["lower"] < each["difference"] < each["upper"]
