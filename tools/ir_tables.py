"""The page of the measures of ranked runs, from their registry."""

from __future__ import annotations

from schema_tables import page, table

from beleg.app.ir.listing import ListedMeasure, listed_measures

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
        "Every measure that `beleg ir eval` computes; `beleg ir measures` prints this list. `@k` is a cutoff, `@p` and "
        "`@m` are shares of the relevant documents. `rel` is the lowest grade that counts as relevant (default 1, or "
        "`--min-rel`); R is the number of relevant documents of a query. Every measure of a list with one grade for "
        "each document takes `judged_only=True` too. How measures are written and what happens in doubtful cases: "
        "[measures of beleg ir](ir-measures.md).",
    ]
    listed = listed_measures()
    for family in dict.fromkeys(each.family for each in listed):
        rows = [_row(each) for each in listed if each.family == family]
        parts += [f"## {family}", *([FORMATS[family]] if family in FORMATS else []), table(HEAD, rows)]
    return page("List of measures of beleg ir", *parts)


def _row(measure: ListedMeasure) -> tuple[str, ...]:
    in_trec = _coded(measure.in_trec_eval) + (f" with `{measure.where}`" if measure.where else "")
    parameters = [
        f"`{name}`" if name == "rel" else f"`{name}`: {wants}"
        for name, wants in measure.parameters.items()
        if name != "judged_only"
    ]
    return _coded(measure.written), measure.says, in_trec or "none", "; ".join(parameters) or "none"


def _coded(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
