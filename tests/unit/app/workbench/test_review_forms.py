"""What a form holds is what the types of the ledger take, or each field is told what it lacks."""

from __future__ import annotations

import pytest

from beleg.app.workbench.review_forms import FormRefused, ReviewForm, assignee_of, line_of_form, note_of, reason_of


def form(**typed: str) -> ReviewForm:
    hidden = {"do": "verdict", "version": "2", "evidence_digest": "sha256:row", "idempotency_key": "k"}
    return ReviewForm.model_validate(hidden | typed)


def test_a_form_becomes_the_verdict_on_what_was_looked_at() -> None:
    line = line_of_form("C-1", form(support="supported", support_rationale=" So it is. ", spent_ms="12"))
    assert (line.expected_version, line.evidence_digest, line.idempotency_key) == (2, "sha256:row", "k")
    assert (line.support_rationale, line.spent_ms, line.attribution, line.note) == ("So it is.", 12, None, None)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({}, {"support": "needs_verdict"}),
        ({"support": "supported"}, {"support_rationale": "needs_rationale"}),
        ({"attribution": "missing"}, {"attribution_rationale": "needs_rationale"}),
        (
            {"support": "supported", "support_rationale": "x", "attribution_rationale": "y"},
            {"attribution": "needs_choice"},
        ),
        ({"support": "not_assessable", "support_rationale": "x"}, {"missing": "needs_missing"}),
        ({"support": "supported", "support_rationale": "x", "missing": "y"}, {"missing": "only_not_assessable"}),
        ({"support": "perhaps", "support_rationale": "x"}, {"support": "unusable"}),
        ({"support": "not_assessable", "support_rationale": "x", "missing": "y\n" * 51}, {"missing": "too_long"}),
    ],
)
def test_each_field_is_told_what_it_lacks(typed: dict[str, str], told: dict[str, str]) -> None:
    with pytest.raises(FormRefused) as refused:
        line_of_form("C-1", form(**typed))
    assert refused.value.fields == told


def test_reasons_notes_and_names_are_checked_by_their_types() -> None:
    assert (reason_of(form(reason=" Why ")), note_of(form(note="n")), assignee_of(" bob ")) == ("Why", "n", "bob")
    for refused, field in (
        (lambda: reason_of(form(reason=" ")), "reason"),
        (lambda: note_of(form()), "note"),
        (lambda: assignee_of("b\nb"), "assignee"),
        (lambda: assignee_of(""), "assignee"),
    ):
        with pytest.raises(FormRefused) as fault:
            refused()
        assert list(fault.value.fields) == [field]
