from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.trace import MAX_ANSWER_CHARS
from beleg.text.sentences import sentence_spans, sentences


@pytest.mark.parametrize(
    "text",
    [
        "Das gilt, z. B. nach Art. 5 Abs. 2 DSGVO, auch hier.|Gemäß § 3 Nr. 4 folgt mehr.",
        "Das gilt z.B. für Pakete.|D. h. für alle.",
        "See e.g. No. 7 of the list.|No.|It is not.",
        "Am 1. März beginnt es.|Es kostet 5.|Danach mehr.",
        "Der 3. Versuch zählt.|Vom 2. bis zum 4. Januar ist zu.",
        "Es geht usw.|Der Rest folgt.",
        "Äpfel, Birnen usw. sind frei.",
        "Er fragte: „Wirklich?“|Dann ging er.",
        "„Wirklich?“ fragte er.|Ja.",
        "Produkte dieser Art.|Wir liefern.",
        "J. R. R. Tolkien wrote it.|Dr. Smith read it.",
        "It rose 3.5 percent in the U.S. in 2020.|Prices fell to 1.000,50 €.",
        "Im Jahr 2024.|Danach nichts… aber doch.|Ende…|Und so.",
        "Really?!|Yes!|Fine.",
        "Das gilt. [1]|Das auch [2].|Und das.[3][4]|Ende.",
        "Siehe www.example.com und v1.2.3 heute.|Gut.",
        "Mr. Jones vs. the state.|It ended at 5 p.m. on Monday.",
        "Kosten ca. 5 Mio. Euro inkl. MwSt. und Porto.",
        "Ohne Punkt am Ende",
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str) -> None:
    assert sentences(text.replace("|", " ")) == text.split("|")


def test_paragraphs_and_list_items_end_sentences() -> None:
    text = "Überschrift\n\n- Erster Punkt\n- Zweiter Punkt. Mehr.\n1. Eins\n2. Zwei\nweiter"
    assert sentences(text) == [
        "Überschrift", "- Erster Punkt", "- Zweiter Punkt.", "Mehr.", "1. Eins", "2. Zwei\nweiter",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "  \n ", "\u00a0"])
def test_no_text_has_no_sentence(text: str) -> None:
    assert sentence_spans(text) == []


@given(st.text(alphabet=st.sampled_from(list('aBzÄ1 .!?…\n\t„“"[]-\u00a0🙂')), max_size=60))
def test_spans_are_ordered_and_hold_every_visible_character(text: str) -> None:
    end = 0
    for span in sentence_spans(text):
        assert span.start >= end
        assert text[end : span.start].strip() == ""
        sentence = text[span.start : span.end]
        assert sentence
        assert sentence == sentence.strip()
        end = span.end
    assert text[end:].strip() == ""


@pytest.mark.parametrize("unit", ["z. B. ", ". ", "...x", "\n \n", "1. ", "[1] ", "a.b.", ".[1", "“ . "])
def test_hostile_repetition_of_any_length_is_split(unit: str) -> None:
    # Quadratic work on the longest answer a trace may hold would take minutes.
    text = (unit * MAX_ANSWER_CHARS)[:MAX_ANSWER_CHARS]
    assert sum(end - start for start, end in sentence_spans(text)) <= len(text)


@pytest.mark.shared_data
def test_no_sentence_of_the_german_articles_breaks_after_an_abbreviation() -> None:
    folder = Path(__file__).resolve().parents[4] / "shared" / "seeds"
    files = sorted(folder.glob("*.txt"))
    if not files:
        pytest.skip("the shared articles are not here")
    wrong = ("z. B.", "d. h.", "u. a.", "Art.", "Abs.", "bzw.", "ca.", "vgl.", "vs.", "et al.")
    found = [sentence for file in files for sentence in sentences(file.read_text("utf-8"))]
    assert len(found) > 500
    assert [sentence for sentence in found if sentence.endswith(wrong)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("退货免费。运费五欧元！真的吗？", ["退货免费。", "运费五欧元！", "真的吗？"]),
        ("彼は「はい。」と言った。終わり。", ["彼は「はい。」", "と言った。", "終わり。"]),
        ("هل الإرجاع مجاني؟ نعم.", ["هل الإرجاع مجاني؟", "نعم."]),
        ("واپسی مفت ہے۔ ترسیل پانچ یورو ہے۔", ["واپسی مفت ہے۔", "ترسیل پانچ یورو ہے۔"]),
        ("वापसी मुफ़्त है। शुल्क 4.50 यूरो है।", ["वापसी मुफ़्त है।", "शुल्क 4.50 यूरो है।"]),
        ("ሰላም ነው። ነገ ይመጣል።", ["ሰላም ነው።", "ነገ ይመጣል።"]),
        ("Возврат бесплатный. Доставка 4,50 евро.", ["Возврат бесплатный.", "Доставка 4,50 евро."]),
        ("반품은 무료입니다. 배송비는 5유로입니다.", ["반품은 무료입니다.", "배송비는 5유로입니다."]),
        ("退货免费。[1] 运费五欧元。[2]", ["退货免费。[1]", "运费五欧元。[2]"]),
    ],
)
def test_the_full_stops_of_other_scripts_end_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected
