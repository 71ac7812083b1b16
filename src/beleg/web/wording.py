"""Every word of the pages in English and German."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from beleg.core.wording import Words


@cache
def words() -> Words:
    """The catalogue of the pages."""
    return Words.of(files("beleg.web").joinpath("words.toml").read_text(encoding="utf-8"))
