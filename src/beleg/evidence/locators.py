"""Locators: made from the words of a text, and found again in a text of today, exactly or not at all (E6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pydantic import ValidationError

from beleg.core.digest import digest_of_text
from beleg.core.errors import DataError, Problem
from beleg.core.locators import CONTEXT_CODE_POINTS, Located, LocatorState, PassageLocator, Span

MIN_EDGE_CODE_POINTS = 12
"""First or last words shorter than this may stand anywhere, and suggest nothing."""


@dataclass(frozen=True, eq=False)
class SourceText:
    """A text with its content address, which is taken once however many locators are made or looked for in it."""

    text: str

    @cached_property
    def digest(self) -> str:
        """The content address of the text."""
        return digest_of_text(self.text)


def make_locator(source: SourceText, span: Span, *, of_document: bool) -> PassageLocator:
    r"""The locator of a stretch of a text. Offsets count code points; nothing is folded.

    Args:
        source: the text.
        span: the stretch.
        of_document: whether the text is the source document, or only a passage as it was returned.

    Raises:
        DataError: if the stretch is empty, reaches beyond the text, or holds half a character (a lone surrogate), which
            no file can keep.

    Example:
        >>> made = make_locator(SourceText("Preis: 5\u00a0€ je Stück"), Span(start=7, end=10), of_document=True)
        >>> made.exact, made.prefix, made.suffix
        ('5\xa0€', 'Preis: ', ' je Stück')
    """
    text, start, end = source.text, span.start, span.end
    if not start < end <= len(text):
        raise DataError(
            Problem(
                message=f"code points {start} to {end} are no stretch of a text of {len(text)}",
                remedy="Name a stretch that holds words of the text",
            )
        )
    try:
        return PassageLocator(
            exact=text[start:end],
            prefix=_before(text, start),
            suffix=_behind(text, end),
            span=span,
            text_digest=source.digest,
            scope="document" if of_document else "passage",
        )
    except ValidationError as error:
        raise DataError(
            Problem(
                message="the text holds half a character (a lone surrogate), which no locator can keep",
                remedy="Read the source again in its own encoding",
            )
        ) from error


def locate(locator: PassageLocator, source: SourceText) -> Located:
    """Looks for the words of a locator in a text of today; never nearly.

    The same words at the same place of the same text are ``OK``. Else the words must stand in the text exactly once;
    where they stand more often, exactly one place must have the same 32 code points on both sides. That is ``MOVED``,
    which a person confirms. Anything else is ``ORPHAN``; where its first or last words stand exactly once, that is
    offered as a suggestion, and is no hit.

    Every search is one pass, whatever the text.

    Example:
        >>> made = make_locator(SourceText("a b c"), Span(start=2, end=3), of_document=True)
        >>> [locate(made, SourceText(text)).state.value for text in ("a b c", "a a b c", "a c", "b or b")]
        ['OK', 'MOVED', 'ORPHAN', 'ORPHAN']
    """
    text, exact, span = source.text, locator.exact, locator.span
    if text[span.start : span.end] == exact and source.digest == locator.text_digest:
        return Located(state=LocatorState.OK, span=span)
    found = _once(text, exact)
    if found is None:
        return Located(state=LocatorState.ORPHAN, suggestion=_suggested(text, exact))
    at = found if found >= 0 else _among_twins(text, locator)
    if at is None:
        return Located(state=LocatorState.ORPHAN)
    return Located(state=LocatorState.MOVED, span=Span(start=at, end=at + len(exact)))


def locator_of(passage: str, document: SourceText | None) -> PassageLocator | None:
    r"""The locator of a passage, in its document where that is known and holds its words exactly once.

    A passage that opens with a line of its own above the words of the document, such as a path of headings, is
    located by the words. Where the document is not known, or holds the words several times or not at all, the locator
    is over the passage itself.

    Returns:
        ``None`` for a passage without text.

    Example:
        >>> document = SourceText("# Returns\n\nWithin 30 days.\n\nNot for sale items.")
        >>> made = locator_of("Returns\nWithin 30 days.", document)
        >>> made.exact, made.scope
        ('Within 30 days.', 'document')
        >>> locator_of("Within 30 days.", None).scope
        'passage'
    """
    if not passage:
        return None
    if document is not None:
        for words in (passage, passage.partition("\n")[2]):
            at = _once(document.text, words) if words.strip() else None
            if at is not None and at >= 0:
                return make_locator(document, Span(start=at, end=at + len(words)), of_document=True)
    return make_locator(SourceText(passage), Span(start=0, end=len(passage)), of_document=False)


def _before(text: str, start: int) -> str:
    return text[max(0, start - CONTEXT_CODE_POINTS) : start]


def _behind(text: str, end: int) -> str:
    return text[end : end + CONTEXT_CODE_POINTS]


def _once(text: str, words: str) -> int | None:
    """Where words stand that stand once; -1 where they stand more often, ``None`` where they do not stand."""
    at = text.find(words)
    if at < 0:
        return None
    return at if text.find(words, at + 1) < 0 else -1


def _among_twins(text: str, locator: PassageLocator) -> int | None:
    """The one place with the words and the same surroundings; short ones end with the text, and fix the place."""
    prefix, exact, suffix = locator.prefix, locator.exact, locator.suffix
    if len(prefix) < CONTEXT_CODE_POINTS:
        at = len(prefix)
    elif len(suffix) < CONTEXT_CODE_POINTS:
        at = len(text) - len(suffix) - len(exact)
    else:
        whole = _once(text, prefix + exact + suffix)
        at = -1 if whole is None or whole < 0 else whole + len(prefix)
    end = at + len(exact)
    is_it = at >= 0 and text[at:end] == exact and _before(text, at) == prefix and _behind(text, end) == suffix
    return at if is_it else None


def _suggested(text: str, exact: str) -> Span | None:
    """From where the first words stand once to where the last words stand once; either alone where only it does."""
    edge = min(CONTEXT_CODE_POINTS, len(exact) // 4)
    if edge < MIN_EDGE_CODE_POINTS:
        return None
    first, last = _once(text, exact[:edge]), _once(text, exact[-edge:])
    has_first, has_last = first is not None and first >= 0, last is not None and last >= 0
    if has_first and has_last and first is not None and last is not None and first < last:
        return Span(start=first, end=last + edge)
    at = first if has_first else last if has_last else None
    return None if at is None else Span(start=at, end=at + edge)
