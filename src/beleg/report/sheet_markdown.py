"""An evidence sheet as Markdown: the article's table, case by case, with nothing in it that could act (E2, E10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from beleg.core.decision import Sentence
from beleg.core.evidence import SheetHeader
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.report.safe import markdown_code, markdown_text
from beleg.report.sheet_view import CaseView, ClaimView, HumanView, ObservationView, PassageView, VerdictView, case_view
from beleg.report.sheet_words import counted, filter_words, honest_failure_word
from beleg.report.words import phrase, word

COLUMNS = ("claim", "citation", "passage", "attribution", "support", "rationale")


def markdown_parts(
    header: SheetHeader, wanted: SheetFilter, cases: Iterable[ExportedCase], *, language: str = "en"
) -> Iterator[str]:
    """The sheet piece by piece: its head, then case by case.

    Names, answers and passages are neutralised: no HTML, link, mention or table cell can come out of them.

    Args:
        header: what all cases share.
        wanted: what was asked for.
        cases: the cases that the filter takes, in order.
        language: ``en`` or ``de``.
    """
    yield f"# {_say(sheet_headline(header), language)}\n\n{word('sheet.no_score', language)}\n"
    if not wanted.is_empty:
        yield f"\n{_say(filtered_sentence(header, wanted), language)}\n"
    told = (("suite", f"{header.suite_name} {header.suite_version}"), ("manifest", header.manifest_digest),
            ("cases_digest", header.cases_digest or word("sheet.unknown", language)))  # fmt: skip
    yield "\n" + "\n".join(f"- {word(f'sheet.{key}', language)}: {markdown_code(text)}" for key, text in told) + "\n"
    found = False
    for exported in cases:
        found = True
        yield f"\n{_case(case_view(exported), language)}\n"
    if not found:
        yield f"\n{word('sheet.none_found', language)}\n"


def sheet_headline(header: SheetHeader) -> Sentence:
    """What the sheet is of, and how much it holds; never how much of it is good."""
    return phrase(
        "sheet.headline",
        run=header.run_id,
        claims=counted("claims", header.claim_count),
        cases=counted("cases", header.case_count),
    )


def filtered_sentence(header: SheetHeader, wanted: SheetFilter) -> Sentence:
    """That only a part is shown, and of how much."""
    return phrase(
        "sheet.filtered",
        filter=filter_words(wanted),
        claims=counted("claims", header.claim_count),
        cases=counted("cases", header.case_count),
    )


def _case(view: CaseView, language: str) -> str:
    case = view.case
    repeat = f" · {word('sheet.repeat', language)} {case.repeat}" if case.repeat else ""
    answer = markdown_text(case.answer) if case.answer is not None else word("sheet.no_answer", language)
    parts = [
        f"## {markdown_text(case.case_id)}{repeat}",
        f"**{word('sheet.question', language)}** {markdown_code(case.query_id)}: {markdown_text(case.question)}",
        f"**{word('sheet.answer', language)}** {markdown_code(case.answer_id)}: {answer}",
        _facts(view, language),
        _table(view, language),
        _say(counted("left_out", view.left_out), language) if view.left_out else "",
        *(_beside(claim, language) for claim in view.claims),
        _passages(view, language),
    ]
    return "\n\n".join(part for part in parts if part)


def _facts(view: CaseView, language: str) -> str:
    case = view.case
    lines = [f"- {word('sheet.collection', language)}: {_or_unknown(case.collection, language)}"]
    if case.failure_note is not None:
        lines.append(f"- {word('sheet.failure', language)}: {markdown_text(case.failure_note)}")
    if case.honest_failure is not None:
        outcome = _say(honest_failure_word(case.honest_failure), language)
        lines.append(f"- {word('sheet.honest', language)}: {outcome}")
    lines += [f"- {word('sheet.gaps', language)}: {markdown_text(gap)}" for gap in case.known_gaps]
    lines += _observations(view.observations, language)
    lines += [f"- {word('sheet.lacks', language)}: {markdown_text(part)}" for part in case.missing]
    return "\n".join(lines)


def _table(view: CaseView, language: str) -> str:
    if not view.claims:
        return word("sheet.no_claims", language)
    shown: set[str] = set()
    lines = [[word(f"sheet.{name}", language) for name in COLUMNS], ["---"] * len(COLUMNS)]
    for claim in view.claims:
        lines.append(_row(claim, shown, language))
        shown |= {each.passage.passage_id for each in claim.passages}
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(claim: ClaimView, shown: set[str], language: str) -> list[str]:
    markers = ", ".join(markdown_code(marker, in_table=True) for marker in claim.markers)
    return [
        f"{markdown_text(claim.row.claim_id)}: {markdown_text(claim.wording)}",
        markers or word("sheet.no_citation", language),
        _cited(claim, shown, language),
        _say(claim.attribution.word, language),
        "<br>".join(_verdicts(claim, language)),
        "<br>".join(_rationales(claim, language)),
    ]


def _cited(claim: ClaimView, shown: set[str], language: str) -> str:
    told = [_passage(each, shown, language) for each in claim.passages]
    told += [markdown_text(word("sheet.passage_missing", language, name=name)) for name in claim.unknown_passages]
    return "<br>".join(told) or word("sheet.no_passage", language)


def _passage(view: PassageView, shown: set[str], language: str) -> str:
    name = markdown_text(view.name)
    if view.passage.passage_id in shown:
        return f"{name}, {word('sheet.same_passage', language)}"
    if view.passage.text is None:
        return f"{name}: {word('sheet.text_missing', language)}"
    return f"{name}: {_quoted(view, language)}"


def _quoted(view: PassageView, language: str) -> str:
    text = "".join(_part(part.text, is_quoted=part.is_quoted) for part in view.parts)
    return f"„{text}“" if language == "de" else f"“{text}”"


def _part(text: str, *, is_quoted: bool) -> str:
    """A part of a passage; spaces at its ends stay outside of the emphasis, else it would be none."""
    words = markdown_text(text)
    lead = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and words else ""
    return f"{lead}**{words}**{tail}" if is_quoted and words else f"{lead}{words}{tail}"


def _verdicts(claim: ClaimView, language: str) -> list[str]:
    if claim.machine is None:
        told = [word("sheet.nobody_proposed", language)]
    else:
        told = [f"{_say(claim.machine.word, language)} ({_by(claim.machine, language)})"]
    told += [f"{_human(human, language)}" for human in claim.humans if human.support or human.attribution]
    if claim.adjudication is not None:
        told.append(f"{word('sheet.adjudication', language)}: {_human(claim.adjudication, language)}")
    return told


def _by(verdict: VerdictView, language: str) -> str:
    return f"{word('sheet.machine', language)}: {_say(verdict.decider, language)}"


def _human(human: HumanView, language: str) -> str:
    verdicts = [each.word.in_language(language) for each in (human.attribution, human.support) if each is not None]
    outdated = f", {word('sheet.outdated', language)}" if human.is_outdated else ""
    head = word("sheet.human", language)
    return f"**{', '.join(verdicts)}** ({head}: {markdown_text(human.actor)}, {human.at}{outdated})"


def _rationales(claim: ClaimView, language: str) -> list[str]:
    told = [] if claim.machine is None else _rationale(claim.machine, language)
    for human in (*claim.humans, *((claim.adjudication,) if claim.adjudication is not None else ())):
        for verdict in (human.attribution, human.support):
            if verdict is not None:
                told += [f"{markdown_text(human.actor)}: {line}" for line in _rationale(verdict, language)]
    return told or [markdown_text(claim.attribution.rationale)]


def _rationale(verdict: VerdictView, language: str) -> list[str]:
    told = [markdown_text(verdict.rationale)]
    told += [f"{word('sheet.lacks', language)}: {markdown_text(part)}" for part in verdict.missing]
    told += [f"{word('sheet.flags', language)}: {markdown_text(flag)}" for flag in verdict.flags]
    return told


def _beside(claim: ClaimView, language: str) -> str:
    """What a claim has beside the table: attribution, observations, disputes, notes."""
    row = claim.row
    reason = markdown_text(claim.attribution.rationale)
    lines = [f"- {word('sheet.attribution', language)}: {_say(claim.attribution.word, language)}. {reason}"]
    lines += _observations(claim.observations, language)
    if claim.reviewers:
        lines.append(f"- {word('sheet.reviewers', language)}: {', '.join(map(markdown_text, claim.reviewers))}")
    for human in claim.taken_back:
        lines.append(f"- {word('sheet.superseded', language)}: {_human(human, language)}")
    for who, why in claim.disputes:
        lines.append(f"- {markdown_text(word('sheet.disputed', language, who=who, why=why))}")
    if row.open_note is not None:
        lines.append(f"- {word('sheet.open_note', language)}: {markdown_text(row.open_note)}")
    for who, note in claim.notes:
        lines.append(f"- {word('sheet.open_note', language)} ({markdown_text(who)}): {markdown_text(note)}")
    return f"**{markdown_text(row.claim_id)}**\n\n" + "\n".join(lines)


def _observations(observations: Iterable[ObservationView], language: str) -> list[str]:
    lines = []
    for each in observations:
        about = f" ({', '.join(map(markdown_text, each.subjects))})" if each.subjects else ""
        lines.append(f"- {word('sheet.observation', language)}: {_say(each.observation, language)}{about}")
        lines.append(f"  - {word('sheet.next_check', language)}: {_say(each.next_check, language)}")
    return lines


def _passages(view: CaseView, language: str) -> str:
    lines = []
    for each in view.passages:
        passage = each.passage
        text = _quoted(each, language) if passage.text is not None else word("sheet.text_missing", language)
        digest = markdown_code(passage.passage_digest) if passage.passage_digest else word("sheet.unknown", language)
        lines.append(f"{passage.rank}. {markdown_text(each.name)}: {text} ({word('sheet.digest', language)} {digest})")
    return f"**{word('sheet.all_passages', language)}**\n\n" + "\n".join(lines) if lines else ""


def _or_unknown(text: str | None, language: str) -> str:
    return word("sheet.unknown", language) if text is None else markdown_text(text)


def _say(sentence: Sentence, language: str) -> str:
    return markdown_text(sentence.in_language(language))
