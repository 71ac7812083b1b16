from __future__ import annotations

from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.findings import Finding
from beleg.core.score import ScoreStatus
from beleg.run.findings import FindingsWriter, measures_in, read_findings


def finding(case_id: str = "c1", status: ScoreStatus = ScoreStatus.TIMEOUT, **fields: object) -> Finding:
    given = {"case_id": case_id, "measure": "m", "measure_version": "1", "subject_digest": "d", "status": status}
    return Finding.model_validate(given | fields)


def written(path: Path, *findings: Finding) -> Path:
    with FindingsWriter(path, keep_bytes=0) as writer:
        for found in findings:
            writer.append(found)
    return path


def test_a_run_that_nobody_judged_has_no_findings(tmp_path: Path) -> None:
    assert read_findings(tmp_path / "f").latest == {}


def test_of_several_findings_on_one_thing_the_last_counts_and_all_stay(tmp_path: Path) -> None:
    later = finding(status=ScoreStatus.SCORED, evidence={"claims": []})
    path = written(tmp_path / "f", finding(), finding("c2"), later)
    assert read_findings(path).latest == {("c1", 0, "m"): later, ("c2", 0, "m"): finding("c2")}
    assert path.read_bytes().count(b"\n") == 3


def test_a_cut_last_line_is_left_out_and_damage_before_it_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "f", finding("c1"), finding("c2"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    content = read_findings(path)
    assert set(content.latest) == {("c1", 0, "m")}
    assert content.whole_bytes + content.cut_bytes == len(whole) - 5
    path.write_bytes(whole.replace(b'"c1"', b'"c9"'))
    with pytest.raises(EvidenceError, match="f:1: the journal is damaged") as caught:
        read_findings(path)
    assert "judge the run again" in (caught.value.hint or "")


def test_a_full_disk_is_told_in_the_words_of_judging(tmp_path: Path) -> None:
    writer = FindingsWriter(tmp_path / "f", keep_bytes=0)
    writer._broken = True
    with pytest.raises(EvidenceError, match="the m of case 'c1' cannot be written") as caught:
        writer.append(finding())
    writer.close()
    assert "judge the run again" in (caught.value.hint or "")


def test_the_measures_of_a_run_are_told_without_reading_its_findings(tmp_path: Path) -> None:
    assert measures_in(tmp_path / "f") == ()
    sly = finding('","measure":"sly', detail='"measure":"sly"')
    path = written(tmp_path / "f", finding(), sly, finding(measure="n"))
    assert measures_in(path) == ("m", "n")


def test_the_digest_binds_to_whole_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "f", finding())
    whole = read_findings(path).digest
    path.write_bytes(path.read_bytes() + b'{"check":"cut')
    assert read_findings(path).digest == whole
    assert read_findings(tmp_path / "none").digest is None


def test_the_measures_of_a_damaged_file_are_told_without_a_fault_of_our_own(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'\xff"measure":"\xff"\n')
    assert measures_in(path) == ("\ufffd",)
