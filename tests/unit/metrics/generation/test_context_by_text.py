from __future__ import annotations

import numpy as np
import pytest
from rapidfuzz import fuzz

from beleg.core.errors import ConfigError
from beleg.core.score import ScoreStatus
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.context_by_text import stands_almost, text_context_recall, whole_text_recall
from unit.metrics.building import case, gold, one, passage

# script: a sentence, one that is not there, and a passage that holds the first word for word.
SCRIPTS = {
    "latin": (
        "Rückgaben sind innerhalb von 30 Tagen kostenlos.",
        "Der Versand kostet 4,90 Euro pro Paket.",
        "Unsere Filialen öffnen um neun. Rückgaben sind innerhalb von 30 Tagen kostenlos. Wir freuen uns auf Sie.",
    ),
    "cyrillic": (
        "Возврат товара бесплатный в течение 30 дней.",
        "Доставка стоит пять евро за посылку.",
        "Магазин открыт с девяти часов. Возврат товара бесплатный в течение 30 дней. Ждём вас снова.",
    ),
    "greek": (
        "Οι επιστροφές είναι δωρεάν για 30 ημέρες.",
        "Η αποστολή κοστίζει πέντε ευρώ ανά δέμα.",
        "Το κατάστημα ανοίγει στις εννέα. Οι επιστροφές είναι δωρεάν για 30 ημέρες. Σας περιμένουμε.",
    ),
    "han": (
        "商品可在三十天内免费退货。",
        "每个包裹的运费为五欧元。",
        "我们的商店九点开门。商品可在三十天内免费退货。欢迎再次光临。",
    ),
    "kana": (
        "商品は30日以内であれば無料で返品できます。",
        "送料は一個につき五ユーロです。",
        "店は九時に開きます。商品は30日以内であれば無料で返品できます。またのご来店をお待ちしております。",
    ),
    "hangul": (
        "상품은 30일 이내에 무료로 반품할 수 있습니다.",
        "배송비는 상자당 오 유로입니다.",
        "매장은 아홉 시에 엽니다. 상품은 30일 이내에 무료로 반품할 수 있습니다. 또 오세요.",
    ),
    "arabic": (
        "يمكن إرجاع البضائع مجانا خلال ثلاثين يوما.",
        "تكلفة الشحن خمسة يورو لكل طرد.",
        "يفتح المتجر في الساعة التاسعة. يمكن إرجاع البضائع مجانا خلال ثلاثين يوما. نراكم قريبا.",
    ),
    "devanagari": (
        "सामान तीस दिनों के भीतर मुफ़्त में लौटाया जा सकता है।",
        "प्रति पार्सल शिपिंग की लागत पाँच यूरो है।",
        "दुकान नौ बजे खुलती है। सामान तीस दिनों के भीतर मुफ़्त में लौटाया जा सकता है। फिर आइए।",
    ),
    "thai": (
        "สินค้าสามารถคืนได้ฟรีภายในสามสิบวัน",
        "ค่าจัดส่งห้ายูโรต่อพัสดุ",
        "ร้านเปิดเก้าโมง สินค้าสามารถคืนได้ฟรีภายในสามสิบวัน แล้วพบกันใหม่",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("there", "absent", "chunk"), SCRIPTS.values(), ids=SCRIPTS)
def test_a_sentence_inside_a_longer_passage_is_found_in_every_script(there: str, absent: str, chunk: str) -> None:
    assert text_context_recall([there], [chunk]).value == 1.0
    assert text_context_recall([absent], [chunk]).value == 0.0
    assert text_context_recall([f"{there}\n\n{absent}"], [chunk]).value == 0.5
    assert text_context_recall([there, absent], [chunk]).value == 0.5


def test_ragas_gives_0_for_the_same_sentence_because_the_passage_is_longer() -> None:
    there, _, chunk = SCRIPTS["latin"]
    long_chunk = f"{chunk} {SCRIPTS['latin'][1]}"
    assert whole_text_recall([there], [long_chunk]).value == 0.0
    assert text_context_recall([there], [long_chunk]).value == 1.0


@pytest.mark.parametrize(
    "passage",
    [
        "Returns  are free,\nwithin 30 days of delivery.",
        "returns are free, within 30 days of delivery. See also page 4.",
        "Retums are free, within 30 days of dellvery.",
    ],
)
def test_layout_case_and_a_few_misread_letters_do_not_matter(passage: str) -> None:
    assert text_context_recall(["Returns are free, within 30 days of delivery."], [passage]).value == 1.0


@pytest.mark.parametrize(
    ("wanted", "passage"),
    [
        ("Returns within 30 days.", "Returns within 14 days."),
        ("Express costs 5 euros.", "Express costs 15 euros."),
        ("Express kostet 4,90 Euro.", "Express kostet 14,90 Euro."),
        ("Rückgabe in 30 Tagen.", "Rückgabe in 300 Tagen."),
    ],
)
def test_another_number_is_another_sentence_however_alike(wanted: str, passage: str) -> None:
    assert text_context_recall([wanted], [passage]).value == 0.0


def test_a_short_passage_does_not_stand_in_for_a_long_sentence() -> None:
    assert text_context_recall(["Returns are free within 30 days."], ["Returns"]).value == 0.0
    assert text_context_recall(["Returns are free within 30 days."], ["", " "]).value == 0.0


def test_the_blind_spot_is_a_negation_in_a_long_sentence() -> None:
    # Three letters of eighty: a judge has to see this.
    wanted = "Returns are free for every customer who sends the parcel back in its own wrapping."
    assert text_context_recall([wanted], [wanted.replace("are free", "are not free")]).value == 1.0


def test_texts_made_to_be_slow_to_align_are_aligned_in_bounded_pieces() -> None:
    # A sentence of 4,000 characters as a whole took half a minute here.
    wanted = "ab cd " * 650
    hostile = "ab dc " * 3_000
    assert text_context_recall([wanted], [hostile]).value == 0.0
    assert text_context_recall(["a" * 3_999 + "1"], ["a" * 100_000]).value == pytest.approx(13 / 14)


def test_a_sentence_without_end_counts_piece_by_piece() -> None:
    half = " ".join(f"word{number}" for number in range(100))
    other = " ".join(f"term{number}" for number in range(100))
    found = text_context_recall([f"{half} {other}"], [f"About us. {half} and no more."]).value
    # Five pieces of at most 300 characters, of which the third holds words of both halves.
    assert found == 0.4


def test_nothing_delivered_is_0_and_no_reference_is_no_score() -> None:
    assert text_context_recall(["Returns are free."], []).value == 0.0
    assert whole_text_recall(["Returns are free."], []).value == 0.0
    assert text_context_recall([], ["x"]).status is ScoreStatus.NOT_APPLICABLE
    assert text_context_recall([" "], ["x"]).status is ScoreStatus.NOT_APPLICABLE


def test_of_interchangeable_quotes_the_best_counts() -> None:
    a_case = case(
        gold("de", "Versand kostet fünf Euro.", any_of="fee"), gold("en", "Express is five euros.", any_of="fee")
    )
    run = one(a_case, delivered=(passage("en", "Express is five euros. Call us."),))
    assert compute(["text_context_recall"], run)["text_context_recall"].values.tolist() == [1.0]
    whole = "text_context_recall(match=whole)"
    assert compute([whole], run)[whole].values.tolist() == [1.0]


def test_what_cannot_be_compared_has_a_reason() -> None:
    name = "text_context_recall"
    no_quote = compute([name], one(case(gold("d")), delivered=(passage("d", "x"),)))[name].score_at(0)
    assert no_quote.status is ScoreStatus.NOT_APPLICABLE
    no_text = compute([name], one(case(gold("d", "x")), delivered=(passage("d"),)))[name].score_at(0)
    assert no_text.status is ScoreStatus.MISSING


def test_more_than_100_per_cent_is_refused() -> None:
    with pytest.raises(ConfigError, match="at most 100"):
        compute(["text_context_recall(percent=101)"], one(case(gold("d", "x")), delivered=()))


def test_looking_window_by_window_misses_no_stretch_that_rapidfuzz_finds_and_finds_none_that_is_not_there() -> None:
    rng = np.random.default_rng(21)
    letters = np.array(list("abcde fgh"))
    outcomes = set()
    for _ in range(300):
        sentence = "".join(rng.choice(letters, rng.integers(10, 30))).strip() or "a"
        noisy = "".join(str(rng.choice(letters)) if rng.random() < 0.08 else each for each in sentence)
        around = ["".join(rng.choice(letters, rng.integers(0, 60))) for _ in range(2)]
        chunk = noisy.join(around)
        if len(chunk) < len(sentence):
            continue
        found = stands_almost(sentence, chunk, 90)
        stretches = (
            chunk[start : start + size]
            for size in range(1, len(sentence) + 1)
            for start in range(len(chunk) - size + 1)
        )
        best = max(fuzz.ratio(sentence, stretch) for stretch in stretches)
        assert found or fuzz.partial_ratio(sentence, chunk) < 90
        assert not found or best >= 90
        outcomes.add(found)
    assert outcomes == {True, False}
