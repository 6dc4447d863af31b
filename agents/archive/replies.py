"""Answers that need no research, such as those to an empty question or an unknown name."""

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.names import ResolvedNames, near_names
from agents.reports.values import Paragraph
from retrieval.values import Molecule

LONGEST_QUESTION = 4000
OFFERED = 10
LETTER = re.compile(r"[^\W\d_]")
NAMELESS = "Searched without the name, these come closest."
UNCLEAR = "These passages come closest."


def unreadable(question: Question) -> str:
    """Why a question cannot be worked on and what to write instead; empty if it can."""
    text = question.text.strip()
    if not text:
        return "The question is empty. Write what you want to know, and about which molecule or study."
    if len(text) > LONGEST_QUESTION:
        return (
            f"The question has {len(text)} characters; at most {LONGEST_QUESTION} are read. "
            "Ask it in a few sentences, and add long material to the archive as a document."
        )
    if text.count("�") > 3 or not "".join(text.split()).isprintable():
        return "The question holds binary data. Write it as plain text."
    if not LETTER.search(text):
        return "The question has no words. Write what you want to know, and about which molecule or study."
    return ""


def ask_back(question: Question, text: str, options: Sequence[str] = (), notes: Sequence[str] = ()) -> Answer:
    """An answer that asks the user something."""
    return Answer(
        question.text,
        text,
        (Paragraph(text),),
        AnswerOutcome.NOTHING,
        ask_back=text,
        options=tuple(options)[:OFFERED],
        notes=tuple(notes),
    )


def which_molecule(question: Question, registry: Sequence[Molecule]) -> Answer:
    """Ask for the molecule; those with most documents are offered."""
    ranked = sorted(registry, key=lambda molecule: (-molecule.documents, molecule.name))
    text = "Which molecule do you mean? The question names none, and no report answers it as it stands."
    return ask_back(question, text, [molecule.name for molecule in ranked])


def unclear_name(question: Question, names: ResolvedNames) -> Answer:
    """Ask which of several molecules a name stands for."""
    first = names.unclear[0]
    options = [molecule.name for molecule in first.candidates]
    meant = f'Which molecule do you mean by "{first.written}": {", ".join(options)}?'
    return ask_back(question, meant, options, names.notes)


def unknown_name(question: Question, names: ResolvedNames, registry: Sequence[Molecule]) -> Answer:
    """Say that the archive does not know a molecule, with the names most like it."""
    written = names.unknown[0]
    near = near_names(written, registry)
    offer = f" Names most like it: {', '.join(near)}." if near else ""
    text = f'The archive holds no document about "{written}".{offer} Check the name, or ingest its documents.'
    return Answer(
        question.text,
        text,
        (Paragraph(text),),
        AnswerOutcome.NOTHING,
        not_found=(text,),
        options=near,
        notes=names.notes,
    )


def of_unsettled_name(
    closest: Answer, question: Question, names: ResolvedNames, registry: Sequence[Molecule]
) -> Answer:
    """Passages that come closest, under the line that says that a name is not known, or not clear."""
    said = unknown_name(question, names, registry) if names.unknown else unclear_name(question, names)
    if closest.outcome is AnswerOutcome.NOTHING:
        return said
    text = f"{said.short} {NAMELESS if names.unknown else UNCLEAR}"
    passages = tuple(block for block in closest.blocks if not isinstance(block, Paragraph))
    return replace(
        closest,
        short=text,
        blocks=(Paragraph(text), *passages),
        outcome=AnswerOutcome.CLOSEST,
        options=said.options,
        notes=said.notes,
    )


def nothing_yet(question: Question) -> Answer:
    """What a run yields if it is stopped before anything was found."""
    text = "The run was stopped before anything was found. Resume it, or ask again."
    return Answer(question.text, text, (Paragraph(text),), AnswerOutcome.NOTHING)
