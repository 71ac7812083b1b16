from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.reference.analysis import count_tokens
from beleg.reference.chunking import chunk_document, chunk_documents, split_text
from beleg.reference.ingest import parse_document
from beleg.reference.settings import ChunkerSettings

TEXTS = st.text(alphabet="ab .\n?ä", max_size=400)


@given(TEXTS, st.integers(2, 30))
def test_every_slice_is_within_size_and_no_word_is_lost(text: str, size: int) -> None:
    parts = split_text(text, size)
    assert all(part in text and count_tokens(part) <= size for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@given(TEXTS, st.integers(4, 30))
def test_overlap_repeats_words_and_never_exceeds_the_size(text: str, size: int) -> None:
    parts = split_text(text, size, size // 2)
    assert all(part in text and count_tokens(part) <= size for part in parts)
    repeated = sum(count_tokens(part) for part in parts) - count_tokens(text)
    assert 0 <= repeated <= len(parts) * (size // 2)


def test_breaks_are_taken_where_they_hurt_least() -> None:
    text = "One two three.\n\nFour five. Six seven."
    assert split_text(text, 7) == [text]
    assert split_text(text, 4) == ["One two three.", "Four five. Six seven."]
    assert split_text(text, 3) == ["One two three.", "Four five.", "Six seven."]
    assert split_text("one two three four", 3) == ["one two three", "four"]
    assert split_text("a?a?a", 2) == ["a?a?", "a"]
    assert split_text("a?a\n?\na", 2) == ["a?a\n?", "a"]


def test_overlap_repeats_whole_sentences() -> None:
    assert split_text("A b. C d. E f.", 4, 2) == ["A b. C d.", "C d. E f."]


PAGE = parse_document(
    "fees.md",
    "# Fees\n\nIntro words.\n\n## Prices\n\nAs of May:\n\n| Item | Euro |\n|---|---|\n"
    + "".join(f"| item{number} thing | {number} |\n" for number in range(12))
    + "\n## Rules\n\n- first rule\n- second rule\n",
)


def structured(size: int) -> list[tuple[str, str]]:
    return [(chunk.context, chunk.body) for chunk in chunk_document(PAGE, ChunkerSettings(size_tokens=size))]


def test_small_sections_share_a_passage_under_the_headings_they_share() -> None:
    ((context, body),) = structured(160)
    assert context == "Fees"
    assert body.startswith("Intro words.\n\nPrices\nAs of May:\n\n| Item | Euro |\n|---|---|\n| item0 thing | 0 |")
    assert body.endswith("Rules\n- first rule\n- second rule")


def test_a_table_that_does_not_fit_is_cut_between_rows_with_its_header_on_every_part() -> None:
    parts = structured(20)
    tables = [body for _, body in parts if "item" in body]
    assert len(tables) > 1
    assert all(body.startswith("| Item | Euro |\n|---|---|\n| item") for body in tables)
    assert [row for body in tables for row in body.split("\n")[2:]] == [f"| item{n} thing | {n} |" for n in range(12)]
    assert ("Fees › Prices", "As of May:") in parts
    assert ("Fees › Rules", "- first rule\n- second rule") in parts


def test_a_list_that_fits_is_never_cut() -> None:
    document = parse_document("a.md", "# A\n\n" + "word " * 14 + "\n\n- one two three\n- four five six\n")
    bodies = [chunk.body for chunk in chunk_document(document, ChunkerSettings(size_tokens=16))]
    assert bodies[-1] == "- one two three\n- four five six"


def test_a_row_or_paragraph_that_is_too_long_alone_is_cut_by_size() -> None:
    document = parse_document("a.md", "| H |\n|---|\n| " + "word " * 40 + "|\n")
    assert all(count_tokens(chunk.body) <= 16 for chunk in chunk_document(document, ChunkerSettings(size_tokens=16)))


def test_passages_are_numbered_and_hold_their_context_once() -> None:
    chunks = chunk_documents([PAGE], ChunkerSettings(size_tokens=20))
    assert [chunk.passage_id for chunk in chunks][:2] == ["fees#00", "fees#01"]
    assert chunks[0].text == "Fees\nIntro words."


def test_a_document_of_headings_alone_is_still_a_passage() -> None:
    document = parse_document("a.md", "# Only\n\n## Headings\n")
    assert [chunk.body for chunk in chunk_document(document, ChunkerSettings())] == ["Only\n\nHeadings"]


def test_recursive_passages_are_slices_of_the_document() -> None:
    chunks = chunk_document(PAGE, ChunkerSettings(kind="recursive", size_tokens=16))
    assert all(chunk.body in PAGE.text and not chunk.context for chunk in chunks)
