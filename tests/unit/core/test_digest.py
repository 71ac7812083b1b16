from __future__ import annotations

import math

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.digest import canonical_json, digest_of, digest_of_text
from beleg.core.errors import DataError


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    """The example of RFC 8785, section 3.2.2 and 3.2.3, shortened."""
    value = {"numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 1e-27], "string": '\u20ac$\u000f\nA\'"\\"/', "a": [True]}
    assert canonical_json(value).decode() == (
        '{"a":[true],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'\\"\\\\\\"/"}'
    )


def test_the_hash_is_sha_256_of_that_form() -> None:
    """SHA-256 of the two bytes ``{}``, a published value."""
    assert digest_of({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**60, "\ud800"])
def test_what_has_no_one_byte_form_is_refused(value: object) -> None:
    with pytest.raises(DataError, match="canonical form"):
        digest_of({"x": value})


def test_a_text_is_addressed_by_its_bytes_as_they_are() -> None:
    """The SHA-256 of ``abc`` is that of FIPS 180-2, appendix B.1."""
    assert digest_of_text("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert len({digest_of_text(text) for text in ("é", "e\u0301", "\ud800", "a\r\nb", "a\nb", "a\u00a0b", "a b")}) == 7


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.from_regex(r"[\\[:,]?-?[0-9]{1,17}[.eE]?", fullmatch=True)
    | st.from_regex(r'([\\[:,"\\\\\x01-\x03]|-?[0-9]{1,17}(\.0|\.[0-9])?(e[+-][0-9]{1,2})?){1,6}', fullmatch=True)
    | st.integers(-(10**15), 10**15).map(float)
    | st.floats(-(10**17), 10**17)
    | st.floats(-0.001, 0.001),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=400)
@given(json_values)
def test_the_quick_way_gives_the_bytes_of_the_reference_implementation(value: object) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


def test_numbers_within_a_text_stay_as_they_are() -> None:
    """Each beside the same number outside a text, behind what ends a text only in appearance."""
    value = {
        'a\\"': [1.0, '\\",1.0,"', "\\", -0.0, 1e-05, "-0.0", '\x01"\x02:1e-05,', 9007199254740991, "1234567890123456"]
    }
    expected = (
        '{"a\\\\\\"":[1,"\\\\\\",1.0,\\"","\\\\",0,0.00001,"-0.0","\\u0001\\"\\u0002:1e-05,",'
        '9007199254740991,"1234567890123456"]}'
    )
    assert canonical_json(value).decode() == expected


@pytest.mark.parametrize("key", [1, 1.5, 1e300, None, True])
def test_a_key_that_is_no_text_is_refused(key: object) -> None:
    with pytest.raises(DataError, match="canonical form"):
        canonical_json({key: 1})


def test_keys_are_sorted_by_utf_16() -> None:
    """RFC 8785, section 3.2.3: a character beyond the first plane comes before one at its end."""
    assert canonical_json({"\ue000": 1, "\U00010000": 2}).decode() == '{"\U00010000":2,"\ue000":1}'
