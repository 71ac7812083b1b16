"""Every word of the report in English and German, from one catalogue file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from beleg.core.decision import CheckState, Sentence, Verdict
from beleg.core.score import ScoreStatus

LANGUAGES: tuple[str, ...] = ("en", "de")

SHAPES: dict[str, str] = {
    Verdict.PASS: "●",
    Verdict.REVIEW: "◐",
    Verdict.BLOCK: "■",
    CheckState.FAIL: "■",
    CheckState.ERROR: "▲",
    CheckState.NOT_EVALUATED: "○",
    CheckState.INCONCLUSIVE: "◐",
}
"""A state is a word, a shape and a colour, never a colour alone."""


@cache
def catalogue() -> dict[str, Sentence]:
    """All words by their key, such as ``section.why``."""
    raw = tomllib.loads(files("beleg.report").joinpath("words.toml").read_text(encoding="utf-8"))
    return {
        f"{section}.{key}": Sentence(en=pair["en"], de=pair["de"])
        for section, entries in raw.items()
        for key, pair in entries.items()
    }


def word(key: str, language: str, **values: object) -> str:
    """One phrase in one language, its ``{placeholders}`` filled.

    Example:
        >>> word("state.INCONCLUSIVE", "de")
        'unentschieden'
    """
    return catalogue()[key].in_language(language).format(**values)


def phrase(key: str, **values: object) -> Sentence:
    """One phrase in both languages; a value that is a `Sentence` is put in by language.

    Example:
        >>> phrase("unit.of", part="3", whole="10").de
        '3 von 10'
    """
    made = {
        language: word(
            key,
            language,
            **{
                name: value.in_language(language) if isinstance(value, Sentence) else value
                for name, value in values.items()
            },
        )
        for language in LANGUAGES
    }
    return Sentence(en=made["en"], de=made["de"])


def state_word(state: CheckState) -> Sentence:
    """How a check ended, as a word."""
    return phrase(f"state.{state.value}")


def reason_word(status: ScoreStatus) -> Sentence:
    """Why a score is missing, as a word."""
    return phrase(f"reason.{status.value}")


def stage_word(stage: str) -> Sentence:
    """A stage of the waterfall; an unknown stage keeps its name."""
    return _known_or_plain(f"stage.{stage}", stage)


def status_word(status: str) -> Sentence:
    """Whether a dimension is the same in both runs; an unknown status keeps its name."""
    return _known_or_plain(f"run.status_{status}", status)


def _known_or_plain(key: str, plain: str) -> Sentence:
    return phrase(key) if key in catalogue() else Sentence(en=plain, de=plain)
