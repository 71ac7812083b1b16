"""The measures of ranked runs as people ask for them."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.metrics.ranking_runs.kinds import Direction, Kind, written_option
from beleg.metrics.ranking_runs.registry import FAMILIES, KINDS


@dataclass(frozen=True, slots=True)
class ListedMeasure:
    """One measure: how it is written, what it is, what trec_eval calls it, and its parameters."""

    family: str
    written: tuple[str, ...]
    says: str
    in_trec_eval: tuple[str, ...]
    where: str
    """The parameters under which the figure is that of trec_eval, where they are not the defaults."""
    parameters: dict[str, str]
    """What may be written for each parameter."""
    better: Direction
    """Which figures are better."""


def listed_measures() -> list[ListedMeasure]:
    """Every measure, family by family.

    Example:
        >>> next(each.written for each in listed_measures() if "nDCG" in each.written)
        ('nDCG', 'nDCG@k')
    """
    return [_listed(family, kind) for family, kinds in FAMILIES.items() for kind in kinds]


def _listed(family: str, kind: Kind) -> ListedMeasure:
    cut = "p" if kind.name == "IPrec" else "m" if kind.cut_is_level else "k"
    plain = (kind.name,) if kind.cut != "must" else ()
    with_cut = (f"{kind.name}@{cut}",) if kind.cut != "none" else ()
    says = kind.says if kind.says.split()[0] in KINDS else f"{kind.says[0].upper()}{kind.says[1:]}"
    return ListedMeasure(
        family=family,
        written=(*plain, *with_cut),
        says=says,
        in_trec_eval=tuple(name for name in (kind.plain, kind.at_cut and f"{kind.at_cut}.{cut}") if name),
        where=",".join(f"{name}={written_option(value)}" for name, value in kind.trec_options),
        parameters=_parameters(kind),
        better=kind.direction,
    )


def _parameters(kind: Kind) -> dict[str, str]:
    found = {"rel": "the lowest relevant grade, by default 1"} if kind.takes_rel else {}
    for each in kind.parameters:
        has_default = each.default is not None and not isinstance(each.default, tuple)
        found[each.name] = each.wants + (f", by default {written_option(each.default)}" if has_default else "")
    return found
