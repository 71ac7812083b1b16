"""HTML tables and trees for tests, and the tree edit distance as Zhang and Shasha wrote it down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def table(*rows: str, cell: str = "td") -> str:
    """A document with one table; each row is its cells, with a bar between them."""
    lines = ("".join(f"<{cell}>{text}</{cell}>" for text in row.split("|")) for row in rows)
    return f"<html><body><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table></body></html>"


def drawn_tree(choices: Sequence[int]) -> Integers:
    """A tree in postorder: each node above the first hangs below one of the nodes before it, as the numbers say."""
    below: list[list[int]] = [[] for _ in range(len(choices) + 1)]
    for node, choice in enumerate(choices, start=1):
        below[choice % node].append(node)
    left: list[int] = []

    def visit(node: int) -> None:
        first = len(left)
        for child in below[node]:
            visit(child)
        left.append(first)

    visit(0)
    return np.array(left)


def by_the_book(left_a: Integers, left_b: Integers, renaming: Doubles) -> float:
    """Zhang and Shasha's algorithm, number by number."""
    distances = np.zeros((len(left_a), len(left_b)))
    for i in key_roots(left_a):
        for j in key_roots(left_b):
            first, second = int(left_a[i]), int(left_b[j])
            forest = np.zeros((i - first + 2, j - second + 2))
            forest[:, 0], forest[0] = np.arange(i - first + 2), np.arange(j - second + 2)
            for x in range(first, i + 1):
                for y in range(second, j + 1):
                    a, b = x - first, y - second
                    least = min(forest[a, b + 1], forest[a + 1, b]) + 1
                    if left_a[x] == first and left_b[y] == second:
                        distances[x, y] = forest[a + 1, b + 1] = min(least, forest[a, b] + renaming[x, y])
                    else:
                        behind = forest[left_a[x] - first, left_b[y] - second]
                        forest[a + 1, b + 1] = min(least, behind + distances[x, y])
    return float(distances[-1, -1])


def key_roots(left: Integers) -> list[int]:
    """The highest node of every leftmost path, ascending."""
    return sorted({first: node for node, first in enumerate(left.tolist())}.values())
