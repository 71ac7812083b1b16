"""Two attempts at one frozen case side by side: seven aspects of the case, and its claim rows (E9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beleg.core.case import Case
from beleg.core.decision import Sentence
from beleg.core.evidence import EvidenceCase, EvidencePassage
from beleg.core.locators import LocatorState
from beleg.core.run_comparison import Aspect, ComparedAspect, ComparedCase, Likeness, PassageToday
from beleg.core.trace import Output
from beleg.evidence import comparison_words as words
from beleg.evidence.citations import shown_citation
from beleg.evidence.drift import TodaysSources, located_today
from beleg.evidence.locators import SourceText, locate
from beleg.evidence.row_comparing import RowContext, compare_rows
from beleg.metrics.generation.cited_sentences import cited_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt at a case: what was asked, what came back, and the evidence case made of it."""

    case: Case
    evidence: EvidenceCase
    output: Output | None
    """``None`` where the attempt failed, or was never made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What all cases of two runs share."""

    snapshot: ComparedAspect
    """Whether the documents are the same."""
    configuration: ComparedAspect
    """Whether the systems are the same, but for the model that answered each question."""
    today: TodaysSources | None
    """The sources of the new run; ``None`` where it has no inventory."""
    before: TodaysSources | None = None
    """The sources of the old run; ``None`` where it has no inventory."""


def compare_attempts(old: Attempt, new: Attempt, run: RunContext) -> ComparedCase:
    """Compares two attempts at one case; the old one is what is held to be captured.

    Args:
        old: the attempt of the old run.
        new: that of the new run.
        run: what all cases share.
    """
    drifted = _drifted(old.evidence, new.evidence, run.today)
    query = _query(old.case, new.case)
    rows = RowContext(
        old=old.evidence,
        new=new.evidence,
        same_query=query.likeness is Likeness.SAME,
        same_snapshot=run.snapshot.likeness is Likeness.SAME,
        drifted=frozenset(
            (*(each.passage_id for each in drifted), *_not_there_before(old.evidence, new.evidence, run))
        ),
    )
    claims, only_old, only_new = compare_rows(rows)
    return ComparedCase(
        case_id=old.case.case_id,
        repeat=old.evidence.repeat,
        aspects=(
            query,
            run.snapshot,
            _locator_text(old.evidence, drifted),
            _answer(old.evidence, new.evidence),
            _configuration(old.output, new.output, run.configuration),
            _citations(old, new),
            _passages(old.evidence, new.evidence),
        ),
        drifted=drifted,
        claims=claims,
        only_old=only_old,
        only_new=only_new,
    )


def same(aspect: Aspect) -> ComparedAspect:
    """The aspect is the same."""
    return ComparedAspect(aspect=aspect, likeness=Likeness.SAME)


def changed(aspect: Aspect, detail: Sentence) -> ComparedAspect:
    """The aspect changed, in what is said."""
    return ComparedAspect(aspect=aspect, likeness=Likeness.CHANGED, detail=detail)


def unlike(aspect: Aspect, why: Sentence) -> ComparedAspect:
    """The aspect cannot be compared, and why."""
    return ComparedAspect(aspect=aspect, likeness=Likeness.NOT_COMPARABLE, detail=why)


def _query(old: Case, new: Case) -> ComparedAspect:
    asked = [(each.user_input, each.turns, each.language, each.principal) for each in (old, new)]
    return same(Aspect.QUERY) if asked[0] == asked[1] else changed(Aspect.QUERY, words.QUERY_DIFFERS)


def _without_answer(old: EvidenceCase, new: EvidenceCase) -> Sentence | None:
    """Why there are not two attempts to compare; ``None`` where both ended well."""
    for each, which in ((old, words.NO_ANSWER_OLD), (new, words.NO_ANSWER_NEW)):
        if each.failure_note is not None:
            return words.failed(which, each.failure_note)
    return None


def _answer(old: EvidenceCase, new: EvidenceCase) -> ComparedAspect:
    why_not = _without_answer(old, new)
    for each, which in ((old, words.NO_ANSWER_OLD), (new, words.NO_ANSWER_NEW)):
        why_not = why_not or (which if each.answer is None else None)
    if why_not is not None:
        return unlike(Aspect.ANSWER, why_not)
    return same(Aspect.ANSWER) if old.answer == new.answer else changed(Aspect.ANSWER, words.ANSWER_DIFFERS)


def _configuration(old: Output | None, new: Output | None, shared: ComparedAspect) -> ComparedAspect:
    """As for the whole run, and in addition the model that answered this very question."""
    models = [None if output is None else output.model_answered for output in (old, new)]
    if None not in models and models[0] != models[1]:
        own = words.fields_differ([f"model answered ({models[0]} → {models[1]})"])
        told = shared.detail if shared.likeness is Likeness.CHANGED else None
        joined = own if told is None else Sentence(en=f"{told.en}; {own.en}", de=f"{told.de}; {own.de}")
        return changed(Aspect.CONFIGURATION, joined)
    if shared.likeness is Likeness.SAME and (models[0] is None) != (models[1] is None) and old and new:
        return unlike(Aspect.CONFIGURATION, words.fields_unknown(["model answered"]))
    return shared


def _citations(old: Attempt, new: Attempt) -> ComparedAspect:
    why_not = _without_answer(old.evidence, new.evidence)
    if why_not is None and (old.output is None or new.output is None):
        why_not = words.NO_CITATIONS
    if why_not is not None:
        return unlike(Aspect.CITATIONS, why_not)
    before = _shown(old.output)
    shown = [before, before if _cites_alike(old.output, new.output) else _shown(new.output)]
    if None in shown:
        return unlike(Aspect.CITATIONS, words.NO_CITATIONS)
    return same(Aspect.CITATIONS) if shown[0] == shown[1] else changed(Aspect.CITATIONS, words.CITATIONS_DIFFER)


def _cites_alike(old: Output | None, new: Output | None) -> bool:
    """Whether all that decides which citations are seen is the same, so that they need not be looked for twice."""
    if old is None or new is None:
        return False
    looked_at = [(each.answer, each.citations, each.final_passages()) for each in (old, new)]
    return looked_at[0] == looked_at[1]


def _shown(output: Output | None) -> list[tuple[object, ...]] | None:
    """The citations as a reader saw them, in order; ``None`` where nobody recorded any and the answer has no mark."""
    if output is None:
        return None
    cited = cited_answer(output)
    if output.citations is None and not cited.marks:
        return None
    placed = [each for sentence in cited.sentences for each in sentence.shown]
    made = (shown_citation(each) for each in (*placed, *cited.unplaced))
    return [(each.marker, each.document_id, each.passage_id, each.passages) for each in made]


def _passages(old: EvidenceCase, new: EvidenceCase) -> ComparedAspect:
    why_not = _without_answer(old, new)
    if why_not is not None:
        return unlike(Aspect.PASSAGES, why_not)
    before, after = _by_id(old), _by_id(new)
    gone = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    kept_before = [name for name in before if name in after]
    kept_after = [name for name in after if name in before]
    reworded = [name for name in kept_before if _material(before[name]) != _material(after[name])]
    reordered = kept_before != kept_after
    if gone or added or reworded or reordered:
        return changed(Aspect.PASSAGES, words.passages_differ(gone, added, reworded, reordered=reordered))
    if any(each.passage_digest is None for each in before.values()):
        return unlike(Aspect.PASSAGES, words.NO_WORDS)
    return same(Aspect.PASSAGES)


def _by_id(case: EvidenceCase) -> dict[str, EvidencePassage]:
    return {each.passage_id: each for each in case.passages}


def _material(passage: EvidencePassage) -> tuple[object, ...]:
    """What makes a passage the same one: its document, version, words, and whether the generator saw it."""
    return (passage.document_id, passage.document_version, passage.passage_digest, passage.delivered)


def _locator_text(old: EvidenceCase, drifted: tuple[PassageToday, ...]) -> ComparedAspect:
    if not old.passages:
        found = Likeness.SAME if old.failure_note is None else Likeness.NOT_COMPARABLE
        return ComparedAspect(aspect=Aspect.LOCATOR_TEXT, likeness=found, detail=words.NO_PASSAGE)
    if drifted:
        named = [f"{each.passage_id} ({each.state})" for each in drifted]
        return unlike(Aspect.LOCATOR_TEXT, words.drifted(named))
    return same(Aspect.LOCATOR_TEXT)


def _drifted(old: EvidenceCase, new: EvidenceCase, today: TodaysSources | None) -> tuple[PassageToday, ...]:
    """The passages of the old run that are not known to be where they were."""
    returned = {each.passage_id: SourceText(each.text) for each in new.passages if each.text is not None}
    found = []
    for passage in old.passages:
        state = _state(passage, returned, today)
        if state != LocatorState.OK.value:
            found.append(
                PassageToday.model_validate(
                    {"document_id": passage.document_id, "passage_id": passage.passage_id, "state": state}
                )
            )
    return tuple(found)


def _not_there_before(old: EvidenceCase, new: EvidenceCase, run: RunContext) -> list[str]:
    """The passages that the new run alone returned, and that the old one is not known to have had in its sources."""
    if run.snapshot.likeness is Likeness.SAME:
        return []
    captured = {each.passage_id for each in old.passages}
    return [
        each.passage_id for each in new.passages if each.passage_id not in captured and not _stood(each, run.before)
    ]


def _stood(passage: EvidencePassage, before: TodaysSources | None) -> bool:
    located = None if before is None else located_today(passage, before)
    return located is not None and located.state is LocatorState.OK


def _state(passage: EvidencePassage, returned: Mapping[str, SourceText], today: TodaysSources | None) -> str:
    if passage.locator is None or passage.text is None:
        return "NOT_RECORDED"
    if today is not None:
        located = located_today(passage, today)
        return "NOT_RECORDED" if located is None else located.state.value
    # Without an inventory only what was returned again can be looked at; that it was not returned says nothing.
    again = returned.get(passage.passage_id)
    if again is None:
        return "UNKNOWN"
    if again.digest == passage.passage_digest:
        return LocatorState.OK.value
    state = locate(passage.locator, again).state
    return LocatorState.ORPHAN.value if state is LocatorState.OK else state.value
