"""What is deployed is named by its digest, and envelopes are found where they belong."""

from __future__ import annotations

import multiprocessing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from beleg.adapters.stores.controller_state import read_state
from beleg.app.verifying import Deployment, envelope_files, is_pack, sentence, subject_of, verify_release
from beleg.core.digest import digest_of
from beleg.core.errors import ConfigError, DataError, EvidenceError, UsageError
from support.vector_tools import NOW, parts, signed_trust, written


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    (tmp_path / "trust.dsse.json").write_bytes(signed_trust())
    (tmp_path / "root.pem").write_text(parts.ROOT.pem)
    return Deployment(
        trust=tmp_path / "trust.dsse.json",
        roots=(tmp_path / "root.pem",),
        subject=parts.CANDIDATE,
        environment="production",
        state=tmp_path / "state.json",
    )


def with_state(deployment: Deployment, **changes: object) -> Deployment:
    fields = {name: getattr(deployment, name) for name in Deployment.__dataclass_fields__}
    return Deployment(**{**fields, **changes})


def test_a_run_a_decision_and_a_file_all_lead_to_the_envelopes(tmp_path: Path) -> None:
    decision = written(tmp_path / "run" / "decision" / "decision.dsse.json", "{}")
    override = written(tmp_path / "run" / "decision" / "overrides" / "1.dsse.json", "{}")
    written(tmp_path / "run" / "decision" / "decision.json", "{}")
    written(tmp_path / "run" / "other" / "1.dsse.json", "{}")
    assert envelope_files([tmp_path / "run"]) == (decision, override)
    assert envelope_files([tmp_path / "run" / "decision"]) == (decision, override)
    assert envelope_files([decision, override.parent, decision]) == (decision, override)


def test_a_folder_that_leads_back_to_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "decision").symlink_to(tmp_path)
    (tmp_path / "overrides").symlink_to(tmp_path)
    written(tmp_path / "1.dsse.json", "{}")
    assert len(envelope_files([tmp_path])) <= 4


def test_the_subject_is_computed_from_what_is_deployed(tmp_path: Path) -> None:
    manifest = {"name": "candidate", "not_used": ["reranker"], "extra": {}}
    plain, run = tmp_path / "manifest.json", tmp_path / "run.json"
    candidate = tmp_path / "candidate.yaml"
    plain.write_text('{"name": "candidate", "not_used": ["reranker"]}')
    run.write_text('{"manifest": {"name": "candidate", "not_used": ["reranker"]}, "manifest_digest": "sha256:0"}')
    candidate.write_text("kind: traces\nmanifest:\n  name: candidate\n  not_used: [reranker]\n")
    assert {subject_of(None, path) for path in (plain, run, candidate)} == {digest_of(manifest).removeprefix("sha256:")}
    assert subject_of(f"sha256:{'a' * 64}", None) == subject_of("a" * 64, None) == "a" * 64


@pytest.mark.parametrize("digest", ["", "sha256:", "a" * 63, "A" * 64, f"sha512:{'a' * 64}", "a" * 64 + "\n"])
def test_what_is_no_digest_is_refused(digest: str) -> None:
    with pytest.raises(UsageError, match="SHA-256"):
        subject_of(digest, None)


def test_one_of_both_must_be_given(tmp_path: Path) -> None:
    for words in ((None, None), ("a" * 64, tmp_path / "manifest.json")):
        with pytest.raises(UsageError, match="about to be deployed"):
            subject_of(*words)


@pytest.mark.parametrize("content", ["[]", "{}", '{"manifest": 1}', '{"name": "a", "name": "b"}'])
def test_a_file_without_a_manifest_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(content)
    with pytest.raises(ConfigError):
        subject_of(None, path)


def test_memory_is_kept_and_only_looked_at(tmp_path: Path, deployment: Deployment) -> None:
    newer = written(tmp_path / "43.dsse.json", parts.decided(sequence="43"))
    older = written(tmp_path / "42.dsse.json", parts.decided())
    looking = with_state(deployment, read_only=True)
    with pytest.raises(EvidenceError, match="memory"):
        verify_release([older], looking, at=NOW)
    assert verify_release([newer], deployment, at=NOW).admitted
    assert verify_release([older], deployment, at=NOW).reason == "stale_sequence"
    before = read_state(tmp_path / "state.json")
    assert verify_release([older], looking, at=NOW).reason == "stale_sequence"
    assert verify_release([newer], looking, at=NOW).admitted
    assert read_state(tmp_path / "state.json") == before
    assert verify_release([older], with_state(deployment, state=None), at=NOW).admitted


def test_an_empty_or_too_large_file_is_no_envelope_and_the_rest_still_counts(
    tmp_path: Path, deployment: Deployment
) -> None:
    empty, large = tmp_path / "0.dsse.json", tmp_path / "1.dsse.json"
    empty.touch()
    large.write_bytes(b" " * (5 * 1024 * 1024))
    good = written(tmp_path / "2.dsse.json", parts.decided())
    admission = verify_release([empty, large, good], deployment, at=NOW)
    assert admission.admitted
    assert [one.refused for one in admission.envelopes] == ["bad_envelope", "bad_envelope", None]


def test_a_file_that_was_named_and_is_not_there_is_an_error(tmp_path: Path, deployment: Deployment) -> None:
    with pytest.raises(UsageError, match=r"gone\.json"):
        verify_release([tmp_path / "gone.json"], deployment, at=NOW)


def test_a_folder_without_envelopes_is_a_no(tmp_path: Path, deployment: Deployment) -> None:
    (tmp_path / "empty").mkdir()
    admission = verify_release([tmp_path / "empty"], deployment, at=NOW)
    assert (admission.admitted, admission.reason, admission.exit_code) == (False, "nothing_found", 30)


@pytest.mark.parametrize("text", ["", "key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_root_that_is_no_public_key_is_an_error(tmp_path: Path, deployment: Deployment, text: str) -> None:
    (tmp_path / "root.pem").write_text(text)
    with pytest.raises(DataError, match=r"root\.pem"):
        verify_release([], deployment, at=NOW)


def test_line_ends_of_windows_do_not_matter_in_a_root(tmp_path: Path, deployment: Deployment) -> None:
    (tmp_path / "root.pem").write_bytes(parts.ROOT.pem.replace("\n", "\r\n").encode())
    assert verify_release([written(tmp_path / "1.dsse.json", parts.decided())], deployment, at=NOW).admitted


def _verify(path: Path, deployment: Deployment, at: datetime, queue: multiprocessing.Queue[bool]) -> None:
    queue.put(verify_release([path], deployment, at=at).admitted)


def test_of_controllers_that_ask_at_once_none_lets_an_older_decision_in_after_a_newer_one(
    tmp_path: Path, deployment: Deployment
) -> None:
    files = [written(tmp_path / f"{n}.dsse.json", parts.decided(sequence=str(n))) for n in range(40, 50)]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    at = NOW + timedelta(seconds=1)
    workers = [context.Process(target=_verify, args=(path, deployment, at, queue)) for path in files]
    for worker in workers:
        worker.start()
    admitted = [queue.get() for _ in workers]
    for worker in workers:
        worker.join()
    memory = read_state(tmp_path / "state.json").environments["production"]
    assert any(admitted)
    assert memory.admitted is not None
    assert memory.admitted.sequence == "49"
    assert not verify_release([files[-2]], deployment, at=at).admitted


def test_a_pack_is_told_from_a_decision() -> None:
    assert is_pack([Path("a.pack.zip")])
    assert is_pack([Path("A.ZIP")])
    assert not is_pack([Path("decision.dsse.json")])


def test_the_answer_is_a_sentence(tmp_path: Path, deployment: Deployment) -> None:
    admission = verify_release([], deployment, at=NOW)
    assert sentence(admission).en == "DENY: no decision on this candidate was found"
