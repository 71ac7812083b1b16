"""TEDS and GriTS of tables of 100, 400 and 1,500 cells, beside apted where it is installed.

usage: python benchmarks/bench_tables.py [--smoke]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from beleg.metrics.ingestion.grits import grits_content, grits_topology
from beleg.metrics.ingestion.table_grid import grid_of_table
from beleg.metrics.ingestion.table_html import read_table
from beleg.metrics.ingestion.table_similarity import teds
from beleg.metrics.ingestion.table_tree import Node, Table, TableForm
from measuring import Row, is_smoke, show, spend

try:
    import apted
except ImportError:
    apted = None

SIZES = {100: (0.02, 0.5), 400: (0.08, 0.5), 1_500: (0.8, 0.5)}
"""Cells, and the budgets of TEDS and GriTS in CPU seconds."""
MOST_CELLS_OF_PEER = 400
ROUNDS = 3
FORM = TableForm(size="nodes")
LETTERS = np.array(list("abcdefghij"))


def pair(cells: int) -> tuple[Table, Table]:
    """A table, and a copy with a tenth of the cells rewritten, one row and one cell less."""
    rng = np.random.default_rng(cells)
    columns = max(4, round(cells**0.5 / 2.5))

    def words() -> str:
        return " ".join("".join(rng.choice(LETTERS, 5)) for _ in range(rng.integers(1, 5)))

    gold = [[words() for _ in range(columns)] for _ in range(cells // columns)]
    found = [list(row) for row in gold]
    for _ in range(cells // 10):
        found[rng.integers(len(found))][rng.integers(columns)] = words()
    del found[len(found) // 2]
    del found[len(found) // 3][1]
    return read_table(html(gold)), read_table(html(found))


def html(rows: list[list[str]]) -> str:
    """The rows as a document, the first one in the head of the table."""
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<html><body><table><thead>{lines[0]}</thead><tbody>{''.join(lines[1:])}</tbody></table></body></html>"


def least(work: Callable[[], float]) -> tuple[float, float]:
    """The figure, and the least CPU time of several rounds."""
    rounds = [spend(work) for _ in range(ROUNDS)]
    return rounds[0][0], min(spent.cpu_s for _, spent in rounds)


def of_peer(gold: Table, found: Table) -> tuple[float, float] | None:
    """TEDS by apted over the same nodes, and what it took."""
    if apted is None:
        return None

    class Costs(apted.Config):  # type: ignore[misc,name-defined]
        """What renaming costs."""

        def rename(self, one: Node, other: Node) -> float:
            """One where tag or spans differ, else by the text."""
            if (one.tag, one.colspan, one.rowspan) != (other.tag, other.colspan, other.rowspan):
                return 1.0
            return float(Levenshtein.normalized_distance(one.text, other.text))

        def children(self, node: Node) -> Any:
            """What stands in a node."""
            return list(node.children)

    def nodes(node: Node) -> int:
        return 1 + sum(map(nodes, node.children))

    distance, spent = spend(lambda: apted.APTED(gold.root, found.root, Costs()).compute_edit_distance())
    return 1 - distance / max(nodes(gold.root), nodes(found.root)), spent.cpu_s


def main() -> None:
    """Checks that both sides give the same figure, then shows what each took."""
    smoke = is_smoke(__doc__)
    rows = []
    for cells, (budget, grid_budget) in {20: (0.01, 0.1)}.items() if smoke else SIZES.items():
        gold, found = pair(cells)
        value, seconds = least(lambda gold=gold, found=found: teds(gold, found, FORM).value)  # type: ignore[misc]
        theirs = of_peer(gold, found) if cells <= MOST_CELLS_OF_PEER else None
        if theirs is not None and abs(theirs[0] - value) > 1e-9:
            raise SystemExit(f"{value} is not the figure of apted, {theirs[0]}; the ratio would mean nothing")
        note = None if theirs else "apted takes about a minute there" if apted else "apted is not installed"
        rows.append(
            Row(what=f"TEDS, {cells:,} cells", measured=seconds, unit="CPU s", budget=budget,
                peer="apted" if theirs else None, peer_measured=theirs[1] if theirs else None, note=note)
        )  # fmt: skip
        _, seconds = least(
            lambda gold=gold, found=found: teds(gold, found, FORM, structure_only=True).value  # type: ignore[misc]
        )
        rows.append(Row(what=f"TEDS-S, {cells:,} cells", measured=seconds, unit="CPU s", budget=budget))
        grids = grid_of_table(gold), grid_of_table(found)
        for name, measure in (("spans", grits_topology), ("text", grits_content)):
            _, seconds = least(lambda measure=measure, grids=grids: measure(*grids).value)  # type: ignore[misc]
            rows.append(
                Row(what=f"GriTS of {name}, {cells:,} cells", measured=seconds, unit="CPU s", budget=grid_budget)
            )
    setting = f"a tenth of the cells rewritten, one row and one cell less; minimum of {ROUNDS} rounds."
    show("tables", setting, rows, packages=("numpy", "rapidfuzz", "lxml", "apted"), smoke=smoke)


if __name__ == "__main__":
    main()
