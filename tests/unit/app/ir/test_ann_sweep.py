from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from beleg.app.ir.ann.figures import figures_of
from beleg.app.ir.ann.grid import merged, parse_index
from beleg.app.ir.ann.points import JOURNAL
from beleg.app.ir.ann.sweep import Step, SweepRequest, Swept, carry_out, prepare
from beleg.app.ir.ann.words import answer, filter_warnings, notes, plan, size
from beleg.core.errors import DataError, EvidenceError, UsageError
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.exact import exact_neighbours

PLAN = ("faiss-hnsw:M=4;efConstruction=20;efSearch=1,4,200", "faiss-ivf:nlist=8;nprobe=1,8", "qdrant-local")


@pytest.fixture
def request_for(tmp_path: Path) -> SweepRequest:
    rng = np.random.default_rng(1)
    np.save(tmp_path / "c.npy", rng.standard_normal((400, 8), dtype=np.float32))
    np.save(tmp_path / "q.npy", rng.standard_normal((30, 8), dtype=np.float32))
    return SweepRequest(
        corpus=tmp_path / "c.npy", queries=tmp_path / "q.npy", out=tmp_path / "out", rounds=1, similarity=Similarity.L2
    )


def sweep(request: SweepRequest, *texts: str, steps: list[Step] | None = None) -> Swept:
    prepared = prepare(request, lambda total: merged(each for text in texts for each in parse_index(text)))
    return carry_out(prepared, None if steps is None else steps.append)


def changed(request: SweepRequest, **fields: object) -> SweepRequest:
    values = {name: getattr(request, name) for name in request.__dataclass_fields__}
    return SweepRequest(**{**values, **fields})


def test_searching_everything_finds_everything_and_less_finds_less(request_for: SweepRequest) -> None:
    found = figures_of(sweep(request_for, *PLAN), 0.9)
    recall = {f"{each.point.kind} {each.point.settings}": each.figures.recall.estimate for each in found.points}
    assert recall["faiss-ivf nlist=8 nprobe=8"] == 1.0
    assert recall["qdrant-local "] == 1.0
    assert recall["faiss-ivf nlist=8 nprobe=1"] < 0.9
    assert (
        recall["faiss-hnsw M=4 efConstruction=20 efSearch=200"] > recall["faiss-hnsw M=4 efConstruction=20 efSearch=1"]
    )
    for each in found.points:
        assert each.figures.recall.n == 30
        assert each.bound <= each.figures.recall.lower <= each.figures.recall.estimate
        assert 0 < each.figures.p50.estimate <= each.figures.p95.estimate <= each.figures.p99.estimate
        assert (each.point.memory is None) == (each.point.kind == "qdrant-local")


def test_what_is_stored_is_not_measured_again(request_for: SweepRequest) -> None:
    first = sweep(request_for, *PLAN[:2])
    steps: list[Step] = []
    again = sweep(request_for, *PLAN, steps=steps)
    assert (first.measured, again.measured) == (5, 1)
    assert again.points[:5] == first.points
    assert again.exact_s is None
    assert [(step.done, step.total) for step in steps if step.unit == "calls"] == [(0, 30), (30, 30)]
    assert sweep(request_for, *PLAN).points == again.points


@pytest.mark.parametrize("change", [{"k": 3}, {"similarity": Similarity.COSINE}, {"seed": 5}, {"shares": (0.5,)}])
def test_a_folder_holds_one_setting(request_for: SweepRequest, change: dict[str, object]) -> None:
    sweep(request_for, PLAN[2])
    (name,) = change
    told = "filters" if name == "shares" else name
    with pytest.raises(UsageError, match=f"holds a sweep of another setting: {told}"):
        sweep(changed(request_for, **change), PLAN[2])


def test_points_are_kept_apart_from_other_exact_neighbours(request_for: SweepRequest, tmp_path: Path) -> None:
    corpus, queries = np.load(request_for.corpus), np.load(request_for.queries)
    rows = exact_neighbours(corpus, queries, 10, Similarity.L2).rows
    far = exact_neighbours(corpus, queries, 400, Similarity.L2).rows[:, -1]
    wrong = rows.copy()
    # A query that the check of a few does not look at.
    wrong[2, 9] = far[2]
    np.save(tmp_path / "wrong.npy", wrong)
    blind = changed(request_for, exact=tmp_path / "wrong.npy")
    with pytest.raises(DataError, match="the exact neighbours of query 2 are wrong"):
        sweep(blind, "faiss-ivf:nlist=8;nprobe=8")
    narrow = sweep(blind, "faiss-ivf:nlist=200;nprobe=1")
    assert narrow.setting.exact is not None
    with pytest.raises(UsageError, match="holds a sweep of another setting: exact"):
        sweep(request_for, "faiss-ivf:nlist=200;nprobe=1")


@pytest.mark.parametrize(
    ("change", "said"), [({"k": 10**9}, "at most the number of rows, 400"), ({"threads": 100_000}, "threads")]
)
def test_what_a_machine_or_a_corpus_does_not_have_is_refused(
    request_for: SweepRequest, change: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        sweep(changed(request_for, **change), PLAN[1])


def test_a_damaged_journal_is_never_used_in_part(request_for: SweepRequest) -> None:
    sweep(request_for, PLAN[1])
    path = request_for.out / JOURNAL
    lines = path.read_bytes().splitlines(keepends=True)
    for broken in (lines[0] + lines[1][:40], lines[1], b"{}\n", lines[0] + lines[0], b"\n" + lines[0]):
        path.write_bytes(broken)
        with pytest.raises(EvidenceError, match=r"points\.jsonl:\d: this is no record of a sweep"):
            sweep(request_for, PLAN[1])


def test_filtered_queries_are_measured_apart(request_for: SweepRequest, tmp_path: Path) -> None:
    (tmp_path / "ct").write_text("rare\n" * 2 + "often\n" * 398)
    (tmp_path / "qt").write_text("rare\n" * 10 + "often\n" * 15 + "never\n" * 5)
    request = changed(request_for, tags=(tmp_path / "ct", tmp_path / "qt"))
    swept = sweep(request, "faiss-ivf:nlist=8;nprobe=1,8", "usearch")
    found = figures_of(swept, 0.9)
    narrow, wide, usearch = found.points
    assert {end: figures.recall.n for end, figures in wide.filtered.items()} == {0.01: 10, 1.0: 15}
    assert all(figures.recall.estimate == 1.0 for figures in wide.filtered.values())
    assert narrow.filtered[0.01].missing > 0
    assert not usearch.filtered
    assert swept.without_rows == 5
    said = [note.en for note in notes(found)]
    assert "usearch has no filters and was not measured with any." in said
    assert any(note.startswith("5 queries bear a tag that no row bears") for note in said)
    assert sweep(request, "faiss-ivf:nlist=8;nprobe=1,8", "usearch").points == swept.points


def test_a_taken_setting_warns_where_a_filter_lowers_its_recall(request_for: SweepRequest) -> None:
    request = changed(request_for, shares=(0.02,))
    found = figures_of(sweep(request, "faiss-ivf:nlist=8;nprobe=3"), 0.05)
    assert found.taken is not None
    hard = figures_of(sweep(request, "faiss-ivf:nlist=8;nprobe=3"), 0.9999)
    (warning,) = filter_warnings(hard)
    assert warning.en.startswith("Under filters that admit up to 10 % of the rows it is not surely above the floor: ")


def test_the_answer_names_the_setting_or_that_none_reaches_the_floor(request_for: SweepRequest) -> None:
    swept = sweep(request_for, "faiss-ivf:nlist=8;nprobe=1,8")
    low, high = answer(figures_of(swept, 0.05)), answer(figures_of(swept, 0.9999))
    assert low.en.startswith("Take faiss-ivf nlist=8 nprobe=")
    assert low.de.startswith("Nimm faiss-ivf nlist=8 nprobe=")
    assert high.en.startswith(
        "No index is surely above recall@10 0.9999; faiss-ivf nlist=8 nprobe=8 comes nearest with 1."
    )
    assert high.de.startswith("Kein Index liegt sicher über recall@10 0,9999; am nächsten kommt")
    told = figures_of(swept, 0.9999).to_json()
    assert told["recommended"] is None
    assert told["points"][told["nearest"]]["search"] == {"nprobe": 8}


def test_the_plan_counts_before_anything_runs(request_for: SweepRequest) -> None:
    prepared = prepare(
        changed(request_for, shares=(0.5, 0.1)), lambda total: [*parse_index(PLAN[0]), *parse_index("usearch")]
    )
    assert plan(prepared) == (
        "Plan: 400 vectors × 8, 30 queries; 2 builds, 4 points, 300 calls; largest index about 118 kB, "
        "three times that while it is built"
    )
    assert not request_for.out.exists()


def test_sizes_are_read_at_a_glance() -> None:
    assert [size(count) for count in (999, 15_300, 1_530_000, 153_000_000)] == ["999 B", "15.3 kB", "1.53 MB", "153 MB"]
    assert size(1_530_000, "de") == "1,53 MB"


SLOW_SWEEP = """
import sys, time
from pathlib import Path
from beleg.app.ir.ann import measuring
from beleg.app.ir.ann.grid import merged, parse_index
from beleg.app.ir.ann.sweep import SweepRequest, carry_out, prepare
from beleg.core.nearest import Similarity
folder = Path(sys.argv[1])
asked = measuring._at_once
def slow(search, queries):
    time.sleep(0.05)
    return asked(search, queries)
measuring._at_once = slow
request = SweepRequest(corpus=folder / "c.npy", queries=folder / "q.npy", out=folder / "out", rounds=1,
                       similarity=Similarity.L2)
plan = merged(parse_index("faiss-ivf:nlist=8;nprobe=1,2,3,4,5,6,7,8"))
carry_out(prepare(request, lambda total: plan), lambda step: None)
"""


def test_a_killed_sweep_goes_on_where_it_stopped(request_for: SweepRequest) -> None:
    child = subprocess.Popen([sys.executable, "-c", SLOW_SWEEP, str(request_for.corpus.parent)])
    journal = request_for.out / JOURNAL
    while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
        assert child.poll() is None, "the sweep ended before it could be killed"
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    stored = journal.read_bytes().count(b"\n") - 1
    finished = sweep(request_for, "faiss-ivf:nlist=8;nprobe=1,2,3,4,5,6,7,8")
    assert len(finished.points) == 8
    assert finished.measured == 8 - stored
    assert not list(request_for.out.glob(".*.partial")) or stored >= 2
