"""The taxonomy agent (DiscoVerse, sections 2.1 and 2.2): maps findings to the fields of the schema library.

A question of several types gets one table per type, so that each value keeps the type it came from. An
extractor lists the fields of one row after the other, or all values of one field after those of another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from agents.archive.answer import AnswerTable, FieldValue, KeyedCell, Realisation
from agents.archive.library import GENERAL, Library, QuestionType
from agents.archive.values import AnswerPart, Merged

ORGANS = "organ_toxicity"
NOT_STATED = "not stated"
Row = dict[str, FieldValue]


async def fill_schemas(library: Library, merged: Merged, comparison: bool) -> tuple[AnswerTable, ...]:
    """Tables of an answer: the comparison of molecules first, then per type one of the fields found."""
    types = tuple(dict.fromkeys(part.question_type for part in merged.parts))
    molecules = tuple(dict.fromkeys(part.molecule for part in merged.parts))
    tables = (
        [comparison_table(library, merged.parts, types, molecules)]
        if comparison and len(molecules) > 1
        else []
    )
    for part in merged.parts:
        if part.present and part.question_type != GENERAL:
            tables += tables_of(library[part.question_type], part)
    return tuple(table for table in tables if table.rows)


def comparison_table(
    library: Library, parts: Iterable[AnswerPart], types: Sequence[str], molecules: Sequence[str]
) -> AnswerTable:
    """One row per molecule, one column per question type."""
    by_place = {(part.molecule, part.question_type): part for part in parts}
    rows = tuple(
        (KeyedCell(molecule), *(short_cell(by_place.get((molecule, key))) for key in types))
        for molecule in molecules
    )
    return AnswerTable("Comparison", ("Molecule", *(library[key].name for key in types)), rows, "comparison")


def short_cell(part: AnswerPart | None) -> KeyedCell:
    """The short answer of a part with the evidence of its claims."""
    if part is None or not part.present:
        return KeyedCell(NOT_STATED)
    return KeyedCell(part.short, tuple(dict.fromkeys(key for claim in part.claims for key in claim.keys)))


def tables_of(kind: QuestionType, part: AnswerPart) -> list[AnswerTable]:
    """The field table of a part; for organ toxicity the matrix of organs and species in its place."""
    rows = rows_of(part.fields)
    title = f"{kind.output.heading}: {part.molecule}"
    if kind.id == ORGANS and any("species" in row for row in rows):
        table = matrix(f"{title}, organs by species", rows)
    else:
        table = field_table(kind, title, rows)
    return [replace(table, molecule=part.molecule)]


def rows_of(fields: Sequence[FieldValue]) -> list[Row]:
    """Fields in rows: records that the first field begins, else each field's values from the top."""
    if any(value.record for value in fields):
        numbers = dict.fromkeys(value.record for value in fields)
        return [{value.field: value for value in fields if value.record == number} for number in numbers]
    names = [value.field for value in fields]
    records = names.count(names[0]) > 1 if names else False
    if records and not any(a == b == names[0] for a, b in pairwise(names)):
        return _records(fields)
    rows: list[Row] = [{} for _ in range(max(map(names.count, names), default=0))]
    for place, value in enumerate(fields):
        rows[names[:place].count(value.field)][value.field] = value
    return rows


def _records(fields: Iterable[FieldValue]) -> list[Row]:
    """A field that comes again begins a new row."""
    rows: list[Row] = []
    for value in fields:
        if not rows or value.field in rows[-1]:
            rows.append({})
        rows[-1][value.field] = value
    return rows


def field_table(kind: QuestionType, title: str, rows: Sequence[Row]) -> AnswerTable:
    """Columns are the schema's fields that have a value; fields that it does not know are left out."""
    columns = [field for field in kind.fields if any(field.name in row for row in rows)]
    body = tuple(tuple(field_cell(row.get(column.name)) for column in columns) for row in rows)
    return AnswerTable(title, tuple(column.label for column in columns), body if columns else (), kind.id)


def field_cell(value: FieldValue | None) -> KeyedCell:
    """Value with unit, and whether it was only planned or projected. What is not stated cites nothing."""
    if value is None or value.value == NOT_STATED:
        return KeyedCell(value.value if value else "")
    unit = "" if not value.unit or value.value.endswith(value.unit) else f" {value.unit}"
    doubt = value.realisation in (Realisation.PLANNED, Realisation.PROJECTED)
    return KeyedCell(f"{value.value}{unit}{f' ({value.realisation})' if doubt else ''}", value.keys)


def matrix(title: str, rows: Sequence[Row]) -> AnswerTable:
    """Organs down, species across; a cell holds what was found."""
    species = sorted({row["species"].value for row in rows if "species" in row})
    organs = sorted({row["organ"].value for row in rows if "organ" in row})
    body = tuple(
        (KeyedCell(organ), *(matrix_cell(rows, organ, kind) for kind in species)) for organ in organs
    )
    return AnswerTable(title, ("Organ", *species), body, ORGANS)


def matrix_cell(rows: Iterable[Row], organ: str, species: str) -> KeyedCell:
    """Findings in one organ of one species."""
    wanted = {"organ": organ, "species": species}
    here = [row for row in rows if all(key in row and row[key].value == wanted[key] for key in wanted)]
    texts = dict.fromkeys(row["finding"].value if "finding" in row else "reported" for row in here)
    keys = dict.fromkeys(key for row in here for value in row.values() for key in value.keys)
    return KeyedCell("; ".join(texts), tuple(keys))
