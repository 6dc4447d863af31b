"""Organ toxicity: organs with observed or attributed toxicity, by species, with the findings and doses."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.attribution import attributed_drug, table_drug, topic
from agents.archive.research.documents.context import species_of
from agents.archive.research.documents.document import AnnotatedDocument, MoleculeRole
from agents.archive.research.documents.lines import Line, MoleculeNames
from agents.archive.research.drafting import absent, claims_of, text_fields
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.patterns.clauses import clauses
from agents.archive.research.patterns.findings import (
    MOST_FINDINGS,
    findings_in,
    nobody_had,
)
from agents.archive.research.patterns.species import HUMAN, any_species, species_in, species_nearest
from agents.archive.research.vocabulary import any_term, terms, wording
from agents.archive.values import Draft, DraftField, ResearchInput
from agents.text.rows import label_places
from agents.text.words import content_words

COUNT = re.compile(r"\s*(\d+)(?:\s?(?:/|of|out of)\s?\d+)?(?:\s?\([^)]*\))?\s*")
WORDS = re.compile(r"[A-Za-z]{5,}")
NEUTRAL = re.compile(r"normal|none|not done|unchanged|unremarkable|no ", re.IGNORECASE)
NOT_ALONE = re.compile(
    r"\b(?:other|than|besides?|beyond|outside|apart|except\w*|excluding|addition|but|without|only|such|not|non|most)\b",
    re.IGNORECASE,
)
"""What asks for other organs than those named, or for more."""
PLAIN_WORDS = content_words(
    "organ target cause induce produce lead harm affect damage harmful toxicity toxic toxicities function"
    " change finding effect adverse sign evidence seen observed found side reaction event drug animal"
)
"""Words of a question that ask for toxicity and narrow nothing."""
ADJECTIVE = re.compile(r"\w+(?:ic|al|ar|[ao]ry)")
SEEN = re.compile(r"\b(?:showed|revealed|found|seen|observed|occurred|affected|had)\b")


@dataclass(frozen=True, slots=True)
class OrganFinding:
    """Toxicity in an organ of a species, with the words for it and the line."""

    organ: str
    species: str
    findings: tuple[str, ...]
    document: AnnotatedDocument
    line: Line


def extract(research_input: ResearchInput) -> Draft:
    """Organs and species with toxicity of a molecule; of one organ where the question is about one."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [
        item
        for document in documents
        for line in document.lines
        if not line.is_heading and any_term("organs").search(line.text)
        for item in (judge_row(document, line) if line.row is not None else judge(document, line))
    ]
    if never_dosed(documents) is not None:
        found = [item for item in found if item.species != HUMAN]
    if not found:
        return absent(f"The archive reports no toxicity of {name} in any organ.")
    asked, species = organs_asked(research_input), species_asked(research_input)
    fitting = [
        item
        for item in found
        if asked is not None
        and (not asked or item.organ in asked)
        and (not species or item.species in species)
    ]
    if not fitting:
        return absent(f"No toxicity of {name} was read that is surely what this asks for.")
    return draft(name, fitting)


def organs_asked(research_input: ResearchInput) -> frozenset[str] | None:
    """The organs that a question is about; none of them where it is about all.

    None where an organ may stand for something else, since the question says more: "liver cancer", "other
    than in the liver", "applied to the skin".
    """
    text = research_input.question
    organs = frozenset(term.name for term in terms("organs") if term.words.search(text))
    names = MoleculeNames(research_input.molecule, research_input.others)
    text = names.without_drugs(text)
    rest = any_term("organs").sub(" ", any_species().sub(" ", text))
    narrowed = organs and (NOT_ALONE.search(text) or not content_words(rest) <= PLAIN_WORDS)
    return None if narrowed else organs


def species_asked(research_input: ResearchInput) -> set[str]:
    """The species that a question names; none where it asks about animals of any kind."""
    named = {word for _, word in species_in(research_input.question)}
    return set() if "animal" in named else named


def judge(document: AnnotatedDocument, line: Line) -> Iterator[OrganFinding]:
    """Organs of a sentence, clause by clause."""
    if not tells_findings(document, line):
        return
    for start, clause in clauses(line.text):
        organs = [(term, match) for term in terms("organs") if (match := term.words.search(clause))]
        if not organs or not shows_toxicity(document, line, clause):
            continue
        for term, match in organs:
            drug = (
                attributed_drug(document, line, start + match.start(), start + match.end())
                if line.names_others
                else topic(document, line)
            )
            if drug is not None and drug.is_this:
                words = findings_in(clause, term) or (match[0].lower(),)
                species = species_nearest(clause, match.start()) or species_of(
                    document, line, start + match.start()
                )
                yield OrganFinding(term.name, species, words, document, line)


def tells_findings(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence can report a finding: in plans and records only what is said to have happened."""
    of_others = document.role is MoleculeRole.PASSING or wording("class_effect").search(line.text)
    if of_others and not line.names_this:
        return False
    if not document.reported:
        told = all(wording(name).search(line.text) for name in ("strongly_toxic", "reported"))
        return told and not wording("hypothetical").search(line.text)
    return not re.search(
        r"\b(?:will be|would|to be examined|should be|shall|whether)\b", line.text, re.IGNORECASE
    )


def shows_toxicity(document: AnnotatedDocument, line: Line, clause: str) -> bool:
    """Whether a clause says that something toxic was seen: neither normal nor in none nor only monitored, and
    not the illness or topic of a study.
    """
    if wording("normal").search(clause) or nobody_had(clause) or not wording("strongly_toxic").search(clause):
        return False
    if wording("monitored").search(clause) and not SEEN.search(clause):
        return False
    return document.reported or line.names_this or document.is_about_this


def judge_row(document: AnnotatedDocument, line: Line) -> Iterator[OrganFinding]:
    """A row of a table of findings: an organ's lesion with counts, the control group first."""
    assert line.row is not None
    places = label_places(line.row)
    label = " ".join(line.row.cells[place] for place in places)
    cells = [cell for place, cell in enumerate(line.row.cells) if place not in places and cell.strip()]
    organs = [term for term in terms("organs") if term.words.search(label)]
    drug = table_drug(document, line)
    if not organs or drug is None or not drug.is_this:
        return
    worded = [cell.strip() for cell in cells if WORDS.search(cell) and not NEUTRAL.search(cell)]
    counts = [int(match[1]) for cell in cells if (match := COUNT.fullmatch(cell))]
    if worded and wording("toxic").search(" ".join(worded)):
        findings = tuple(worded[:1])
    elif counts and wording("toxic").search(label):
        if max(counts[1:], default=0) <= counts[0]:
            return  # no more often than in the control group
        findings = findings_in(label, organs[0])
    else:
        return
    for term in organs:
        yield OrganFinding(term.name, species_of(document, line), findings, document, line)


def draft(name: str, found: Sequence[OrganFinding]) -> Draft:
    """Organs in the order of how often they are reported, with species and findings."""
    organs = [organ for organ, _ in Counter(item.organ for item in found).most_common()]
    told = {organ: by_species([item for item in found if item.organ == organ]) for organ in organs}
    short = "; ".join(
        f"{organ} ({'; '.join(species_text(*cell) for cell in cells)})" for organ, cells in told.items()
    )
    fields: list[DraftField] = []
    lines: list[Line] = []
    for organ, cells in told.items():
        for species, items in cells:
            own = [item.line for item in items]
            finding = species_text(species, items)
            fields += text_fields(own[:3], organ=organ, species=species, finding=finding)
            lines += own[:2]
    return Draft(
        True, short, f"Toxicity of {name} is reported in: {short}.", claims_of(lines, 20), tuple(fields)
    )


def by_species(found: Sequence[OrganFinding]) -> list[tuple[str, list[OrganFinding]]]:
    """Findings by species, the most frequent first; unnamed species only where nothing else is known."""
    told: dict[str, list[OrganFinding]] = {}
    for item in [item for item in found if item.species not in ("animal", "")] or found:
        told.setdefault(item.species or "species not stated", []).append(item)
    return sorted(told.items(), key=lambda cell: -len(cell[1]))


def names_organ(word: str, organ: str) -> bool:
    """Whether a word only says which organ; "hepatitis" says more."""
    return word.startswith(organ) or bool(ADJECTIVE.fullmatch(word) and any_term("organs").fullmatch(word))


def species_text(species: str, items: Sequence[OrganFinding]) -> str:
    """ "dog: necrosis, haemorrhage"; what only says the organ ("lung (rat: respiratory)") is no finding."""
    found = dict.fromkeys(
        word for item in items for word in item.findings if not names_organ(word, item.organ)
    )
    words = list(found)[:MOST_FINDINGS]
    plural = "humans" if species == HUMAN else species
    return f"{plural}: {', '.join(words)}" if words else plural
