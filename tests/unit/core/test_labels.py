from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.labels import HumanLabel, TextRange


@pytest.mark.parametrize(
    ("label", "positive"), [("supported", True), ("pass", True), ("not_supported", False), ("fail", False)]
)
def test_a_label_says_whether_all_is_well(label: str, positive: bool) -> None:
    assert HumanLabel.model_validate({"item_id": "1", "answer": "a", "label": label}).is_positive is positive


def test_what_was_labelled_is_the_claim_where_there_is_one() -> None:
    whole = HumanLabel(item_id="1", answer="All of it.", label="supported")
    assert whole.judged_text == "All of it."
    assert whole.model_copy(update={"claim": "A part."}).judged_text == "A part."


@pytest.mark.parametrize("field", [{"label": "perhaps"}, {"item_id": ""}, {"more": 1}])
def test_a_label_of_another_shape_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HumanLabel.model_validate({"item_id": "1", "answer": "a", "label": "pass"} | field)


def test_a_label_is_stored_and_read_back_unchanged() -> None:
    label = HumanLabel(
        item_id="1",
        answer="Ab.",
        passages=(("p", "text"),),
        label="not_supported",
        segments={"language": "de"},
        marked=(TextRange(start=0, end=2, kind="Evident Conflict"),),
    )
    assert HumanLabel.model_validate_json(label.model_dump_json(), strict=False) == label
