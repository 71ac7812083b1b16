"""The worked rows of citation and nugget scores, made into the evidence that a judge would give."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from beleg.core.trace import Citation
from beleg.judges.measures.cited_sources import Asked, CitedSources, Verdict, cited_sources
from beleg.metrics.batch import Row
from beleg.metrics.generation.citation_support import Carries, CitationSupport, Figure, citation_score
from beleg.metrics.generation.nuggets import Assignment, NuggetAssignment, NuggetFinding
from unit.metrics.building import case, one, passage

ROWS: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent.parent / "oracles" / "citation_rows.toml").read_text("utf-8")
)

_ASSIGNED = {"S": Assignment.SUPPORT, "P": Assignment.PARTIAL_SUPPORT, "N": Assignment.NOT_SUPPORT}


def row_of(answer: str | None, docs: int, *, recorded: bool | None = None, **output: Any) -> Row:
    """An answer over numbered passages, all of them recorded under their numbers where the answer cites."""
    names = [f"p{number}" for number in range(1, docs + 1)]
    delivered = tuple(passage(f"d{name}", f"text of {name}", passage_id=name) for name in names)
    is_recorded = "[" in (answer or "") if recorded is None else recorded
    citations = tuple(Citation(marker=name[1:], passage_id=name) for name in names if is_recorded)
    fields: dict[str, Any] = {"answer": answer, "delivered": delivered, "citations": citations, **output}
    (row,) = one(case(), **fields).rows
    assert isinstance(row, Row)
    return row


def evidence_of(entry: Mapping[str, Any]) -> CitationSupport:
    """What a judge finds out about a row whose truth is listed."""
    sources = cited_sources(row_of(entry["answer"], entry["docs"]))
    assert isinstance(sources, CitedSources)
    for step in (sources.alone, sources.joint, sources.without_one):
        for asked in step():
            if not _is_unjudged(sources, asked, entry):
                sources.verdicts[asked] = Verdict(support=_truth(sources, asked, entry))
    return CitationSupport(sentences=sources.findings())


def _is_unjudged(sources: CitedSources, asked: Asked, entry: Mapping[str, Any]) -> bool:
    number, source = asked
    listed: Sequence[str] = entry.get("unjudged", {}).get(sources.answer.sentences[number].text, ())
    return any(name[1:] in listed for name in source)


def _truth(sources: CitedSources, asked: Asked, entry: Mapping[str, Any]) -> Carries:
    number, source = asked
    sentence, held = sources.answer.sentences[number].text, {name[1:] for name in source}
    if any(held >= set(needed.split("+")) for needed in entry.get("carries", {}).get(sentence, ())):
        return Carries.FULL
    return Carries.PARTIAL if held & set(entry.get("partly", {}).get(sentence, ())) else Carries.NONE


def figure_of(found: CitationSupport, flavour: Any, figure: str) -> float | str:
    """A figure as a row names it, such as ``weighted precision``; ``none`` where there is no value."""
    weight, _, name = figure.rpartition(" ")
    kind: Figure = name  # type: ignore[assignment]
    value = citation_score(found, kind, flavour, partial=0.5 if weight else 0.0).value
    return "none" if value is None else value


def nuggets_of(entry: Mapping[str, Any]) -> NuggetAssignment:
    """The nuggets of a row such as ``V:S``: vital, held."""
    return NuggetAssignment(
        nuggets=tuple(
            NuggetFinding(nugget_id=str(number), text="n", vital=code[0] == "V", assignment=_ASSIGNED[code[2]])
            for number, code in enumerate(entry["nuggets"])
        )
    )


def guide_lines() -> list[str]:
    """The rows as the guide shows them: input, figures, and what others give."""
    citations = [
        _line(
            entry,
            f"`{entry['answer']}` over {entry['docs']}",
            [(f"{flavour} {figure}", value) for flavour, figure, value in entry["expected"]],
        )
        for entry in ROWS["citations"]
    ]
    nuggets = [
        _line(entry, f"`{' '.join(entry['nuggets']) or 'none'}`", list(entry["expected"].items()))
        for entry in ROWS["nuggets"]
    ]
    return [*citations, *nuggets]


def _line(entry: Mapping[str, Any], given: str, figures: Sequence[tuple[str, Any]]) -> str:
    ours = ", ".join(f"{name} {_shown(value)}" for name, value in figures)
    theirs = "; ".join(f"{peer}: {figure} {_shown(value)}" for peer, figure, value in entry.get("peers", ()))
    return f"| {entry['what']} | {given} | {ours} | {theirs} |"


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"
