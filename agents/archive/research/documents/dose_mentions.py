"""A dose in its place, with all that decides whether it answers a question."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.lines import DrugMention, Line
from agents.archive.research.patterns.amounts import FREQUENCY_WORDS, TIMES_A_DAY, unit_text
from agents.archive.research.patterns.designs import Design
from agents.archive.research.vocabulary import any_of, wording
from agents.text.quantity import Quantity

SHORT_BID = re.compile(r"\s?(b\.i\.d\.|t\.i\.d\.|q\.i\.d\.)", re.IGNORECASE)
NEAR = 90
"""Characters between "first in human" or "starting dose" and the dose."""
PATIENTS = any_of(["patients?", r"phase (?:II|2)[ab]?", "outpatients?"])


@dataclass(frozen=True, slots=True)
class DoseMention:
    """A dose in its place.

    `place` is its offset in the text of the line; `column` is that of a table cell it stands in or heads.

    `human` is None where nothing tells, `agent` None where the dose cannot be attributed.
    """

    document: AnnotatedDocument
    line: Line
    quantity: Quantity
    place: int
    drug: DrugMention | None
    human: bool | None
    design: Design | None
    phases: frozenset[int]
    realisation: Realisation
    column: int | None = None

    @property
    def is_this(self) -> bool:
        """Whether it is a dose of the molecule asked about."""
        return self.drug is not None and self.drug.is_this

    @property
    def amount(self) -> float:
        """The upper bound in standard units, over a day where a daily frequency is known; for comparison."""
        return self.quantity.standard_high * TIMES_A_DAY.get(self.quantity.frequency, 1)

    @property
    def dimension(self) -> str:
        """What amounts can be compared with: flat, per body weight, per body surface."""
        return self.quantity.standard_unit.removesuffix("/day").removesuffix("/week")

    @property
    def text(self) -> str:
        """The dose as an answer writes it, "15 mg b.i.d."."""
        return " ".join(filter(None, (self.single_text, self.frequency_words)))

    @property
    def single_text(self) -> str:
        """Value and unit without the frequency."""
        q = self.quantity
        value = f"{q.low:g}-{q.high:g}" if q.is_range else f"{q.high:g}"
        return f"{value} {unit_text(q)}"

    @property
    def highest_text(self) -> str:
        """The upper bound with unit and frequency."""
        value = f"{self.quantity.high:g} {unit_text(self.quantity)}"
        return " ".join(filter(None, (value, self.frequency_words)))

    @property
    def frequency_words(self) -> str:
        """The frequency in words; "" where none is stated."""
        if short := SHORT_BID.match(self.line.text, self.place + len(self.quantity.text)):
            return short[1]
        if self.quantity.standard_unit.endswith("/day"):
            return ""
        return FREQUENCY_WORDS.get(self.quantity.frequency, self.quantity.frequency.lower())

    @property
    def lower(self) -> float:
        """The lower bound in standard units."""
        return self.quantity.standard_low


def called(dose: DoseMention, wording_name: str) -> bool:
    """Whether a wording stands shortly before the dose, or heads its row or column."""
    if dose.column is not None and dose.line.row is not None:
        heads = (dose.line.row.cells[0], dose.line.row.header[dose.column])
        return any(wording(wording_name).search(head) for head in heads)
    ahead = dose.line.text[max(0, dose.place - NEAR) : dose.place]
    found = wording(wording_name).search(ahead)
    if found is None:
        return False
    between = ahead[found.end() :]
    return not re.search(r"\d\s?(?:mg|µg|mcg|g)\b|;", between) or bool(wording("changed_to").search(between))


def in_patients(dose: DoseMention) -> bool:
    """Whether a dose was given to patients and not to volunteers."""
    return bool(PATIENTS.search(dose.line.text)) or 2 in dose.phases


def comparable(doses: Sequence[DoseMention]) -> list[DoseMention]:
    """Doses of the dimension that most documents use: flat, per body weight or per body surface.

    Of dimensions in equally many documents, "mg" is taken, or else the one that is named first.
    """
    used = Counter(
        dimension for dimension, _ in dict.fromkeys((d.dimension, d.document.doc_id) for d in doses)
    )
    most = max(used, key=lambda dimension: (used[dimension], dimension == "mg"))
    return [dose for dose in doses if dose.dimension == most]
