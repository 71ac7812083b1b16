"""What goes out and what is kept back: the bytes of a body, and the key in whatever spelling."""

from __future__ import annotations

import json
import re

from hypothesis import example, given
from hypothesis import strategies as st

from beleg.adapters.models.openai_server import (
    OpenAiServer,
    ServerSettings,
    _in_any_spelling,
    _payload,
)

KEY = st.text(st.sampled_from('sk-uU0\\/"ü€'), min_size=8, max_size=10)


def spelt(key: str, choices: list[int]) -> str:
    """A key with each character as it is, with backslashes before it, or escaped."""
    out = []
    for at, character in enumerate(key):
        how = choices[at % len(choices)]
        if how < 3:
            out.append("\\" * how + character)
        else:
            units = character.encode("utf-16-be").hex()
            out.append("".join("\\" * (how - 2) + "u" + units[i : i + 4] for i in range(0, len(units), 4)))
    return "".join(out)


@given(KEY, st.lists(st.integers(0, 5), min_size=1, max_size=10), st.text(st.sampled_from('sk-u\\ a"ü'), max_size=20))
@example("sk-12345678", [0], "")
@example("\\" * 8, [0], "")
def test_a_key_is_hidden_exactly_where_its_pattern_finds_it(key: str, choices: list[int], around: str) -> None:
    server = OpenAiServer(ServerSettings(base_url="http://127.0.0.1/v1", api_key=key))
    pattern = re.compile(_in_any_spelling(key))
    for text in (around, around + spelt(key, choices) + around, around + key[:-1], key):
        assert server.redacted(text) == pattern.sub("***", text)
        data = text.encode()
        assert server._without_key(data) == re.compile(_in_any_spelling(key).encode()).sub(b"***", data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(categories=["L", "Zl", "Cc"])),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
)  # fmt: skip
@example("\ud800")
@example({"\ud800": "ü"})
def test_a_body_says_what_it_holds(value: object) -> None:
    data = _payload({"held": value})
    assert isinstance(data, bytes)
    assert json.loads(data) == {"held": value}
