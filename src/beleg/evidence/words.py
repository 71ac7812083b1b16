"""What a sheet says in words of its own, in English and in German; the words of answers and judges stay as they are."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.case import Case
from beleg.core.decision import Sentence
from beleg.text.content import likely_language
from beleg.text.normalise import is_english, is_german

MAX_NAMED = 10
"""So many things are named; of more, the number is told."""
MAX_SHOWN_CHARS = 300


def language_of(case: Case) -> str:
    """The language in which rules write their reasons into the sheet of a case: German for a German case, else English.

    Example:
        >>> language_of(Case(case_id="c", user_input="Wann kommt das Paket bei mir an?"))
        'de'
    """
    if is_german(case.language):
        return "de"
    if is_english(case.language):
        return "en"
    return "de" if case.language is None and likely_language(case.question) == "de" else "en"


def listed(names: Sequence[str], language: str) -> str:
    """Names in a row, each cut to a readable length; of very many the first and how many more.

    Example:
        >>> listed(["a", "b", "c"], "de")
        'a, b und c'
    """
    shown = [cut(name) for name in names[:MAX_NAMED]]
    more = len(names) - len(shown)
    joint = " und " if language == "de" else " and "
    if more:
        return ", ".join(shown) + joint + (f"{more} weitere" if language == "de" else f"{more} more")
    return joint.join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def cut(words: str) -> str:
    """Words for a sentence: on one line, and not longer than a sentence bears."""
    line = " ".join(words.split())
    return line if len(line) <= MAX_SHOWN_CHARS else f"{line[: MAX_SHOWN_CHARS - 1]}…"


def of_names(names: Sequence[str], en: str, de: str) -> Sentence:
    """A sentence about names, which stand where ``{}`` does."""
    return Sentence(en=en.format(listed(names, "en")), de=de.format(listed(names, "de")))


NO_TRACE = Sentence(en="the trace of this case", de="der Trace dieses Falls")
NO_ANSWER = Sentence(en="the answer", de="die Antwort")
NO_CITATIONS = Sentence(
    en="the citations as they were shown: they were not recorded, and the answer holds no mark",
    de="die dargestellten Zitate: sie wurden nicht erfasst, und die Antwort enthält keine Marke",
)
NO_FILTERS = Sentence(en="the filters that were applied", de="die angewandten Filter")
NO_DELIVERY = Sentence(
    en="which passages reached the generator",
    de="welche Passagen den Generator erreicht haben",
)
NO_COLLECTION = Sentence(
    en="the version of the source collection (corpus_snapshot of the manifest)",
    de="die Version der Quellensammlung (corpus_snapshot des Manifests)",
)
NO_INVENTORY = Sentence(
    en="the source documents: the run holds no inventory, so locators are over the passages alone",
    de="die Quelldokumente: der Lauf enthält kein Inventar, die Locator beziehen sich nur auf die Passagen",
)
NO_EXPECTATION = Sentence(
    en="what evidence a careful answer needs: the case does not say",
    de="welche Nachweise eine sorgfältige Antwort braucht: der Fall nennt keine",
)
NOBODY_JUDGED = Sentence(
    en="a proposal on support: no judge has looked at this answer",
    de="ein Vorschlag zur Unterstützung: kein Judge hat diese Antwort angesehen",
)
JUDGED_OTHER_WORDS = Sentence(
    en="a proposal on support: what a judge found is about another state of this answer or case",
    de="ein Vorschlag zur Unterstützung: was ein Judge fand, gilt einem anderen Stand dieser Antwort oder dieses Falls",
)


def judge_gave_none(reason: str) -> Sentence:
    """A judge was asked and gave no verdict."""
    return Sentence(
        en=f"a proposal on support: the judge gave none ({cut(reason)})",
        de=f"ein Vorschlag zur Unterstützung: der Judge gab keinen ab ({cut(reason)})",
    )


def texts_missing(passages: Sequence[str]) -> Sentence:
    """Passages whose words were not recorded."""
    return of_names(passages, "the text of {}", "der Text von {}")


def versions_missing(documents: Sequence[str]) -> Sentence:
    """Sources whose version is not known."""
    return of_names(documents, "the version of {}", "die Version von {}")


def not_placed(claim: str) -> Sentence:
    """A claim that a judge stated and whose words were not found in the answer."""
    return Sentence(
        en=f"the place in the answer of a claim that the judge stated: “{cut(claim)}”",
        de=f"die Stelle in der Antwort zu einer Aussage des Judges: „{cut(claim)}“",
    )
