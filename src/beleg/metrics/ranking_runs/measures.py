"""Reads measures in the notation of Beleg, ir_measures and trec_eval."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from beleg.core.errors import UsageError, shown
from beleg.metrics.ranking_runs.kinds import Kind, Measure, Option
from beleg.metrics.ranking_runs.registry import KINDS
from beleg.metrics.ranking_runs.trec_names import AT_CUT, NICKNAMES, PLAIN, trec_name

__all__ = [
    "DEFAULT_MEASURES",
    "KINDS",
    "Kind",
    "Measure",
    "parse_measure",
    "parse_measures",
    "require_higher_is_better",
]

DEFAULT_MEASURES = ("nDCG@10", "RR@10", "R@100", "AP")
"""What is computed where no measure is named."""

MAX_WORD = 300
_ALIASES = {
    "MAP": "AP", "MRR": "RR", "BPref": "Bpref", "RPrec": "Rprec", "NDCG": "nDCG", "Recall": "R", "Precision": "P",
    "SetRecall": "SetR", "MAP_IA": "AP_IA", "STREC": "StRecall", "α_DCG": "alpha_DCG", "α_nDCG": "alpha_nDCG",
}  # fmt: skip
_WRITTEN = re.compile(r"(?P<name>[A-Za-zα]\w*)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cut>[0-9.]+))?")
_PARAMETER = re.compile(
    r"\s*(?P<key>\w+)\s*=\s*(?P<value>\{[^{}]*\}|\[[^\[\]]*\]|'[\w-]*'|\"[\w-]*\"|[\w.+-]+)\s*", re.ASCII
)
_APART = re.compile(r",(?![^{\[]*[}\]])")
_CUT = re.compile(r"[1-9]\d{0,8}", re.ASCII)
_CUT_OF_TREC = re.compile(r"([1-9]\d{0,8})(\.\d{0,9})?", re.ASCII)
_LEVEL = re.compile(r"\d{1,4}(\.\d{0,40})?|\.\d{1,40}", re.ASCII)
_REL = re.compile(r"\d{1,6}", re.ASCII)


def parse_measures(written: Iterable[str], *, min_rel: int = 1) -> tuple[Measure, ...]:
    """Reads measures; a text may hold several, separated by spaces.

    A name of trec_eval with its own cutoffs or parameters takes the place of what the same name stands for in a short
    name such as ``official``.

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
    words = [word for text in written for word in text.split()]
    named = {word.partition(".")[0] for word in words if "." in word and word.partition(".")[0] in {**PLAIN, **AT_CUT}}
    found: dict[str, Measure] = {}
    for word in words:
        inside = NICKNAMES.get(word, (word,))
        for part in (each for each in inside if word not in NICKNAMES or each not in named):
            for measure in parse_measure(part, min_rel=min_rel):
                found.setdefault(measure.label, measure)
    if not found:
        raise UsageError("no measure is named", hint="Name one or more, such as nDCG@10, or official")
    return tuple(found.values())


def require_figures(measures: Iterable[Measure]) -> None:
    """Refuses measures that are texts where figures are wanted.

    Raises:
        UsageError: naming the first of them.
    """
    for measure in measures:
        if measure.kind.aggregate == "text":
            raise UsageError(
                f"{measure.label or measure} is a text, so that runs cannot be compared by it",
                hint="Take a measure such as nDCG@10; beleg ir eval shows this one",
            )


def require_higher_is_better(measures: Iterable[Measure]) -> None:
    """Refuses measures of which the higher figure does not speak for a run: texts, and what tells of lists or labels.

    Raises:
        UsageError: naming the first of them.
    """
    for measure in measures:
        require_figures([measure])
        if measure.kind.direction == "higher":
            continue
        is_lower = measure.kind.direction == "lower"
        why = "is better where it is lower" if is_lower else "does not say which run is better"
        raise UsageError(
            f"{measure.label or measure} {why}, so that runs cannot be compared by it",
            hint="Take a measure such as nDCG@10; beleg ir eval shows this one",
        )


def parse_measure(word: str, *, min_rel: int = 1) -> tuple[Measure, ...]:
    """Reads one word; a name of trec_eval without its cutoffs stands for all that trec_eval would print.

    Raises:
        UsageError: if it is no measure.

    Example:
        >>> [str(each) for each in parse_measure("P.5,10")]
        ['P@5', 'P@10']
    """
    if len(word) > MAX_WORD:
        raise UsageError(f"there is no measure {shown(word)}", hint="Name one such as nDCG@10")
    if word in NICKNAMES:
        return tuple(measure for name in NICKNAMES[word] for measure in parse_measure(name, min_rel=min_rel))
    return _in_notation_of_trec(word, min_rel) or (_in_own_notation(word, min_rel),)


def _in_notation_of_trec(word: str, min_rel: int) -> tuple[Measure, ...]:
    name, dot, listed = word.partition(".")
    if not dot and name in PLAIN and name != "relstring":
        kind = KINDS[PLAIN[name]]
        return (_printed(Measure(kind, rel=_level(word, kind, min_rel), options=kind.trec_options), name),)
    if dot and name in PLAIN and KINDS[PLAIN[name]].trec_parameter:
        return (_with_parameter(word, KINDS[PLAIN[name]], listed, min_rel),)
    if name in AT_CUT:
        return _at_cuts(word, KINDS[AT_CUT[name]], listed.split(",") if dot else None, min_rel)
    stem, _, cut = word.rpartition("_")
    if not cut or not (cut[0].isdecimal() or cut[0] == "."):
        return ()
    if stem in AT_CUT:
        return _at_cuts(word, KINDS[AT_CUT[stem]], [cut], min_rel)
    if stem in PLAIN and KINDS[PLAIN[stem]].trec_parameter:
        return (_with_parameter(word, KINDS[PLAIN[stem]], cut, min_rel),)
    return ()


def _at_cuts(word: str, kind: Kind, cuts: list[str] | None, min_rel: int) -> tuple[Measure, ...]:
    if kind.name == "RelString" and cuts is None:
        return (_printed(Measure(kind, 10), "relstring"),)
    found = []
    for cut in kind.defaults if cuts is None else cuts:
        whole = _CUT_OF_TREC.fullmatch(cut)
        # trec_eval cuts a fraction off a cutoff.
        text = whole[1] if whole and not kind.cut_is_level else cut
        measure = _checked(word, Measure(kind, rel=_level(word, kind, min_rel)), text)
        found.append(_printed(measure, trec_name(measure)))
    return tuple(found)


def _with_parameter(word: str, kind: Kind, text: str, min_rel: int) -> Measure:
    name = kind.trec_parameter or ""
    value = _read(word, kind, name, text)
    options = _ordered(kind, {**dict(kind.trec_options), name: value})
    measure = Measure(kind, rel=_level(word, kind, min_rel), options=options)
    _require_whole(word, measure)
    return _printed(measure, f"{kind.plain}_{text}")


def _printed(measure: Measure, name: str) -> Measure:
    return replace(measure, label=name, printed=name)


def _in_own_notation(word: str, min_rel: int) -> Measure:
    matched = _WRITTEN.fullmatch(word)
    name = _ALIASES.get(matched["name"], matched["name"]) if matched else ""
    if matched is None or name not in KINDS:
        raise _unknown(word)
    parameters = _parameters(word, matched["parameters"] or "")
    # What ir_measures writes as NumRet with a level is the number of relevant documents returned.
    kind = KINDS["NumRelRet" if name == "NumRet" and "rel" in parameters else name]
    rel = parameters.pop("rel", None)
    if rel is not None and not kind.takes_rel:
        raise UsageError(f"{word!r} has a parameter that {kind.name} does not take", hint=_takes(kind))
    if rel is not None and not _REL.fullmatch(rel):
        raise UsageError(f"{word!r} names no whole number as rel", hint="Write rel=2")
    options = {key: _read(word, kind, key, text) for key, text in parameters.items()}
    level = _level(word, kind, min_rel if rel is None else int(rel))
    measure = Measure(kind, rel=level, options=_ordered(kind, options), label=word)
    _require_whole(word, measure)
    return _checked(word, measure, matched["cut"])


def _require_whole(word: str, measure: Measure) -> None:
    """Refuses parameters that leave open what is meant."""
    if measure.kind.parameter("max_rel") is not None:
        hint = f"Write {measure.name}(max_rel=1)"
        if measure.option("max_rel") is None:
            raise UsageError(f"{word!r} does not say the highest grade", hint=hint)
        if measure.number("min_rel") >= measure.number("max_rel"):
            raise UsageError(f"{word!r} has a min_rel that is not below max_rel", hint=hint)
    if measure.name == "Utility" and measure.numbers("weights")[3] and measure.option("collection") is None:
        hint = "Say how many documents there are: Utility(weights=[1,-1,0,0.1],collection=1000)"
        raise UsageError(f"{word!r} counts documents that are not in the list", hint=hint)


def _parameters(word: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _APART.split(text) if text.strip() else ():
        matched = _PARAMETER.fullmatch(part)
        if matched is None or matched["key"] in found:
            raise UsageError(f"the parameters of {word!r} cannot be read", hint="Write them as in RR(rel=2)@10")
        found[matched["key"]] = matched["value"].strip("'\"")
    return found


def _read(word: str, kind: Kind, name: str, text: str) -> Option:
    parameter = kind.parameter(name)
    if parameter is None:
        raise UsageError(f"{word!r} has a parameter that {kind.name} does not take", hint=_takes(kind))
    value = parameter.read(text)
    if value is None:
        raise UsageError(f"{word!r} has a {name} that cannot be", hint=f"Write {parameter.wants}")
    return value


def _ordered(kind: Kind, options: dict[str, Option]) -> tuple[tuple[str, Option], ...]:
    """The options in the order of the kind, without those that say the default."""
    asked = ((each.name, each.default) for each in kind.parameters)
    return tuple((name, options[name]) for name, default in asked if name in options and options[name] != default)


def _takes(kind: Kind) -> str:
    names = [*(["rel"] if kind.takes_rel else []), *(each.name for each in kind.parameters)]
    return f"{kind.name} takes {' and '.join(names)}" if names else f"{kind.name} takes none"


def _level(word: str, kind: Kind, rel: int) -> int:
    if rel < 1:
        raise UsageError(f"{word!r} counts grade {rel} as relevant", hint="Give 1 or more: grade 0 means not relevant")
    return rel if kind.takes_rel else 1


def _checked(word: str, measure: Measure, cut: str | None) -> Measure:
    """The measure with its cutoff or level, which is read."""
    kind, name = measure.kind, measure.name
    example = f"{name}@0.1" if kind.cut_is_level else f"{name}@10"
    if cut is None:
        if kind.cut == "must":
            raise UsageError(f"{word!r} needs a cutoff", hint=f"Write {example}")
        return measure
    if kind.cut == "none":
        raise UsageError(f"{word!r} has a cutoff, and {name} takes none", hint=f"Write {name}")
    if kind.cut_is_level:
        if not _LEVEL.fullmatch(cut) or float(cut) > kind.highest_level:
            raise UsageError(f"{word!r} names no level from 0 to {kind.highest_level:g}", hint=f"Write {example}")
        return replace(measure, level=float(cut))
    if not _CUT.fullmatch(cut):
        raise UsageError(f"{word!r} names no cutoff of 1 or more", hint=f"Write {example}")
    if int(cut) > kind.highest_cut:
        raise UsageError(f"{word!r} goes too deep", hint=f"Write {name}@{kind.highest_cut} at most")
    return replace(measure, cut=int(cut))


def _unknown(word: str) -> UsageError:
    known: Sequence[str] = [*KINDS, *PLAIN, *AT_CUT, *NICKNAMES]
    near = difflib.get_close_matches(re.split(r"[@.(]", word)[0], known, n=1)
    hint = f"Did you mean {near[0]}?" if near else "beleg ir measures lists them; the names of trec_eval work too"
    return UsageError(f"there is no measure {word!r}", hint=hint)
