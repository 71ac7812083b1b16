"""Embedding models in ONNX form from a local folder: vectors of whole texts and of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.models.onnx_folder import ModelFolder
from beleg.core.errors import DataError, InvalidOutput, MissingExtra, Problem, shown
from beleg.core.inference import TokenVectors, Vectors

DEFAULT_MAX_TOKENS = 512
_BATCH = 16
_KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class OnnxEmbeddings:
    """A bi-encoder whose first output is one vector per token; a text is the mean of its tokens, special ones included.

    Vectors of single tokens leave special tokens out. A text beyond ``max_tokens`` is refused and never cut in silence.
    """

    def __init__(
        self,
        session: Any,
        tokenizer: Any,
        folder: ModelFolder,
        *,
        max_tokens: int,
        prefixes: tuple[str, str] = ("", ""),
    ) -> None:
        self._session, self._tokenizer, self._folder = session, tokenizer, folder
        self._max_tokens = max_tokens
        self._query_prefix, self._passage_prefix = prefixes
        self._inputs = [item.name for item in session.get_inputs()]
        unknown = sorted(set(self._inputs) - set(_KNOWN_INPUTS))
        if unknown or "input_ids" not in self._inputs:
            raise DataError(
                Problem(
                    file=str(folder.model),
                    message="the model takes other inputs than a text encoder",
                    value=shown(unknown or self._inputs),
                    remedy=f"Export it with the inputs {', '.join(_KNOWN_INPUTS)}",
                )
            )

    @classmethod
    def load(
        cls,
        folder: ModelFolder,
        *,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        prefixes: tuple[str, str] = ("", ""),
        threads: int = 1,
    ) -> OnnxEmbeddings:
        """Loads the model of a folder; no code of it is run.

        Args:
            folder: the files, see `open_folder`.
            max_tokens: the longest text that the model reads.
            prefixes: what the model wants in front of a question and of a passage.
            threads: of the computation.

        Raises:
            MissingExtra: if onnxruntime or tokenizers is not installed.
            DataError: naming the file that cannot be used.
        """
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtra("a local embedding model", "verify") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 4
        providers = ["CPUExecutionProvider"]
        session = _loaded(
            str(folder.model), lambda: onnxruntime.InferenceSession(str(folder.model), options, providers=providers)
        )
        tokenizer = _loaded(str(folder.tokenizer), lambda: tokenizers.Tokenizer.from_file(str(folder.tokenizer)))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return cls(session, tokenizer, folder, max_tokens=max_tokens, prefixes=prefixes)

    @property
    def identity(self) -> str:
        """Name, digests of the files, and prefixes."""
        files = ",".join(f"{name}={digest[:16]}" for name, digest in sorted(self._folder.digests.items()))
        return f"onnx:{self._folder.name}:{files}:{self._query_prefix!r}:{self._passage_prefix!r}"

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One vector of length 1 per text.

        Raises:
            InvalidOutput: if the model gives no usable vectors, or a text is too long for it.
        """
        return self._pooled([self._passage_prefix + text for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        """One vector of length 1 for a question.

        Raises:
            InvalidOutput: as for passages.
        """
        row: Vectors = self._pooled([self._query_prefix + text])[0]
        return row

    async def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        """The tokens of each text with their vectors, special tokens and prefixes left out.

        Raises:
            InvalidOutput: as for passages.
        """
        encodings = self._tokenizer.encode_batch(list(texts))
        found = []
        for encoding, rows in zip(encodings, self._rows(encodings), strict=True):
            kept = np.array(encoding.special_tokens_mask, dtype=np.bool_) == np.False_
            tokens = tuple(token for token, keep in zip(encoding.tokens, kept.tolist(), strict=True) if keep)
            found.append(TokenVectors(tokens=tokens, vectors=rows[kept]))
        return found

    async def close(self) -> None:
        """Nothing is held open."""
        return

    def _pooled(self, texts: Sequence[str]) -> Vectors:
        means = np.array([rows.mean(axis=0) for rows in self._rows(self._tokenizer.encode_batch(list(texts)))])
        if not len(means):
            return np.zeros((0, 0), dtype=np.float32)
        norms = np.linalg.norm(means, axis=1, keepdims=True)
        if not (norms > 0).all():
            raise InvalidOutput(f"{self._folder.name} gave a vector without direction")
        vectors: Vectors = (means / norms).astype(np.float32)
        return vectors

    def _rows(self, encodings: Sequence[Any]) -> list[Vectors]:
        """The token vectors of each text, batches of similar length together."""
        longest = max((len(encoding.ids) for encoding in encodings), default=0)
        if longest > self._max_tokens:
            raise InvalidOutput(f"{self._folder.name} reads {self._max_tokens} tokens, and a text has {longest}")
        order = sorted(range(len(encodings)), key=lambda at: len(encodings[at].ids))
        found: list[Vectors] = [np.zeros((0, 0), dtype=np.float32)] * len(encodings)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            for at, rows in zip(batch, self._run([encodings[at] for at in batch]), strict=True):
                found[at] = rows[: len(encodings[at].ids)]
        return found

    def _run(self, encodings: Sequence[Any]) -> npt.NDArray[np.float32]:
        width = max(1, *(len(encoding.ids) for encoding in encodings))
        given = {name: np.zeros((len(encodings), width), dtype=np.int64) for name in _KNOWN_INPUTS}
        for at, encoding in enumerate(encodings):
            length = len(encoding.ids)
            given["input_ids"][at, :length] = encoding.ids
            given["attention_mask"][at, :length] = 1
            given["token_type_ids"][at, :length] = encoding.type_ids
        feed = {name: given[name] for name in self._inputs}
        output = np.asarray(_computed(self._folder.name, lambda: self._session.run(None, feed)[0]), dtype=np.float32)
        if output.ndim != 3 or output.shape[:2] != (len(encodings), width):
            raise InvalidOutput(f"{self._folder.name} gave shape {output.shape}, and one vector per token is needed")
        if not np.isfinite(output).all():
            raise InvalidOutput(f"{self._folder.name} gave a value that is not a finite number")
        return output


def _loaded(file: str, load: Any) -> Any:
    """What a foreign library loads; its faults have no common type."""
    try:
        return load()
    except Exception as error:
        raise DataError(
            Problem(
                file=file,
                message=f"the file cannot be loaded: {' '.join(str(error).split())[:300]}",
                remedy="Check that it was copied whole, and export it anew",
            )
        ) from error


def _computed(name: str, run: Any) -> Any:
    """What a foreign runtime computes; its faults have no common type."""
    try:
        return run()
    except Exception as error:
        raise InvalidOutput(f"{name} failed: {' '.join(str(error).split())[:300]}") from error
