"""Reads a message before it is resolved: a follow-up becomes a whole question, misspelt words are corrected.

Both are told to the reader. Rules do it; where there is a model, it rewrites what refers to the thread, or
translates a question of another language into English, in one call.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.follow_up import whole_question
from agents.archive.general.words import IN_ENGLISH
from agents.archive.prompts import load_prompt
from agents.archive.spelling import corrected, corrections, doubtful_words, note_of, words_in
from agents.archive.tools import ArchiveTools
from agents.data_block import data_block
from agents.errors import ModelAnswerInvalid
from agents.foreign import foreign_remark
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.reports.values import Paragraph
from retrieval.language import is_foreign
from retrieval.molecules.lookup import mentions
from retrieval.values import Filters, Molecule, SearchRequest

BRIEF = 4
POINTING = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|there|ones?|same|others?|both|either|former|latter|"
    r"then|instead|again|above|before)\b",
    re.IGNORECASE,
)
"""Words that may mean what the thread is about."""
CODE = re.compile(r"\b[A-Z]{2,}[-A-Z]*-?\d")
CHUNKS_READ = 40


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question as it is worked on, and what the reader is told of how it was read.

    `language` names the language that the answer is wanted in, if it is not English and a model can write it.
    """

    text: str
    notes: tuple[str, ...] = ()
    language: str = ""


class ModelReading(BaseModel):
    """What a language model returns."""

    question: str
    language: str = "English"


async def read_question(tools: ArchiveTools, question: Question) -> ReadQuestion:
    """The message as a whole question in English, as far as rules or a model can tell."""
    registry = await tools.index.molecules()
    by_rules = whole_question(question, registry)
    foreign = is_foreign(question.text)
    refers = by_rules != question.text

    async def ruled() -> ReadQuestion:
        return ReadQuestion(by_rules)

    async def thought(model: LanguageModel) -> ReadQuestion:
        return await ask_model(model, question, registry)

    doubtful = refers or may_refer(question, registry)
    made = await minded(tools.model if foreign or doubtful else None, thought, ruled)
    read = made.value
    refers = refers or read.text != question.text
    notes = [fallback_note("reading the question", made.why_fallen_back)]
    mended: dict[str, str] = {}
    if is_foreign(read.text):
        words = re.findall(r"[\w'-]+", read.text)
        mended = {word: IN_ENGLISH[word.casefold()] for word in words if word.casefold() in IN_ENGLISH}
    elif not foreign:
        mended = await corrections_of(tools, read.text, registry)
    read = ReadQuestion(corrected(read.text, mended), language=read.language)
    if refers:
        notes.insert(0, f"Understood as: {read.text}")
    return ReadQuestion(read.text, tuple(filter(None, (*notes, note_of(mended)))), read.language)


def may_refer(question: Question, registry: Sequence[Molecule]) -> bool:
    """Whether a message in a thread names no subject of its own and is short or points at something."""
    named = mentions(question.text, registry) or CODE.search(question.text)
    brief = len(question.text.split()) <= BRIEF or POINTING.search(question.text)
    return bool(question.previous and brief and not named)


async def ask_model(model: LanguageModel, question: Question, registry: Sequence[Molecule]) -> ReadQuestion:
    """The model's reading. Raises `ModelError`, also where it brings in a number that nobody wrote."""
    prompt = load_prompt("read")
    told = (
        f"Question before: {(*question.previous, 'none')[0]}\n"
        f"Molecules spoken of: {', '.join(question.thread_molecules) or 'none'}\n"
        f"Document that the last answer stood in: {question.thread_document or 'none'}\n"
        f"Message: {question.text}"
    )
    given = await model.ask(prompt.role, prompt.render(), data_block(told), ModelReading)
    text = " ".join(given.question.split())
    numbers = set(re.findall(r"\d+", told))
    if not text or not set(re.findall(r"\d+", text)) <= numbers:
        raise ModelAnswerInvalid(f"{model.name} brought a number into the question that nobody wrote.")
    asked = {name for _, _, name in mentions(question.text, registry)}
    if not asked <= {name for _, _, name in mentions(text, registry)}:
        raise ModelAnswerInvalid(f"{model.name} left a molecule out of the question.")
    language = given.language.strip().capitalize()
    return ReadQuestion(text, language="" if language == "English" else language)


async def corrections_of(tools: ArchiveTools, text: str, registry: Sequence[Molecule]) -> dict[str, str]:
    """Corrections of the words that no document holds."""
    named = " ".join(text[start:end] for start, end, _ in mentions(text, registry)).casefold()
    unknown = [
        word
        for word in doubtful_words(text)
        if word.casefold() not in named and not await is_known(tools, word)
    ]
    return corrections(unknown, await words_near(tools, text)) if unknown else {}


async def is_known(tools: ArchiveTools, word: str) -> bool:
    """Whether documents hold a word, each of its parts where it has a hyphen."""
    hits = [await tools.index.lexical(SearchRequest(part, Filters(), 1)) for part in word.split("-")]
    return all(hits)


async def words_near(tools: ArchiveTools, text: str) -> Counter[str]:
    """The words of the passages nearest to a question."""
    hits = await tools.retriever.search(SearchRequest(text, Filters(), CHUNKS_READ))
    return words_in(" ".join(hit.chunk.text for hit in hits))


async def as_asked(tools: ArchiveTools, answer: Answer, asked: Question, read: ReadQuestion) -> Answer:
    """The answer under the question as it was written, with how it was read and what it speaks of."""
    understood = read.text if read.text != asked.text else ""
    subjects = answer.subjects or answer.molecules or await subjects_of(tools, answer)
    notes = tuple(dict.fromkeys((*read.notes, *answer.notes)))
    answer = replace(answer, question=asked.text, notes=notes, understood=understood, subjects=subjects)
    remark = "" if read.language or answer.ask_back else foreign_remark(asked.text)
    if not remark:
        return answer
    if answer.outcome is AnswerOutcome.ANSWERED:
        return replace(answer, notes=(remark, *notes))
    return replace(answer, blocks=(Paragraph(remark, remark=True), *answer.blocks))


async def subjects_of(tools: ArchiveTools, answer: Answer) -> tuple[str, ...]:
    """The molecules of the document that an answer stands in, those that its passage names first."""
    if not answer.citations:
        return ()
    first = answer.citations[0]
    records = await tools.index.records(Filters(doc_ids=(first.doc_id,)))
    known = [name for record in records for name in record.molecules]
    named = [name for _, _, name in mentions(first.quote, await tools.index.molecules())]
    return tuple(dict.fromkeys(named or known[:1]))
