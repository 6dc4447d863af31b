"""Classification (DiscoVerse, section 2.2): which question types a question is of; their files say
which domains work on them.

Two minds: the routing rules of the schema library see the types that a question may be of, and a language
model says which of them are asked for. Several domains and several types at once are normal.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel

from agents.archive.answer import Question
from agents.archive.general.question import parts_of
from agents.archive.library import GENERAL, Library
from agents.archive.prompts import load_prompt
from agents.archive.values import Classification
from agents.data_block import data_block
from agents.errors import ModelAnswerInvalid
from agents.minds.minded import minded
from agents.ports import LanguageModel

ASIDE = re.compile(r"\([^()]*\)")
COMPARISON = re.compile(
    r"\b(?:compar\w+|versus|vs\.?|difference between|side by side|table of)\b"
    r"|\b(?:all|each|every|which)\b.{0,20}\b(?:molecules|compounds|drugs|candidates)\b",
    re.IGNORECASE,
)


class ModelClassification(BaseModel):
    """What a language model returns."""

    question_types: list[str]


async def classify(
    library: Library, model: LanguageModel | None, question: Question, molecules: Sequence[str]
) -> Classification:
    """Types of a question; by rules where there is no model or it gives no usable answer.

    A question that no rule knows goes to the agent for general questions, which needs no type: the model is
    not asked then.
    """
    by_rules = classify_by_rules(library, question, molecules)

    async def ruled() -> Classification:
        return by_rules

    async def thought(model: LanguageModel) -> Classification:
        given = await ask_model(library, model, question.text, by_rules.question_types)
        types = tuple(dict.fromkeys(kind for kind in given.question_types if kind in library))
        if not types:
            raise ModelAnswerInvalid(f"{model.name} named no question type of the library.")
        return Classification(types, tuple(molecules), by_rules.comparison)

    typed = by_rules.question_types != (GENERAL,)
    made = await minded(model if typed else None, thought, ruled)
    return replace(made.value, why_fallen_back=made.why_fallen_back)


async def ask_model(
    library: Library, model: LanguageModel, text: str, seen: Sequence[str]
) -> ModelClassification:
    """Ask the model which of the types `seen` by the rules the question asks for. Raises `ModelError`."""
    prompt = load_prompt("classify")
    types = "\n".join(f"- {key}: {library[key].description}" for key in seen)
    return await model.ask(prompt.role, prompt.render(types=types), data_block(text), ModelClassification)


def classify_by_rules(library: Library, question: Question, molecules: Sequence[str]) -> Classification:
    """Types by the routing rules."""
    types = types_of(library, question.text)
    comparison = len(molecules) > 1 or bool(COMPARISON.search(question.text))
    return Classification(types, tuple(molecules), comparison)


def types_of(library: Library, text: str) -> tuple[str, ...]:
    """Types that the question's clauses match, in the order asked; `general` when there is none.

    Asides in parentheses explain and do not ask, so they are read only when nothing else is left.
    """
    asked = ASIDE.sub(" ", text).strip() or text
    clauses = [types_of_clause(library, clause) for clause in parts_of(asked)]
    found = tuple(dict.fromkeys(kind for types in clauses for kind in library if kind in types))
    return tuple(kind for kind in found if kind != GENERAL) or (GENERAL,)


def types_of_clause(library: Library, clause: str) -> set[str]:
    """Types whose rules match, less those that give way to another one that matches."""
    matched = {kind.id for kind in library.values() if kind.routing.matches(clause.strip())}
    given_way = {other for key in matched for other in library[key].routing.overrides}
    return matched - given_way
