"""How long an audit pack takes to write and to verify, the decision recomputed from its rows.

usage: python benchmarks/bench_pack.py [--smoke]
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import inputs
from beleg.app.gating import gate_runs, store_decision
from beleg.app.pack_contents import PackInputs
from beleg.app.pack_verifying import verify_pack
from beleg.app.packing import PackRequest, pack_run
from beleg.core.case import Case
from beleg.core.suite import Suite
from beleg.run import journal
from beleg.run.folder import RunFolder
from measuring import Row, Spent, is_smoke, show, spend

WRITE_BUDGET_S = 5.0
VERIFY_BUDGET_S = 3.0
PASSAGES = 5
POLICY = """\
policy: bench
require_baseline: {has_baseline}
checks:
  - {{metric: ndcg@10, pass_at: 0.5, block_at: 0.2{margin}}}
  - {{metric: recall@5, pass_at: 0.5, block_at: 0.2{margin}}}
  - {{metric: hit@5, pass_at: 0.5, block_at: 0.2}}
  - {{metric: citation_gold_recall, pass_at: 0.5, block_at: 0.2}}
  - {{metric: failed, zero_tolerance: true}}
  - {{metric: latency_ms, aggregate: p95, pass_at: 5000, block_at: 9000}}
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is packed."""

    cases: int
    words: int
    rounds: int


FULL = Sizes(10_000, 80, 5)
SMOKE = Sizes(60, 20, 1)


def write_run(folder: Path, name: str, given: Sequence[Case], sizes: Sizes, seed: int) -> Path:
    """A run of recorded traces."""
    suite = Suite.of(given, name="bench")
    header = inputs.header(name, given)
    header = header.model_copy(update={"suite_digest": suite.digest, "manifest_digest": header.manifest.digest})
    run = RunFolder(folder / name)
    run.create(header, suite)
    pool = inputs.passage_pool(2_000, words=sizes.words, seed=1)
    found = inputs.traces(given, pool, passages=PASSAGES, seed=seed)
    with run.journal_file.open("wb") as file:
        file.writelines(journal.encode(found[case.case_id][0]) for case in given)
    return run.path


def measure(folder: Path, sizes: Sizes, *, has_baseline: bool) -> tuple[Path, list[Spent], list[Spent]]:
    """Packs and verifies several times; every round counts."""
    given = inputs.cases(sizes.cases, segments=4)
    run = write_run(folder, "candidate", given, sizes, 2)
    baseline = write_run(folder, "baseline", given, sizes, 3) if has_baseline else None
    policy = folder / "policy.yaml"
    margin = ", margin: 0.02" if has_baseline else ""
    policy.write_text(POLICY.format(has_baseline=str(has_baseline).lower(), margin=margin), encoding="utf-8")
    store_decision(gate_runs(run, baseline, policy), run / "decision" / "decision.json")
    request = PackRequest(inputs=PackInputs(run=run, baseline=baseline, policy=policy))
    target = folder / "bench.pack.zip"
    written, verified = [], []
    for _ in range(sizes.rounds):
        written.append(spend(lambda: pack_run(request, target))[1])
        verdict, spent = spend(lambda: verify_pack(target))
        assert verdict.holds, verdict.lines()
        verified.append(spent)
    return target, written, verified


def peer(path: Path) -> Spent:
    """The standard library's own check of a zip file: every checksum, and nothing of what the file says."""
    with zipfile.ZipFile(path) as archive:
        return spend(archive.testzip)[1]


def rows(what: str, target: Path, written: list[Spent], verified: list[Spent]) -> list[Row]:
    """The medians, with every round in the note."""

    def row(verb: str, spent: list[Spent], budget: float, **more: object) -> Row:
        walls = sorted(item.wall_s for item in spent)
        cpus = sorted(item.cpu_s for item in spent)
        note = f"all rounds {', '.join(f'{wall:.2f}' for wall in walls)} s; CPU {', '.join(f'{c:.2f}' for c in cpus)} s"
        return Row(what=f"{verb}, {what}", measured=walls[len(walls) // 2], unit="s", budget=budget, note=note, **more)  # type: ignore[arg-type]

    checked = peer(target)
    return [
        row("written", written, WRITE_BUDGET_S),
        row("verified", verified, VERIFY_BUDGET_S, peer="zipfile.testzip", peer_measured=checked.wall_s),
    ]


def main() -> None:
    """Measures a pack of one run, and a pack of two runs."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    found: list[Row] = []
    for what, has_baseline in (("one run", False), ("candidate and baseline", True)):
        with tempfile.TemporaryDirectory() as folder:
            found += rows(what, *measure(Path(folder), sizes, has_baseline=has_baseline))
    setting = (
        f"{sizes.cases:,} cases, {PASSAGES} passages of {sizes.words} words each, a policy of six checks; "
        "verifying reads every digest, scores every run from its traces and decides again"
    )
    show("pack", setting, found, packages=("numpy", "pydantic"), smoke=smoke)


if __name__ == "__main__":
    main()
