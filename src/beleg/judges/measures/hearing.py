"""One row before the panel: asking, and stopping with a reason at the first question that is not answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from beleg.core.case import ExpectedBehaviour
from beleg.core.errors import CandidateError, Error
from beleg.core.findings import Quote
from beleg.core.inference import Embedder, TokenEmbedder, TokenVectors
from beleg.core.judging import FAULT_STATUS, JudgeFault
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import Asker
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.task import JudgeTask, Reply
from beleg.judges.tasks.checking import Labelled, numbered
from beleg.judges.together import asked_together
from beleg.metrics.batch import Row
from beleg.metrics.generation.refusal import answer_gap, bare_answer
from beleg.text.quotes import match_quote

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


class Unanswered(Error):
    """A question of a measure has no answer; the row's outcome is the reason."""

    def __init__(self, score: Score) -> None:
        super().__init__(score.detail or score.status.value)
        self.score = score


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """What a measure needs of one row: its texts under the ids that a judge is shown, and whoever may be asked.

    Every method raises `Unanswered` where the row cannot be judged any further.
    """

    panel: Panel
    docket: Docket
    row: Row

    async def ask(self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT) -> ReplyT:
        """The whole reply to one question.

        Raises:
            Unanswered: if the judge gives none.
        """
        (reply,) = await self.ask_all(task, [question])
        return reply

    async def ask_all(self, task: JudgeTask[QuestionT, ReplyT], questions: Sequence[QuestionT]) -> list[ReplyT]:
        """The whole replies to several questions, in order; all are asked at the same time.

        Raises:
            Unanswered: if the judge gives no whole reply to one of them.
        """
        judge = self._judge()
        language = self.row.case.language
        judged = await asked_together(judge.ask(task, question, language=language) for question in questions)
        for each in judged:
            self.docket.note(each.call)
        replies = []
        for each in judged:
            if each.reply is None:
                raise Unanswered(each.score_without())
            replies.append(each.reply)
        return replies

    @property
    def question(self) -> str:
        """The question of the case."""
        return self.row.case.question

    @property
    def answer(self) -> str:
        """The answer as it was given.

        Raises:
            Unanswered: if none was recorded, or it is blank.
        """
        gap = answer_gap(self.row.output)
        if gap is not None:
            raise Unanswered(gap)
        return self.row.output.answer or ""

    @property
    def bare_answer(self) -> str:
        """The answer without citation markers and without a statement of confidence at its end.

        Raises:
            Unanswered: if none was recorded, or nothing else stands in it.
        """
        bare = bare_answer(self.row.output) if self.answer else ""
        if not bare.strip():
            raise Unanswered(Score.without(ScoreStatus.INVALID, "empty answer"))
        return bare

    def passages(self) -> Labelled:
        """The delivered passages under their ranks; a blank one is not shown to anybody, for it holds nothing.

        Raises:
            Unanswered: if the text of one was not recorded: a judge that is not shown it cannot find anything in it.
        """
        texts = [passage.text for passage in self.row.output.final_passages()]
        known = [text for text in texts if text is not None]
        if len(known) < len(texts):
            raise Unanswered(Score.without(ScoreStatus.MISSING, "the text of a delivered passage was not recorded"))
        return tuple((label, text) for label, text in numbered(known) if text.strip())

    def passage_id(self, label: str) -> str:
        """The id of the passage that the judge was shown under a number."""
        return self.row.output.final_passages()[int(label) - 1].passage_id

    def quotes(self, label: str | None, quote: str | None) -> tuple[Quote, ...]:
        """A quote that a checked reply gives, with the passage that it stands in; none where there is none."""
        if label is None or quote is None or not quote.strip():
            return ()
        passage = self.row.output.final_passages()[int(label) - 1]
        return (Quote(passage_id=passage.passage_id, text=quote, match=match_quote(passage.text or "", quote).value),)

    def reference(self) -> str:
        """The reference answer.

        Raises:
            Unanswered: if the case has none, or expects that the system declines.
        """
        self._require_an_answer_is_expected()
        if self.row.case.reference_answer is None:
            raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no reference answer"))
        return self.row.case.reference_answer

    def references(self) -> tuple[str, ...]:
        """The reference answer and every other answer that the case accepts, each text once.

        Raises:
            Unanswered: if the case has none, or expects that the system declines.
        """
        self._require_an_answer_is_expected()
        case = self.row.case
        listed = [*([case.reference_answer] if case.reference_answer else []), *case.accepted_answers]
        if not listed:
            raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no reference answer"))
        return tuple(dict.fromkeys(listed))

    async def similarities(self, text: str, others: Sequence[str]) -> tuple[list[float], str]:
        """The cosine between one text and each of the others, and the embedding model.

        All texts are embedded in the same way, since none of them is a passage that is searched.

        Raises:
            Unanswered: if the embedding model gives no usable vectors.
        """
        embedder = self._embedder()
        try:
            vectors = np.asarray(await embedder.embed_passages([text, *others]), dtype=np.float64)
        except CandidateError as error:
            raise _failed(error) from error
        if vectors.ndim != 2 or len(vectors) != len(others) + 1 or not np.isfinite(vectors).all():
            raise Unanswered(Score.without(ScoreStatus.INVALID, "the embedding model gave no usable vectors"))
        lengths = np.linalg.norm(vectors, axis=1)
        if not lengths.all():
            raise Unanswered(Score.without(ScoreStatus.INVALID, "a text has the vector 0, which has no direction"))
        cosines = (vectors[1:] @ vectors[0]) / (lengths[1:] * lengths[0])
        return np.clip(cosines, -1, 1).tolist(), embedder.identity

    async def token_vectors(self, texts: Sequence[str]) -> tuple[Sequence[TokenVectors], str]:
        """The tokens of texts with a vector for each, and the embedding model.

        Raises:
            Unanswered: if the embedding model knows no single tokens, or fails.
        """
        embedder: object = self._embedder()
        if not isinstance(embedder, TokenEmbedder):
            detail = "the embedding model gives no vectors for single tokens"
            raise Unanswered(Score.without(ScoreStatus.MISSING, detail))
        try:
            return await embedder.embed_tokens(texts), embedder.identity
        except CandidateError as error:
            raise _failed(error) from error

    def _require_an_answer_is_expected(self) -> None:
        if self.row.case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
            raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects a refusal"))

    def _judge(self) -> Asker:
        if self.panel.judge is None:
            raise Unanswered(Score.without(ScoreStatus.MISSING, "no judge is configured"))
        return self.panel.judge

    def _embedder(self) -> Embedder:
        if self.panel.embedder is None:
            raise Unanswered(Score.without(ScoreStatus.MISSING, "no embedding model is configured"))
        return self.panel.embedder


def _failed(error: CandidateError) -> Unanswered:
    fault = JudgeFault(error.kind) if error.kind in set(JudgeFault) else JudgeFault.BAD_RESPONSE
    return Unanswered(Score.without(FAULT_STATUS[fault], f"embeddings: {error.message}"[:1_000]))


def heard(find: Callable[[Hearing], Awaitable[StoredModel]]) -> Callable[[Panel, Docket, Row], Awaitable[Outcome]]:
    """Makes a judged measure of a function that finds out the evidence of one row.

    Args:
        find: gives the evidence, or raises `Unanswered`.
    """

    async def judge(panel: Panel, docket: Docket, row: Row) -> Outcome:
        try:
            found = await find(Hearing(panel=panel, docket=docket, row=row))
        except Unanswered as reason:
            return Outcome(without=reason.score)
        return Outcome(evidence=found.to_json_dict())

    return judge
