"""Measures of ranked runs as printable values, read in the notation of Beleg, ir_measures and trec_eval."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from beleg.core.errors import UsageError

Aggregate = Literal["mean", "sum", "geometric"]

DEFAULT_CUTS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
DEFAULT_LEVELS = tuple(f"{tenth / 10:.2f}" for tenth in range(11))


@dataclass(frozen=True, slots=True)
class Kind:
    """What a measure may take, and what trec_eval calls it."""

    cut: Literal["none", "may", "must"] = "none"
    takes_rel: bool = True
    plain: str | None = None
    """The name that trec_eval gives it without a cutoff."""
    at_cut: str | None = None
    """The name that trec_eval gives it with a cutoff."""
    defaults: tuple[str, ...] = ()
    """The cutoffs that trec_eval takes where none is named."""
    aggregate: Aggregate = "mean"
    summary_only: bool = False
    """Whether trec_eval prints it for all queries together only."""


KINDS: dict[str, Kind] = {
    "NumQ": Kind(takes_rel=False, plain="num_q", aggregate="sum", summary_only=True),
    "NumRet": Kind(takes_rel=False, plain="num_ret", aggregate="sum"),
    "NumRel": Kind(plain="num_rel", aggregate="sum"),
    "NumRelRet": Kind(plain="num_rel_ret", aggregate="sum"),
    "AP": Kind("may", plain="map", at_cut="map_cut", defaults=DEFAULT_CUTS),
    "GMAP": Kind(plain="gm_map", aggregate="geometric", summary_only=True),
    "Rprec": Kind(plain="Rprec"),
    "Bpref": Kind(plain="bpref"),
    "RR": Kind("may", plain="recip_rank"),
    "IPrec": Kind("must", at_cut="iprec_at_recall", defaults=DEFAULT_LEVELS),
    "P": Kind("must", at_cut="P", defaults=DEFAULT_CUTS),
    "R": Kind("must", at_cut="recall", defaults=DEFAULT_CUTS),
    "nDCG": Kind("may", takes_rel=False, plain="ndcg", at_cut="ndcg_cut", defaults=DEFAULT_CUTS),
    "Success": Kind("must", at_cut="success", defaults=("1", "5", "10")),
    "SetP": Kind(plain="set_P"),
    "SetR": Kind(plain="set_recall"),
    "SetF": Kind(plain="set_F"),
    "Judged": Kind("must", takes_rel=False),
}
"""Every measure by the name that ir_measures gives it too."""

TREC_ORDER = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P", "recall", "ndcg", "ndcg_cut", "map_cut", "success", "set_P", "set_recall", "set_F",
)  # fmt: skip
"""The order in which trec_eval prints measures, whatever the order in which they are asked for."""

OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map",
    "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P",
)  # fmt: skip
"""What trec_eval prints where no measure is named."""

_ALIASES = {
    "MAP": "AP",
    "MRR": "RR",
    "BPref": "Bpref",
    "RPrec": "Rprec",
    "NDCG": "nDCG",
    "Recall": "R",
    "SetRecall": "SetR",
}
_PLAIN = {kind.plain: name for name, kind in KINDS.items() if kind.plain}
_AT_CUT = {kind.at_cut: name for name, kind in KINDS.items() if kind.at_cut}
_WRITTEN = re.compile(r"(?P<name>[A-Za-z]+)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cut>[0-9.]+))?")
_PARAMETER = re.compile(r"\s*(?P<key>\w+)\s*=\s*(?P<value>\d{1,6}|'[\w-]*'|\"[\w-]*\")\s*", re.ASCII)
_CUT = re.compile(r"[1-9]\d{0,8}")
_LEVEL = re.compile(r"0?\.\d{1,6}|[01](\.0{0,6})?")


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure with its parameters.

    ``rel`` is the lowest grade that counts as relevant; ``label`` is the name under which the figure was asked for.

    Example:
        >>> str(parse_measure("RR(rel=2)@10")[0])
        'RR(rel=2)@10'
        >>> [measure.label for measure in parse_measure("ndcg_cut.5,10")]
        ['ndcg_cut_5', 'ndcg_cut_10']
    """

    name: str
    cut: int | None = None
    level: float | None = None
    """The share of the relevant documents, for interpolated precision."""
    rel: int = 1
    exponential: bool = False
    label: str = field(default="", compare=False)

    def __str__(self) -> str:
        parameters = f"(rel={self.rel})" if self.rel != 1 else "(dcg='exp-log2')" if self.exponential else ""
        cut = "" if self.cut is None else f"@{self.cut}"
        return f"{self.name}{parameters}{cut if self.level is None else f'@{self.level:g}'}"

    @property
    def kind(self) -> Kind:
        """What holds for all measures of this name."""
        return KINDS[self.name]

    @property
    def trec_stem(self) -> str | None:
        """What trec_eval calls the measure, its cutoff aside, or nothing where it has no such measure.

        The relevance level is an option of a whole call there: a measure that names its own has no name there.
        """
        if self.exponential or "rel=" in self.label:
            return None
        return self.kind.plain if self.cut is None and self.level is None else self.kind.at_cut

    @property
    def trec_name(self) -> str:
        """The name that trec_eval prints, or that of Beleg where trec_eval has no such measure."""
        stem = self.trec_stem
        if stem is None:
            return self.label if self.rel != 1 else str(self)
        cut = self.cut if self.level is None else f"{self.level:.2f}"
        return stem if cut is None else f"{stem}_{cut}"


def parse_measures(written: Iterable[str], *, min_rel: int = 1) -> tuple[Measure, ...]:
    """Reads measures; a text may hold several, separated by spaces.

    Args:
        written: such as ``nDCG@10``, ``RR(rel=2)@10``, ``ndcg_cut.10``, ``P.5,10``, ``map`` or ``official``.
        min_rel: the lowest grade that counts as relevant, for measures that do not name one.

    Returns:
        The measures in the order named, each once.

    Raises:
        UsageError: if a measure is unknown, or lacks or carries a parameter that it must or cannot have.
    """
    if min_rel < 1:
        raise UsageError(f"the lowest relevant grade is {min_rel}", hint="Give 1 or more: grade 0 means not relevant")
    found: dict[str, Measure] = {}
    for word in (word for text in written for word in text.split()):
        for measure in parse_measure(word, min_rel=min_rel):
            found.setdefault(measure.label, measure)
    if not found:
        raise UsageError("no measure is named", hint="Name one or more, such as nDCG@10, or official")
    return tuple(found.values())


def parse_measure(word: str, *, min_rel: int = 1) -> tuple[Measure, ...]:
    """Reads one word; a name of trec_eval without its cutoffs stands for all that trec_eval would print.

    Raises:
        UsageError: if it is no measure.
    """
    if word == "official":
        return tuple(measure for name in OFFICIAL for measure in parse_measure(name, min_rel=min_rel))
    name, dot, listed = word.partition(".")
    if not dot and name in _PLAIN:
        return (_checked(word, _PLAIN[name], None, min_rel=min_rel, label=word),)
    if name in _AT_CUT:
        cuts = listed.split(",") if dot else KINDS[_AT_CUT[name]].defaults
        return _labelled(_checked(word, _AT_CUT[name], cut, min_rel=min_rel, label="") for cut in cuts)
    stem, _, cut = word.rpartition("_")
    if stem in _AT_CUT:
        return (_checked(word, _AT_CUT[stem], cut, min_rel=min_rel, label=word),)
    return (_in_own_notation(word, min_rel),)


def _labelled(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    return tuple(replace(measure, label=measure.trec_name) for measure in measures)


def _in_own_notation(word: str, min_rel: int) -> Measure:
    matched = _WRITTEN.fullmatch(word)
    name = _ALIASES.get(matched["name"], matched["name"]) if matched else ""
    if matched is None or name not in KINDS:
        raise _unknown(word)
    parameters = _parameters(word, matched["parameters"] or "")
    rel = parameters.pop("rel", None)
    gain = parameters.pop("dcg", "log2")
    if parameters or (rel is not None and not KINDS[name].takes_rel) or (gain != "log2" and name != "nDCG"):
        raise UsageError(f"{word!r} has a parameter that {name} does not take", hint="Write rel=N for binary measures")
    if gain not in ("log2", "exp-log2"):
        raise UsageError(f"{word!r} asks for an unknown gain", hint="Write dcg='log2' or dcg='exp-log2'")
    if rel is not None and not rel.isdigit():
        raise UsageError(f"{word!r} names no whole number as rel", hint="Write rel=2")
    level = min_rel if rel is None else int(rel)
    measure = _checked(word, name, matched["cut"], min_rel=level, label=word)
    return replace(measure, exponential=gain == "exp-log2")


def _parameters(word: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(",") if text.strip() else ():
        matched = _PARAMETER.fullmatch(part)
        if matched is None or matched["key"] in found:
            raise UsageError(f"the parameters of {word!r} cannot be read", hint="Write them as in RR(rel=2)@10")
        found[matched["key"]] = matched["value"].strip("'\"")
    return found


def _checked(word: str, name: str, cut: str | None, *, min_rel: int, label: str) -> Measure:
    kind = KINDS[name]
    if min_rel < 1:
        raise UsageError(
            f"{word!r} counts grade {min_rel} as relevant", hint="Give 1 or more: grade 0 means not relevant"
        )
    rel = min_rel if kind.takes_rel else 1
    if cut is None:
        if kind.cut == "must":
            example = f"{name}@0.1" if name == "IPrec" else f"{name}@10"
            raise UsageError(f"{word!r} needs a cutoff", hint=f"Write {example}")
        return Measure(name, rel=rel, label=label)
    if kind.cut == "none":
        raise UsageError(f"{word!r} has a cutoff, and {name} takes none", hint=f"Write {name}")
    if name == "IPrec":
        if not _LEVEL.fullmatch(cut):
            raise UsageError(f"{word!r} names no recall level from 0 to 1", hint="Write IPrec@0.1")
        return Measure(name, level=float(cut), rel=rel, label=label)
    if not _CUT.fullmatch(cut):
        raise UsageError(f"{word!r} names no cutoff of 1 or more", hint=f"Write {name}@10")
    return Measure(name, cut=int(cut), rel=rel, label=label)


def _unknown(word: str) -> UsageError:
    known: Sequence[str] = [*KINDS, *_PLAIN, *_AT_CUT, "official"]
    near = difflib.get_close_matches(re.split(r"[@.(]", word)[0], known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(KINDS)}, and the names of trec_eval"
    return UsageError(f"there is no measure {word!r}", hint=hint)
