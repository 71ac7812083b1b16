"""How time and memory of evaluating a run file grow with its lines.

usage: python benchmarks/bench_ir_growth.py [--full | --smoke] [--plot FILE.svg]

From ten thousand lines to ten million, with --full to a hundred million; compiled and portable, whole processes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from bench_ir import OURS, process
from measuring import Row, show

DEPTH = 1_000
DEFAULT = (10_000, 100_000, 1_000_000, 10_000_000)
FULL = (*DEFAULT, 100_000_000)
SMOKE = (1_000, 10_000)
BLOCK_QUERIES = 500


def write(folder: Path, lines: int, seed: int) -> tuple[Path, Path]:
    """A run of so many lines; the same lists under new query ids from block to block, so that writing is quick."""
    rng = np.random.default_rng(seed)
    qrels, run = folder / "growth.qrels", folder / "growth.run"
    queries = lines // DEPTH
    bodies = []
    for _ in range(min(queries, BLOCK_QUERIES)):
        documents = rng.choice(8_841_823, DEPTH, replace=False).tolist()
        scores = np.sort(rng.random(DEPTH) * 1_000)[::-1].tolist()
        bodies.append([f" Q0 {name} 0 {score:.6f} t\n" for name, score in zip(documents, scores, strict=True)])
    with qrels.open("w") as judgements, run.open("w") as out:
        for query in range(queries):
            body = bodies[query % len(bodies)]
            out.write("".join(f"{query}{rest}" for rest in body))
            judgements.write(f"{query} 0 {body[query % DEPTH].split()[1]} 1\n")
    return qrels, run


def rows_of(sizes: tuple[int, ...]) -> tuple[list[Row], list[dict[str, float | str]]]:
    """Measures every size both ways."""
    rows, points = [], []
    for lines in sizes:
        with tempfile.TemporaryDirectory() as folder:
            files = write(Path(folder), lines, seed=12)
            megabytes = files[1].stat().st_size / 2**20
            for way, compiled in (("compiled", True), ("portable", False)):
                spent = process(OURS, files, compiled=compiled)
                rows.append(Row(what=f"{lines:,} lines, {way}", measured=spent.cpu_s, unit="CPU s",
                                note=f"{megabytes:,.0f} MiB of text, peak memory {spent.peak_mb:.0f} MB"))  # fmt: skip
                points.append({"way": way, "lines": lines, "CPU seconds": spent.cpu_s, "peak MB": spent.peak_mb})
    return rows, points


def draw(points: list[dict[str, float | str]], path: Path) -> None:
    """Both axes are logarithmic: a straight line of slope one is linear growth."""
    import vl_convert

    scale = {"type": "log", "nice": False}
    decades = {"format": "~s", "values": sorted({point["lines"] for point in points}), "grid": False}
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": "white",
        "width": 420,
        "height": 260,
        "data": {"values": points},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "lines", "type": "quantitative", "scale": scale, "axis": decades, "title": "lines"},
            "y": {
                "field": "CPU seconds",
                "type": "quantitative",
                "scale": scale,
                "title": "CPU seconds of the process",
            },
            "color": {"field": "way", "type": "nominal", "title": None, "scale": {"range": ["#1f6feb", "#b35900"]}},
            "strokeDash": {"field": "way", "type": "nominal", "title": None},
        },
    }
    path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")


def main() -> None:
    """Measures, shows, and draws where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="up to a hundred million lines, 3.7 GB of text")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    parser.add_argument("--plot", type=Path, help="draw the growth into this SVG file")
    asked = parser.parse_args()
    rows, points = rows_of(FULL if asked.full else SMOKE if asked.smoke else DEFAULT)
    if asked.plot is not None:
        draw(points, asked.plot)
    setting = "From files to five measures of every query, whole processes, one round; 1,000 documents a query."
    show("ir_growth-full" if asked.full else "ir_growth", setting, rows, packages=("numpy",), smoke=asked.smoke)


if __name__ == "__main__":
    main()
