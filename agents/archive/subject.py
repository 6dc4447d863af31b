"""What a question speaks of: its molecules, and whether it can be read at all."""

import re
from dataclasses import replace

from agents.archive.answer import Question
from agents.archive.find import that_write
from agents.archive.general.words import LIGHT_STEMS, stems
from agents.archive.library import GENERAL, Library
from agents.archive.names import ResolvedNames, read_names, refers_back
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, Merged
from agents.minds.minded import fallback_note


async def resolve_names(tools: ArchiveTools, question: Question) -> ResolvedNames:
    """Molecules of the question.

    An unknown name that the documents write (a strain, a room) is not asked about.
    """
    names = read_names(question, await tools.index.molecules())
    if names.from_thread:
        return names
    unknown = [written for written in names.unknown if not await that_write(tools, written)]
    return replace(names, unknown=tuple(unknown))


def understood_names(tools: ArchiveTools, names: ResolvedNames, merged: Merged) -> ResolvedNames:
    """The names; where a model answers, it knew what an unknown spelling stands for."""
    answered = any(part.present for part in merged.parts)
    return replace(names, unknown=()) if tools.model is not None and answered else names


def is_bare(library: Library, classification: Classification, text: str) -> bool:
    """Whether a typed question says nothing but what type it is of, and the names of molecules."""
    rest = re.sub("|".join(map(re.escape, classification.molecules)) or "$", " ", text, flags=re.IGNORECASE)
    for name in classification.question_types:
        for expression in library[name].routing.expressions:
            rest = expression.sub(" ", rest)
    return GENERAL not in classification.question_types and set(stems(rest)) <= LIGHT_STEMS


def without_unmentioned_molecules(
    classification: Classification, names: ResolvedNames, question: Question
) -> Classification:
    """A general question takes the thread's molecule only if it refers back, or to something definite."""
    if names.from_thread and GENERAL in classification.question_types and not refers_back(question.text):
        return replace(classification, molecules=())
    return classification


def notes_of(names: ResolvedNames, classification: Classification) -> tuple[str, ...]:
    """What the reader must know about how the question was read."""
    notes = list(names.notes)
    if names.from_thread and classification.molecules:
        notes.append(
            f"Understood as a question about {', '.join(classification.molecules)}, discussed before."
        )
    if names.unknown:
        notes.append(f"The archive holds no document about {', '.join(names.unknown)}.")
    notes.append(fallback_note("classification", classification.why_fallen_back))
    return tuple(filter(None, notes))
