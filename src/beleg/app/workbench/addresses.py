"""Names of strangers in addresses: one path segment for any name, and one name for any segment.

Percent signs are decoded by servers and proxies before a path is taken apart, so a slash or a dot segment in a name
would change which page is meant. Here letters, digits, ``-``, ``_`` and ``.`` stand for themselves, and every other
byte of the name is ``~`` with two hexadecimal digits.
"""

from __future__ import annotations

import re

from beleg.core.errors import UsageError, shown

_OTHER = re.compile(rb"[^A-Za-z0-9_.-]")
_ESCAPE = re.compile(rb"~([0-9A-F]{2})")


def as_segment(name: str) -> str:
    """A name as one segment of a path.

    Example:
        >>> as_segment("fees-de"), as_segment("a/b?100%"), as_segment("..")
        ('fees-de', 'a~2Fb~3F100~25', '~2E~2E')
    """
    data = _OTHER.sub(lambda match: b"~%02X" % match.group()[0], name.encode())
    # Browsers take segments of nothing but dots for a way through the tree, whatever they are written as.
    return (data.replace(b".", b"~2E") if not data.strip(b".") else data).decode("ascii")


def from_segment(segment: str) -> str:
    """The name that a segment stands for.

    Raises:
        UsageError: if it is none that `as_segment` makes: a page has one address.
    """
    try:
        name = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), segment.encode()).decode()
    except UnicodeError:
        name = ""
    if not name or as_segment(name) != segment:
        raise UsageError(f"the address names nothing: {shown(segment)}")
    return name


def run_path(run_id: str) -> str:
    """Where a run stands."""
    return f"/runs/{as_segment(run_id)}"


def case_path(run_id: str, case_id: str) -> str:
    """Where a case of a run stands."""
    return f"{run_path(run_id)}/cases/{as_segment(case_id)}"
