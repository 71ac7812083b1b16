"""The case data of the page: complete, de-duplicated, within its budget."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

from beleg.report.evidence import quote_span
from beleg.report.naming import metric_label
from beleg.report.payload import Payload, build_payload, case_index
from beleg.report.records import ItemTable, RecordWriter
from support.report_data import HOSTILE_ID, LONG_ANSWER, build_report

REPORT = build_report()
METRICS = [metric_label(name) for name in REPORT.candidate.scores]


def unpacked(payload: Payload) -> dict[str, Any]:
    return {block.name: json.loads(zlib.decompress(base64.b64decode(block.text))) for block in payload.blocks}


def test_every_case_is_in_the_page_with_its_traces() -> None:
    blocks = unpacked(build_payload(REPORT, METRICS, budget=1_000_000))
    records = [record for name, block in blocks.items() if name.startswith("cases-") for record in block]
    assert len(records) == len(blocks["index"]["ids"]) == 60
    assert len(records[6]["runs"][0]) == 2
    assert records[3]["runs"][0][0]["status"] == "error"


def test_a_record_points_at_texts_that_stand_once() -> None:
    writer = RecordWriter(REPORT)
    records = writer.records()
    texts = [item for item in writer.table.items if isinstance(item, str)]
    assert len(texts) == len(set(texts))
    items = writer.table.items
    trace = records[12]["runs"][0][0]
    assert items[trace["answer"]] == LONG_ANSWER
    prompt = "".join(items[part] for part in trace["prompt"])
    output = REPORT.candidate_traces[REPORT.candidate.cases[12].case_id][0].output
    assert output is not None
    assert prompt == output.prompt
    passage = items[trace["stages"]["retrieved"][0][0]]
    assert items[passage[3]] == output.retrieved[0].text


def test_expected_evidence_is_marked_at_its_exact_place() -> None:
    writer = RecordWriter(REPORT)
    record = next(record for record in writer.records() if "cost" in record["runs"][1][0])
    which, start, end = record["runs"][1][0]["stages"]["reranked"][0][2][0]
    passage = writer.table.items[record["runs"][1][0]["stages"]["reranked"][0][0]]
    quoted = writer.table.items[passage[3]][start:end]
    assert quoted == writer.table.items[record["expected"][which]["quote"]]


def test_offsets_count_as_a_browser_counts() -> None:
    # U+1F4E6 is one code point and two UTF-16 units
    assert quote_span("📦 Preis: „4,90\u00a0€“", 'Preis: "4,90 €"') == (3, 18)
    assert quote_span("nothing", "something") is None
    assert quote_span("abc", "") is None


def test_a_reason_stands_where_a_score_is_missing() -> None:
    index = case_index(REPORT, METRICS)
    assert index["candidate"][0][3] == "infra_error"
    assert index["candidate"][0][9] == "timeout"
    assert index["ids"][1] == HOSTILE_ID
    assert index["status"][9] == "timeout"


def test_a_lost_case_knows_its_first_stage() -> None:
    index = case_index(REPORT, METRICS)
    assert index["stages"][index["lost"][0]] == "filtered"
    assert index["lost"][1] == -1


def test_a_case_that_the_baseline_never_saw_is_missing_there() -> None:
    other = build_report(cases=60)
    assert other.baseline is not None
    fewer = build_report(cases=59)
    assert fewer.baseline is not None
    index = case_index(
        type(other)(decision=other.decision, candidate=other.candidate, baseline=fewer.baseline), METRICS
    )
    assert index["baseline"][0][59] == "missing"
    assert index["status"][0] == "no_trace"


@pytest.mark.parametrize(("share", "keeps_quoted"), [(0.8, True), (0.05, False)])
def test_what_does_not_fit_is_cut_and_the_cut_is_told(share: float, keeps_quoted: bool) -> None:
    report = build_report(cases=40, passage_pool=400)
    whole = build_payload(report, METRICS, budget=10_000_000)
    assert whole.cut is None
    size = sum(len(block.text) for block in whole.blocks)
    small = build_payload(report, METRICS, budget=round(size * share))
    assert small.cut is not None
    assert small.keeps_quoted is keeps_quoted
    if keeps_quoted:
        assert sum(len(block.text) for block in small.blocks) <= round(size * share)
    cut = [
        item
        for name, block in unpacked(small).items()
        if name.startswith("items-")
        for item in block
        if isinstance(item, dict)
    ]
    assert all(len(item["cut"]) == small.cut < item["length"] for item in cut)


def test_a_quoted_passage_is_spared_as_long_as_possible() -> None:
    table = ItemTable()
    plain, quoted = table.text("a" * 50), table.text("b" * 50)
    table.quoted.add(quoted)
    kept = list(table.shortened(10, keep_quoted=True))
    assert kept[plain] == {"cut": "a" * 10, "length": 50}
    assert kept[quoted] == "b" * 50
    assert list(table.shortened(10, keep_quoted=False))[quoted]["length"] == 50
