"""Writes tests/vectors/release: what a deployment controller is given, and what it must answer.

    python tools/release_vectors.py            write the files
    python tools/release_vectors.py --check    say which are stale

Nothing of Beleg is used here: statements, signatures and expected answers are written down by hand, so that the files
can hold Beleg and any other implementation to the same words.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import rfc8785
from vector_decisions import first_vectors, meaning_vectors, strictness_vectors
from vector_trust import override_vectors, signature_vectors, trust_vectors

from vector_parts import (
    CANDIDATE,
    ROOT,
    TRUST,
    Data,
    Vector,
    signed,
    text,
    trust,
)

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "release"


def vectors() -> Iterator[tuple[str, Data]]:
    """Every vector with its name."""
    groups = (first_vectors, trust_vectors, signature_vectors, strictness_vectors, meaning_vectors, override_vectors)
    for group in groups:
        for name, vector in group().items():
            yield name, as_data(name, vector)


def as_data(name: str, vector: Vector) -> Data:
    """A vector as it stands in its file."""
    signed_trust = vector.trust
    if not isinstance(signed_trust, str):
        signed_trust = text(signed(rfc8785.dumps(signed_trust or trust()), ROOT, payload_type=TRUST))
    return {
        "name": name,
        "says": vector.says,
        "roots": [key.pem for key in vector.roots],
        "trust": signed_trust,
        "envelopes": [
            {"name": f"{position}.dsse.json", "text": one if isinstance(one, str) else text(one)}
            for position, one in enumerate(vector.envelopes, start=1)
        ],
        "subject": CANDIDATE,
        "environment": "production",
        "at": vector.at,
        "state": vector.state,
        "expected": {"admitted": vector.exit_code == 0, "reason": vector.reason, "exit_code": vector.exit_code},
    }


def files() -> dict[str, str]:
    """Every file by its name."""
    made: dict[str, str] = {}
    for name, data in vectors():
        if f"{name}.json" in made:
            raise ValueError(f"two vectors are called {name}")
        made[f"{name}.json"] = json.dumps(data, ensure_ascii=True, indent=1) + "\n"
    return made


def stale(folder: Path) -> list[str]:
    """The files that are not what the script writes, those that it does not write among them."""
    made = files()
    there = {path.name: path.read_text(encoding="ascii") for path in folder.glob("*.json")}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def main(words: list[str] | None = None) -> int:
    """Writes or checks the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is stale")
    if parser.parse_args(words).check:
        found = stale(FOLDER)
        print(*(f"stale: {name}" for name in found), sep="\n", end="\n" if found else "")
        return 1 if found else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = files()
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, content in made.items():
        (FOLDER / name).write_text(content, encoding="ascii")
    print(f"{len(made)} vectors in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
