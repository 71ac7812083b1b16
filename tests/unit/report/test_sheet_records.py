"""The sheet inside the report: every claim, machines and people apart, quotes where a browser finds them."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from typing import Any

import pytest

from beleg.core.evidence import SupportVerdict
from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.sheet_export import ExportedCase
from beleg.core.trace import Passage
from beleg.report.naming import metric_label
from beleg.report.payload import build_payload
from beleg.report.records import ItemTable
from beleg.report.sheet_records import human_code, sheet_records
from beleg.report.sheet_view import case_view
from support.q017 import evidence, output
from support.report_data import build_report
from support.report_sheets import with_sheet
from support.reviews import verdicts
from support.sheet_data import exported, hostile_case, reviewed

ROWS = {"Q-017": 0}


def answer_of(made: ExportedCase) -> tuple[dict[str, Any], list[Any]]:
    table = ItemTable()
    records = sheet_records([made], ROWS, table)
    return records.answers[0], table.items


def test_attribution_and_support_are_two_verdicts_with_who_gave_them() -> None:
    answer, items = answer_of(exported())
    claim = answer["claims"][0]
    assert claim["attribution"]["word"] == ["attached", "angehängt"]
    assert claim["machine"]["word"] == ["not supported", "nicht gestützt"]
    assert items[claim["machine"]["why"]].startswith("Die Passage schließt Final-Sale-Artikel")
    assert claim["machine"]["by"][0].endswith("(model)")
    assert "humans" not in claim


def test_people_stand_beside_the_machine_and_never_in_its_place() -> None:
    answer, _ = answer_of(exported(events=reviewed()))
    claim = answer["claims"][1]
    assert claim["machine"]["word"][0] == "partially supported"
    assert [(human["who"], human["support"]["word"][0]) for human in claim["humans"]] == [
        ("A. Kurz", "partially supported"),
        ("B. Lang", "not supported"),
    ]


def test_a_quote_is_placed_as_a_browser_counts() -> None:
    text = "📦 Preis: 4,90 € pro Paket"
    passages = (Passage(passage_id="p", document_id="D-01", text=text),)
    finding = ClaimFinding(
        claim_id="1", claim="Es kostet 4,90 €.", support=Support.SUPPORTED, rationale="Steht da.",
        quotes=(Quote(passage_id="p", text="4,90 €", match="exact"),),
    )  # fmt: skip
    returned = output("Es kostet 4,90 €.[D-01]", retrieved=passages, delivered=passages)
    answer, items = answer_of(exported(evidence([finding], returned=returned)))
    number, rank, delivered, spans = answer["claims"][0]["passages"][0]
    assert (rank, delivered) == (1, True)
    encoded = items[items[number][3]].encode("utf-16-le")
    assert [encoded[2 * start : 2 * end].decode("utf-16-le") for start, end in spans] == ["4,90 €"]


def test_the_list_holds_one_row_for_each_claim() -> None:
    index = sheet_records([exported(events=reviewed())], ROWS, ItemTable()).index
    columns = index["claims"]
    assert {len(column) for column in columns.values()} == {4}
    assert columns["human"] == ["nobody", "differ", "nobody", "nobody"]
    assert columns["machine"][0] == "not_supported"
    assert index["rows"] == [0]


def test_an_answer_to_a_case_that_the_report_does_not_hold_is_left_out() -> None:
    assert sheet_records([exported()], {"another": 0}, ItemTable()).answers == []


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ((), "nobody"),
        ((SupportVerdict.SUPPORTED,), "supported"),
        ((SupportVerdict.SUPPORTED, SupportVerdict.SUPPORTED), "supported"),
        ((SupportVerdict.SUPPORTED, SupportVerdict.NOT_SUPPORTED), "differ"),
    ],
)
def test_what_people_say_is_one_word_only_where_they_agree(given: tuple[SupportVerdict, ...], code: str) -> None:
    case = evidence()
    events = tuple(verdicts(*((f"P{n}", verdict) for n, verdict in enumerate(given)), about=case.claims[0], case=case))
    assert human_code(case_view(exported(case, events)).claims[0]) == code


def test_a_verdict_about_an_older_claim_decides_nothing_in_the_list() -> None:
    view = case_view(exported(events=reviewed())).claims[1]
    old = replace(view, humans=tuple(replace(human, is_outdated=True) for human in view.humans))
    assert human_code(old) == "nobody"


def test_a_passage_of_several_claims_stands_once() -> None:
    table = ItemTable()
    sheet_records([exported()], ROWS, table)
    passages = [item for item in table.items if isinstance(item, list)]
    assert len(passages) == 2
    assert len([item for item in table.items if isinstance(item, str) and "Final-Sale-Artikel sind" in item]) == 1


def test_a_payload_stays_text_in_every_field() -> None:
    payload = "</script><script>window.__x=1</script>"
    made = exported(hostile_case(payload))
    table = ItemTable()
    records = sheet_records([made], {payload: 0}, table)
    assert records.answers[0]["claims"][0]["id"] == payload
    assert payload in table.items


def test_the_page_holds_the_sheet_in_blocks_and_nothing_of_it_without_one() -> None:
    report = build_report()
    metrics = [metric_label(name) for name in report.candidate.scores]
    plain = {block.name for block in build_payload(report, metrics, budget=1_000_000).blocks}
    assert not [name for name in plain if name.startswith("sheet")]
    blocks = {block.name: block for block in build_payload(with_sheet(report), metrics, budget=1_000_000).blocks}
    index = json.loads(zlib.decompress(base64.b64decode(blocks["sheet-index"].text)))
    answers = json.loads(zlib.decompress(base64.b64decode(blocks["sheet-0"].text)))
    assert len(answers) == index["perBlock"] == 50
    assert len(index["rows"]) == 61
