"""Loading the corpus of the embedded RAG."""

from __future__ import annotations

from pathlib import Path

from beleg.core.errors import MissingExtra, UsageError
from beleg.core.inventory import InventoryDocument
from beleg.reference.documents import Document
from beleg.reference.settings import CorpusSettings


def load_corpus(settings: CorpusSettings, *, base_dir: Path) -> tuple[Document, ...]:
    """The documents that a candidate file names, from a folder, a BEIR folder or a SQuAD file.

    Raises:
        UsageError: if there is nothing there.
        MissingExtra: for a folder, if the extra ``reference`` is not installed.
        DataError: naming every file or row that cannot be used.
    """
    place = base_dir / settings.path
    if not place.exists():
        raise UsageError(f"{place}: there is no such corpus", hint="corpus.path is counted from the candidate file")
    if settings.format == "folder":
        return _read_folder(place, settings)
    if settings.format == "beir":
        from beleg.adapters.formats.beir import read_beir_corpus

        documents = list(read_beir_corpus(place if place.is_dir() else place.parent))
    else:
        from beleg.adapters.formats.squad import read_squad

        documents = list(read_squad(place).documents)
    return tuple(_document(document, settings) for document in documents)


def _read_folder(place: Path, settings: CorpusSettings) -> tuple[Document, ...]:
    try:
        from beleg.reference.ingest import load_folder
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a folder of documents", "reference") from error
    return load_folder(place, settings)


def _document(document: InventoryDocument, settings: CorpusSettings) -> Document:
    metadata = {**settings.default_metadata, **document.metadata}
    title = str(metadata.pop("title", "") or "")
    return Document.of_text(document.document_id, document.text, title=title, **metadata)
