"""From a run that Python holds to five measures of every query, beside pytrec_eval.

usage: python benchmarks/bench_ir_python.py [--full | --smoke]

Each side is a process of its own that makes the same run by seed, and measures from there: processor time, and how much
memory the evaluation takes beyond what the run takes. The peer only takes dictionaries: it is given one ready-made, and
from frames and arrays it must make its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass

from measuring import Row, show

ROUNDS = 3
FULL_ROUNDS = 2
DICT_BUDGET = 1 / 5
COLUMN_BUDGET = 1 / 3
INPUT = """
import hashlib, json, resource, sys, time
import numpy as np
side, form, queries, depth = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = np.random.default_rng(9)
documents = np.array([rng.choice(8_841_823, depth, replace=False) for _ in range(queries)])
# Scores lie on the grid of single precision, which the peer stores them in.
scores = np.sort(rng.integers(0, 1 << 23, (queries, depth)) / 64, axis=1)[:, ::-1].copy()
names = [str(1_000_000 + number) for number in range(queries)]
qrels = {name: {str(row[each]): 1 for each in rng.integers(0, depth, 1 + (number % 10 == 0))}
         for number, (name, row) in enumerate(zip(names, documents))}
if form == "dict":
    run = {name: dict(zip(map(str, row), held))
           for name, row, held in zip(names, documents.tolist(), scores.tolist())}
elif form == "array":
    run = None
else:
    import polars
    run = polars.DataFrame({
        "query_id": np.repeat(np.array(names), depth),
        "doc_id": polars.Series(documents.reshape(-1)).cast(polars.String),
        "score": scores.reshape(-1),
    })
    run = run if form == "polars" else run.to_arrow() if form == "pyarrow" else run.to_pandas()

def peak_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

def forget_peak():
    with open("/proc/self/clear_refs", "w") as control:
        control.write("5")
"""
OURS = """
from beleg import ir
asked = ["nDCG@10", "RR", "R@100", "R@1000", "AP"]
def work():
    given = ir.ranked_lists(documents, scores, names) if form == "array" else run
    return ir.evaluate(qrels, given, asked)
def rows(report):
    new = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@100": "recall_100", "R@1000": "recall_1000", "AP": "map"}
    return {query: {new[name]: value for name, value in row.items()} for query, row in report.per_query().items()}
"""
PEER = """
import pytrec_eval
def dictionary():
    if form == "dict":
        return run
    if form == "array":
        rows = zip(names, documents.tolist(), scores.tolist())
        return {name: dict(zip(map(str, row), held)) for name, row, held in rows}
    lists = {"polars": "to_list", "pyarrow": "to_pylist", "pandas": "tolist"}[form]
    found = {}
    for query, document, score in zip(*(getattr(run[name], lists)() for name in ("query_id", "doc_id", "score"))):
        held = found.get(query)
        if held is None:
            held = found[query] = {}
        held[document] = score
    return found
def work():
    wanted = {"ndcg_cut.10", "recip_rank", "recall.100,1000", "map"}
    return pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(dictionary())
def rows(found):
    return found
"""
RANX = """
import ranx
asked = ["ndcg@10", "mrr", "recall@100", "recall@1000", "map"]
ranx.evaluate(ranx.Qrels({"q": {"1": 1}}), ranx.Run({"q": {"1": 1.0}}), asked)
def work():
    return ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), asked)
def rows(found):
    return {}
"""
MEASURE = """
forget_peak()
before = peak_kib()
began = time.process_time()
found = work()
spent = time.process_time() - began
memory = peak_kib() - before
text = repr(sorted((query, sorted(row.items())) for query, row in rows(found).items()))
print(json.dumps({"cpu_s": spent, "memory_mb": memory / 1024, "digest": hashlib.sha256(text.encode()).hexdigest()}))
"""
FORMS = ("dict", "polars", "pyarrow", "pandas", "array")
SIDES = {"ours": OURS, "peer": PEER, "ranx": RANX}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many lists, and how long."""

    queries: int
    depth: int

    def __str__(self) -> str:
        return f"{self.queries:,} × {self.depth:,}"


@dataclass(frozen=True, slots=True)
class Spent:
    """What one evaluation took."""

    cpu_s: float
    memory_mb: float
    digest: str


def measured(side: str, form: str, sizes: Sizes) -> Spent:
    """Evaluates once in a fresh interpreter."""
    words = [side, form, str(sizes.queries), str(sizes.depth)]
    program = INPUT + SIDES[side] + MEASURE
    ended = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{side} failed on {form}: {ended.stderr[-2000:]}")
    return Spent(**json.loads(ended.stdout.splitlines()[-1]))


def compared(sizes: Sizes, *, with_ranx: bool, rounds: int) -> list[Row]:
    """All forms at one size, in turn."""
    sides = [(side, form) for form in FORMS for side in ("ours", "peer")]
    found: dict[tuple[str, str], list[Spent]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, form in sides:
            found[side, form].append(measured(side, form, sizes))
    if with_ranx:
        # Minutes of compiling, once.
        found["ranx", "dict"] = [measured("ranx", "dict", sizes)]
    digests = {each.digest for (side, _), all_spent in found.items() if side != "ranx" for each in all_spent}
    if len(digests) != 1:
        raise SystemExit("the figures differ from those of pytrec_eval; the ratio would mean nothing")
    cpu = {side: min(each.cpu_s for each in spent) for side, spent in found.items()}
    memory = {side: min(each.memory_mb for each in spent) for side, spent in found.items()}
    rows = []
    for form in FORMS:
        peer, ours = ("peer", form), ("ours", form)
        share = DICT_BUDGET if form == "dict" else COLUMN_BUDGET
        name = "pytrec_eval" if form == "dict" else "pytrec_eval, its dictionary made"
        rows += [
            Row(what=f"{form} {sizes}", measured=cpu[ours], unit="CPU s", budget=cpu[peer] * share, peer=name,
                peer_measured=cpu[peer]),
            Row(what=f"{form} {sizes}, memory beyond the run", measured=memory[ours], unit="MB", peer=name,
                peer_measured=memory[peer]),
        ]  # fmt: skip
    if with_ranx:
        ranx = ("ranx", "dict")
        rows += [
            Row(what=f"dict {sizes}, beside ranx", measured=cpu["ours", "dict"], unit="CPU s", peer="ranx, compiled",
                peer_measured=cpu[ranx]),
            Row(what=f"dict {sizes}, memory beside ranx", measured=memory["ours", "dict"], unit="MB",
                peer="ranx, compiled", peer_measured=memory[ranx]),
        ]  # fmt: skip
    return rows


def main() -> None:
    """Checks that all sides give the same figures, and shows what they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="6,980 × 1,000 and 100,000 × 100, and ranx")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    asked = parser.parse_args()
    sizes = [Sizes(700, 1_000)]
    if asked.full:
        sizes = [Sizes(6_980, 1_000), Sizes(100_000, 100)]
    elif asked.smoke:
        sizes = [Sizes(20, 50)]
    rounds = 1 if asked.smoke else FULL_ROUNDS if asked.full else ROUNDS
    rows = [row for each in sizes for row in compared(each, with_ranx=asked.full, rounds=rounds)]
    setting = (
        "Queries × documents; figures of every query equal to those of pytrec_eval to the last bit; "
        f"minimum of {rounds} rounds in turn, each a process of its own; only the evaluation is measured."
    )
    packages = ("numpy", "polars", "pyarrow", "pandas", "pytrec-eval-terrier", "ranx")
    show("ir_python-full" if asked.full else "ir_python", setting, rows, packages=packages, smoke=asked.smoke)


if __name__ == "__main__":
    main()
