"""What a language model answers for question types, and the drafts that are made of it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from agents.archive.answer import Realisation
from agents.archive.library import AnswerField, QuestionType
from agents.archive.reading.answers import (
    ModelStatement,
    all_derived,
    as_passages,
    draft_claims,
    not_found,
    whole_line,
    without_absences,
)
from agents.archive.reading.quotes import claim_of
from agents.archive.tools import LoadedDocument
from agents.archive.values import Draft, DraftField
from agents.text.quantities import parse_quantities
from agents.text.quantity import same
from retrieval.values import Passage

LONGEST_REPEATED = 120


class ModelRecord(BaseModel):
    """Values that belong together, by field name, with the passages that state them."""

    values: dict[str, str]
    keys: list[str]
    quotes: list[str] = []
    realisation: Realisation = Realisation.UNCLEAR


class TypeAnswer(BaseModel):
    """The answer for one question type."""

    type: str
    outcome: Literal["answered", "closest", "nothing"]
    short: str
    headline: str = ""
    statements: list[ModelStatement] = []
    records: list[ModelRecord] = []
    against_rules: str = ""
    missing: str = ""


class TypedAnswers(BaseModel):
    """The answers for all types asked about."""

    answers: list[TypeAnswer]


def render_type(kind: QuestionType) -> str:
    """A question type as a model reads it, with its fields and their choices."""
    fields = [
        f"  - {field.name}: {field.description or field.label}"
        + (f", in {field.unit} where stated so" if field.unit else "")
        + (f", one of {', '.join(field.options)}" if field.options else "")
        for field in kind.fields
    ]
    return "\n".join((f"{kind.id}: {kind.description}", "  Fields of its records:", *fields))


def draft_of(
    kind: QuestionType,
    answer: TypeAnswer,
    ruled: Draft,
    shown: Mapping[str, Passage],
    documents: Mapping[str, LoadedDocument],
) -> Draft:
    """One answer as a draft."""
    statements, absences = without_absences(answer.statements)
    claims = draft_claims(statements, shown, documents) if answer.outcome != "nothing" else ()
    present = answer.outcome == "answered" and bool(claims)
    draft = Draft(
        present,
        answer.short,
        whole_line(answer.short, answer.headline),
        claims,
        fields_of(kind, answer.records, shown, documents) if present else (),
        ruled.rejected,
        tuple(filter(None, (disagreement(kind, answer, ruled),))),
        closest=answer.outcome == "closest" and bool(claims),
        derived=all_derived(answer.statements),
        not_found=not_found(answer.missing, absences),
    )
    return as_passages(draft)


def fields_of(
    kind: QuestionType,
    records: Sequence[ModelRecord],
    shown: Mapping[str, Passage],
    documents: Mapping[str, LoadedDocument],
) -> tuple[DraftField, ...]:
    """The records' values, each with the number of its record; unknown fields and choices are left out."""
    known = {field.name: field for field in kind.fields}
    fields = []
    for number, record in enumerate(records, 1):
        at = claim_of(" ".join(record.values.values()), record.keys, record.quotes, shown, documents)
        fields += [
            DraftField(name, value, passages=at.passages, realisation=record.realisation, record=number)
            for name, said in record.values.items()
            if name in known and (value := chosen_value(known[name], said)) and at.passages
        ]
    return tuple(fields)


def chosen_value(field: AnswerField, said: str) -> str:
    """A value as the field takes it: of a choice the option that is meant, "" if none is."""
    if not field.options:
        return said.strip()
    return next((option for option in field.options if option.casefold() == said.strip().casefold()), "")


def disagreement(kind: QuestionType, answer: TypeAnswer, ruled: Draft) -> str:
    """What the reader must know where model and rules differ; "" where they agree."""
    answered = answer.outcome == "answered"
    if not ruled.present or (answered and alike(answer.short, ruled.short)):
        return ""
    if answer.outcome != "nothing" and not answer.against_rules:
        return ""
    why = f" {answer.against_rules}" if answer.against_rules else ""
    said = f'{kind.output.heading}: rules read "{cut(ruled.short)}" from the same documents'
    return f"{said}; the model does not.{why}"


def cut(text: str) -> str:
    """A text as a note repeats it."""
    return text if len(text) <= LONGEST_REPEATED else f"{text[:LONGEST_REPEATED].rsplit(' ', 1)[0]} …"


def alike(one: str, other: str) -> bool:
    """Whether two short answers give the same first quantity, or, without any, the same words."""
    a, b = parse_quantities(one), parse_quantities(other)
    if a and b:
        return any(same(first, second) for first in a for second in b)
    return one.casefold().strip(". ") == other.casefold().strip(". ")
