"""Every word of the pages in English and German."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from importlib.resources import files
from math import ceil

from beleg.core.wording import Words


@cache
def words() -> Words:
    """The catalogue of the pages."""
    return Words.of(files("beleg.web").joinpath("words.toml").read_text(encoding="utf-8"))


def time_left(left: timedelta, catalogue: Words, language: str) -> str:
    """Hours and minutes that are left, every begun minute counted; "over" once there are none.

    Example:
        >>> time_left(timedelta(hours=1, minutes=2), words(), "de"), time_left(timedelta(seconds=5), words(), "en")
        ('noch 1 Stunde, 2 Minuten', '1 minute left')
    """
    if left <= timedelta():
        return catalogue.word("overrides.over", language)
    hours, minutes = divmod(ceil(left / timedelta(minutes=1)), 60)
    parts = [
        catalogue.word(f"overrides.{name}", language, n=n)
        for name, n in (("hours_of", hours), ("minutes_of", minutes))
        if n
    ]
    return catalogue.word("overrides.left", language, left=", ".join(parts))
