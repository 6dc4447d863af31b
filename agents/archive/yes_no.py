"""Yes or no by one sentence of a molecule's documents: whether humans got it, what it did not show.

A yes rests on a sentence that says who received the molecule; a no on one that denies the very finding, in
the species asked about, while no other sentence tells of it. Whatever is planned, hedged or bound to a dose
decides nothing.
"""

import re
from collections.abc import Sequence

from agents.archive.answer import Realisation
from agents.archive.general.polarity import GENOTOXIC, HEDGED, NEGATED, of_one_sex
from agents.archive.general.words import stem
from agents.archive.premises import Premise, documents_of
from agents.archive.research.documents.attribution import about_this, attributed_drug
from agents.archive.research.documents.context import realisation_of, species_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind, MoleculeRole
from agents.archive.research.documents.doses import all_doses, is_denied
from agents.archive.research.documents.given import GIVEN as GIVEN_WORDS
from agents.archive.research.documents.given import says_dosed
from agents.archive.research.documents.lines import Line
from agents.archive.research.extractors.organ_toxicity import OrganFinding, judge
from agents.archive.research.guards.doses import GIVEN, not_done, other_drug, slip
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.organs import organs_asked
from agents.archive.research.patterns.species import HUMAN, species_in
from agents.archive.research.vocabulary import any_term
from agents.archive.research_input import read_for
from agents.archive.tools import ArchiveTools
from agents.trust.quantities import parse_quantities
from retrieval.molecules.lookup import mentions

NAME = "\N{WHITE SQUARE}"
"""What stands for the molecule in a question."""
_PEOPLE = r"(?P<people>humans?|man|people|(?:human )?volunteers|patients|human beings|(?:human )?subjects)"
GIVEN_ASKED = re.compile(
    rf"\W*(?:was|has|have|is|had) {NAME} (?:(?:ever|already|yet|been) )*"
    rf"(?:given|administered|tested|dosed|used|studied|tried|taken) (?:to|in|by|on) (?:healthy )?{_PEOPLE}"
    r"(?: ever| yet| already| before)?\W*"
    rf"|\W*(?:did|have|has) (?:any )?(?P<people2>humans?|people|volunteers|patients)(?: ever)? "
    rf"(?:receive|received|get|been given|take|taken) {NAME}\W*",
    re.IGNORECASE,
)
_AMOUNT = r"\d[\d.,]*\s?(?:mg|g|µg|mcg)(?:/kg)?(?:/day)?"
_OFTEN = r"(?: (?:once|twice|three times|a|per) (?:daily|day))?"
_EVER = r"(?: (?:ever|already|yet|been|actually|really))*"
DOSE_ASKED = re.compile(
    r"\W*(?:was|were|has|have|had) (?:(?:an?|the|any) )?(?:single |daily )?(?:dos(?:e|es|ing) (?:of )?)?"
    rf"{_AMOUNT}{_OFTEN}(?: dose)?(?: of)? {NAME}{_EVER} (?:given|administered|received|taken)"
    rf"(?: (?:to|in|by) (?:healthy )?{_PEOPLE})?\W*"
    rf"|\W*(?:was|has|had) {NAME}{_EVER} (?:given|administered|taken)(?: at| in)?(?: an?| the)?"
    rf"(?: doses? of)? {_AMOUNT}{_OFTEN}\W*"
    r"|\W*(?:did|has|have) (?:any ?(?:one|body)?|some(?:one|body)|the)? ?"
    rf"(?P<people2>humans?|people|volunteers|patients|subjects)?{_EVER}"
    r" (?:receive|received|get|got|take|taken|given) (?:an? |the )?(?:doses? of )?"
    rf"{_AMOUNT}{_OFTEN}(?: of)? {NAME}\W*",
    re.IGNORECASE,
)
"""Whether a dose was given."""
FINDING_ASKED = re.compile(
    rf"\W*(?:did|does|was|is|has|were|are)(?: there)? (?:any )?(?:{NAME} )?(?:(?:ever|have|been|be) )*"
    r"(?:(?:show|shown|cause|caused|induce|induced|produce|exhibit|have) )?"
    r"(?:(?:any|an?|signs of|evidence of) )*"
    r"(?P<finding>[a-z]+(?:city|icity|genic|toxic|ity|enesis)|\w+ toxicity)"
    rf"(?: (?:seen|observed|found|reported))?(?: (?:with|of|for|by|after) {NAME})?"
    r"(?: in (?:the )?(?P<species>\w+(?: pigs?)?))?\W*",
    re.IGNORECASE,
)
RECEIVED = re.compile(
    r"\b(?:received|took|(?:was|were|been)(?: \w+){0,2} (?:given|administered|dosed|treated|inhaled|infused"
    r"|injected))\b",
    re.IGNORECASE,
)
UNSURE = re.compile(r"\b(?:if|whether|may|might|could|possibl[ey]|expected|planned|unless)\b", re.IGNORECASE)
PEOPLE = re.compile(r"\b(?:volunteers|patients|subjects|participants|humans|men|women|man)\b", re.IGNORECASE)
"""Not "human" alone, which may be of cells."""
COUNTED = re.compile(rf"\b\d+ (?:[\w-]+ ){{0,3}}?{PEOPLE.pattern}", re.IGNORECASE)
ASIDE = re.compile(
    r"\b(?:exclu\w+|eligib\w+|criteri\w+|will|would|shall|should|to be|previous\w*|placebo)\b", re.IGNORECASE
)
_BETWEEN = (
    r"(?:(?:evidence|signs?|indications?|signals?|cases?|of|for|any|an?|potential|cause|show|induce|produce|reveal"
    r"|exhibit|have|was|were|is|be|been|found|to|considered|or|and|nor|\w+(?:genic|toxic),?) ){0,7}?"
)
_NO_TEST = (
    r"(?![\s-]*(?:stud|test|assay|data|assess|information|experiment|program|evaluat"
    r"|was not (?!seen|obs|found)))"
)
GENOTOXIC_WORDS = r"(?:genotox|mutagen|clastogen|Ames\b|micronucle|chromosom)\w*\b"
"""The family of findings of which one told of in any test is against a no to another."""
FOUND = re.compile(
    r"\b(?:positive|clastogenic|mutagenic|induc\w+|caus\w+|increas\w+|seen|observed|found|occur\w*|showed|shows"
    r"|reported|concern)\b",
    re.IGNORECASE,
)


async def decided(tools: ArchiveTools, text: str, molecule: str) -> Premise | None:
    """Yes or no with its sentence; None to another question, or where no sentence decides it."""
    registry = await tools.index.molecules()
    asked = text
    for start, end, name in reversed(list(mentions(text, registry))):
        asked = f"{asked[:start]}{NAME if name == molecule else name}{asked[end:]}"
    asked = " ".join(asked.split())
    given, finding = GIVEN_ASKED.fullmatch(asked), FINDING_ASKED.fullmatch(asked)
    if dose_asked := DOSE_ASKED.fullmatch(asked):
        people = dose_asked["people"] or dose_asked["people2"] or ""
        documents = read_for(molecule, await documents_of(tools, molecule), registry)
        return dose_given(documents, asked, people.lower(), molecule)
    if not given and not (finding and asked.count(NAME) == 1):
        return None
    documents = read_for(molecule, await documents_of(tools, molecule), registry)
    if given:
        line = says_given(documents, (given["people"] or given["people2"]).lower())
    else:
        assert finding is not None
        line = says_not_found(documents, finding["finding"], finding["species"] or "")
    if line is None:
        return None
    told = f"{'Yes' if given else 'No'}: {line.text}"
    return Premise(molecule, told, told, (line.passage,))


def dose_given(
    documents: Sequence[AnnotatedDocument], asked: str, people: str, molecule: str
) -> Premise | None:
    """Whether a dose was given; None where no document speaks of it, or none says so plainly."""
    amounts = [(one.standard_unit, one.standard_high) for one in dose_quantities(asked)]
    doses = [
        dose
        for dose in all_doses(documents)
        if (dose.quantity.standard_unit, dose.quantity.standard_high) in amounts
        and not dose.quantity.is_range
        and other_drug(dose) is None
        and dose.line.row is None
        and not dose.line.is_heading
        and dose.document.reported
    ]
    given = [dose for dose in doses if all(guard(dose) is None for guard in GIVEN)]
    wanted = people_named(people) if people else re.compile("")
    plain = [dose.line for dose in given if says_dosed(dose.line.text) and wanted.search(dose.line.text)]
    if plain:
        return Premise(molecule, f"Yes: {plain[0].text}", f"Yes: {plain[0].text}", (plain[0].passage,))
    told = [dose for dose in doses if not_done(dose) is not None]
    if given or not told or any(slip(dose) is not None for dose in doses):
        return None
    dose = next((dose for dose in told if is_denied(dose)), told[0])
    if not is_denied(dose) and any(GIVEN_WORDS.search(one.line.text) for one in told):
        return None
    no = "No" if is_denied(dose) else f"No document says that {dose.single_text} was given; one speaks of it"
    return Premise(molecule, f"{no}: {dose.line.text}", f"{no}: {dose.line.text}", (dose.line.passage,))


def people_named(people: str) -> re.Pattern[str]:
    """The words for the people of a question: patients are not volunteers, and humans are any."""
    if people in ("patients", "volunteers"):
        return re.compile(rf"\b{people}\b", re.IGNORECASE)
    return PEOPLE


def says_given(documents: Sequence[AnnotatedDocument], people: str) -> Line | None:
    """The sentence that says which people received the molecule, best one that counts them."""
    wanted = people_named(people)
    found = [
        (document, line)
        for document in documents
        if document.reported
        and not document.withdrawn
        and document.kind is not DocumentKind.NONCLINICAL
        and document.role is not MoleculeRole.PASSING
        for line in document.lines
        if wanted.search(line.text) and is_of_people_given(document, line)
    ]
    best = max(found, key=lambda one: (bool(COUNTED.search(one[1].text)), one[0].of_one_study), default=None)
    return best[1] if best else None


def is_of_people_given(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence says that people received the molecule: it names it, and nothing but people."""
    verb = RECEIVED.search(line.text)
    if line.row or line.is_heading or verb is None or not line.names_this:
        return False
    if any(pattern.search(line.text) for pattern in (NEGATED, UNSURE, ASIDE)):
        return False
    drug = attributed_drug(document, line, *verb.span())
    return (
        drug is not None
        and drug.is_this
        and {name for _, name in species_in(line.text)} <= {HUMAN}
        and realisation_of(document, line, verb.start()) is Realisation.ACTUAL
    )


def says_not_found(documents: Sequence[AnnotatedDocument], finding: str, species: str) -> Line | None:
    """The sentence that denies a finding of the molecule; None where another one tells of it."""
    words = [stem(word) for word in finding.lower().split()]
    family = words[0] in GENOTOXIC
    of_species = {name for _, name in species_in(species)}
    if (species and not of_species) or (not of_species and any_term("organs").search(finding)):
        return None
    pattern = r"[\s-]+".join(rf"\b{re.escape(word)}\w*\b" for word in words)
    denied = denial_of(pattern)
    organs = organs_asked(finding)
    near = re.compile(rf"{pattern}|\b{GENOTOXIC_WORDS}" if family else pattern, re.IGNORECASE)
    denied_near = denial_of(near.pattern)
    no: list[Line] = []
    for document in documents:
        for line in document.lines:
            harm = any(
                isinstance(one, OrganFinding)
                and one.organ in organs
                and (not one.species or one.species in of_species | {"animal"})
                for one in (judge(document, line) if organs else ())
            )
            if harm:
                return None
            if line.is_heading or not near.search(line.text) or not about_this(document, line):
                continue
            if denied.search(line.text) and is_plain(document, line, of_species, family=family):
                no.append(line)
            elif FOUND.search(line.text) and not denied_near.search(line.text):
                return None
    return no[0] if no else None


def denial_of(finding: str) -> re.Pattern[str]:
    """A denial of a finding: "no evidence of", "was not", "was not seen", "tests were negative"."""
    return re.compile(
        rf"\b(?:no|not|without|neither|nor|never) {_BETWEEN}(?:{finding}){_NO_TEST}"
        rf"|(?:{finding})(?: [\w-]+){{0,2}}? (?:was|were) (?:not|never) "
        r"(?:seen|observed|found|detected|reported|noted)"
        rf"|\bnegative for (?:{finding})"
        rf"|(?:{finding}) (?:tests?|assays?|stud(?:y|ies)) (?:was|were) (?:all )?negative",
        re.IGNORECASE,
    )


def is_plain(document: AnnotatedDocument, line: Line, species: set[str], *, family: bool) -> bool:
    """Whether a denial holds for all that is asked: no condition, no dose, no species but the one asked."""
    unclear = HEDGED.search(line.text) or ASIDE.search(line.text) or of_one_sex("", line.text)
    if line.row or unclear or not document.reported:
        return False
    if any(one.is_dose for one in parse_quantities(line.text)):
        return False
    if species:
        return {species_of(document, line)} == species
    if family:
        return not species_in(line.text)
    return species_of(document, line) in ("", "animal")
