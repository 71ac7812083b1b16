"""Links in README and docs lead to files and headings that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from architecture.source import PROJECT, require_none

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
INLINE = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)", re.MULTILINE)
HTML = re.compile(r"(?:href|src)=[\"']([^\"']+)[\"']")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def pages() -> list[Path]:
    """Every Markdown page that readers are sent to."""
    return sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), PROJECT / "requirements" / "README.md"])


def prose(text: str) -> str:
    """The text without code, in which brackets mean something else."""
    return CODE.sub("", FENCE.sub("", text))


def broken_links(page: Path) -> Iterator[str]:
    linked = prose(page.read_text(encoding="utf-8"))
    place = page.relative_to(PROJECT) if page.is_relative_to(PROJECT) else page.name
    for target in [found for form in (INLINE, REFERENCE, HTML) for found in form.findall(linked)]:
        if ELSEWHERE.match(target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"{place}: {target}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{place}: {target}: there is no such heading"


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of the headings of a page."""
    found: list[str] = []
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return set(found)


def test_every_link_leads_somewhere() -> None:
    assert PROJECT / "README.md" in pages()
    require_none(
        (found for page in pages() for found in broken_links(page)),
        "Correct the path or the heading, counted from the page that holds the link",
    )


def test_the_rule_sees_what_it_forbids(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '# One `two` (3)\n[a](gone.md) [b](page.md#one-two-3) [c](#nothing) ![d](gone.png "title")\n'
        "[e]: gone/\n<a href='gone.html'>f</a> [g](https://example.org/gone) `[h](gone.md)`\n"
        "```\n[i](gone.md)\n```\n",
        encoding="utf-8",
    )
    assert [found.split(": ")[1] for found in broken_links(page)] == [
        "gone.md", "#nothing", "gone.png", "gone/", "gone.html",
    ]  # fmt: skip
