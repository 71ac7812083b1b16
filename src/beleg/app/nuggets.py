"""Nuggets for a suite: proposed by a judge into a file, reviewed there by a person, then taken into the cases (A7)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Case
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.model import StoredModel
from beleg.core.nugget_proposals import NuggetProposal
from beleg.core.score import Score
from beleg.judges.engine import Asker
from beleg.judges.nugget_creation import Sources, nugget_sources, propose_nuggets
from beleg.metrics.batch import Batch, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What a judge proposed, and for which cases it did not."""

    proposals: tuple[NuggetProposal, ...]
    has_nuggets: tuple[str, ...]
    """Cases that have nuggets already; none are proposed for them."""
    without: dict[str, Score]
    """Cases without a proposal, each with the reason."""


def require_new(out: Path) -> None:
    """Refuses a file of proposals that is there already.

    Raises:
        UsageError: if it is there.
    """
    if out.exists():
        raise UsageError(f"{out} is there already", hint="Name another file; what was reviewed is never overwritten")


def open_cases(batch: Batch) -> dict[str, tuple[Case, Sources]]:
    """The cases without nuggets, each once, with what their nuggets may be taken from."""
    found: dict[str, tuple[Case, Sources]] = {}
    for case, row in zip(batch.cases, batch.rows, strict=True):
        if not case.nuggets and case.case_id not in found:
            passages = row.output.final_passages() if isinstance(row, Row) else ()
            found[case.case_id] = (case, nugget_sources(case, passages, batch.matcher))
    return found


async def propose_for_suite(judge: Asker, batch: Batch, out: Path) -> Proposals:
    """Has nuggets proposed for every case that has none, and writes them for a person to review.

    Args:
        judge: who is asked.
        batch: the cases, with traces where a run has some; a case of several repeats is asked once.
        out: the file of proposals, JSON Lines.

    Raises:
        UsageError: if the file is there already; nothing is asked then.

    Returns:
        What was proposed; the file is written only where there is something to review.
    """
    require_new(out)
    asked = open_cases(batch)
    have = tuple(dict.fromkeys(case.case_id for case in batch.cases if case.nuggets))
    # How many are under way at a time is the judge's own limit.
    found = await asyncio.gather(*(propose_nuggets(judge, case, sources) for case, sources in asked.values()))
    made = tuple(one for one in found if isinstance(one, NuggetProposal))
    if made:
        create_bytes(out, _lines(made))
    without = {case_id: one for case_id, one in zip(asked, found, strict=True) if isinstance(one, Score)}
    return Proposals(proposals=made, has_nuggets=have, without=without)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """Which cases took over reviewed nuggets, and which proposals wait for a person."""

    cases: tuple[str, ...]
    nuggets: int
    unreviewed: tuple[str, ...]


def adopt_nuggets(cases: Sequence[Case], proposals: Path, out: Path) -> Adopted:
    """Writes the cases anew with the nuggets that a person accepted; nothing else of them changes.

    Args:
        cases: the cases of the suite.
        proposals: the reviewed file.
        out: the new file of cases; an existing one is never overwritten.

    Raises:
        DataError: if the file is faulty, names a case that the suite does not have, or one that has nuggets already.
    """
    found = {proposal.case_id: proposal for proposal in build_all(NuggetProposal, read_rows(proposals), key="case_id")}
    known = {case.case_id: case for case in cases}
    problems = [
        Problem(
            message="no case of the suite has this id" if case_id not in known else "the case has nuggets already",
            file=str(proposals),
            field="case_id",
            value=shown(case_id),
            remedy="Remove the line, or give the suite that the nuggets were proposed for",
        )
        for case_id in found
        if case_id not in known or known[case_id].nuggets
    ]
    if problems:
        raise DataError(problems)
    accepted = {case_id: proposal.accepted() for case_id, proposal in found.items() if proposal.review is not None}
    written = [case.model_copy(update={"nuggets": accepted.get(case.case_id, case.nuggets)}) for case in cases]
    create_bytes(out, _lines(written))
    return Adopted(
        cases=tuple(case_id for case_id, nuggets in accepted.items() if nuggets),
        nuggets=sum(map(len, accepted.values())),
        unreviewed=tuple(case_id for case_id in found if case_id not in accepted),
    )


def _lines(rows: Sequence[StoredModel]) -> bytes:
    return "".join(json.dumps(row.to_json_dict(), ensure_ascii=False) + "\n" for row in rows).encode()
