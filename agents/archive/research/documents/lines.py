"""The lines of a document with the drugs they name, in paragraphs and under headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from agents.archive.research.vocabulary import any_of, load
from retrieval.molecules.codes import is_generic
from retrieval.molecules.lookup import mentions
from retrieval.values import DocumentRecord, Molecule, Passage, PassageKind, TableRow

WORD = re.compile(r"[A-Za-z]{7,}")
PLACEBO = re.compile(r"\b(?:placebos?|vehicle|dummy|sham|sugar pill)\b", re.IGNORECASE)
STUDY_DRUG = re.compile(
    r"\b(?:(?:the|this) (?:study |test |investigational |active |new )?(?:drug|medication|substance|"
    r"compound|molecule|product)"
    r"|study (?:drug|medication|treatment)|investigational (?:product|drug|medicinal product)|"
    r"active (?:drug|substance|treatment))\b",
    re.IGNORECASE,
)
ACCOMPANYING = re.compile(
    r"\b(?:(?:rescue|concomitant|accompanying|background|supportive|escape|permitted)\s(?:\w+\s)?"
    r"(?:medications?|medicines?|therap(?:y|ies)|treatments?|drugs?|analgesi[ac]s?)"
    r"|rescue|pre-?medications?|premedicated|co-?medications?|standard of care"
    r"|vitamins?(?: [A-K]\d{0,2})?|calcium|folic acid|supplements?)\b(?!\s(?:channel|antagonist|blocker)s?)",
    re.IGNORECASE,
)
"""What is given beside the study's drug, whatever its name."""
has_generic_stem = lru_cache(maxsize=20_000)(is_generic)
MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")


class Referent(StrEnum):
    """What the name of a drug refers to."""

    THIS = "this molecule"
    MOLECULE = "another molecule of the archive"
    DRUG = "another drug"
    PLACEBO = "placebo"
    STUDY_DRUG = "the study drug, whichever it is"


@dataclass(frozen=True, slots=True)
class DrugMention:
    """A drug named in a line: offsets in the line's text, its name, and what it refers to."""

    start: int
    end: int
    name: str
    referent: Referent

    @property
    def is_this(self) -> bool:
        """Whether it is the molecule asked about."""
        return self.referent is Referent.THIS

    @property
    def may_be_this(self) -> bool:
        """Whether it is the molecule asked about, or "the study drug"."""
        return self.referent in (Referent.THIS, Referent.STUDY_DRUG)

    @property
    def is_of_archive(self) -> bool:
        """Whether it is a molecule of the archive."""
        return self.referent in (Referent.THIS, Referent.MOLECULE)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A passage with the drugs that it names.

    `text` has single spaces and no emphasis marks; the cells of a row are joined by " | ". `number` counts
    the lines of the document from 0, and `paragraph` its paragraphs; each item of a list is a paragraph.
    """

    passage: Passage
    text: str
    drugs: tuple[DrugMention, ...]
    number: int
    paragraph: int

    @property
    def row(self) -> TableRow | None:
        """The table row, None for other lines and for a table's header."""
        return self.passage.row if self.passage.kind is PassageKind.ROW else None

    @property
    def is_heading(self) -> bool:
        """Whether the line is a heading or a table's header."""
        return self.passage.kind is PassageKind.HEADING

    @property
    def names_this(self) -> bool:
        """Whether the molecule is named."""
        return any(drug.is_this for drug in self.drugs)

    @property
    def names_others(self) -> bool:
        """Whether another molecule or drug is named."""
        return any(drug.referent in (Referent.MOLECULE, Referent.DRUG) for drug in self.drugs)

    @property
    def names_only_others(self) -> bool:
        """Whether other drugs are named, and neither the molecule nor "the study drug" is."""
        return self.names_others and not any(drug.may_be_this for drug in self.drugs)


@dataclass(frozen=True, slots=True)
class MoleculeNames:
    """The molecule asked about and the archive's other molecules; finds drugs in texts."""

    molecule: Molecule
    others: tuple[Molecule, ...]

    def drugs_in(self, text: str) -> tuple[DrugMention, ...]:
        """Every drug named in a text, in order, without overlap; the molecules of the archive come first."""
        found = [
            DrugMention(start, end, name, Referent.THIS if name == self.molecule.name else Referent.MOLECULE)
            for start, end, name in mentions(text, (self.molecule, *self.others))
        ]
        for drug in drugs_by_words(text):
            if all(drug.end <= known.start or drug.start >= known.end for known in found):
                found.append(drug)
        return tuple(sorted(found, key=lambda drug: drug.start))

    def without_drugs(self, text: str) -> str:
        """A text without the drugs that it names."""
        for drug in reversed(self.drugs_in(text)):
            text = f"{text[: drug.start]} {text[drug.end :]}"
        return text


def drugs_by_words(text: str) -> Iterator[DrugMention]:
    """Placebo, other drugs (by the list of known substances, by the stem of a non-proprietary name, and what
    accompanies the study's drug), and words that stand for the study's drug.
    """
    generics = (match for match in WORD.finditer(text) if has_generic_stem(match[0]))
    for found, referent in (
        (PLACEBO.finditer(text), Referent.PLACEBO),
        (substances().finditer(text), Referent.DRUG),
        (generics, Referent.DRUG),
        (ACCOMPANYING.finditer(text), Referent.DRUG),
        (STUDY_DRUG.finditer(text), Referent.STUDY_DRUG),
    ):
        yield from (DrugMention(*match.span(), match[0].lower(), referent) for match in found)


@cache
def substances() -> re.Pattern[str]:
    """The list of known substances as one pattern."""
    return any_of(load("substances")["words"])


@lru_cache(maxsize=256)
def read_lines(
    record: DocumentRecord, passages: tuple[Passage, ...], names: MoleculeNames
) -> tuple[Line, ...]:
    """The lines of a document. Kept, because every question type reads the same documents."""
    lines: list[Line] = []
    paragraph = 0
    for number, passage in enumerate(passages):
        if number and not same_paragraph(passages[number - 1], passage):
            paragraph += 1
        text = line_text(passage)
        lines.append(Line(passage, text, names.drugs_in(text), number, paragraph))
    return tuple(lines)


def same_paragraph(above: Passage, below: Passage) -> bool:
    """Whether two neighbouring passages are sentences of one paragraph or item."""
    texts = {PassageKind.SENTENCE, PassageKind.ITEM}
    return {above.kind, below.kind} <= texts and below.start - above.end <= 1


def line_text(passage: Passage) -> str:
    """Text without marks and with single spaces; the cells of a row or table header joined by " | "."""
    written = " | ".join(passage.row.cells) if passage.row else passage.text.lstrip("#")
    return " ".join(MARKS.sub("", written).split())


def before(lines: Sequence[Line], line: Line, most: int = 3) -> Iterator[Line]:
    """The sentences before a line in its paragraph, nearest first."""
    for number in range(line.number - 1, max(-1, line.number - 1 - most), -1):
        if lines[number].paragraph != line.paragraph:
            return
        yield lines[number]
