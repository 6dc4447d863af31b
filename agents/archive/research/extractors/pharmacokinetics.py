"""Pharmacokinetic values of a molecule by species: half-life, exposure, clearance and others."""

import re
from collections.abc import Iterator, Sequence

from agents.archive.answer import Realisation
from agents.archive.general.question import METABOLITE
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.kinetics import KineticValue, values_of
from agents.archive.research.documents.lines import MoleculeNames
from agents.archive.research.drafting import absent, claims_of
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.species import HUMAN, any_species, species_in
from agents.archive.research.vocabulary import any_term, terms
from agents.archive.values import Draft, DraftField, ResearchInput
from agents.text.words import content_words, stems

MOST = 10
POINTED_AT = re.compile(
    r"\b(?:that|this|these|those|same|such|most|least|greater|(?!test)\w{3,}est|top|which|what) (?:\w+ )?"
    r"(?:doses?|levels?|groups?|cohorts?)\b|\b(?:(?:high|low|larg|great|long|short|small|bigg)est|least)\b",
    re.IGNORECASE,
)
"""A dose that only other words tell, or an extreme: no single value says that it is the one."""
ANIMALS = re.compile(r"\banimals?\b|\b(?:pre|non)-?clinical", re.IGNORECASE)
PLAIN_WORDS = content_words(
    "value mean average measured observed found determined known long much amount apparent exposure"
    " seen given treated dosed pharmacokinetics pharmacokinetic PK parameter data human animal"
    " species preclinical nonclinical"
)
"""Words of a question that narrow nothing."""


def extract(research_input: ResearchInput) -> Draft:
    """Pharmacokinetic values of a molecule that fit everything the question names."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [value for document in documents for value in values_of(document)]
    if not found:
        return absent(f"The archive states no pharmacokinetic values of {name}.")
    question = research_input.question
    names = MoleculeNames(research_input.molecule, research_input.others)
    if POINTED_AT.search(question) or not all(drug.may_be_this for drug in names.drugs_in(question)):
        return absent(f"No single value of {name} tells this for certain.")
    fitting = [value for value in found if fits(value, names.without_drugs(question))]
    if not fitting:
        return absent(f"The archive states no such pharmacokinetic value of {name}.")
    return draft(name, fitting)


def fits(value: KineticValue, question: str) -> bool:
    """Whether a value is of all that a question names: parameter, species, dose, and every other word, which
    must stand in its line, in the head of its table or in the heading above.
    """
    passage = value.line.passage
    row = (*passage.row.header, passage.row.caption) if passage.row else ()
    around = " | ".join((*passage.section[-1:], *row, value.line.text))
    parameters = {term.name for term in terms("kinetics") if term.words.search(question)}
    species = {name for _, name in species_in(question)} - {"animal"}
    own = {value.species} if value.species else {name for _, name in species_in(value.quantity)}
    doses = doses_in(question)
    for dose in reversed([*dose_quantities(question)]):
        question = f"{question[: dose.start]} {question[dose.end :]}"
    rest = any_term("kinetics").sub(" ", any_species().sub(" ", question))
    labels = f"{around} {value.document.doc_id} {value.document.record.study_id} {value.document.title}"
    return (
        set(METABOLITE.findall(value.line.text)) <= set(METABOLITE.findall(question))
        and (not parameters or value.parameter in parameters)
        and (not species or species <= own)
        and (not ANIMALS.search(question) or HUMAN not in own)
        and (not doses or doses == doses_in(value.dose or around))
        and content_words(rest) - PLAIN_WORDS <= stems(labels)
    )


def doses_in(text: str) -> frozenset[tuple[float, str]]:
    """The doses that a text names, in standard units and without their frequency."""
    return frozenset(
        (one.standard_high, re.sub(r"/(?:day|d)$", "", one.standard_unit)) for one in dose_quantities(text)
    )


def draft(name: str, found: Sequence[KineticValue]) -> Draft:
    """Each parameter, species, sex and dose once; the first ones in short, all of them as fields."""
    first: dict[tuple[str, ...], KineticValue] = {}
    for value in sorted(found, key=order):
        first.setdefault((value.parameter, value.species, value.sex, value.dose), value)
    shown = list(first.values())[:MOST]
    short = "; ".join(map(text_of, shown)) + ("; and others" if len(first) > len(shown) else "")
    fields = tuple(field for value in list(first.values())[:40] for field in fields_of(value))
    return Draft(
        True,
        short,
        f"Pharmacokinetics of {name}: {short}.",
        claims_of((v.line for v in first.values()), 16),
        fields,
    )


def order(value: KineticValue) -> tuple[bool, bool, int]:
    """What was measured before what was predicted, and humans first."""
    predicted = value.realisation is not Realisation.ACTUAL
    return predicted, value.species != HUMAN, -value.document.authority


def text_of(value: KineticValue) -> str:
    """ "half-life 5 h (human, at 20 mg)", "AUC 90 ng·h/mL (dog, IV 1 mg/kg)"."""
    projected = "projected" if value.realisation is Realisation.PROJECTED else ""
    at = f"at {value.dose}" if value.dose[:1].isdigit() else value.dose
    species = "" if value.species == "animal" else value.species
    where = ", ".join(filter(None, [species, value.sex, at, projected]))
    return f"{value.parameter} {value.quantity}" + (f" ({where})" if where else "")


def fields_of(value: KineticValue) -> Iterator[DraftField]:
    """Parameter, value, species, sex, dose and study of one value."""
    at = (value.line.passage,)
    yield DraftField("parameter", value.parameter, passages=at)
    yield DraftField(
        "value",
        value.quantity,
        passages=at,
        realisation=value.realisation,
    )
    kept = {"species": value.species, "sex": value.sex, "dose": value.dose, "study": value.document.doc_id}
    for field, told in kept.items():
        if told:
            yield DraftField(field, told, passages=at)
