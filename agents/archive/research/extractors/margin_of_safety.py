"""Margin of safety: a stated ratio between a no-effect dose or exposure in animals and the human one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.attribution import attributed_drug, said_of_this, table_drug
from agents.archive.research.documents.document import AUTHORITY, AnnotatedDocument
from agents.archive.research.documents.lines import Line
from agents.archive.research.drafting import absent, claims_of, followed, stated, text_fields
from agents.archive.research.patterns.ratios import (
    PEOPLE,
    STRONG,
    WRITTEN,
    number,
    ratios,
    speaks_of_margin,
    species_for,
)
from agents.archive.research.patterns.species import animals_in
from agents.archive.research.vocabulary import wording
from agents.archive.values import Draft, ResearchInput
from agents.counts import listed

COLUMN = re.compile(r"\bratio\b|\bmargin|\bmultiple|\bfold\b|\bsafety factor|times human", re.IGNORECASE)
CELL = re.compile(rf"(?:about |ca\. |~|<|>)?({WRITTEN})(?:[\s-]?fold|\s?[x×])?", re.IGNORECASE)
BASES = ("AUC", "Cmax", "plasma level", "exposure", "body surface", "dose")


@dataclass(frozen=True, slots=True)
class Margin:
    """A stated ratio with the species that it refers to, "" where none is named."""

    value: str
    species: str
    document: AnnotatedDocument
    line: Line

    @property
    def rank(self) -> tuple[int, str]:
        """The report of a study outranks what quotes it, and a later document an earlier one."""
        return AUTHORITY[self.document.kind], self.document.record.date

    @property
    def amount(self) -> float:
        """The lower bound as a number, for sorting."""
        found = re.match(r"[\d.]*\d", self.value)
        return float(found[0]) if found else 0.0

    @property
    def text(self) -> str:
        """ "3-fold (dog)"."""
        return f"{self.value}-fold ({self.species})" if self.species else f"{self.value}-fold"


def extract(research_input: ResearchInput) -> Draft:
    """Margins of safety of a molecule."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    margins = [
        margin
        for document in documents
        for line in document.lines
        for margin in (judge_row(document, line) if line.row is not None else judge(document, line))
    ]
    if margins:
        return draft(name, margins)
    none = next(said_of_this(documents, wording("no_margin"), wording("margin_denial")), None)
    if none is not None:
        return no_margin(name, none[1])
    return absent(f"The archive states no margin of safety for {name}.")


def judge(document: AnnotatedDocument, line: Line) -> Iterator[Margin]:
    """Ratios of a sentence."""
    if line.is_heading or not speaks_of_margin(line.text):
        return
    values = list(ratios(line.text))
    stops = [start for start, _, _ in values[1:]] + [len(line.text)]
    for (start, end, value), stop in zip(values, stops, strict=False):
        drug = attributed_drug(document, line, start, end)
        if drug is not None and drug.is_this:
            species = species_for(line.text, start, end, stop)
            yield Margin(value, species, document, line)


def judge_row(document: AnnotatedDocument, line: Line) -> Iterator[Margin]:
    """Ratios in a table's column of ratios."""
    assert line.row is not None
    whole = " ".join((*line.row.header, line.row.caption, *line.passage.section[-1:]))
    drug = next((a for a in line.drugs if a.is_of_archive), None) or table_drug(document, line)
    if (drug is not None and not drug.is_this) or not (PEOPLE.search(whole) or STRONG.search(whole)):
        return
    animal = next((name for _, name in animals_in(f"{line.text} {whole}")), "")
    for head, cell in zip(line.row.header, line.row.cells, strict=True):
        if COLUMN.search(head) and (value := CELL.fullmatch(cell.strip())):
            yield Margin(number(value[1]), animal, document, line)


def no_margin(name: str, line: Line) -> Draft:
    """The draft for a stated absence of a margin."""
    short = f"No margin of safety: {line.text}"
    headline = f"The archive states that there is no margin of safety for {name}."
    fields = text_fields([line], margin="none", basis=line.text)
    return Draft(True, short, headline, claims_of([line]), tuple(fields))


def draft(name: str, found: Sequence[Margin]) -> Draft:
    """One margin a species, from the weightiest document; what differs is a conflict."""
    ordered = sorted(found, key=lambda margin: margin.rank, reverse=True)
    chosen: dict[str, Margin] = {}
    leading = ordered[0].document
    for margin in ordered:
        if margin.species or margin.document is leading:
            chosen.setdefault(margin.species, margin)
    margins = sorted(chosen.values() or ordered[:1], key=lambda margin: margin.amount)
    basis = basis_of(ordered)
    fields = [one for m in margins for one in text_fields([m.line], margin=f"{m.value}-fold")]
    fields += [one for m in margins for one in text_fields([m.line], species=m.species)]
    return stated(
        f"The margin of safety of {name} is",
        listed([m.text for m in margins]),
        (basis and f"basis: {basis}", listed(list(dict.fromkeys(m.document.doc_id for m in margins)))),
        (m.line for m in (*margins, *ordered)),
        [*fields, *text_fields([margins[0].line], basis=basis)],
        conflicts=conflicts(chosen, ordered),
    )


def basis_of(margins: Sequence[Margin]) -> str:
    """What was compared, in the words of the sentences and table heads; the most exact one."""
    said = " ".join(
        " ".join((m.line.text, *(m.line.row.header if m.line.row else ()))) for m in margins
    ).lower()
    return next((basis for basis in BASES if basis.lower() in said), "")


def conflicts(chosen: dict[str, Margin], ordered: Sequence[Margin]) -> Iterator[str]:
    """Documents that give another ratio for the same species."""
    for margin in ordered:
        best = chosen.get(margin.species)
        if best and best.value != margin.value:
            yield followed(margin.document, margin.text, best.document)
