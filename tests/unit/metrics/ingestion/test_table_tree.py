"""The tree that is compared, in each of the forms."""

from __future__ import annotations

import pytest

from beleg.metrics.ingestion.table_html import read_table
from beleg.metrics.ingestion.table_tree import PUBTABNET, TableForm, flattened, in_form, plain

HTML = "<table><thead><tr><th> A </th></tr></thead><tbody><tr><td>b<i>c</i></td></tr></tbody></table>"


@pytest.mark.parametrize(
    ("form", "tags"),
    [
        (PUBTABNET, "th tr thead td tr tbody table"),
        (TableForm(header_cells="same"), "td tr thead td tr tbody table"),
        (TableForm(sections="dissolved"), "th tr td tr table"),
    ],
)
def test_nodes_come_in_postorder_with_what_the_form_tells_apart(form: TableForm, tags: str) -> None:
    assert [label[0] for label in flattened(read_table(HTML), form).labels] == tags.split()


def test_the_first_node_of_every_subtree_is_known() -> None:
    assert flattened(read_table(HTML)).leftmost == [0, 0, 0, 3, 3, 3, 0]


def test_only_cells_have_text() -> None:
    tree = flattened(read_table(HTML), TableForm(cell_text="characters", spaces="folded"))
    assert tree.texts == ["A", None, None, "bc", None, None, None]


def test_text_without_tags_keeps_every_character() -> None:
    (text,) = [text for text in flattened(read_table("<table><tr><td>ä<b>😀</b>\uf8ff</table>")).texts if text]
    assert plain(text) == "ä😀\uf8ff"
    assert in_form(" a  b ", PUBTABNET) == " a  b "
