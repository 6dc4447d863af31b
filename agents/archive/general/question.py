"""Reads a question: the words that it turns on, and its codes."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from agents.archive.general.words import MEASURES, names_any, stems

CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b")
METABOLITE = re.compile(r"(?<!\w)M\d+\b")
"""A metabolite, as "M3" or "KV-402-M3" names it; a sentence about it is not about its parent."""
PARENT = re.compile(r"\b(?:the )?parent(?: (?:compound|drug|molecule))?\b", re.IGNORECASE)
"""What is no metabolite."""
JOINT = re.compile(
    r"(?:[?;]|,(?:\s*(?:and|but))?|\s+and)\s+(?:also\s+)?(?=(?:(?:by|in|at|on|for|from|to|of|with|after) )?"
    r"(?:who|whom|whose|what|which|why|when|where|how|was|were|is|are|did|does)\b)",
    re.IGNORECASE,
)
MOST_PARTS = 5


@dataclass(frozen=True, slots=True)
class FactualQuestion:
    """A question.

    `terms` are its stems without repetition, in order, and `core` is the text without the names of documents.
    `measures` are those asked for, each by its names.
    """

    text: str
    terms: tuple[str, ...]
    core: str = ""
    measures: tuple[tuple[str, ...], ...] = ()


def analyse_question(text: str, names: Collection[str] = ()) -> FactualQuestion:
    """The words of a question. `names` only say which document is meant."""
    named = "|".join(re.escape(name) for name in names)
    core = re.sub(rf"(?:\b(?:in|of|for|from|by) )?(?:the )?(?:study )?\b(?:{named})\b", " ", text)
    core = core if names else text
    return FactualQuestion(
        text,
        tuple(dict.fromkeys(stems(core))),
        " ".join(core.split()),
        tuple(names for names in MEASURES if names_any(core, names)),
    )


def parts_of(question: str) -> tuple[str, ...]:
    """The parts of a question, each searched for besides the whole; the question alone where it has one.

    "How old were they and who led it?" has two.
    """
    parts = [part.strip(" ?;,.") for part in JOINT.split(question)]
    whole = 2 <= len(parts) <= MOST_PARTS and all(len(part.split()) > 1 for part in parts)
    return tuple(f"{part}?" for part in parts) if whole else (question,)
