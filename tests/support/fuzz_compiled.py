"""Feeds hostile texts to a build of the compiled part; run under a sanitizer, it ends at the first wrong access.

usage: python fuzz_compiled.py LIBRARY ROUNDS SEED
"""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path

import numpy as np

from beleg.adapters.native import library as native
from beleg.adapters.native import run_pass as compiled
from beleg.adapters.native.judgement_lines import judgement_lines
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.text.packed import PAD

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.hostile_runs import DOCUMENTS, QUERIES, disorderly, orderly, orderly_judgements


def main(library: str, rounds: int, seed: int) -> None:
    native.LIBRARY = Path(library)
    if native.library() is None:
        raise SystemExit("the library does not load")
    rng = random.Random(seed)
    taken = 0
    for _ in range(rounds):
        compiled.BLOCK_BYTES = rng.choice([16, 64, 100, 1_000, 1 << 16])
        taken += passed(rng, text_of(rng)) + is_judged(rng)
    sys.stdout.write(f"{taken} of {2 * rounds} taken\n")


def text_of(rng: random.Random) -> bytes:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(400))
    if kind == 1:
        return bytes(rng.choice(b"q1 Q0d\t\n.5e-\xc3\xa9\0\xff") for _ in range(rng.randrange(400)))
    return orderly(rng) if kind == 2 else disorderly(rng)


def passed(rng: random.Random, text: bytes) -> bool:
    names = [name.decode() for name in DOCUMENTS]
    judged = {
        name.decode(): dict.fromkeys(rng.sample(names, rng.randrange(len(names))), 1.0)
        for name in rng.sample(QUERIES, rng.randrange(1, len(QUERIES)))
    }
    table = table_from_mapping(judged)
    spans = table.documents
    ids = compiled.JudgedIds(table.queries, table.offsets, spans.buffer, spans.start, spans.length)
    return compiled.pass_over(io.BytesIO(text), ids) is not None


def is_judged(rng: random.Random) -> bool:
    text = rng.choice((orderly_judgements, lambda rng: disorderly(rng, orderly_judgements), text_of))(rng)
    text += b"" if text.endswith(b"\n") else b"\n"
    # The pad ends where the memory does.
    buffer = np.frombuffer(bytes(PAD) + text + bytes(PAD), dtype=np.uint8).copy()
    return judgement_lines(buffer, PAD, PAD + len(text)) is not None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
