"""Public data sets with labels by people: RAGTruth, SciFact, FActScore, LLMBar and JudgeBench."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.jsonl import read_jsonl
from beleg.adapters.formats.models import build, build_all
from beleg.adapters.formats.row import Faults, Row
from beleg.adapters.formats.strict_json import parse_json
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.labels import HumanLabel, Rationale, TextRange

_PASSAGE = re.compile(r"(?:^|\n)[Pp]assage (?P<number>\d{1,4}):")
_ENGLISH = {"language": "en"}


class _SetRow(BaseModel):
    """A row of a data set; fields that are not used are passed over."""

    model_config = ConfigDict(strict=True, frozen=True)


class _Marked(_SetRow):
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    label_type: str


class _RagTruthRow(_SetRow):
    id: str
    query: str
    passages: str = Field(alias="d1")
    response: str = Field(alias="d2")
    model: str
    labels: tuple[_Marked, ...]


def read_ragtruth(path: Path) -> list[HumanLabel]:
    """The answers of RAGTruth's question answering part, each labelled as a whole, with the ranges that people marked.

    An answer is ``not_supported`` where at least one range is marked, as in Niu et al., 2024. The passages are read
    from the prompt, where each begins with ``passage N:``.

    Raises:
        UsageError: if there is no such file.
        DataError: naming file, line and field for everything that is wrong, such as a file without source texts.
    """
    rows = build_all(_RagTruthRow, read_jsonl(path), key="id")
    return [
        HumanLabel(
            item_id=row.id,
            question=row.query,
            answer=row.response,
            passages=_numbered(row.passages),
            label="not_supported" if row.labels else "supported",
            segments={**_ENGLISH, "model": row.model},
            marked=tuple(TextRange(start=item.start, end=item.end, kind=item.label_type) for item in row.labels),
        )
        for row in rows
    ]


def _numbered(text: str) -> tuple[tuple[str, str], ...]:
    found = list(_PASSAGE.finditer(text))
    if not found:
        return (("1", text.strip()),)
    ends = [*(match.start() for match in found[1:]), len(text)]
    return tuple((match["number"], text[match.end() : end].strip()) for match, end in zip(found, ends, strict=True))


class _Evidence(_SetRow):
    sentences: tuple[int, ...]
    label: Literal["SUPPORT", "CONTRADICT"]


class _ClaimRow(_SetRow):
    id: int
    claim: str
    evidence: dict[str, tuple[_Evidence, ...]]
    cited_doc_ids: tuple[int, ...]


class _AbstractSentences(_SetRow):
    sentences: tuple[str, ...]


class _AbstractRow(_SetRow):
    id: str = Field(alias="_id")
    metadata: _AbstractSentences


_RELATIONS = {"SUPPORT": "support", "CONTRADICT": "contradict"}


def read_scifact(folder: Path, *, splits: tuple[str, ...] = ("train", "dev")) -> list[HumanLabel]:
    """The claims of SciFact with each abstract that they cite: supported by it, contradicted by it, or neither.

    Contradicted claims and those without evidence are ``not_supported``; the segment ``relation`` tells them apart.
    The sentences that the annotators named are the rationales (Wadden et al., 2020).

    Args:
        folder: with ``corpus.jsonl.gz`` and ``claims_<split>.jsonl``.
        splits: which claims are read.

    Raises:
        UsageError: if a file is not there.
        DataError: naming file, line and field for everything that is wrong.
    """
    corpus = folder / "corpus.jsonl.gz"
    abstracts = {
        row.id: row.metadata.sentences
        for row in build_all(_AbstractRow, read_jsonl(corpus if corpus.exists() else folder / "corpus.jsonl"), key="id")
    }
    labels: list[HumanLabel] = []
    faults = Faults()
    for split in splits:
        for row in read_jsonl(folder / f"claims_{split}.jsonl"):
            try:
                labels += _scifact_labels(build(_ClaimRow, row), split, abstracts, row)
            except DataError as error:
                faults.add(error)
    faults.raise_if_any()
    return labels


def _scifact_labels(
    claim: _ClaimRow, split: str, abstracts: dict[str, tuple[str, ...]], row: Row
) -> Iterator[HumanLabel]:
    for document in dict.fromkeys([*claim.evidence, *map(str, claim.cited_doc_ids)]):
        if document not in abstracts:
            raise _wrong(row, "cited_doc_ids", "a cited abstract is not in the corpus", document)
        given = claim.evidence.get(document, ())
        relation = _RELATIONS[given[0].label] if given else "no_evidence"
        starts, text = _joined(abstracts[document])
        named = sorted({number for item in given for number in item.sentences})
        if named and (named[0] < 0 or named[-1] >= len(starts)):
            raise _wrong(row, "evidence", "a sentence that is named does not exist", named[-1])
        yield HumanLabel(
            item_id=f"{claim.id}/{document}",
            answer=claim.claim,
            claim=claim.claim,
            passages=((document, text),),
            label="supported" if relation == "support" else "not_supported",
            segments={**_ENGLISH, "relation": relation, "split": split},
            rationales=tuple(
                Rationale(
                    passage_id=document, start=starts[number], end=starts[number] + len(abstracts[document][number])
                )
                for number in named
            ),
        )


def _joined(sentences: tuple[str, ...]) -> tuple[list[int], str]:
    starts, at = [], 0
    for sentence in sentences:
        starts.append(at)
        at += len(sentence) + 1
    return starts, " ".join(sentences)


class _Fact(_SetRow):
    question: str
    fact: str
    label: Literal["entailment", "contradiction"]


class _BiographyRow(_SetRow):
    knowledge: str
    generation: str
    facts: tuple[_Fact, ...]


_MARKUP = re.compile(r"</?s>")


def read_factscore(path: Path) -> list[HumanLabel]:
    """The atomic facts of FActScore's biographies, each with the text of the encyclopaedia that it was judged by.

    ``contradiction`` stands for every fact that the text does not support, as the re-release labels it.

    Raises:
        UsageError: if there is no such file.
        DataError: naming file, line and field for everything that is wrong.
    """
    labels: list[HumanLabel] = []
    faults = Faults()
    for row in read_jsonl(path):
        try:
            biography = build(_BiographyRow, row)
        except DataError as error:
            faults.add(error)
            continue
        text = " ".join(_MARKUP.sub(" ", biography.knowledge).split())
        labels += (
            HumanLabel(
                item_id=f"{row.line}/{number}",
                question=fact.question,
                answer=biography.generation,
                claim=fact.fact,
                passages=(("knowledge", text),),
                label="supported" if fact.label == "entailment" else "not_supported",
                segments=_ENGLISH,
            )
            for number, fact in enumerate(biography.facts, start=1)
        )
    faults.raise_if_any()
    return labels


class _PairRow(_SetRow):
    input: str
    output_1: str
    output_2: str
    label: Literal[1, 2]


def read_llmbar(folder: Path) -> list[HumanLabel]:
    """The outputs of LLMBar, two a question: the one that people preferred passes, the other one fails.

    Failing here means to be the worse of two, so figures over these labels say how well a judge tells the two apart.

    Raises:
        UsageError: if the folder holds no ``*/dataset.json``.
        DataError: naming file and field for everything that is wrong.
    """
    files = sorted(folder.glob("*/dataset.json"))
    if not files:
        raise UsageError(f"{folder} holds no */dataset.json", hint="Name the folder of LLMBar")
    labels: list[HumanLabel] = []
    for path in files:
        rows = parse_json(read_document_text(path), file=str(path))
        if not isinstance(rows, list):
            raise DataError(Problem(file=str(path), message="a list of pairs is expected", value=shown(rows)))
        for number, data in enumerate(rows):
            pair = build(_PairRow, Row(str(path), number + 1, _mapping(data, path, number)))
            outputs = (pair.output_1, pair.output_2)
            name = path.parent.name
            labels += _pair(f"{name}/{number}", pair.input, outputs, pair.label, {**_ENGLISH, "subset": name})
    return labels


def _mapping(data: object, path: Path, number: int) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise DataError(Problem(file=str(path), field=f"[{number}]", message="a pair is expected", value=shown(data)))
    return data


def _pair(
    name: str, question: str, outputs: tuple[str, str], better: int, segments: dict[str, str]
) -> Iterator[HumanLabel]:
    for number, output in enumerate(outputs, start=1):
        yield HumanLabel(
            item_id=f"{name}/{number}",
            question=question,
            answer=output,
            label="pass" if number == better else "fail",
            segments=segments,
        )


class _JudgeBenchRow(_SetRow):
    pair_id: str
    source: str
    question: str
    response_A: str
    response_B: str
    label: Literal["A>B", "B>A"]


def read_judgebench(path: Path) -> list[HumanLabel]:
    """The responses of JudgeBench, two a question: the correct one passes, the wrong one fails.

    Raises:
        UsageError: if there is no such file.
        DataError: naming file, line and field for everything that is wrong.
    """
    labels: list[HumanLabel] = []
    for pair in build_all(_JudgeBenchRow, read_jsonl(path), key="pair_id"):
        better = 1 if pair.label == "A>B" else 2
        outputs = (pair.response_A, pair.response_B)
        labels += _pair(pair.pair_id, pair.question, outputs, better, {**_ENGLISH, "source": pair.source})
    return labels


LABEL_SETS: dict[str, Callable[[Path], list[HumanLabel]]] = {
    "ragtruth": read_ragtruth,
    "scifact": read_scifact,
    "factscore": read_factscore,
    "llmbar": read_llmbar,
    "judgebench": read_judgebench,
}
"""The readers by the name that stands before the colon of a source."""


def _wrong(row: Row, field: str, message: str, value: object) -> DataError:
    return DataError(
        Problem(
            file=row.file,
            line=row.line,
            field=field,
            message=message,
            value=shown(value),
            remedy="Check that claims and corpus are of one release",
        )
    )
