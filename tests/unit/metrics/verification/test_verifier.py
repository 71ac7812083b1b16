from __future__ import annotations

import pytest

from beleg.metrics.verification.verifier import AlignmentVerifier, sentence_claims


def test_supports_come_in_the_order_of_the_pairs() -> None:
    given = AlignmentVerifier().support(
        [
            ("Returns are free.", "Returns are free."),
            ("Bread is cheap.", "Returns are free."),
            ("", "Returns are free."),
        ]
    )
    assert given.dtype == "float32"
    assert given.tolist() == [pytest.approx(1.0), 0.0, 0.0]
    assert AlignmentVerifier().support([]).shape == (0,)


def test_everything_that_can_change_a_support_is_in_the_spec() -> None:
    spec = AlignmentVerifier(language="de").spec
    assert (spec.provider, spec.model, spec.extra["language"]) == ("beleg", "alignment-1", "de")
    assert spec.digest != AlignmentVerifier(language="en").spec.digest


def test_questions_and_pleasantries_claim_nothing() -> None:
    answer = "Gern! Die Rücksendung ist kostenlos [1]. Brauchen Sie mehr? Sie haben 30 Tage Zeit [2]."
    assert sentence_claims(answer, ["[1]", "[2]"]) == (
        "Die Rücksendung ist kostenlos.",
        "Sie haben 30 Tage Zeit.",
    )
    assert sentence_claims("Der Preis ist 5 Euro. Die Quellen enthalten dazu keine Angabe.") == (
        "Der Preis ist 5 Euro.",
    )
    assert sentence_claims("") == ()


def test_a_sentence_of_a_script_without_spaces_is_a_claim() -> None:
    assert sentence_claims("返品は無料です。はい。") == ("返品は無料です。",)
    assert sentence_claims("退货免费。") == ("退货免费。",)
    assert sentence_claims("สินค้าส่งคืนได้ฟรี") == ("สินค้าส่งคืนได้ฟรี",)
    assert sentence_claims("返品は無料ですか？") == ()
