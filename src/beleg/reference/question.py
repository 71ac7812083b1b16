"""Takes a question apart: its parts, their informative words, and the kind of answer they ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from beleg.reference.analysis import STOPWORDS, plain_words
from beleg.reference.language import Language
from beleg.reference.word_lists import listed
from beleg.text.sentences import sentences

BACKGROUND_WEIGHT = 0.4
"""What words of the question's other parts and of sentences around it count, against its own words."""

FILLERS: dict[Language, frozenset[str]] = {
    "de": listed(
        """
        bitte brauche braucht dabei dafür danach darf dauert denn eigentlich einfach erst etwas gehört genau geht
        gern gerne gibt gilt gut hallo heißt hoch ihnen innerhalb jetzt kommt kommen kriege kosten kostet lang lange
        liegt macht man mehr mindestens muss möchte müssen nötig pro schnell schon sollte teuer trotzdem viel viele
        vorher wann warum was weit welche welchem welchen welcher welches wer wieso wieviel will wo wofür wohin
        wollen würde
        """
    ),
    "en": listed(
        """
        about after again also any anything before cost costs different else ever every exactly far get gets give
        given go going got happen happens hello hi just know like long made make makes many may maximum mean means
        minimum much must need needed needs new now often one only over own per please really right say says shall
        should soon still take takes tell than thanks use using want when why without wonder would work works
        """
    ),
}
"""Words of a question that say how it is asked, not what it is about."""


class AnswerKind(StrEnum):
    """What an answer must hold to be one."""

    ANY = "any"
    MONEY = "money"
    TIME = "time"
    NUMBER = "number"
    RULING = "ruling"
    """Whether something is allowed, possible or owed."""


_MONEY_ASKED = re.compile(
    r"\b(kostet|kosten|preis|\w*preise?|gebühr\w*|zahl(?:e|en|t)|teuer|wie\s+hoch|aufpreis|betrag|kaution"
    r"|cost|costs|price|fee|pay|charge|surcharge|deposit|how\s+much)\b",
    re.IGNORECASE,
)
_TIME_ASKED = re.compile(
    r"\b(wie\s+lange|wie\s+viel\w*\s+(?:tage\w*|wochen|monat\w*|stunden|minuten|jahre\w*)|bis\s+wann|wie\s+oft|wie\s+schnell|frist|dauer|dauert|öffnungszeit\w*"
    r"|how\s+long|how\s+often|how\s+soon|how\s+many\s+(?:days|weeks|months|hours|minutes|years)|deadline|opening\s+hours|by\s+when)\b",
    re.IGNORECASE,
)
_NUMBER_ASKED = re.compile(
    r"\b(wie\s+viele?|wie\s+schwer|wie\s+groß|wie\s+weit|wie\s+hoch|how\s+many|how\s+heavy|how\s+far|how\s+high|how\s+big|what\s+size)\b",
    re.IGNORECASE,
)
_RULING_ASKED = re.compile(
    r"^\W*(?:(?:also|so|und|and)\W+)?(?:kann|kannst|können|darf|dürfen|muss|müssen|ist|sind|geht|gibt|gilt|gelten|bekomme"
    r"|can|could|may|must|do|does|is|are|will)\b",
    re.IGNORECASE,
)
_RULING = re.compile(
    r"\b(?:nicht|kein\w*|nein|ja|nur|nie|niemals|darf\w*|dürfen|können|kann\w*|muss|müssen|möglich|ausgeschlossen|ausgenommen"
    r"|erlaubt|verboten|kostenlos|jederzeit|immer|auch"
    r"|not|no|never|yes|only|may|can|cannot|must|possible|excluded|allowed|forbidden|free|always|any|also)\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"€|\b(?:euro?s?|cent|kostenlos\w*|kostenfrei\w*|gratis|free|umsonst)\b|\d+\s*(?:%|prozent|per\s*cent|percent)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:tag\w*|\w*tage[ns]?|woche\w*|\w*wochen|monat\w*|stunde\w*|minute\w*|jahr\w*|uhr|sofort|werktag\w*|täglich"
    r"|days?|weeks?|months?|hours?|minutes?|years?|nights?|nächte\w*|immediately|am|pm|noon)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|two|three|four|five|six|seven|eight|nine|ten|twelve)\b",
    re.IGNORECASE,
)

_NEEDED = {
    AnswerKind.MONEY: _MONEY,
    AnswerKind.TIME: _TIME,
    AnswerKind.NUMBER: _NUMBER,
    AnswerKind.RULING: _RULING,
}

_ASKS = (
    r"wann|wie|wo|was|welche\w*|wer|warum|wohin|womit|ob|kann|darf|muss|gibt"
    r"|how|when|what|where|which|who|why|do|does|can|may|must|is|are|will"
)
_LEAD = r"(?:(?:ab|bis|in|an|auf|für|by|until|from|for|at|zu)\s+)?"
_JOINT = re.compile(
    rf"(?:,\s*|\s+)(?:und|sowie|oder|and|or)\s+(?={_LEAD}(?:{_ASKS})\b)",
    re.IGNORECASE,
)
_STARTS_ASKING = re.compile(rf"^\W*{_LEAD}(?:{_ASKS})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is asked, with the weight of each of its words."""

    text: str
    words: dict[str, float]
    kind: AnswerKind


def question_parts(question: str, language: Language) -> list[Part]:
    """The separate things that a question asks, in order.

    Sentences around the question and its other parts lend their words with a smaller weight: "When does it start?"
    alone does not say what "it" is.

    Example:
        >>> parts = question_parts("Can I return sale items, and when does refund processing start?", "en")
        >>> [part.text for part in parts]
        ['Can I return sale items', 'when does refund processing start?']
    """
    spoken = sentences(question)
    asked = [sentence for sentence in spoken if _asks(sentence)] or spoken
    texts = [text.strip() for sentence in asked for text in _JOINT.split(sentence) if text.strip()]
    everything = informative_words(question, language)
    parts = []
    for text in texts:
        own = informative_words(text, language)
        words = {word: 1.0 if word in own else BACKGROUND_WEIGHT for word in everything}
        parts.append(Part(text=text, words=words, kind=answer_kind(text)))
    return parts


def informative_words(text: str, language: Language) -> list[str]:
    """The distinct words of a question that say what it is about, in order; all words where none does."""
    found = list(dict.fromkeys(plain_words(text)))
    kept = [word for word in found if word not in STOPWORDS[language] and word not in FILLERS[language]]
    return kept or found


def answer_kind(text: str) -> AnswerKind:
    """What an answer to this must hold.

    Example:
        >>> answer_kind("Wie lange habe ich Zeit?").value, answer_kind("What does it cost?").value
        ('time', 'money')
    """
    for pattern, kind in (
        (_TIME_ASKED, AnswerKind.TIME),
        (_MONEY_ASKED, AnswerKind.MONEY),
        (_NUMBER_ASKED, AnswerKind.NUMBER),
        (_RULING_ASKED, AnswerKind.RULING),
    ):
        if pattern.search(text):
            return kind
    return AnswerKind.ANY


def holds_kind(text: str, kind: AnswerKind) -> bool:
    """Whether a text holds what this kind of answer needs.

    Example:
        >>> holds_kind("It takes 3 days.", AnswerKind.TIME), holds_kind("It starts on arrival.", AnswerKind.TIME)
        (True, False)
    """
    needed = _NEEDED.get(kind)
    return needed is None or needed.search(text) is not None


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”“ ").endswith("?") or _STARTS_ASKING.match(sentence) is not None
