"""Character error rates of many documents and of one long one, beside rapidfuzz without a hint.

usage: python benchmarks/bench_text_fidelity.py [--smoke]
"""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from beleg.metrics.ingestion.error_rates import edits, error_rates
from measuring import Row, is_smoke, show, spend

LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz     "))


def noisy(rng: np.random.Generator, text: str, share: float) -> str:
    """The text with a share of its characters left out, replaced or doubled."""
    fate = rng.random(len(text)) / share * 3
    return "".join(
        "" if at < 1 else "#" if at < 2 else letter * 2 if at < 3 else letter
        for letter, at in zip(text, fate.tolist(), strict=True)
    )


def main() -> None:
    """Checks that both sides count the same edits, then shows what each took."""
    smoke = is_smoke(__doc__)
    pairs, long = (20, 10_000) if smoke else (10_000, 1_000_000)
    rng = np.random.default_rng(7)
    right = ["".join(rng.choice(LETTERS, 1_000)).strip() for _ in range(pairs)]
    found = [noisy(rng, text, 0.05) for text in right]
    one = "".join(rng.choice(LETTERS, long))
    other = noisy(rng, one, 0.01)
    rates, ours = spend(lambda: error_rates(right, found, "characters"))
    counted, with_counts = spend(lambda: [edits(a, b, "characters") for a, b in zip(right, found, strict=True)])
    _, bare = spend(lambda: [Levenshtein.distance(a, b) for a, b in zip(right, found, strict=True)])
    _, whole = spend(lambda: error_rates([one], [other], "characters"))
    _, whole_counts = spend(lambda: edits(one, other, "characters"))
    if [each.rate().value for each in counted] != rates.values.tolist():
        raise SystemExit("rates and counts differ; the figures would mean nothing")
    rows = [
        Row(what="rates of all documents", measured=ours.cpu_s, unit="CPU s", budget=0.3,
            peer="rapidfuzz without a hint", peer_measured=bare.cpu_s),
        Row(what="the same with counts", measured=with_counts.cpu_s, unit="CPU s",
            peer="rapidfuzz without a hint", peer_measured=bare.cpu_s),
        Row(what="rate of one long document", measured=whole.cpu_s, unit="CPU s", budget=1.3),
        Row(what="the same with counts", measured=whole_counts.cpu_s, unit="CPU s"),
    ]  # fmt: skip
    setting = f"{pairs:,} documents of 1,000 characters, 5 % noise; one of {long:,} characters, 1 % noise."
    show("text_fidelity", setting, rows, packages=("numpy", "rapidfuzz"), smoke=smoke)


if __name__ == "__main__":
    main()
