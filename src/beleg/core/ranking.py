"""THE order of a ranked list: score descending, then id descending (the rule of trec_eval)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from beleg.core.errors import DataError, Problem, shown


def ranked(scores: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Sorts scored ids into the one order that every ranked metric of Beleg uses.

    Args:
        scores: ids with scores; an id may occur once.

    Returns:
        Pairs by score descending, ties by id descending (code point order, as trec_eval).

    Raises:
        DataError: if an id occurs twice.

    Example:
        >>> ranked({"d1": 1.0, "d2": 1.0, "d3": 2.0})
        [('d3', 2.0), ('d2', 1.0), ('d1', 1.0)]
    """
    pairs = list(scores.items() if isinstance(scores, Mapping) else scores)
    require_unique([name for name, _ in pairs])
    pairs.sort(key=lambda pair: pair[0], reverse=True)
    pairs.sort(key=lambda pair: pair[1], reverse=True)
    return pairs


def require_unique(ids: Sequence[str]) -> None:
    """Refuses a ranked list in which an id stands twice.

    Raises:
        DataError: naming the first repeated id.
    """
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise DataError(
                Problem(
                    message="a ranked list holds the same id twice",
                    value=shown(name),
                    remedy="Remove the repeat, or fold passages to their parent documents first",
                )
            )
        seen.add(name)


def fold_to_parents(parents: Iterable[str]) -> list[str]:
    """Folds ranked passages to their parent documents: each document keeps its best rank.

    Example:
        >>> fold_to_parents(["d1", "d2", "d1", "d3"])
        ['d1', 'd2', 'd3']
    """
    return list(dict.fromkeys(parents))
