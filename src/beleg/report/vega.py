"""Drawings by vl-convert: from a description to SVG that takes its colours from the page it stands in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from beleg.report.chart import GERMAN_LOCALE

_NOISE = re.compile(r' (?:aria-[a-z]+|role|pointer-events|xmlns:xlink|version)="[^"]*"')
_BACKGROUND = re.compile(r'<path class="(?:background|foreground)"[^>]*/>')
_TAG = re.compile(r"<[a-z]+ [^>]*>")
_COLOUR = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})" ?')
_FONT = 'font-family="system-ui, sans-serif"'


def vega_svg(spec: dict[str, Any], language: str) -> str:
    """The drawing of a Vega-Lite description, without what only its library needs; nothing is fetched for it."""
    import vl_convert  # optional, and slow to load

    svg: str = vl_convert.vegalite_to_svg(
        spec, allowed_base_urls=[], format_locale=GERMAN_LOCALE if language == "de" else None
    )
    svg = re.sub(r'font-family="[^"]*"', _FONT, _BACKGROUND.sub("", svg))
    return _NOISE.sub("", re.sub(r' class="[^"]*"', "", svg))


def classed(svg: str, class_of: Mapping[str, str]) -> str:
    """Colours become classes; an element with a fill and a stroke has one attribute with two of them.

    Example:
        >>> classed('<path fill="#010111" d="M0"/>', {"#010111": "v-ink"})
        '<path class="v-ink-fill" d="M0"/>'
    """
    return _TAG.sub(lambda tag: _with_classes(tag[0], class_of), svg)


def on_page(svg: str, name: str) -> str:
    """The drawing at the size that the page gives it, with a name for who does not see it.

    Example:
        >>> on_page('<svg width="10" height="5" viewBox="0 0 10 5"/>', "A & B")
        '<svg role="img" aria-label="A &amp; B" viewBox="0 0 10 5"/>'
    """
    head = f'<svg role="img" aria-label="{escape(name)}"'
    return re.sub(r'^<svg(?: xmlns="[^"]*")? width="[\d.]+" height="[\d.]+"', lambda _: head, svg, count=1)


def _with_classes(tag: str, class_of: Mapping[str, str]) -> str:
    classes = [f"{class_of[colour]}-{what}" for what, colour in _COLOUR.findall(tag) if colour in class_of]
    if not classes:
        return tag
    name, _, rest = _COLOUR.sub("", tag).partition(" ")
    return f'{name} class="{" ".join(classes)}" {rest}'
