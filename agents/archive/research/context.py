"""What surrounds a dose or a finding: species, single or repeated dosing, phase, done or only planned.

Each question is asked of the words themselves, then of the sentence, the sentences before, the headings, the
document.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from agents.archive.answer import Realisation
from agents.archive.research.attribution import topic
from agents.archive.research.phases import PHASE, phases_in
from agents.archive.research.reading import Line, Role
from agents.archive.research.study import Kind, Study
from agents.archive.research.vocabulary import terms, wording

HUMAN = "human"
CLAUSE = re.compile(
    r";|\b(?:but|whereas|while|although|however|though)\b|,\s(?=(?:and\s)?(?:at|the|on|in|with)\s)",
    re.IGNORECASE,
)
AMOUNT = re.compile(r"(?<![\d.,])\d[\d.,]*\s?(?:mg|µg|mcg|g)\b(?![\s)]*(?:,|and|or|to)\s?\d)", re.IGNORECASE)
ASIDE = re.compile(
    r",\s(?:which (?:was|is) )?(?:derived|based|calculated|corresponding|selected|chosen|equivalent)\b",
    re.IGNORECASE,
)
"""Where a dose was taken from, behind the dose: ", derived from the NOAEL in monkeys"."""
LOOK_BACK = 12


class Design(StrEnum):
    """Single or repeated dosing."""

    SINGLE = "single dose"
    REPEATED = "repeated doses"


def species_in(text: str) -> tuple[tuple[int, str], ...]:
    """Species named in a text with their places; "animal" where no species is named."""
    found = [(match.start(), term.name) for term in terms("species") for match in term.words.finditer(text)]
    return tuple(sorted(found))


def is_human(study: Study, line: Line, place: int = 0) -> bool | None:
    """Whether words of a line are about humans (True) or animals (False); None where nothing tells."""
    aside = ASIDE.search(line.text, place)
    sentence = line.text[: aside.start()] if aside else line.text
    for text, at in ((sentence, place), *((heading, 0) for heading in surroundings(line))):
        if (told := nearest_population(text, at)) is not None:
            return told
    if study.kind is Kind.NONCLINICAL:
        return False
    if study.of_one_study:
        return True
    for earlier in lines_before(study, line):
        if (told := nearest_population(earlier.text, len(earlier.text))) is not None:
            return told
    if (told := nearest_population(study.title, 0)) is not None:
        return told
    following = (
        later.text
        for later in study.lines[line.number + 1 : line.number + 3]
        if later.passage.section == line.passage.section
    )
    return next((told for text in following if (told := nearest_population(text, 0)) is not None), None)


def nearest_population(text: str, place: int) -> bool | None:
    """Humans or animals, by the species named nearest to a place in the text."""
    found = species_in(text)
    if not found:
        return None
    kinds = {name == HUMAN for _, name in found}
    if len(kinds) == 1:
        return kinds.pop()
    return min(found, key=lambda item: abs(item[0] - place))[1] == HUMAN


def surroundings(line: Line) -> Iterator[str]:
    """Header and caption of a row, then the headings above, nearest first."""
    if line.passage.row:
        yield " | ".join(line.passage.row.header)
        yield line.passage.row.caption
    yield from reversed(line.passage.section[1:])


def lines_before(study: Study, line: Line, most: int = LOOK_BACK) -> Iterator[Line]:
    """Earlier sentences of the same section, nearest first, without tables."""
    for number in range(line.number - 1, max(-1, line.number - 1 - most), -1):
        earlier = study.lines[number]
        if earlier.passage.section != line.passage.section:
            return
        if earlier.row is None and not earlier.is_heading:
            yield earlier


def species_of(study: Study, line: Line, place: int = 0) -> str:
    """The species that words of a line are about, "human" for humans, "" where nothing tells."""
    for text, at in ((line.text, place), *((heading, 0) for heading in surroundings(line))):
        if named := [item for item in species_in(text) if item[1] != "animal"]:
            return min(named, key=lambda item: abs(item[0] - at))[1]
    unlikely = {"animal", HUMAN} if study.kind is Kind.NONCLINICAL else {"animal"}
    for text in (study.title, *(earlier.text for earlier in lines_before(study, line))):
        if likely := [name for _, name in species_in(text) if name not in unlikely]:
            return likely[0]
    if study.of_one_study:
        return HUMAN
    return "animal" if study.kind is Kind.NONCLINICAL else ""


def design_of(study: Study, line: Line, place: int, frequency: str = "") -> Design | None:
    """Single or repeated dosing at a place of a line; None where nothing tells."""
    if frequency:
        return Design.SINGLE if frequency == "SINGLE" else Design.REPEATED
    if told := nearest_design(line.text, place):
        return told
    for heading in surroundings(line):
        if told := only_design([heading]):
            return told
    if told := only_design([study.title]):
        return told
    for earlier in lines_before(study, line):
        if is_about_others(earlier):
            continue
        if told := nearest_design(earlier.text, len(earlier.text)):
            return told
    return (
        only_design(other.text for other in study.lines if not is_about_others(other))
        if study.of_one_study
        else None
    )


def is_about_others(line: Line) -> bool:
    """Whether a line names other drugs and not the molecule."""
    return line.names_others and not any(agent.role in (Role.THIS, Role.STUDY_DRUG) for agent in line.agents)


def designs_in(text: str) -> list[tuple[int, Design]]:
    """Cues for single and repeated dosing with their places."""
    single = [(match.end(), Design.SINGLE) for match in wording("single_dose").finditer(text)]
    repeated = [(match.end(), Design.REPEATED) for match in wording("repeated_dose").finditer(text)]
    return sorted(single + repeated)


def nearest_design(text: str, place: int) -> Design | None:
    """The last cue before a place, or else the first after it, unless another dose stands between."""
    cues = designs_in(text)
    earlier = [design for at, design in cues if at <= place + 1]
    if earlier:
        return earlier[-1]
    return cues[0][1] if cues and len(AMOUNT.findall(text[place : cues[0][0]])) <= 1 else None


def only_design(texts: Sequence[str] | Iterator[str]) -> Design | None:
    """The design of texts that name only one."""
    found = {design for text in texts for _, design in designs_in(text)}
    return found.pop() if len(found) == 1 else None


def phases_at(study: Study, line: Line, place: int) -> frozenset[int]:
    """Phases that a place of a line belongs to: named in the sentence or a heading, or else the study's."""
    named = [match for match in PHASE.finditer(line.text) if not is_elsewhere(line.text, match.start())]
    if named:
        return phases_in(min(named, key=lambda match: abs(match.start() - place))[0])
    for heading in surroundings(line):
        if found := phases_in(heading):
            return found
    return study.phases


def is_elsewhere(text: str, place: int) -> bool:
    """Whether a phase is named as another, earlier or later one."""
    return wording("exclude_phase").search(text[max(0, place - 40) : place]) is not None


def clause(text: str, place: int) -> str:
    """The clause of a sentence around a place."""
    start = max((match.end() for match in CLAUSE.finditer(text) if match.end() <= place), default=0)
    end = min((match.start() for match in CLAUSE.finditer(text) if match.start() > place), default=len(text))
    return text[start:end]


def realisation_of(study: Study, line: Line, place: int, cell: int | None = None) -> Realisation:
    """Whether what stands at a place was done, planned or projected."""
    if line.row is not None:
        around = " | ".join(
            [*line.row.cells, line.row.header[cell] if cell is not None else "", *line.passage.section[-1:]]
        )
    else:
        around = " ".join([clause(line.text, place), *line.passage.section[-1:]])
    if found := wording("planned_only").search(around):
        projected = re.match(r"project|provisional|anticipat|predict|calculated", found[0], re.IGNORECASE)
        return Realisation.PROJECTED if projected else Realisation.PLANNED
    return Realisation.ACTUAL if study.reported else Realisation.PLANNED


def about_this(study: Study, line: Line) -> bool:
    """Whether a sentence is about the molecule asked about."""
    found = topic(study, line)
    return found is not None and found.role is Role.THIS
