"""Words taken from any place of a buffer."""

from __future__ import annotations

import numpy as np

from beleg.text.packed import PAD, words_at


def test_every_place_gives_its_eight_bytes() -> None:
    data = np.random.default_rng(5).bytes(101)
    buffer = np.frombuffer(data, np.uint8)
    places = np.arange(len(data) - PAD + 1)
    assert words_at(buffer, places).tolist() == [int.from_bytes(data[at : at + 8], "little") for at in places]


def test_no_place_gives_no_word() -> None:
    assert words_at(np.zeros(PAD, np.uint8), np.empty(0, np.int64)).tolist() == []
