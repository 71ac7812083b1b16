"""`beleg ir compare` from files to figures, beside pytrec_eval for the queries and scipy for the statistics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

from cli.projects import beleg

QUERIES = 70


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgements and two runs; the second lacks three queries."""
    rng = np.random.default_rng(21)
    made = tmp_path_factory.mktemp("runs")
    judged = [f"q{i} 0 d{d} {grade}\n" for i in range(QUERIES) for d, grade in enumerate(rng.integers(0, 3, 12))]
    (made / "qrels").write_text("".join(judged))
    for name, quality in (("old", 0.6), ("new", 0.9)):
        lines = []
        for i in range(3 if name == "new" else 0, QUERIES):
            grades = np.array([int(line.split()[3]) for line in judged[12 * i : 12 * i + 12]])
            scores = np.round(quality * grades + rng.normal(0, 1, 12), 3) + np.arange(12) * 1e-6
            lines += [f"q{i} Q0 d{d} 0 {score:.6f} {name}\n" for d, score in enumerate(scores)]
        (made / name).write_text("".join(lines))
    return made


def theirs(folder: Path, run: str, measure: str) -> np.ndarray:
    """The values of pytrec_eval, 0 for a query that the run lacks."""
    with (folder / "qrels").open() as judged, (folder / run).open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judged), {measure})
        found = evaluator.evaluate(pytrec_eval.parse_run(lines))
    name = measure.replace(".", "_")
    return np.array([found.get(f"q{i}", {name: 0.0})[name] for i in range(QUERIES)])


def ours(folder: Path, *words: str) -> dict[str, float]:
    done = beleg("ir", "compare", "qrels", "old", "new", "--json", *words, cwd=folder)
    assert done.code == 0, done.err
    found: dict[str, float] = done.json["comparisons"][0]
    return found


@pytest.mark.parametrize(("measure", "their_name"), [("nDCG@10", "ndcg_cut.10"), ("AP", "map"), ("P@5", "P.5")])
def test_the_t_test_and_its_interval(folder: Path, measure: str, their_name: str) -> None:
    new, old = theirs(folder, "new", their_name), theirs(folder, "old", their_name)
    expected = stats.ttest_rel(new, old)
    found = ours(folder, "-m", measure, "--test", "t", "--interval", "t")
    assert found["difference"] == pytest.approx((new - old).mean(), abs=1e-12)
    assert found["p"] == pytest.approx(expected.pvalue, rel=1e-8)
    interval = expected.confidence_interval()
    assert (found["lower"], found["upper"]) == pytest.approx((interval.low, interval.high), rel=1e-8)
    assert (found["wins"], found["losses"]) == (int((new > old).sum()), int((new < old).sum()))


def test_the_randomisation_test(folder: Path) -> None:
    difference = theirs(folder, "new", "map") - theirs(folder, "old", "map")
    expected = stats.permutation_test(
        (difference,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    ).pvalue
    found = ours(folder, "-m", "AP", "--resamples", "20000")["p"]
    assert found == pytest.approx(expected, abs=5 * np.sqrt(2 * expected * (1 - expected) / 20_000) + 1e-4)


def test_wilcoxon(folder: Path) -> None:
    difference = theirs(folder, "new", "map") - theirs(folder, "old", "map")
    expected = stats.wilcoxon(difference.round(9), zero_method="pratt", method="asymptotic").pvalue
    assert ours(folder, "-m", "AP", "--test", "wilcoxon")["p"] == pytest.approx(expected, rel=1e-9)


def test_clustered_means_of_equal_groups(folder: Path) -> None:
    (folder / "groups").write_text("".join(f"q{i}\tg{i // 5}\n" for i in range(QUERIES)))
    difference = theirs(folder, "new", "map") - theirs(folder, "old", "map")
    expected = stats.ttest_1samp(difference.reshape(-1, 5).mean(axis=1), 0.0)
    found = ours(folder, "-m", "AP", "--test", "t", "--interval", "t", "--groups", "groups")
    assert found["p"] == pytest.approx(expected.pvalue, rel=1e-8)
    assert found["lower"] == pytest.approx(expected.confidence_interval().low, rel=1e-8)


def test_what_the_queries_can_show(folder: Path) -> None:
    difference = theirs(folder, "new", "map") - theirs(folder, "old", "map")
    error, df = difference.std(ddof=1) / np.sqrt(QUERIES), QUERIES - 1
    shift = ours(folder, "-m", "AP", "--test", "t", "--interval", "t")["detectable"] / error
    critical = stats.t.ppf(0.975, df)
    assert stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift) == pytest.approx(0.8, abs=1e-6)


def test_nothing_is_said_of_power_where_the_interval_is_wider_than_that_of_t(folder: Path) -> None:
    # The differences of this pair are too skewed for t to be taken.
    assert ours(folder, "-m", "AP")["detectable"] is None


@pytest.mark.shared_data
def test_the_runs_of_trec_eval_with_a_query_left_out(shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / "trec_eval" / "test"
    kept = [line for line in (source / "results.test").read_text().splitlines(keepends=True) if line[:3] != "303"]
    (tmp_path / "part").write_text("".join(kept).replace("STANDARD", "part"))
    done = beleg(
        "ir", "compare", str(source / "qrels.test"), str(source / "results.test"), "part", "-m", "map", "--json",
        cwd=tmp_path,
    )  # fmt: skip
    found = done.json
    assert found["runs"][1]["counts"]["missing"] == 1
    # out.test.aq of trec_eval: map 0.1785 over all three queries, 0.0858 in query 303.
    each = found["comparisons"][0]
    assert each["against_mean"] == pytest.approx(0.1785, abs=5e-5)
    assert each["difference"] == pytest.approx(-0.0858 / 3, abs=5e-5)
    assert each["p"] == 1.0
