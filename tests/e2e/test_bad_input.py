"""Bad input, tried against the real command line: what it says, how it ends, and that nothing is lost."""

from __future__ import annotations

import http.server
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.run.journal import read
from cli.projects import (
    Done,
    beleg,
    real_beleg,
    write_callable,
    write_cases,
    write_lines,
    write_policy,
    write_recorded,
)

CASES = 40
ALIAS_BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\npolicy: p\n"
CHECK = "checks:\n  - {metric: recall@5, pass_at: 0.5, block_at: 0.3}\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a finished run and one on fewer cases, which no test changes."""
    folder = tmp_path_factory.mktemp("bad_input")
    write_cases(folder / "cases.jsonl", CASES, lambda i: {"language": "fr" if i < 2 else "en"})
    write_cases(folder / "three.jsonl", 3)
    write_recorded(folder, "good", ["d1"] * CASES)
    write_recorded(folder, "again", ["d1"] * CASES, answer="yes indeed")
    write_policy(folder / "policy.json")
    for suite, out in (("cases.jsonl", "good"), ("three.jsonl", "small")):
        assert beleg("run", "good.yaml", "--suite", suite, "--out", out, cwd=folder).code == 0
        assert beleg("run", "again.yaml", "--suite", suite, "--out", f"again-{out}", cwd=folder).code == 0
    return folder


@pytest.fixture
def damaged(project: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be damaged."""
    return shutil.copytree(project / "good", tmp_path / "run")


def refused(done: Done, code: int, *said: str) -> None:
    """Nothing on standard output, the exit code, and everything that the message must say."""
    assert (done.code, done.out) == (code, ""), done
    assert done.err.startswith("beleg: ")
    for part in said:
        assert part in done.err


def gate(project: Path, run: Path | str, policy: Path | str, *more: str) -> Done:
    return real_beleg("gate", str(run), "--policy", str(policy), *more, cwd=project)


# Suites


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", "", ["empty.jsonl: the file is empty"]),
        ("list.json", "[]", ["list.json: the file holds no rows"]),
        ("none.yaml", "name: none\ncases: []\n", ["none.yaml:2: field 'cases'", "1 or more are expected"]),
        (
            "outside.yaml",
            "name: outside\ncases:\n  - ../../etc/passwd\n",
            ["outside.yaml:3: field 'cases[0]'", "lies outside the folder", "'../../etc/passwd'", "Move it beside"],
        ),
        (
            "nan.jsonl",
            '{"case_id": "c1", "user_input": "q", "expected_passages": [{"document_id": "d1", "grade": NaN}]}\n',
            ["nan.jsonl:1: numbers must be finite", "'NaN'"],
        ),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused_before_anything_is_run(
    project: Path, tmp_path: Path, name: str, content: str, said: list[str]
) -> None:
    (tmp_path / name).write_text(content)
    done = real_beleg("run", "good.yaml", "--suite", str(tmp_path / name), "--out", str(tmp_path / "r"), cwd=project)
    refused(done, 30, *said)
    assert not (tmp_path / "r").exists()


def test_a_case_that_stands_in_two_files_is_refused_with_both_places(tmp_path: Path) -> None:
    write_cases(tmp_path / "one.jsonl", 2)
    write_lines(tmp_path / "two.jsonl", [{"case_id": "c1", "user_input": "again"}])
    (tmp_path / "suite.yaml").write_text("name: twice\ncases: [one.jsonl, two.jsonl]\n")
    done = real_beleg("suite", "validate", "suite.yaml", cwd=tmp_path)
    refused(done, 30, "two.jsonl:1: field 'case_id'", "one.jsonl:2", "'c1'", "Keep one of them")


# Policies


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policy: p\n", [":1: field 'checks': the policy has no checks", "Add at least one check"]),
        (
            "policy: p\nchecks:\n  - {metric: recal@5, pass_at: 0.5, block_at: 0.3}\n",
            [":3: field 'checks[0].metric': no such metric", "'recal@5'", "Did you mean recall"],
        ),
        (f"policy: p\nversion: 1\npolicy: q\n{CHECK}", [":3: field 'policy': the key stands twice", "Keep one"]),
        (ALIAS_BOMB, [":1: anchors are not read (&a)", "Remove the anchor"]),
        (
            f"policy: p\nconfidence: high\n{CHECK}",
            [":2: field 'confidence': a number is expected", "'high'", "Write a number"],
        ),
        (f"policy: p\nminimun_n: 3\n{CHECK}", [":2: field 'minimun_n': there is no such field", "'minimum_n'"]),
        (
            f"policy: p\nprotected_segments:\n  - where: {{langage: fr}}\n{CHECK[:-2]}, protected: {{margin: 0.1}}}}\n",
            [":3: field 'protected_segments[0].where'", "'langage'", "Use one of: language"],
        ),
    ],
    ids=["no checks", "misspelt metric", "repeated key", "alias bomb", "wrong type", "unknown field", "no dimension"],
)
def test_a_policy_that_cannot_be_carried_out_is_refused_by_file_line_and_field(
    project: Path, tmp_path: Path, text: str, said: list[str]
) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    refused(gate(project, "good", tmp_path / "bad.yaml"), 30, *(f"bad.yaml{said[0]}", *said[1:]))


def test_a_policy_that_is_not_there_is_a_usage_error(project: Path) -> None:
    refused(gate(project, "good", "nothing.yaml"), 2, "nothing.yaml", "No such file")


def test_a_protected_segment_of_two_cases_is_reviewed_and_never_passed(project: Path, tmp_path: Path) -> None:
    check = {"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3, "protected": {"pass_at": 0.5, "block_at": 0.3}}
    write_policy(tmp_path / "p.json", checks=[check], protected_segments=[{"where": {"language": "fr"}}])
    done = gate(project, "good", tmp_path / "p.json", "--out", str(tmp_path))
    assert (done.code, done.err) == (10, "")
    assert done.out.startswith("◐ REVIEW: ")
    assert "language=fr" in done.lines[0]
    assert "n 2; fewer than 10 scored cases never pass" in " ".join(done.out.split())


# Candidates


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (
            "async def answer(query):\n    await asyncio.sleep(20 if query.case_id == 'c1' else 0)\n    return 'yes'",
            "1 timeout; first c1: no answer within 0.3 s",
        ),
        (
            "def answer(query):\n    passage = {'passage_id': 'd1', 'document_id': 'd1'}\n"
            "    return {'retrieved': [passage, passage], 'answer': 'yes'}",
            "3 duplicate_passage; first c0: field 'retrieved[1].passage_id': the passage already stands",
        ),
        (
            "def answer(query):\n    passage = {'passage_id': 'd1', 'document_id': 'd1', 'score': math.nan}\n"
            "    return {'retrieved': [passage], 'answer': 'yes'}",
            "3 invalid_output; first c0: the output cannot be used: field 'retrieved[0].score': numbers must be finite",
        ),
        ("def answer(query):\n    raise RuntimeError('down')", "3 raised; first c0: the callable raised RuntimeError"),
    ],
    ids=["times out", "repeats a passage", "gives nan", "raises"],
)
def test_a_candidate_that_fails_is_counted_by_kind_and_never_passes(tmp_path: Path, body: str, failure: str) -> None:
    write_cases(tmp_path / "cases.jsonl", 3)
    write_callable(tmp_path, "failing", body)
    write_policy(tmp_path / "p.json", minimum_n=2)
    options = ("--timeout", "0.3", "--out", "r")
    done = real_beleg("run", "failing.yaml", "--suite", "cases.jsonl", *options, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert f"{3 - int(failure[0])} of 3 cases answered, {failure[0]} failed" in done.lines[0]
    assert done.lines[1].startswith(f"Failed: {failure}")
    decided = beleg("gate", "r", "--policy", "p.json", "--json", cwd=tmp_path)
    assert decided.code in (10, 20)
    counts = [check["counts"] for check in decided.json["checks"] if check.get("metric") == "recall@5"]
    assert {(count["expected"], count["scored"]) for count in counts} == {(3, 3 - int(failure[0]))}


def test_unknown_passage_ids_in_citations_are_measured_as_such(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 1)
    passage = {"passage_id": "d1", "document_id": "d1"}
    citation = {"marker": "9", "passage_id": "nowhere"}
    write_recorded(tmp_path, "liar", ["d1"])
    write_lines(
        tmp_path / "liar.traces.jsonl",
        [{"case_id": "c0", "retrieved": [passage], "delivered": [passage], "answer": "x", "citations": [citation]}],
    )
    assert beleg("run", "liar.yaml", "--suite", "cases.jsonl", "--out", "r", cwd=tmp_path).code == 0
    scores = real_beleg("show", "c0", "--run", "r", "--json", cwd=tmp_path).json[0]["scores"]
    assert scores["unknown_source_ids"]["value"] == 1
    assert scores["citation_id_validity"]["value"] == 0


def test_a_trace_file_with_nan_is_refused_by_line(project: Path, tmp_path: Path) -> None:
    write_recorded(tmp_path, "nan", ["d1"])
    (tmp_path / "nan.traces.jsonl").write_text(
        '{"case_id": "c0", "answer": "x"}\n'
        '{"case_id": "c1", "retrieved": [{"passage_id": "d1", "document_id": "d1", "score": NaN}]}\n'
    )
    words = ("run", str(tmp_path / "nan.yaml"), "--suite", "three.jsonl", "--out", str(tmp_path / "r"))
    refused(real_beleg(*words, cwd=project), 30, "nan.traces.jsonl:2: numbers must be finite", "'NaN'")


def test_a_case_without_a_recorded_trace_is_counted_and_keeps_the_decision_from_pass(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", CASES)
    write_recorded(tmp_path, "partial", ["d1"] * (CASES - 2))
    write_policy(tmp_path / "p.json")
    done = beleg("run", "partial.yaml", "--suite", "cases.jsonl", "--out", "r", cwd=tmp_path)
    assert done.lines[1] == "Failed: 2 no_trace; first c38: no trace was recorded for case 'c38'"
    decided = gate(tmp_path, "r", "p.json")
    assert decided.code == 10
    assert f"only 38 of {CASES} cases have a score" in decided.out


class _Endpoint(http.server.BaseHTTPRequestHandler):
    """Replies with a login page, or with more than anyone should read."""

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        if self.path == "/html":
            page = b"<html><script>alert(1)</script>Log in</html>"
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)
            return
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(50 * 2**20))
        self.end_headers()
        try:
            for _ in range(50):
                self.wfile.write(b"x" * 2**20)
        except OSError:
            # The reader is meant to hang up.
            self.close_connection = True


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def http_candidate(url: str, allowed: str) -> str:
    return (
        "kind: http\nmanifest: {name: remote}\nhttp:\n"
        f"  url: {url}\n  request: {{q: '{{{{query.text}}}}'}}\n  response: {{answer: $.answer}}\n"
        f"  allowed_hosts: ['{allowed}']\n  allowed_networks: [127.0.0.0/8]\n"
    )


@pytest.mark.parametrize(
    ("page", "failure"),
    [
        ("html", "3 not_json; first c0: http://ENDPOINT/html answered with status 200 and text/html"),
        ("large", "3 too_large; first c0: http://ENDPOINT/large sent more than 5,242,880 bytes"),
    ],
)
def test_an_endpoint_that_replies_with_rubbish_is_a_counted_failure(
    project: Path, tmp_path: Path, endpoint: str, page: str, failure: str
) -> None:
    (tmp_path / "remote.yaml").write_text(http_candidate(f"http://{endpoint}/{page}", endpoint))
    options = ("--concurrency", "1", "--out", str(tmp_path / "r"))
    done = real_beleg("run", str(tmp_path / "remote.yaml"), "--suite", "three.jsonl", *options, cwd=project)
    assert done.code == 0
    assert done.lines[0].startswith("0 of 3 cases answered, 3 failed")
    assert done.lines[1].startswith(f"Failed: {failure.replace('ENDPOINT', endpoint)}")


def test_a_host_that_is_not_listed_is_never_reached(project: Path, tmp_path: Path, endpoint: str) -> None:
    (tmp_path / "remote.yaml").write_text(http_candidate(f"http://{endpoint}/html", "example.org"))
    words = ("run", str(tmp_path / "remote.yaml"), "--suite", "three.jsonl", "--out", str(tmp_path / "r"))
    refused(real_beleg(*words, cwd=project), 30, "remote.yaml:4:", f"the host {endpoint} is not in allowed_hosts")
    assert not (tmp_path / "r").exists()


def test_hostile_text_neither_drives_the_terminal_nor_the_report(tmp_path: Path) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
    name = "<script>alert(3)</script>'; touch owned '\x9b31m"
    write_lines(
        tmp_path / "cases.jsonl",
        [{"case_id": name, "user_input": hostile, "language": name, "expected_passages": [{"document_id": "d0"}]}],
    )
    write_recorded(tmp_path, "evil", ["d1"])
    passage = {"passage_id": name, "document_id": "d1", "text": hostile}
    write_lines(tmp_path / "evil.traces.jsonl", [{"case_id": name, "retrieved": [passage], "answer": hostile}])
    write_policy(tmp_path / "p.json")
    colourful = {"env": os.environ | {"FORCE_COLOR": "1", "TERM": "xterm-256color"}}
    ran = real_beleg("run", "evil.yaml", "--suite", "cases.jsonl", "--out", "r", cwd=tmp_path)
    shown = real_beleg("show", name, "--run", "r", cwd=tmp_path, **colourful)
    gated = real_beleg("gate", "r", "--policy", "p.json", cwd=tmp_path, **colourful)
    assert [done.code for done in (ran, shown, gated)] == [0, 0, 10]
    for done in (ran, shown, gated):
        assert not set("\x1b\x07\x9b\u202e") & set(done.out + done.err)
    assert "⟦U+001B⟧" in shown.out
    page = (tmp_path / "r" / "decision" / "report.html").read_text()
    assert not set("\x1b\x07\x9b\u202e") & set(page)
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert subprocess.run(["sh", "-nc", gated.lines[-1].removeprefix("Next: ")], check=False).returncode == 0


# Runs that are damaged, changed, or none


def test_a_journal_that_was_cut_warns_and_is_repaired_by_resuming(project: Path, damaged: Path) -> None:
    journal = damaged / "traces.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-30])
    warned = gate(project, damaged, "policy.json", "--json")
    assert warned.code == 10
    assert f"{damaged} is not finished: 39 of {CASES} cases, and its journal ends in a cut line" in warned.err
    resume = ("run", "good.yaml", "--suite", "cases.jsonl", "--resume", "--out", str(damaged))
    resumed = real_beleg(*resume, cwd=project)
    assert resumed.code == 0
    assert "a cut last line of" in resumed.err
    assert resumed.lines[:2] == [resumed.lines[0], "39 were there already, 1 were added"]
    assert journal.read_bytes() == whole


@pytest.mark.parametrize("command", ["score", "gate", "resume"])
def test_a_damaged_line_of_the_journal_is_refused_by_line(project: Path, damaged: Path, command: str) -> None:
    journal = damaged / "traces.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[6] = lines[6].replace(b'"answer":"yes"', b'"answer":"YES"')
    journal.write_bytes(b"".join(lines))
    words = {
        "score": ("score", str(damaged)),
        "gate": ("gate", str(damaged), "--policy", "policy.json"),
        "resume": ("run", "good.yaml", "--suite", "cases.jsonl", "--resume", "--out", str(damaged)),
    }[command]
    refused(real_beleg(*words, cwd=project), 30, f"{journal}:7: the journal is damaged", "start a new run")
    assert journal.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    ("candidate", "suite", "changed"), [("other", "cases.jsonl", "candidate"), ("good", "three.jsonl", "suite, cases")]
)
def test_a_run_is_not_resumed_with_other_inputs(
    project: Path, damaged: Path, candidate: str, suite: str, changed: str
) -> None:
    write_recorded(project, "other", ["d2"] * CASES)
    before = (damaged / "traces.jsonl").read_bytes()
    words = ("run", f"{candidate}.yaml", "--suite", suite, "--resume", "--out", str(damaged))
    refused(real_beleg(*words, cwd=project), 30, f"begun with other inputs; changed: {changed}\n", "start a new run")
    assert (damaged / "traces.jsonl").read_bytes() == before


def test_a_suite_that_was_edited_inside_a_finished_run_is_found(project: Path, damaged: Path) -> None:
    suite = damaged / "suite.json"
    suite.write_text(suite.read_text().replace("question 7", "question 8"))
    refused(gate(project, damaged, "policy.json"), 30, f"{suite} was changed after the run began", "start a new run")


def test_a_header_that_was_cut_is_named(project: Path, damaged: Path) -> None:
    (damaged / "run.json").write_text('{"run_id": "x')
    refused(real_beleg("score", str(damaged), cwd=project), 30, f"{damaged / 'run.json'}: Invalid JSON", "run again")


@pytest.mark.parametrize("place", [".", "nothing", "cases.jsonl"])
def test_a_folder_that_is_no_run_says_how_to_make_one(project: Path, place: str) -> None:
    refused(gate(project, place, "policy.json"), 2, f"{place} holds no run", "beleg run CANDIDATE --suite SUITE")


def test_runs_of_different_suites_are_neither_compared_nor_passed(project: Path, tmp_path: Path) -> None:
    compared = real_beleg("compare", "good", "small", cwd=project)
    refused(compared, 30, "cannot be compared: suite", "on the same suite")
    decided = gate(project, "good", "policy.json", "--baseline", "small", "--out", str(tmp_path))
    assert decided.code == 10
    assert "cannot be compared" in decided.lines[0]


@pytest.mark.parametrize(("run", "code"), [("good", 0), ("small", 10)])
def test_an_equally_good_baseline_proves_something_only_with_cases_enough(
    project: Path, tmp_path: Path, run: str, code: int
) -> None:
    write_policy(tmp_path / "p.json", checks=[{"metric": "recall@5", "margin": 0.2}], require_baseline=True)
    assert gate(project, run, tmp_path / "p.json", "--baseline", f"again-{run}", "--out", str(tmp_path)).code == code


# The world around


@pytest.mark.parametrize("place", ["cases.jsonl", "cases.jsonl/inside", "/proc/nowhere"])
@pytest.mark.parametrize("command", ["run", "gate"])
def test_an_output_folder_that_cannot_be_written_is_a_usage_error(project: Path, place: str, command: str) -> None:
    words = {"run": ("run", "good.yaml", "--suite", "cases.jsonl"), "gate": ("gate", "good", "--policy", "policy.json")}
    done = real_beleg(*words[command], "--out", place, cwd=project)
    refused(done, 2, f"cannot write to {place}", "Name another folder with --out")


def test_a_disk_that_fills_up_keeps_the_cases_before_and_the_run_can_be_finished(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 20)
    write_callable(tmp_path, "long", "def answer(query):\n    return 'x' * 2000")
    words = ("run", "long.yaml", "--suite", "cases.jsonl", "--out", "r")

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))

    full = real_beleg(*words, cwd=tmp_path, preexec_fn=small_disk, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    refused(full, 30, "r/traces.jsonl: the answer to case", "Make room on the disk", "--resume")
    kept = read(tmp_path / "r" / "traces.jsonl").traces
    assert 0 < len(kept) < 20
    finished = real_beleg(*words, "--resume", cwd=tmp_path)
    assert finished.code == 0
    assert finished.lines[1] == f"{len(kept)} were there already, {20 - len(kept)} were added"


def test_an_interrupt_keeps_what_is_finished_and_the_run_goes_on_from_there(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 30)
    write_callable(tmp_path, "slow", "async def answer(query):\n    await asyncio.sleep(0.03)\n    return 'yes'")
    words = ("run", "slow.yaml", "--suite", "cases.jsonl", "--out", "r", "--concurrency", "2")
    process = subprocess.Popen(
        [sys.executable, "-m", "beleg", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "r" / "traces.jsonl"
    while not (journal.exists() and journal.stat().st_size):
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "interrupted; the finished cases of a run are kept" in err
    kept = len(read(journal).traces)
    assert 0 < kept < 30
    resumed = real_beleg(*words, "--resume", cwd=tmp_path)
    assert resumed.lines[0].startswith("30 of 30 cases answered")
    assert resumed.lines[1] == f"{kept} were there already, {30 - kept} were added"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("score", "good"), 0),
        (("gate", "good", "--policy", "strict.json"), 20),
        (("gate", "good", "--policy", "strict.json", "--json"), 20),
    ],
)
def test_a_reader_that_leaves_early_changes_no_exit_code(project: Path, words: tuple[str, ...], code: int) -> None:
    write_policy(project / "strict.json", checks=[{"metric": "precision@5", "pass_at": 1.0, "block_at": 0.99}])
    process = subprocess.Popen(
        [sys.executable, "-m", "beleg", *words], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), err) == (code, "")


def test_output_onto_a_full_disk_is_no_pass(project: Path, tmp_path: Path) -> None:
    # Other tests decided on this run by stricter policies of the same name, which a later decision would tell.
    shutil.rmtree(project / "good" / "decision", ignore_errors=True)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "beleg", "gate", "good", "--policy", "policy.json", "--out", str(tmp_path)],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 30
    assert "the output cannot be written: No space left on device" in done.stderr
    assert json.loads((tmp_path / "decision.json").read_text())["verdict"] == "PASS"
