"""What every HTML page of Beleg shares: templates, assets, and a policy that lets nothing in."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import jinja2

from beleg.report.figures import both
from beleg.report.safe import typeset, visible
from beleg.report.words import phrase, status_word
from beleg.text.numbers import number


@cache
def environment() -> jinja2.Environment:
    """The templates, escaping everything, failing on a name that is not given."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("beleg.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(visible=visible, typeset=typeset, status_word=status_word)
    made.filters["grouped"] = lambda value: both(lambda lang: number(value, lang, decimals=0))
    made.globals.update(say=phrase)
    return made


def asset(name: str) -> str:
    """A style sheet or script of the package."""
    return files("beleg.report").joinpath("templates", name).read_text(encoding="utf-8").strip()


def content_security_policy(style: str, script: str | None) -> str:
    """Nothing may be loaded, sent, framed or executed but the texts with these digests.

    Example:
        >>> content_security_policy("", None).split("; ")[2]
        "script-src 'none'"
    """
    allowed = "'none'" if script is None else f"'{_source_digest(script)}'"
    return (
        f"default-src 'none'; style-src '{_source_digest(style)}'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _source_digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
