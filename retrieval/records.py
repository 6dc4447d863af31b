"""The archive's records as one small query: documents, studies and molecules, with what is known of each.

A filter in, rows out. A row stands for what documents' records say. Copies and older versions are left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from retrieval.ingest.record_rules import NO_STUDY, SEVERAL_STUDIES
from retrieval.molecules.lookup import mentions
from retrieval.values import DocumentRecord, Molecule

if TYPE_CHECKING:
    from retrieval.ports import Index

YEAR = re.compile(r"(?:19|20)\d\d")
PLURAL = re.compile(r"(?:ies|y|s)$")
OF_A_STUDY = re.compile(r"^[^:]*\b(?:guide|plan|protocol|report)[^:]*:\s+(?=\S)", re.I)
"""What a title says of its document before it names the study: "Study Data Reviewer's Guide: "."""


class Thing(StrEnum):
    """What the rows are."""

    DOCUMENTS = "documents"
    STUDIES = "studies"
    MOLECULES = "molecules"


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Conditions on rows, all of which must hold; "" is none. Small and capital letters are alike.

    `molecule` is a name in any spelling; `type` words of the type of document or study; `year` one year
    ("2019") or two ("2017-2019"). `words` stand anywhere in what is known of a row; molecules and years among
    them are those conditions.
    """

    thing: Thing = Thing.DOCUMENTS
    molecule: str = ""
    type: str = ""
    year: str = ""
    phase: str = ""
    species: str = ""
    status: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A document, study or molecule. `documents` are the ids behind it; `names` a molecule's others."""

    name: str
    title: str = ""
    type: str = ""
    phase: str = ""
    species: tuple[str, ...] = ()
    status: str = ""
    date: str = ""
    molecules: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The row in one line."""
        about = f"about {', '.join(self.molecules)}" if self.molecules != (self.name,) else ""
        also = f"also called {', '.join(self.names)}" if self.names else ""
        behind = [one for one in self.documents if one != self.name]
        documents = f"in {', '.join(behind)}" if behind else ""
        facts = (
            self.type,
            self.phase,
            ", ".join(self.species),
            self.status,
            self.date,
            about,
            also,
            documents,
        )
        told = "; ".join(dict.fromkeys(filter(None, facts)))
        return f"{self.name}{f': {self.title}' if self.title else ''}{f' ({told})' if told else ''}"


@dataclass(frozen=True, slots=True)
class Records:
    """Rows in the order of their names, and how many there are in all; `older` are the older versions and
    copies that meet the conditions, too, and are left out.
    """

    rows: tuple[RecordRow, ...]
    total: int
    older: int = 0


async def find_records(index: "Index", asked: RecordFilter, offset: int = 0, limit: int = 200) -> Records:
    """The rows that meet a filter: `limit` of them at most, from number `offset`."""
    registry = await index.molecules()
    everything = await index.records()
    records = [one for one in everything if not (one.copy_of or one.newest_version)]
    older: list[RecordRow] = []
    if asked.thing is Thing.MOLECULES:
        rows = [of_molecule(one, records) for one in registry]
    elif asked.thing is Thing.STUDIES:
        rows = [of_study(group) for group in studies(records)]
    else:
        rows = [of_documents([one]) for one in records]
        older = [of_documents([one]) for one in everything if one not in records]
    found = sorted((row for row in rows if meets(row, asked, registry)), key=lambda row: row.name)
    left_out = sum(meets(row, asked, registry) for row in older)
    return Records(tuple(found[offset : offset + limit]), len(found), left_out)


def studies(records: Iterable[DocumentRecord]) -> list[list[DocumentRecord]]:
    """The documents of each study: those with its number, or the only one with a type of study.

    Minutes, brochures and the like tell of studies and are none, unless they have the number of one.
    """
    groups: dict[str, list[DocumentRecord]] = {}
    for one in records:
        several = SEVERAL_STUDIES.search(one.document_type) or len(one.main_molecules) > 1
        if one.study_id or (_types([one]) and not several):
            groups.setdefault((one.study_id or one.doc_id).casefold(), []).append(one)
    return list(groups.values())


def of_study(group: Sequence[DocumentRecord]) -> RecordRow:
    """The documents of a study as a row under its number and title; the types of documents are none of it."""
    row = of_documents(group)
    title = OF_A_STUDY.sub("", row.title)
    return replace(row, name=group[0].study_id or row.name, title=title, type=", ".join(_types(group)))


def of_documents(group: Sequence[DocumentRecord]) -> RecordRow:
    """The documents of a study, or one document, as a row: each fact from the first that has it."""
    first = group[0]
    return RecordRow(
        first.doc_id,
        first.title,
        ", ".join(_distinct(name for one in group for name in (one.document_type, one.study_type))),
        next((one.phase for one in group if one.phase), ""),
        _distinct(name for one in group for name in one.species),
        next((one.status.value for one in group if one.status), ""),
        next((one.date for one in group if one.date), ""),
        _distinct(name for one in group for name in one.main_molecules or one.molecules),
        tuple(one.doc_id for one in group),
    )


def of_molecule(molecule: Molecule, records: Sequence[DocumentRecord]) -> RecordRow:
    """A molecule with its other names and the documents that name it."""
    own = tuple(one.doc_id for one in records if molecule.name in one.molecules)
    return RecordRow(molecule.name, molecules=(molecule.name,), documents=own, names=molecule.aliases)


def meets(row: RecordRow, asked: RecordFilter, registry: Sequence[Molecule]) -> bool:
    """Whether a row meets all conditions."""
    words, years = asked.words, [asked.year] if asked.year else []
    wanted = [{name for _, _, name in mentions(one, registry)} for one in (asked.molecule, words)]
    for start, end, _ in reversed(mentions(words, registry)):
        words = f"{words[:start]} {words[end:]}"
    years += YEAR.findall(words)
    if asked.molecule and not wanted[0]:
        return False
    pairs = ((asked.type, row.type), (asked.phase, row.phase), (asked.status, row.status))
    return (
        all(names & set(row.molecules) for names in wanted if names)
        and all(of_year(row.date, one) for one in years)
        and all(has_words(text, own) for own, text in pairs)
        and has_words(", ".join(row.species), asked.species)
        and has_words(row.line, YEAR.sub(" ", words))
    )


def of_year(date: str, asked: str) -> bool:
    """Whether a date in ISO 8601 lies in a year, or between two."""
    years = YEAR.findall(asked)
    return bool(date and years) and years[0] <= date[:4] <= years[-1]


def has_words(text: str, words: str) -> bool:
    """Whether a text has each of some words, a plural as its singular; "rat" is none of "rate"."""
    wanted = (PLURAL.sub("", word) for word in re.findall(r"[\w-]+", words.casefold()))
    whole = (rf"(?<!\w){word}(?:ies|y|e?s)?(?!\w)" if word.isalpha() else word for word in wanted)
    return all(re.search(word, text.casefold()) for word in whole)


def _types(group: Iterable[DocumentRecord]) -> tuple[str, ...]:
    """The types of study, without what is one of documents."""
    return _distinct(one.study_type for one in group if one.study_type not in NO_STUDY)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, values)))
