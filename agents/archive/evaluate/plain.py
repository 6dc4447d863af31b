"""The baseline of every question set: one prompt over the first chunks of the archive's own search.

Whatever the pipeline does besides must be worth it.
"""

from pydantic import BaseModel

from agents.archive.answer import AnswerOutcome, Question
from agents.archive.evaluate.questions import Reply
from agents.archive.tools import ArchiveTools
from agents.data_block import data_block
from agents.minds.keyed import Keyed
from agents.ports import LanguageModel
from retrieval.values import Hit, SearchRequest

CHUNKS = 10
SYSTEM = (
    "You answer questions about reports of a pharmaceutical archive, from the passages given and from "
    "nothing else. If they do not answer the question, set `present` to false. Answer in a few sentences, "
    "values with their units as the passages write them."
)


class PlainAnswer(BaseModel):
    """What the model returns."""

    present: bool
    answer: str


async def answer_plainly(tools: ArchiveTools, model: LanguageModel, question: Question) -> Reply:
    """The model's answer over the first chunks; the thread's earlier questions are told. Raises
    `ModelError`.
    """
    earlier = " ".join(reversed(question.previous))
    hits = await tools.retriever.search(SearchRequest(f"{earlier} {question.text}".strip(), limit=CHUNKS))
    before = f"Asked before in this conversation: {data_block(earlier)}\n\n" if earlier else ""
    listed = Keyed(hits).listed(whole_chunk, document=lambda hit: hit.record.title or hit.record.doc_id)
    user = f"{before}Question: {data_block(question.text)}\n\nPassages:\n{listed}"
    given = await model.ask("research", SYSTEM, user, PlainAnswer)
    return Reply(AnswerOutcome.ANSWERED if given.present else AnswerOutcome.NOTHING, given.answer)


def whole_chunk(hit: Hit) -> str:
    """A chunk under its headings, with the head of its table."""
    return "\n".join(filter(None, (" > ".join(hit.chunk.section), hit.chunk.context, hit.chunk.text)))
