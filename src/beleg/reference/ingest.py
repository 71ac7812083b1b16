"""Reads a folder of Markdown, HTML and text files into documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from beleg.core.errors import DataError, Problem
from beleg.core.manifest import Setting
from beleg.reference.blocks import Block, BlockKind
from beleg.reference.documents import Document, require_usable_corpus
from beleg.reference.front_matter import split_front_matter
from beleg.reference.html_reader import read_html
from beleg.reference.markdown_reader import markdown_blocks
from beleg.reference.plain_reader import plain_blocks
from beleg.reference.settings import CorpusSettings

MARKDOWN = frozenset({".md", ".markdown"})
HTML = frozenset({".html", ".htm"})
PLAIN = frozenset({".txt"})


def load_folder(folder: Path, settings: CorpusSettings) -> tuple[Document, ...]:
    """Reads every document of a folder, in the order of their paths.

    Hidden files are not part of a corpus. Anything else that cannot be read is reported, and then nothing is used.

    Args:
        folder: where the documents are; links that lead out of it are refused.
        settings: limits and metadata for documents that state none.

    Returns:
        The documents. An id that is not stated is the path without its suffix.

    Raises:
        DataError: naming every file that cannot be parsed, and ids that stand twice.
    """
    if not folder.is_dir():
        raise DataError(
            Problem(message="the corpus folder does not exist", file=str(folder), remedy="Correct corpus.path")
        )
    paths = list(_files(folder))
    if len(paths) > settings.max_files:
        raise DataError(
            Problem(
                message=f"the corpus folder holds {len(paths)} files, more than {settings.max_files}",
                file=str(folder),
                remedy="Raise corpus.max_files or name a smaller folder",
            )
        )
    documents: list[Document] = []
    problems: list[Problem] = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            documents.append(_read(path, folder, settings))
        except DataError as error:
            problems += (replace(problem, file=name) for problem in error.problems)
        except OSError as error:
            problems.append(
                Problem(message=f"cannot be read: {error.strerror}", file=name, remedy="Check its permissions")
            )
    if problems:
        raise DataError(problems)
    require_usable_corpus(documents)
    return tuple(documents)


def parse_document(name: str, text: str, default_metadata: dict[str, Setting] | None = None) -> Document:
    r"""Parses one document by the suffix of its name.

    Raises:
        DataError: if the suffix is unknown, metadata is malformed or the document holds no text.

    Example:
        >>> parse_document("fees.md", "---\ntenant: shared\n---\n# Fees\n\nNine euro.").title
        'Fees'
    """
    suffix = Path(name).suffix.lower()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    title = ""
    if suffix in HTML:
        page = read_html(text)
        stated, blocks, title = page.metadata, page.blocks, page.title
    elif suffix in MARKDOWN:
        stated, body = split_front_matter(text)
        blocks = markdown_blocks(body)
    elif suffix in PLAIN:
        stated, body = split_front_matter(text)
        blocks = plain_blocks(body)
    else:
        raise DataError(
            Problem(
                message=f"files of type '{suffix}' are not read",
                remedy="Save it as .md, .html or .txt, or move it away",
            )
        )
    if not blocks:
        raise DataError(Problem(message="the document holds no text", remedy="Add text, or move the file away"))
    metadata: dict[str, Setting] = {**(default_metadata or {}), **stated}
    return Document(
        document_id=stated.get("document_id") or name[: len(name) - len(suffix)],
        title=stated.get("title") or title or _first_heading(blocks) or name,
        blocks=blocks,
        metadata=metadata,
    )


def _files(folder: Path) -> Iterator[Path]:
    """Every visible file; links are listed, folders behind links are not entered."""
    for root, folders, names in os.walk(folder, followlinks=False):
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in links)
        yield from (Path(root) / name for name in sorted([*names, *links]) if not name.startswith("."))


def _read(path: Path, folder: Path, settings: CorpusSettings) -> Document:
    if path.is_symlink() and (path.is_dir() or not path.resolve().is_relative_to(folder.resolve())):
        raise DataError(
            Problem(message="is a link to a folder or out of the corpus", remedy="Put the document itself here")
        )
    size = path.stat().st_size
    if size > settings.max_file_bytes:
        raise DataError(
            Problem(
                message=f"has {size} bytes, more than {settings.max_file_bytes}",
                remedy="Raise corpus.max_file_bytes or split the document",
            )
        )
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            Problem(message=f"is not UTF-8 text (byte {error.start})", remedy="Save it as UTF-8")
        ) from error
    return parse_document(path.relative_to(folder).as_posix(), text, settings.default_metadata)


def _first_heading(blocks: tuple[Block, ...]) -> str:
    return next((block.text for block in blocks if block.kind is BlockKind.HEADING), "")
