"""Every metric of the catalogue stands in the reference, with everything that a reader must know of it."""

from __future__ import annotations

import re

from architecture.generated import generator
from architecture.source import PROJECT, require_none
from beleg.metrics.catalogue import CATALOGUE

PAGE = PROJECT / "docs" / "reference" / "metrics.md"


def test_every_metric_has_exactly_one_row() -> None:
    rows = re.findall(r"^\| `(\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    require_none(
        sorted({*CATALOGUE, *rows} - {name for name in CATALOGUE if rows.count(name) == 1}),
        "Run: python tools/generate_reference.py",
    )


def test_every_metric_says_when_it_is_undefined() -> None:
    require_none(
        (spec.function for spec in CATALOGUE.values() if generator().undefined(spec) is None),
        "Write 'Undefined: …' into the docstring of the function (or of the one it names in backticks), "
        "also where it is always defined",
    )
