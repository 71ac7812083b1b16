from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage


def test_an_inventory_reads_back_as_it_was_written() -> None:
    document = InventoryDocument(document_id="d", text="Returns: 30 days.", metadata={"tenant": "acme", "page": 3})
    passage = InventoryPassage(passage_id="d#0", document_id="d", text="30 days", indexed=False)
    written = Inventory(documents=(document,), passages=(passage,))
    assert Inventory.model_validate_json(written.model_dump_json()) == written


def test_a_passage_counts_as_indexed_unless_it_is_said_not_to_be() -> None:
    assert InventoryPassage(passage_id="p", document_id="d", text="").indexed


def test_a_parser_may_have_left_nothing_of_a_document() -> None:
    assert InventoryDocument(document_id="d", text="").text == ""


@pytest.mark.parametrize("metadata", [{"tenant": ["acme"]}, {"page": float("nan")}, {"": "x"}])
def test_metadata_are_single_values_under_names(metadata: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        InventoryDocument(document_id="d", text="", metadata=metadata)
