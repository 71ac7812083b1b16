"""Every word of the report in English and German, from one catalogue file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from beleg.core.decision import CheckState, Sentence, Verdict
from beleg.core.score import ScoreStatus
from beleg.core.wording import Words

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
def report_words() -> Words:
    """The catalogue itself."""
    return Words.of(files("beleg.report").joinpath("words.toml").read_text(encoding="utf-8"))


def catalogue() -> Mapping[str, Sentence]:
    """All words by their key, such as ``section.why``."""
    return report_words().phrases


def word(key: str, language: str, **values: object) -> str:
    """One phrase in one language, its ``{placeholders}`` filled.

    Example:
        >>> word("state.INCONCLUSIVE", "de")
        'unentschieden'
    """
    return report_words().word(key, language, **values)


def phrase(key: str, **values: object) -> Sentence:
    """One phrase in both languages; a value that is a `Sentence` is put in by language.

    Example:
        >>> phrase("unit.of", part="3", whole="10").de
        '3 von 10'
    """
    return report_words().phrase(key, **values)


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
