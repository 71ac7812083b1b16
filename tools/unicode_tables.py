"""Writes the table of scripts and lookalikes that the scan of characters reads.

usage: python tools/unicode_tables.py CONFUSABLES [--check]

CONFUSABLES is the file confusables.txt of Unicode Technical Standard 39; scripts and script extensions come from
fontTools, which holds the files of the same version. With --check nothing is written, and the exit code is 1 when the
table does not say what the sources say.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import sys
import textwrap
import zlib
from bisect import bisect
from pathlib import Path
from typing import TypeVar

from fontTools.unicodedata import ScriptExtensions, Scripts

TABLE = Path(__file__).resolve().parent.parent / "src" / "beleg" / "text" / "unicode_tables.py"
WIDTH = 110

T = TypeVar("T")

HEAD = '''"""Scripts and lookalikes of Unicode, made by tools/unicode_tables.py; do not edit.

© 2026 Unicode®, Inc. Unicode and the Unicode Logo are registered trademarks of Unicode, Inc. in the U.S. and other
countries. The data is used under the Unicode License V3, which stands in LICENSES/Unicode-3.0.txt.
"""

UNICODE_VERSION = "{version}"
"""The version of Unicode that the table is of."""
CONFUSABLES_SHA256 = "{digest}"
"""The digest of the file confusables.txt that the table was made from."""

SCRIPT_RANGES = (
{scripts}
)
"""Distance from the last start and script extensions of each range, a line a range, deflated, in base 85."""
PROTOTYPES = (
{prototypes}
)
"""A prototype; then the code points that look like it, each as its distance from the last; deflated, in base 85."""
'''


def script_lines() -> list[str]:
    """One line for each run of code points with the same script extensions: distance from the last, then names."""
    lines: list[str] = []
    starts = sorted({*Scripts.RANGES, *ScriptExtensions.RANGES})
    last, before = None, 0
    for start in starts:
        names = extensions(start)
        if names != last:
            lines.append(f"{start - before:X} {' '.join(names)}")
            last, before = names, start
    return lines


def extensions(code_point: int) -> list[str]:
    """The script extensions of a code point, or its script where it has none."""
    listed = _at(ScriptExtensions.RANGES, ScriptExtensions.VALUES, code_point)
    script = _at(Scripts.RANGES, Scripts.VALUES, code_point)
    return sorted(listed) if listed else [str(script)]


def _at(ranges: list[int], values: list[T], code_point: int) -> T:
    return values[bisect(ranges, code_point) - 1]


def prototype_lines(text: str) -> tuple[str, list[str]]:
    """The version of the file, and one line for each character that looks like others."""
    version = re.search(r"^# Version: (\S+)$", text, re.MULTILINE)
    if version is None:
        raise SystemExit("this is no confusables.txt: it names no version")
    found = re.findall(r"^([0-9A-F]+) ;\t([0-9A-F ]+?) ;\tMA\t", text, re.MULTILINE)
    by_target: dict[str, list[int]] = {}
    for source, target in found:
        by_target.setdefault(target, []).append(int(source, 16))
    ordered = sorted(by_target.items(), key=lambda pair: [int(part, 16) for part in pair[0].split()])
    return version[1], [f"{target};{_steps(sorted(sources))}" for target, sources in ordered]


def _steps(numbers: list[int]) -> str:
    """Ascending numbers as the first and the distances that follow, which deflates well."""
    return " ".join(f"{number - last:X}" for last, number in zip([0, *numbers], numbers, strict=False))


def packed(lines: list[str]) -> str:
    """Lines, deflated, in base 85, as the literal of a string over many lines."""
    coded = base64.b85encode(zlib.compress("\n".join(lines).encode("ascii"), 9)).decode("ascii")
    return "\n".join(f'    "{part}"' for part in textwrap.wrap(coded, WIDTH, break_on_hyphens=False))


def written(source: Path) -> str:
    """The module with both tables."""
    raw = source.read_bytes()
    version, prototypes = prototype_lines(raw.decode("utf-8-sig"))
    if f"Scripts-{version}.txt" not in Path(Scripts.__file__).read_text(encoding="utf-8"):
        raise SystemExit(f"fontTools does not hold the scripts of Unicode {version}")
    return HEAD.format(
        version=version,
        digest=hashlib.sha256(raw).hexdigest(),
        scripts=packed(script_lines()),
        prototypes=packed(prototypes),
    )


def main() -> None:
    """Writes the table or says whether it is fresh."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("confusables", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = written(options.confusables)
    if not options.check:
        TABLE.write_text(text, encoding="utf-8", newline="\n")
    elif TABLE.read_text(encoding="utf-8") != text:
        sys.exit(f"{TABLE.name} does not say what the sources say; make it anew")


if __name__ == "__main__":
    main()
