"""The page of the measures of ranked runs, from their registry."""

from __future__ import annotations

from schema_tables import page, table

from beleg.metrics.ranking_runs.kinds import Kind, Option, written_option
from beleg.metrics.ranking_runs.registry import FAMILIES, KINDS

HEAD = ("Measure", "What it is", "In trec_eval", "Parameters")
FORMATS = {
    "Several judges": "Judgements are read as `qrels_jg`: the second field names the judge or group.",
    "Subtopics: novelty and diversity": "Judgements are read as `subtopics`: the second field names the subtopic. "
    "Subtopics with a relevant document count, each the same.",
    "Preferences": "Judgements are read as `prefs` (query, group, subgroup, document, grade) or `qrels_prefs` (four "
    "fields). A higher grade in a subgroup is a preference, and preferences of one group make chains. It is fulfilled "
    "where the better document has the higher score, or is the only one that is returned.",
}


def ir_measures_page() -> str:
    """Every measure, family by family."""
    parts = [
        "Every measure that `beleg ir eval` computes. `@k` is a cutoff, `@p` a share. `rel` is the lowest grade that "
        "counts as relevant (default 1, or `--min-rel`); R is the number of relevant documents of a query. Every "
        "measure of a list with one grade for each document takes `judged_only=True` too. How measures are written "
        "and what happens in doubtful cases: [measures of beleg ir](ir-measures.md).",
    ]
    for title, kinds in FAMILIES.items():
        parts += [f"## {title}", *([FORMATS[title]] if title in FORMATS else []), table(HEAD, map(_row, kinds))]
    return page("List of measures of beleg ir", *parts)


def _row(kind: Kind) -> tuple[str, ...]:
    cut = "@p" if kind.name == "IPrec" else "@m" if kind.cut_is_level else "@k"
    names = {"none": f"`{kind.name}`", "may": f"`{kind.name}`, `{kind.name}{cut}`", "must": f"`{kind.name}{cut}`"}
    trec = [name for name in (kind.plain, f"{kind.at_cut}.{cut[1]}" if kind.at_cut else None) if name]
    said = kind.says if kind.says.split()[0] in KINDS else f"{kind.says[0].upper()}{kind.says[1:]}"
    where = ",".join(f"{name}={written_option(value)}" for name, value in kind.trec_options)
    in_trec = ", ".join(f"`{name}`" for name in trec) + (f" with `{where}`" if where else "")
    return names[kind.cut], said, in_trec or "none", _parameters(kind)


def _parameters(kind: Kind) -> str:
    parts = ["`rel`"] if kind.takes_rel else []
    for each in kind.parameters:
        if each.name != "judged_only":
            parts.append(f"`{each.name}`: {each.wants}{_default(each.default)}")
    return "; ".join(parts) or "none"


def _default(value: Option) -> str:
    if value is None or value == ():
        return ""
    return f", by default {written_option(value)}" if not isinstance(value, tuple) else ""
