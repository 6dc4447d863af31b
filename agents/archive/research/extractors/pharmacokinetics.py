"""Pharmacokinetic values of a molecule by species: half-life, exposure, clearance and others."""

from collections.abc import Iterator, Sequence

from agents.archive.answer import Realisation
from agents.archive.research.asked import asked_of, of_study
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.extremes import extreme_asked, extremes
from agents.archive.research.documents.given_with import is_of_two_drugs
from agents.archive.research.documents.kinetics import KineticValue, names_parameter, values_in
from agents.archive.research.documents.lines import MoleculeNames
from agents.archive.research.drafting import absent, claims_of
from agents.archive.values import Draft, DraftField, ResearchInput

WITH_DOSE = ("AUC", "Cmax")
"""Parameters that say nothing without the dose."""
MOST = 10


def extract(research_input: ResearchInput) -> Draft:
    """Pharmacokinetic values of a molecule that fit everything the question names."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [
        value
        for document in documents
        for line in document.lines
        if names_parameter(line)
        for value in values_in(document, line)
    ]
    if not found:
        return absent(f"The archive states no pharmacokinetic values of {name}.")
    names = MoleculeNames(research_input.molecule, research_input.others)
    if is_of_two_drugs(names, research_input.question):
        return absent(f"No pharmacokinetic value of {name} with another drug was read for certain.")
    asked = asked_of(research_input.question)
    fitting = [value for value in of_study(asked, found) if asked.fits(value)]
    if not fitting:
        return absent(f"The archive states no such pharmacokinetic value of {name}.")
    if wanted := extreme_asked(research_input.question):
        chosen = extremes(research_input.question, wanted, documents, fitting)
        if not chosen:
            return absent(f"The {wanted} of these values of {name} was not read for certain.")
        return draft(name, chosen, f", the {wanted} stated")
    return draft(name, fitting)


def draft(name: str, found: Sequence[KineticValue], extreme: str = "") -> Draft:
    """Each parameter, species and sex once in short, with what makes an `extreme`; all of them as fields."""
    ordered = sorted(found, key=order)
    first: dict[tuple[str, str, str, str], KineticValue] = {}
    for value in ordered:
        dose = value.dose if extreme else ""
        first.setdefault((value.parameter, value.species, value.sex, dose), value)
    shown = list(first.values())[:MOST]
    short = "; ".join(f"{text_of(value, bool(extreme))}{extreme}" for value in shown) + (
        "; and others" if len(first) > len(shown) else ""
    )
    fields = tuple(field for value in list(first.values())[:40] for field in fields_of(value))
    return Draft(
        True,
        short,
        f"Pharmacokinetics of {name}: {short}.",
        claims_of((v.line for v in first.values()), 16),
        fields,
    )


def order(value: KineticValue) -> tuple[bool, bool, int, bool]:
    """What was measured before what was predicted, humans first, and exposure with its dose."""
    predicted = value.realisation is not Realisation.ACTUAL
    without_dose = value.parameter in WITH_DOSE and not value.dose
    return predicted, value.species != "human", -value.document.authority, without_dose


def text_of(value: KineticValue, with_dose: bool = False) -> str:
    """ "half-life 5 h (human)"; with the dose where the parameter says nothing without it, or if asked."""
    projected = "projected" if value.realisation is Realisation.PROJECTED else ""
    at = f"at {value.dose}" if value.dose and (with_dose or value.parameter in WITH_DOSE) else ""
    species = "" if value.species == "animal" else value.species
    where = ", ".join(filter(None, [species, value.sex, at, projected]))
    return f"{value.parameter} {value.quantity}" + (f" ({where})" if where else "")


def fields_of(value: KineticValue) -> Iterator[DraftField]:
    """Parameter, value, species and study of one value."""
    at = (value.line.passage,)
    yield DraftField("parameter", value.parameter, passages=at, note=value.species)
    yield DraftField(
        "value",
        value.quantity,
        passages=at,
        realisation=value.realisation,
        note=f"{value.parameter}, {value.species}",
    )
    if value.species:
        yield DraftField("species", value.species, passages=at, note=value.parameter)
    if value.dose:
        yield DraftField("dose", value.dose, passages=at, note=value.parameter)
    yield DraftField("study", value.document.doc_id, passages=at, note=value.parameter)
