"""A text classifier in ONNX form: tokens in, one row of logits per text or pair out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, InvalidOutput, MissingExtra, Problem, shown

Logits = npt.NDArray[np.float64]
_KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_PAD_TOKENS = ("[PAD]", "<pad>")
# So many texts are held as tokens at a time, and sorted by length among themselves.
_PART = 2_048
_INT32 = "tensor(int32)"


class Encoding(Protocol):
    """What is used of an encoding of the package tokenizers."""

    ids: list[int]
    type_ids: list[int]
    offsets: list[tuple[int, int]]


class OnnxClassifier:
    """One session and one tokenizer; batches of similar length are padded and run together."""

    def __init__(self, session: Any, tokenizer: Any, *, file: str, batch_size: int = 16) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._file = file
        self._batch_size = batch_size
        self._pad_id = _pad_id(tokenizer)
        self._inputs = {item.name: item.type for item in session.get_inputs()}
        unknown = sorted(set(self._inputs) - set(_KNOWN_INPUTS))
        if unknown or "input_ids" not in self._inputs:
            raise DataError(
                Problem(
                    file=file,
                    message="the model takes other inputs than a text classifier",
                    value=shown(unknown or sorted(self._inputs)),
                    remedy=f"Export it with the inputs {', '.join(_KNOWN_INPUTS)}",
                )
            )

    @classmethod
    def load(cls, model: Path, tokenizer: Path, *, threads: int = 1, batch_size: int = 16) -> OnnxClassifier:
        """Loads model and tokenizer; no code of theirs is run.

        Raises:
            MissingExtra: if onnxruntime or tokenizers is not installed.
            DataError: naming the file that cannot be used.
        """
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise MissingExtra("a dedicated verifier", "verify") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        session = _opened(
            model, lambda: onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        )
        read = _opened(tokenizer, lambda: tokenizers.Tokenizer.from_file(str(tokenizer)))
        read.no_truncation()
        read.no_padding()
        return cls(session, read, file=str(model), batch_size=batch_size)

    def encode(self, texts: Sequence[str | tuple[str, str]], *, bare: bool = False) -> list[Encoding]:
        """The tokens of texts or pairs; ``bare`` leaves out the tokens that a model wants around them."""
        encoded: list[Encoding] = self._tokenizer.encode_batch(list(texts), add_special_tokens=not bare)
        return encoded

    def logits(self, texts: Sequence[str | tuple[str, str]]) -> Logits:
        """One row of logits per text or pair, in order.

        A model that gives logits for every token, as HHEM does, is read at its first token.

        Raises:
            InvalidOutput: if the model gives another shape, or a value that is not finite.
        """
        parts = [self._part(texts[start : start + _PART]) for start in range(0, len(texts), _PART)]
        return np.concatenate(parts) if parts else np.zeros((0, 0))

    def _part(self, texts: Sequence[str | tuple[str, str]]) -> Logits:
        encodings = self.encode(texts)
        order = sorted(range(len(encodings)), key=lambda at: len(encodings[at].ids))
        rows: list[Logits] = [np.zeros(0)] * len(encodings)
        for start in range(0, len(order), self._batch_size):
            batch = order[start : start + self._batch_size]
            for at, row in zip(batch, self._run([encodings[at] for at in batch]), strict=True):
                rows[at] = row
        return np.stack(rows)

    def _run(self, encodings: Sequence[Encoding]) -> Logits:
        width = max(len(encoding.ids) for encoding in encodings)
        given = {
            "input_ids": _padded([encoding.ids for encoding in encodings], width, self._pad_id),
            "attention_mask": _padded([[1] * len(encoding.ids) for encoding in encodings], width, 0),
            "token_type_ids": _padded([encoding.type_ids for encoding in encodings], width, 0),
        }
        feed = {name: given[name].astype(_integer(kind)) for name, kind in self._inputs.items()}
        output = np.asarray(_asked(self._file, lambda: self._session.run(None, feed)[0]), dtype=np.float64)
        if output.ndim == 3:
            output = output[:, 0, :]
        if output.ndim != 2 or len(output) != len(encodings):
            raise InvalidOutput(f"{self._file} gave values of shape {output.shape} for {len(encodings)} texts")
        if not np.isfinite(output).all():
            raise InvalidOutput(f"{self._file} gave a value that is not a finite number")
        return output


def softmax(logits: Logits) -> Logits:
    """Probabilities from logits, row by row.

    Example:
        >>> softmax(np.array([[0.0, 0.0], [1000.0, 0.0]])).tolist()
        [[0.5, 0.5], [1.0, 0.0]]
    """
    raised: Logits = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Logits = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _opened(file: Path, load: Any) -> Any:
    """What a foreign library loads; its faults have no common type."""
    try:
        return load()
    except Exception as error:
        raise DataError(
            Problem(
                file=str(file),
                message=f"the file cannot be loaded: {' '.join(str(error).split())[:300]}",
                remedy="Check that it was copied whole, and export it anew",
            )
        ) from error


def _asked(file: str, run: Any) -> Any:
    """What a foreign runtime computes; its faults have no common type."""
    try:
        return run()
    except Exception as error:
        raise InvalidOutput(f"{file} failed: {' '.join(str(error).split())[:300]}") from error


def _pad_id(tokenizer: Any) -> int:
    known = (tokenizer.token_to_id(token) for token in _PAD_TOKENS)
    return next((number for number in known if number is not None), 0)


def _padded(rows: Sequence[Sequence[int]], width: int, fill: int) -> npt.NDArray[np.int64]:
    table = np.full((len(rows), width), fill, dtype=np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return table


def _integer(kind: str) -> type[np.signedinteger[Any]]:
    return np.int32 if kind == _INT32 else np.int64
