"""The sentences and figures of a sweep, in English and German."""

from __future__ import annotations

from beleg.app.ir.ann.figures import PointFigures, SearchFigures, SweepFigures
from beleg.app.ir.ann.sweep import Prepared
from beleg.core.decision import Sentence
from beleg.report.figures import both
from beleg.report.words import phrase
from beleg.text.numbers import NO_BREAK, number

UNIT_BYTES = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
PLAIN = Sentence(en="", de="")


def size(count: int, language: str = "en") -> str:
    """Bytes for a person.

    Example:
        >>> size(1_536_000_000), size(12)
        ('1.54 GB', '12 B')
    """
    for unit, factor in UNIT_BYTES:
        if count >= factor:
            value = count / factor
            return f"{number(value, language, decimals=0 if value >= 100 else 1 if value >= 10 else 2)} {unit}"
    return f"{count} B"


def recall_text(figures: SearchFigures, language: str = "en") -> str:
    """Recall with its interval."""
    found = figures.recall
    value, low, high = (number(each, language, decimals=3) for each in (found.estimate, found.lower, found.upper))
    return f"{value} [{low}{',' if language == 'en' else ';'}{NO_BREAK}{high}]"


def milliseconds(value: float, language: str = "en") -> str:
    """A latency with the digits that count.

    Example:
        >>> milliseconds(0.04567), milliseconds(12.345)
        ('0.046', '12.3')
    """
    return number(value, language, decimals=0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3)


def share(value: float, language: str = "en") -> str:
    """A share with the digits that it was given with.

    Example:
        >>> share(0.95, "de")
        '0,95'
    """
    text = f"{value:g}"
    return text.replace(".", ",") if language == "de" else text


def name_of(each: PointFigures) -> str:
    """A point by its kind and settings."""
    return f"{each.point.kind} {each.point.settings}".strip()


def answer(found: SweepFigures) -> Sentence:
    """The first line: what to take, or that nothing reaches the floor."""
    best = found.nearest
    taken = best.point.memory
    memory = PLAIN if taken is None else both(lambda lang: f", {size(taken.bytes, lang)}")
    return phrase(
        "ann.none" if found.taken is None else "ann.take",
        name=name_of(best),
        k=found.swept.setting.k,
        recall=both(lambda lang: recall_text(best.figures, lang)),
        floor=both(lambda lang: share(found.floor, lang)),
        latency=both(lambda lang: milliseconds(best.figures.p95.estimate, lang)),
        bound=both(lambda lang: number(best.bound, lang, decimals=3)),
        memory=memory,
    )


def filter_warnings(found: SweepFigures) -> list[Sentence]:
    """Under which filters the setting that is taken, or comes nearest, is not surely above the floor."""
    return [
        phrase(
            "ann.under_filters",
            bucket=bucket_name(end),
            recall=both(lambda lang, of=figures: recall_text(of, lang)),  # type: ignore[misc]
            n=figures.recall.n,
        )
        for end, figures in found.nearest.filtered.items()
        if figures.recall.lower <= found.floor
    ]


def plan(prepared: Prepared) -> str:
    """What a sweep will do, on one line."""
    total, width = prepared.pair.corpus.shape
    return (
        f"Plan: {total:,} vectors × {width}, {len(prepared.pair.queries):,} queries; {len(prepared.indexes)} builds, "
        f"{prepared.points} points, {prepared.calls:,} calls; largest index about {size(prepared.largest_bytes)}, "
        "three times that while it is built"
    )


def bucket_name(end: float) -> Sentence:
    """A bucket of selectivity by its upper end.

    Example:
        >>> bucket_name(0.1).en
        'up to 10 %'
    """
    return phrase("ann.up_to", share=f"{100 * end:.0f} %")


def notes(found: SweepFigures) -> list[Sentence]:
    """What a reader must know beside the figures."""
    swept, points = found.swept, len(found.points)
    said = [phrase("ann.chosen", points=points), phrase("ann.ties"), phrase("ann.latency", rounds=swept.setting.rounds)]
    if swept.without_rows:
        said.append(phrase("ann.without_rows", n=swept.without_rows))
    said += (phrase("ann.no_filters", kind=kind) for kind in swept.unfiltered_kinds)
    return [*said, *faults(found)]


def faults(found: SweepFigures) -> list[Sentence]:
    """Indexes that delivered rows against the filter, rows that do not exist, or rows twice."""
    said = []
    for each in found.points:
        groups = [each.figures, *each.filtered.values()]
        foreign, repeated = sum(group.foreign for group in groups), sum(group.repeated for group in groups)
        if foreign or repeated:
            said.append(phrase("ann.faults", name=name_of(each), foreign=foreign, repeated=repeated))
    return said
