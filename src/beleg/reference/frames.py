"""The fixed sentences of the reference RAG, in both languages."""

from __future__ import annotations

from beleg.reference.language import Language

ABSTENTION: dict[Language, str] = {
    "de": "Dazu finde ich in den verfügbaren Quellen keine Angabe.",
    "en": "I cannot find anything about this in the available sources.",
}
PARTIAL: dict[Language, str] = {
    "de": "Zu einem Teil der Frage nennen die verfügbaren Quellen nichts.",
    "en": "The available sources say nothing about one part of the question.",
}
_FOREIGN: dict[Language, str] = {
    "de": "In einer englischsprachigen Quelle steht: „{quote}“",
    "en": 'A German source says: "{quote}"',
}


def framed(quote: str, language: Language) -> str:
    """A quote from a source in the other language, inside a sentence of this one.

    Example:
        >>> framed("Das Packgewicht beträgt 2,6 kg.", "en")
        'A German source says: "Das Packgewicht beträgt 2,6 kg."'
    """
    return _FOREIGN[language].format(quote=quote)
