"""Words in English and German from one catalogue file, with the form that a number asks for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from beleg.core.decision import Sentence

LANGUAGES: tuple[str, ...] = ("en", "de")


@dataclass(frozen=True, slots=True)
class Words:
    """All phrases of one part of Beleg by their key, such as ``case.answer``."""

    phrases: Mapping[str, Sentence]

    @classmethod
    def of(cls, text: str) -> Self:
        """The phrases of a catalogue in TOML: a table per section, in it ``key = { en = "…", de = "…" }``.

        Raises:
            ValueError: if the text is no TOML, or a phrase lacks a language.
        """
        raw = tomllib.loads(text)
        return cls(
            {
                f"{section}.{key}": Sentence(en=pair["en"], de=pair["de"])
                for section, entries in raw.items()
                for key, pair in entries.items()
            }
        )

    def phrase(self, key: str, **values: object) -> Sentence:
        r"""One phrase in both languages, its ``{placeholders}`` filled; a `Sentence` among them goes in by language.

        Where ``n`` is 1 and the catalogue has ``key_one``, that form is taken.

        Example:
            >>> words = Words.of('[case]\nmany = { en = "{n} cases", de = "{n} Fälle" }\n'
            ...                  'many_one = { en = "1 case", de = "1 Fall" }')
            >>> words.phrase("case.many", n=1).de, words.phrase("case.many", n=2).de
            ('1 Fall', '2 Fälle')
        """
        en, de = (self.word(key, language, **values) for language in LANGUAGES)
        return Sentence(en=en, de=de)

    def word(self, key: str, language: str, **values: object) -> str:
        """One phrase in one language."""
        singular = f"{key}_one"
        found = self.phrases[singular if values.get("n") == 1 and singular in self.phrases else key]
        filled = {
            name: value.in_language(language) if isinstance(value, Sentence) else value
            for name, value in values.items()
        }
        return found.in_language(language).format(**filled)
