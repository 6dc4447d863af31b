"""What surrounds a dose or a finding: species, single or repeated dosing, phase, done or only planned.

Each question is asked of the words themselves, then of the sentence, the sentences before, the headings, and
the document.
"""

import re
from collections.abc import Iterator

from agents.archive.answer import Realisation
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.designs import Design, nearest_design, only_design
from agents.archive.research.patterns.phases import PHASE, phases_in
from agents.archive.research.patterns.species import HUMAN, POPULATION, nearest_population, species_in
from agents.archive.research.vocabulary import wording

LOOK_BACK = 12


def is_human(document: AnnotatedDocument, line: Line, place: int = 0) -> bool | None:
    """Whether words of a line are about humans (True) or animals (False); None where nothing tells."""
    for text, at in ((line.text, place), *((heading, 0) for heading in surroundings(line))):
        if (told := nearest_population(text, at)) is not None:
            return told
    if document.kind is DocumentKind.NONCLINICAL:
        return False
    if document.of_one_study:
        return True
    for earlier in lines_before(document, line):
        if (told := nearest_population(earlier.text, len(earlier.text))) is not None:
            return told
    return nearest_population(document.title, 0)


def surroundings(line: Line) -> Iterator[str]:
    """Header and caption of a row, then the headings above, nearest first."""
    if line.passage.row:
        yield " | ".join(line.passage.row.header)
        yield line.passage.row.caption
    yield from reversed(line.passage.section[1:])


def lines_before(document: AnnotatedDocument, line: Line) -> Iterator[Line]:
    """Earlier sentences of the same section, nearest first, without tables."""
    for number in range(line.number - 1, max(-1, line.number - 1 - LOOK_BACK), -1):
        earlier = document.lines[number]
        if earlier.passage.section != line.passage.section:
            return
        if earlier.row is None and not earlier.is_heading:
            yield earlier


def species_of(document: AnnotatedDocument, line: Line, place: int = 0) -> str:
    """The species that words of a line are about, "human" for humans, "" where nothing tells."""
    for text, at in ((line.text, place), *((heading, 0) for heading in surroundings(line))):
        if named := [item for item in species_in(text) if item[1] != "animal"]:
            return min(named, key=lambda item: abs(item[0] - at))[1]
    unlikely = {"animal", HUMAN} if document.kind is DocumentKind.NONCLINICAL else {"animal"}
    for text in (
        document.title,
        " ".join(document.record.species) if len(document.record.species) == 1 else "",
    ):
        if likely := [name for _, name in species_in(text) if name not in unlikely]:
            return likely[0]
    if document.of_one_study:
        return HUMAN
    return "animal" if document.kind is DocumentKind.NONCLINICAL else ""


def design_of(document: AnnotatedDocument, line: Line, place: int, frequency: str = "") -> Design | None:
    """Single or repeated dosing at a place of a line; None where nothing tells."""
    if frequency:
        return Design.SINGLE if frequency == "SINGLE" else Design.REPEATED
    if told := nearest_design(line.text, place):
        return told
    for heading in (*surroundings(line), document.title):
        if told := only_design([heading]):
            return told
    if not document.of_one_study:
        return None
    return only_design(line.text for line in document.lines if not line.names_only_others)


def phases_at(document: AnnotatedDocument, line: Line, place: int) -> frozenset[int]:
    """Phases that a place of a line belongs to: named in the sentence or a heading, or else the study's."""
    named = [match for match in PHASE.finditer(line.text) if not is_elsewhere(line.text, match.start())]
    if named:
        return phases_in(min(named, key=lambda match: abs(match.start() - place))[0])
    return document.phases


def is_elsewhere(text: str, place: int) -> bool:
    """Whether a phase is named as another, earlier or later one."""
    return wording("exclude_phase").search(text[max(0, place - 40) : place]) is not None


def realisation_of(
    document: AnnotatedDocument, line: Line, place: int, cell: int | None = None
) -> Realisation:
    """Whether what stands at a place was done, planned or projected."""
    if line.row is not None:
        around = " | ".join(
            [*line.row.cells, line.row.header[cell] if cell is not None else "", *line.passage.section[-1:]]
        )
    else:
        around = " ".join([line.text, *line.passage.section[-1:]])
    if found := wording("planned_only").search(around):
        projected = re.match(r"project|provisional|anticipat|predict|calculated", found[0], re.IGNORECASE)
        return Realisation.PROJECTED if projected else Realisation.PLANNED
    return Realisation.ACTUAL if document.reported else Realisation.PLANNED


def population_of(document: AnnotatedDocument) -> str:
    """Who was treated, in the document's words: from the title, or the first sentence that says so."""
    if document.kind not in (DocumentKind.REGISTRY, DocumentKind.CLINICAL, DocumentKind.PROTOCOL):
        return ""
    for text in (document.title, *(line.text for line in document.lines if line.row is None)):
        if found := POPULATION.search(text):
            return found[0].strip()
    return ""
