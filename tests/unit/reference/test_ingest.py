from __future__ import annotations

from pathlib import Path

import pytest

from beleg.core.errors import DataError
from beleg.reference.blocks import BlockKind
from beleg.reference.documents import Document
from beleg.reference.ingest import load_folder, parse_document
from beleg.reference.settings import CorpusSettings

SETTINGS = CorpusSettings(path="corpus")
HEAD = "---\ndocument_id: {id}\ntenant: shared\nversion: 1.10\nvalid_from: 2026-03-01\n---\n"


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_markdown_keeps_headings_lists_and_table_rows() -> None:
    document = parse_document(
        "a.md",
        HEAD.format(id="a") + "# Fees\n\nSome **bold** and `code`.\n\n1. one\n   - inner\n2. two\n\n"
        "| Size | Euro |\n|---|---|\n| S | 9 |\n| M | 10 |\n",
    )
    assert [(block.kind, block.text) for block in document.blocks] == [
        (BlockKind.HEADING, "Fees"),
        (BlockKind.PARAGRAPH, "Some bold and code."),
        (BlockKind.LIST_ITEM, "1. one"),
        (BlockKind.LIST_ITEM, "  - inner"),
        (BlockKind.LIST_ITEM, "2. two"),
        (BlockKind.TABLE_HEADER, "| Size | Euro |"),
        (BlockKind.TABLE_ROW, "| S | 9 |"),
        (BlockKind.TABLE_ROW, "| M | 10 |"),
    ]
    assert "| Size | Euro |\n|---|---|\n| S | 9 |" in document.text


def test_metadata_stays_the_words_that_stand_there() -> None:
    document = parse_document("a.md", HEAD.format(id="a") + "Text")
    assert (document.version, document.metadata["valid_from"]) == ("1.10", "2026-03-01")


def test_html_gives_the_same_structure_and_leaves_navigation_and_scripts_out() -> None:
    document = parse_document(
        "a.html",
        '<html><head><title>Shops</title><meta name="beleg:tenant" content="werkring">'
        '<meta name="viewport" content="x"></head><body><nav>Home</nav><h1>Shops</h1>'
        "<p>Open <b>daily</b>.<br>Always.</p>"
        "<script>alert(1)</script><!-- hidden --><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>"
        "<table><tr><th>Shop</th><th>Hours</th></tr><tr><td>Graz</td><td>9 to 5</td></tr></table></body></html>",
    )
    assert document.title == "Shops"
    assert document.metadata == {"tenant": "werkring"}
    assert [block.text for block in document.blocks] == [
        "Shops",
        "Open daily. Always.",
        "- one",
        "  - inner",
        "- two",
        "| Shop | Hours |",
        "| Graz | 9 to 5 |",
    ]


def test_html_without_closing_tags_is_read_as_browsers_do() -> None:
    document = parse_document("a.html", "<ul><li>one<li>two</ul><table><tr><td>a<td>b<tr><td>c<td>d</table>")
    assert [block.text for block in document.blocks] == ["- one", "- two", "| a | b |", "| c | d |"]


def test_plain_text_takes_questions_as_headings() -> None:
    document = parse_document("a.txt", "Help\n\nCan I swap it?\nNo. Never.\n\nWhere?\n\nHere.")
    assert [(block.kind.value, block.text) for block in document.blocks] == [
        ("heading", "Help"),
        ("heading", "Can I swap it?"),
        ("paragraph", "No. Never."),
        ("heading", "Where?"),
        ("paragraph", "Here."),
    ]


def test_plain_text_joins_wrapped_lines_and_keeps_short_ones() -> None:
    wrapped = "This line is long enough to have been wrapped by an editor somewhere\nbefore it ended."
    document = parse_document("a.txt", f"Four stars, Ann.\nGood.\n\n{wrapped}")
    assert [block.text for block in document.blocks] == ["Four stars, Ann.\nGood.", wrapped.replace("\n", " ")]


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.txt", "b/one.html", ".hidden.md", ".git/x.md"):
        write(tmp_path, name, "<p>Text</p>" if name.endswith("html") else "Some text.")
    assert [document.document_id for document in load_folder(tmp_path, SETTINGS)] == ["a", "b/one", "b/two"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.md", b"\xff\xfe", "is not UTF-8 text"),
        ("a.pdf", b"%PDF", "files of type '.pdf' are not read"),
        ("a.md", b"", "the document holds no text"),
        ("a.html", b"<script>x</script>", "the document holds no text"),
        ("a.md", b"---\ntenant: a\n", "front matter is not closed"),
        ("a.md", b"---\ntenant: a\ntenant: b\n---\nText", "a front matter key stands twice"),
        ("a.md", b"---\ntenant: [a, b]\n---\nText", "a front matter entry is not flat"),
        ("a.md", b"---\n- a\n---\nText", "is not a list of 'key: value' lines"),
        ("a.md", b"---\na: 'b\n---\nText", "is not valid YAML"),
        (
            "a.html",
            b'<meta name="beleg:x" content="1"><meta name="beleg:x" content="2"><p>t',
            "a meta tag stands twice",
        ),
        ("a.html", b"<div>" * 300 + b"x", "nested more than 200 deep"),
        ("a.md", b"x" * 5_000, "has 5000 bytes, more than 4096"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_used(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    write(tmp_path, "good.md", "Good text.")
    write(tmp_path, name, data)
    with pytest.raises(DataError, match=message) as caught:
        load_folder(tmp_path, CorpusSettings(path="corpus", max_file_bytes=4_096))
    assert [problem.file for problem in caught.value.problems] == [name]


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    secret = write(tmp_path, "outside/secret.md", "Secret text.")
    corpus = tmp_path / "corpus"
    write(corpus, "good.md", "Good text.")
    (corpus / "inner.md").symlink_to(corpus / "good.md")
    (corpus / "leak.md").symlink_to(secret)
    (corpus / "folder").symlink_to(secret.parent)
    with pytest.raises(DataError) as caught:
        load_folder(corpus, SETTINGS)
    assert [problem.file for problem in caught.value.problems] == ["folder", "leak.md"]


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        write(tmp_path, name, HEAD.format(id="same") + "Text.")
    with pytest.raises(DataError, match="two documents have the same id"):
        load_folder(tmp_path, SETTINGS)


def test_too_many_files_and_missing_or_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no document"):
        load_folder(tmp_path, SETTINGS)
    with pytest.raises(DataError, match="does not exist"):
        load_folder(tmp_path / "none", SETTINGS)
    for name in ("a.md", "b.md"):
        write(tmp_path, name, "Text.")
    with pytest.raises(DataError, match="holds 2 files, more than 1"):
        load_folder(tmp_path, CorpusSettings(path="corpus", max_files=1))


def test_metadata_that_is_not_stated_comes_from_the_settings() -> None:
    document = parse_document("a.md", "---\ntenant: own\n---\nText", {"tenant": "default", "status": "published"})
    assert document.metadata == {"tenant": "own", "status": "published"}


def test_the_language_is_the_locale_else_what_the_text_looks_like() -> None:
    assert Document.of_text("a", "The fee is due.", locale="de-AT").language == "de"
    assert Document.of_text("a", "Die Gebühr ist fällig.").language == "de"
    assert Document.of_text("a", "The fee is due.").language == "en"
