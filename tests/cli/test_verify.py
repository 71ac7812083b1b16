"""``beleg verify``: the first line is the answer, and only exit 0 deploys."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.projects import beleg
from support.vector_tools import at_this_moment, parts, signed_trust, trust_at_this_moment, written

WORDS = (
    "--trust", "trust.dsse.json", "--root", "root.pub.pem", "--subject", f"sha256:{parts.CANDIDATE}",
    "--environment", "production",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "trust.dsse.json").write_bytes(signed_trust(trust_at_this_moment()))
    (tmp_path / "root.pub.pem").write_text(parts.ROOT.pem)
    return tmp_path


def decide(site: Path, verdict: str = "PASS", **changes: object) -> bytes:
    payload = parts.payload_of(parts.decision(verdict, **{**at_this_moment(), **changes}))
    written(site / "decision" / "decision.dsse.json", parts.signed(payload, parts.GATE))
    return bytes(payload)


@pytest.mark.parametrize(
    ("verdict", "code", "first"),
    [
        ("PASS", 0, "ALLOW: the gate said PASS for this candidate in production; it counts for "),
        ("REVIEW", 10, "DENY: the gate said REVIEW, and nothing overrides it"),
        ("BLOCK", 20, "DENY: the gate said BLOCK, and nothing overrides it"),
    ],
)
def test_the_first_line_is_the_answer_and_the_exit_code_is_the_same(
    site: Path, verdict: str, code: int, first: str
) -> None:
    decide(site, verdict)
    done = beleg("verify", "decision", *WORDS, "--state", "state.json", cwd=site)
    assert (done.code, done.err) == (code, "")
    assert done.lines[0].startswith(first)
    assert done.lines[-1] == "Next: beleg trust show trust.dsse.json --root root.pub.pem"


def test_json_says_the_same(site: Path) -> None:
    decide(site, "BLOCK")
    done = beleg("verify", "decision", *WORDS, "--json", cwd=site)
    assert done.code == done.json["exit_code"] == 20
    assert (done.json["admitted"], done.json["reason"], done.json["decision"]) == (False, "block", "BLOCK")
    assert done.json["headline"]["de"] == "DENY: das Urteil lautet BLOCK, ohne Ausnahme"


def test_german_is_spoken(site: Path) -> None:
    decide(site, expiresAt=at_this_moment()["issuedAt"])
    done = beleg("verify", "decision", *WORDS, "--lang", "de", cwd=site)
    assert done.code == 30
    assert done.lines[:3] == [
        "DENY: die Entscheidung ist vor 60 Minuten abgelaufen",
        f"Kandidat: sha256:{parts.CANDIDATE}",
        "Umgebung: production",
    ]
    assert "wird nichts gemerkt" in done.err


def test_an_override_is_shown_with_who_answers_for_it(site: Path) -> None:
    payload = decide(site, "BLOCK")
    times = {name: time for name, time in at_this_moment().items() if name != "notBefore"}
    over = parts.over(overrides=parts.digest(payload), reason="one\u202eline\x1b[31m", **times)
    written(site / "decision" / "overrides" / "ada.dsse.json", over)
    done = beleg("verify", "decision", *WORDS, cwd=site)
    assert done.code == 0
    assert done.lines[0].startswith("ALLOW by override: the gate said BLOCK, and Ada answers for the exception")
    assert "  for: faithfulness, latency" in done.lines
    assert "  because: one⟦U+202E⟧line⟦U+001B⟧[31m" in done.lines


def test_each_file_that_does_not_count_is_named(site: Path) -> None:
    decide(site)
    written(site / "decision" / "rogue.dsse.json", parts.decided("PASS", parts.ROGUE))
    done = beleg("verify", "decision", *WORDS, cwd=site)
    assert done.code == 0
    assert "Does not count: decision/rogue.dsse.json (untrusted_key)" in done.lines


def test_without_memory_the_reader_is_told(site: Path) -> None:
    decide(site)
    assert "nothing is remembered" in beleg("verify", "decision", *WORDS, cwd=site).err


def test_memory_keeps_what_was_replaced_out(site: Path) -> None:
    memory = ("--state", "state.json")
    decide(site, sequence="43")
    assert beleg("verify", "decision", *WORDS, *memory, cwd=site).code == 0
    decide(site, sequence="42")
    for more in ((), ("--read-only",)):
        done = beleg("verify", "decision", *WORDS, *memory, *more, cwd=site)
        assert (done.code, done.lines[0]) == (30, "DENY: the decision was replaced by a newer one")


def test_the_manifest_itself_may_be_given(site: Path) -> None:
    (site / "candidate.yaml").write_text("name: another\n")
    decide(site)
    words = ("--trust", "trust.dsse.json", "--root", "root.pub.pem", "--environment", "production")
    done = beleg("verify", "decision", *words, "--manifest", "candidate.yaml", cwd=site)
    assert (done.code, done.lines[0]) == (30, "DENY: the decision is about another candidate")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2), (("gone", *WORDS), 2), (("decision", *WORDS[2:]), 2), (("decision", *WORDS[:2], *WORDS[4:]), 2),
        (("decision", *WORDS[:6]), 2), (("decision", *WORDS, "--manifest", "candidate.yaml"), 2),
        (("decision", *WORDS[:4], "--environment", "production"), 2), (("decision", *WORDS, "--lang", "fr"), 2),
        (("decision", *WORDS, "--state", "gone.json", "--read-only"), 30), (("decision", *WORDS, "--now", "x"), 2),
        (("decision", *WORDS, "--root", "trust.dsse.json"), 30), (("pack.zip",), 2),
    ],
)  # fmt: skip
def test_a_wrong_call_never_deploys(site: Path, words: tuple[str, ...], code: int) -> None:
    decide(site)
    done = beleg("verify", *words, cwd=site)
    assert (done.code, done.out) == (code, "")
    assert done.err
    assert "Traceback" not in done.err


def test_a_spoiled_trust_file_is_a_no(site: Path) -> None:
    decide(site)
    (site / "trust.dsse.json").write_text("{}")
    done = beleg("verify", "decision", *WORDS, cwd=site)
    assert (done.code, done.lines[0]) == (30, "DENY: the trust file is not signed by the root that was named")
