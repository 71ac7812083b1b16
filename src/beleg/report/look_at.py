"""The claims of the cases that a decision names first: what the evidence sheet says of them (E2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beleg.core.sheet_export import ExportedCase
from beleg.report.safe import markdown_code, markdown_text
from beleg.report.sheet_view import ClaimView, Part, case_view
from beleg.report.words import word

MAX_CASES = 12
MAX_CLAIMS = 40
AROUND_CHARS = 120
"""So much of a passage stands before and behind a quote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAtCase:
    """One case with the claims that are shown of it."""

    case_id: str
    anchor: str
    """The id of its place in the page: a position, so that no name can clash or break out."""
    claims: tuple[ClaimView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsToLookAt:
    """What stands in the sheet about the cases to look at first; never a count by verdict."""

    command: str
    """Shows all of it."""
    cases: tuple[LookedAtCase, ...] = ()
    cases_left_out: int = 0
    claims_left_out: int = 0
    unreadable: str | None = None
    """Why the sheet says nothing."""

    def anchor_of(self, case_id: str) -> str | None:
        """Where the claims of a case stand; ``None`` where they are left out."""
        return next((case.anchor for case in self.cases if case.case_id == case_id), None)


def claims_to_look_at(exported: Iterable[ExportedCase], named: Sequence[str], command: str) -> ClaimsToLookAt:
    """The claims of the named cases, in the order of the names, capped.

    Args:
        exported: those of the cases that the sheet holds.
        named: the ids of all cases to look at first.
        command: what shows all of it.
    """
    by_id: dict[str, list[ClaimView]] = {}
    for each in exported:
        by_id.setdefault(each.case.case_id, []).extend(case_view(each).claims)
    held = [name for name in named if by_id.get(name)]
    shown: list[LookedAtCase] = []
    room = MAX_CLAIMS
    for place, name in enumerate(held[:MAX_CASES], start=1):
        if room:
            shown.append(LookedAtCase(case_id=name, anchor=f"claims-{place}", claims=tuple(by_id[name][:room])))
            room -= len(shown[-1].claims)
    claims = sum(len(by_id[case.case_id]) for case in shown)
    return ClaimsToLookAt(
        command=command,
        cases=tuple(shown),
        cases_left_out=len(held) - len(shown),
        claims_left_out=claims - (MAX_CLAIMS - room),
    )


def excerpts(claim: ClaimView) -> tuple[tuple[str, tuple[Part, ...]], ...]:
    """The passages that a verdict on the claim quotes: the name, and the quotes with a little of what stands around."""
    return tuple(
        (passage.name, tuple(_shortened(part, place, len(passage.parts)) for place, part in enumerate(passage.parts)))
        for passage in claim.passages
        if any(part.is_quoted for part in passage.parts)
    )


def _shortened(part: Part, place: int, total: int) -> Part:
    text = part.text
    head, tail = text[:AROUND_CHARS], text[-AROUND_CHARS:]
    if part.is_quoted or len(text) <= (AROUND_CHARS if place in (0, total - 1) else 2 * AROUND_CHARS):
        return part
    if place == 0:
        return Part(f"… {tail}")
    return Part(f"{head} …") if place == total - 1 else Part(f"{head} … {tail}")


def markdown_claims(found: ClaimsToLookAt | None, language: str, *, limit: int) -> str:
    """The same for a pull request, each text cut to ``limit`` characters."""
    if found is None:
        return ""
    lines = [f"### {word('sheet.claims_to_look_at', language)}", ""]
    if found.unreadable is not None:
        lines.append(markdown_text(word("sheet.unreadable", language, why=found.unreadable), limit=limit))
    for case in found.cases:
        lines.append(f"- {markdown_code(case.case_id, limit=limit)}")
        lines += [f"  - {_claim(claim, language, limit)}" for claim in case.claims]
    lines += ["", *left_out_lines(found, language), markdown_code(found.command)]
    return "\n".join(lines)


def terminal_notes(found: ClaimsToLookAt | None, language: str) -> tuple[str, ...]:
    """The same for the command line: where to look, and why not where that is so."""
    if found is None:
        return ()
    told = [f"{word('sheet.claims_to_look_at', language)}: {found.command}"]
    if found.unreadable is not None:
        told.append(word("sheet.unreadable", language, why=found.unreadable))
    return tuple(told)


def left_out_lines(found: ClaimsToLookAt, language: str) -> list[str]:
    """How much stands only in the sheet."""
    told = []
    if found.claims_left_out:
        told.append(word("sheet.claims_left_out", language, n=found.claims_left_out))
    if found.cases_left_out:
        told.append(word("sheet.cases_left_out", language, n=found.cases_left_out))
    return told


def _claim(claim: ClaimView, language: str, limit: int) -> str:
    head = f"{markdown_text(claim.row.claim_id, limit=limit)}: {markdown_text(claim.wording, limit=limit)}"
    attribution = f"{word('sheet.attribution', language)}: {claim.attribution.word.in_language(language)}"
    if claim.machine is None:
        return f"{head} ({attribution}; {word('sheet.nobody_proposed', language)})"
    proposal = f"{word('sheet.machine', language)}: {claim.machine.word.in_language(language)}"
    return f"{head} ({attribution}; {proposal}. {markdown_text(claim.machine.rationale, limit=limit)})"
