"""Opening the system under test that a candidate file describes."""

from __future__ import annotations

from pathlib import Path

from beleg.adapters.candidates.spec import CandidateFile, open_candidate
from beleg.adapters.formats.models import load_document
from beleg.app.places import placed
from beleg.core.errors import ConfigError, MissingExtra, Problem
from beleg.core.manifest import Manifest
from beleg.core.protocols import Candidate

CACHE_FOLDER = Path(".beleg") / "cache"


def load_candidate_file(path: Path) -> CandidateFile:
    """Reads a candidate file.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    return load_document(CandidateFile, path)


async def open_candidate_file(path: Path, *, concurrency: int) -> Candidate:
    """Opens the candidate of a file, building the embedded RAG where the file describes one."""
    described = load_candidate_file(path)
    if described.reference is None:
        return open_candidate(described, base_dir=path.parent, concurrency=concurrency)
    return await _open_reference(described.manifest, described.reference, path)


async def _open_reference(manifest: Manifest, block: dict[str, object], path: Path) -> Candidate:
    try:
        from beleg.reference.settings import read_settings
        from beleg.reference.system import build_reference_rag
    except ModuleNotFoundError as error:
        raise MissingExtra("the embedded RAG", "reference") from error
    from beleg.app.corpora import load_corpus
    from beleg.app.models import plugins_for

    given = set(manifest.to_json_dict()) - {"name", "not_used", "extra"}
    if given:
        raise ConfigError(
            placed(
                tuple(
                    Problem(
                        field=f"manifest.{name}",
                        message="the embedded RAG resolves its own manifest",
                        remedy="Keep only 'name'; set everything else in the 'reference' block",
                    )
                    for name in sorted(given)
                ),
                path,
            )
        )
    try:
        settings = read_settings(block, file=str(path))
    except ConfigError as error:
        raise ConfigError(placed(error.problems, path), hint=error.hint) from error
    documents = load_corpus(settings.corpus, base_dir=path.parent)
    return await build_reference_rag(
        manifest.name, documents, settings, plugins=plugins_for(settings), cache_folder=CACHE_FOLDER
    )
