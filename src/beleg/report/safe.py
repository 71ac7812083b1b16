"""Hostile text made harmless: what cannot be seen is shown, what could act is only data."""

from __future__ import annotations

import json
import re
from typing import Any

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
UNSEEN_CLASS_JS = (
    r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    r"\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]"
)
"""The same characters as a JavaScript class (flag ``u``), so that the page shows what Python shows."""

_SCRIPT_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]#|~$])")
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|ms|USD)(?!\w))")
_MENTION = re.compile(r"@(?!(?<=\w@)\d+(?![\w.-]))")
"""Every at sign but that of a cutoff such as ``ndcg@10``, which mentions nobody."""
_ISSUE = re.compile(r"(?i)(\\#|\bGH-)(?=\d)")
_WEB_HOST = re.compile(r"(?i)\bwww(?=\.)")
_ZERO_WIDTH = "\u200b"


def visible(text: str) -> str:
    r"""Replaces control, bidirectional and zero-width characters by their code point in brackets.

    Line feed and tab stay. What is replaced could reorder a line, hide words or drive a terminal.

    Example:
        >>> visible("safe\u202etxt.exe")
        'safe⟦U+202E⟧txt.exe'
    """
    return _UNSEEN.sub(lambda match: f"⟦U+{ord(match.group()):04X}⟧", text.replace("\r\n", "\n"))


def typeset(text: str) -> str:
    """`visible`, with numbers kept beside their unit at the end of a line."""
    return _BEFORE_UNIT.sub("\u00a0", visible(text))


def one_line(text: str, *, limit: int | None = None) -> str:
    """The text on one line, its unseen characters shown, cut with an ellipsis at ``limit`` characters."""
    joined = " ".join(visible(text).split())
    return joined if limit is None or len(joined) <= limit else f"{joined[: limit - 1]}…"


def json_for_script(data: Any) -> str:
    r"""JSON that may stand inside a ``<script>`` element: nothing in it can end the element or open another.

    Example:
        >>> json_for_script("</script>")
        '"\\u003c/script\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, escape in _SCRIPT_ESCAPES.items():
        text = text.replace(character, escape)
    return text


def markdown_text(text: str, *, limit: int | None = None) -> str:
    r"""Text for GitHub Markdown that stays text: no HTML, emphasis, link, table cell, mention, issue or autolink.

    A zero-width space stops what a backslash does not stop: mentions, issue numbers and bare addresses.

    Example:
        >>> markdown_text("a|b <i> *c*")
        'a\\|b &lt;i&gt; \\*c\\*'
    """
    escaped = _MARKDOWN_SPECIAL.sub(r"\\\1", one_line(text, limit=limit).replace("&", "&amp;"))
    escaped = escaped.replace("<", "&lt;").replace(">", "&gt;").replace("://", f":{_ZERO_WIDTH}//")
    for pattern in (_MENTION, _ISSUE, _WEB_HOST):
        escaped = pattern.sub(lambda match: f"{match.group()}{_ZERO_WIDTH}", escaped)
    return escaped


def markdown_code(text: str, *, limit: int | None = None, in_table: bool = False) -> str:
    r"""Text as a Markdown code span, whatever backticks and pipes it holds; nothing in a code span is active.

    Example:
        >>> markdown_code("a`b|c", in_table=True)
        '``a`b\\|c``'
    """
    plain = one_line(text, limit=limit) or " "
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    span = f"{fence}{pad}{plain}{pad}{fence}"
    return span.replace("|", "\\|") if in_table else span
