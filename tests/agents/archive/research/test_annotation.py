"""Annotation of documents and attribution of doses, sentence by sentence."""

import pytest

from agents.archive.answer import Realisation
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind, MoleculeRole
from agents.archive.research.documents.dose_mentions import DoseMention, comparable
from agents.archive.research.documents.doses import doses_of
from agents.archive.research.patterns.designs import Design
from tests.agents.archive.research.archives import from_texts

KNOWN = "# KRS-412 hydrochloride: summary\n\nVolunteers received KRS-412.\n"
"""Makes the molecule known to the archive, whatever the document under test says."""


def document(text: str) -> AnnotatedDocument:
    archive = from_texts(DOC_0=KNOWN, DOC_1=text)
    return next(
        s for s in annotated_documents(archive.research_input("KRS-412")) if s.record.doc_id == "DOC-1"
    )


def doses(
    sentence: str, title: str = "KRS-412 in patients with asthma", kind: str = "Clinical study report"
) -> list[DoseMention]:
    return list(doses_of(document(f"@document_type: {kind}\n# {title}\n\n{sentence}\n")))


def owned(sentence: str, title: str = "KRS-412 in patients with asthma") -> dict[str, bool]:
    return {dose.single_text: dose.is_this for dose in doses(sentence, title)}


@pytest.mark.parametrize(
    ("sentence", "ours", "others"),
    [
        (
            "Patients received KRS-412 25 mg, naproxen 500 mg every 12 hours, and placebo.",
            ["25 mg"],
            ["500 mg"],
        ),
        ("The dose of 20 mg b.i.d. was weaker than the reference drug.", ["20 mg"], []),
        ("0.3 mg or 1.0 mg KRS-412, or placebo, was given.", ["0.3 mg", "1 mg"], []),
        ("The effect was smaller than with nifedipine retard 20 mg b.i.d.", [], ["20 mg"]),
        ("The study drug was given at 40 mg.", ["40 mg"], []),
    ],
)
def test_a_dose_belongs_to_the_nearest_drug(sentence: str, ours: list[str], others: list[str]) -> None:
    found = owned(sentence)
    assert [text for text, is_this in found.items() if is_this] == ours
    assert [text for text, is_this in found.items() if not is_this] == others


def test_a_heading_says_whose_the_doses_below_it_are() -> None:
    text = """@document_type: Minutes
# Minutes of the project committee

## KRS-412

Volunteers received 5 mg b.i.d.

## KRS-777

Volunteers received 60 mg b.i.d.
"""
    read = document(text)
    assert read.subject == ""
    assert {dose.single_text: dose.is_this for dose in doses_of(read)} == {"5 mg": True, "60 mg": False}


def test_single_and_repeated_doses_of_one_sentence_are_told_apart() -> None:
    found = doses(
        "It was given as single doses (1 to 40 mg) and as multiple doses (2.5 to 15 mg b.i.d. for ten days)."
    )
    assert [(dose.single_text, dose.design) for dose in found] == [
        ("1-40 mg", Design.SINGLE),
        ("2.5-15 mg", Design.REPEATED),
    ]


def test_a_title_that_says_single_dose_speaks_for_sentences_without_a_cue() -> None:
    [dose] = doses("Patients received 50 mg of KRS-412.", "A single-dose study of KRS-412 in asthma")
    assert dose.design is Design.SINGLE


def test_what_a_report_calls_planned_or_projected_was_not_done() -> None:
    found = doses(
        "Volunteers received 5 mg. A step of 80 mg was planned. The projected dose in patients is 30 mg."
    )
    assert [dose.realisation for dose in found] == [
        Realisation.ACTUAL,
        Realisation.PLANNED,
        Realisation.PROJECTED,
    ]


def test_strengths_limits_weights_and_concentrations_are_no_doses() -> None:
    assert owned("Tablets are supplied as 20 mg. Body weight rose by 1.9 kg; glucose was 80 mg/dl.") == {}
    assert owned("Patients on more than 5 mg prednisone were excluded; the BMI was 25 kg/m2.") == {}


def test_table_cells_take_unit_and_drug_from_their_heads() -> None:
    table = """| Group | Dose (mg) | Comparator, naproxen (mg) |
|---|---|---|
| 1 | 10 | 500 mg |
"""
    assert owned(table) == {"10 mg": True, "500 mg": False}


@pytest.mark.parametrize(
    ("kind", "title", "expected"),
    [
        ("Clinical report (Phase I, single dose)", "KRS-412 in men", DocumentKind.CLINICAL),
        ("Toxicology report", "KRS-412 in the rat", DocumentKind.NONCLINICAL),
        ("Committee minutes", "KRS-412", DocumentKind.MINUTES),
        ("Investigator brochure excerpt", "KRS-412", DocumentKind.BROCHURE),
        ("Portfolio overview", "KRS-412", DocumentKind.OVERVIEW),
        ("Candidate nomination", "KRS-412", DocumentKind.PROTOCOL),
        ("Erratum", "KRS-412 report", DocumentKind.CLINICAL),
    ],
)
def test_the_kind_of_a_document(kind: str, title: str, expected: DocumentKind) -> None:
    assert document(f"@document_type: {kind}\n# {title}\n\nKRS-412 was studied.\n").kind is expected


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("KRS-412 versus naproxen", "Patients receive KRS-412.", MoleculeRole.SUBJECT),
        ("Risk factors in asthma", "KRS-412 is new.", MoleculeRole.PASSING),
        ("A new treatment of asthma", "Patients receive KRS-412.", MoleculeRole.SUBJECT),
    ],
)
def test_the_role_of_the_molecule_in_a_document(title: str, text: str, expected: MoleculeRole) -> None:
    assert document(f"@document_type: Trial registry record\n# {title}\n\n{text}\n").role is expected


def test_only_the_study_that_says_it_of_itself_is_first_in_human() -> None:
    assert document(
        "# First-in-human study of KRS-412\n\nDoses of KRS-412 were given to man.\n"
    ).first_in_human
    assert not document(
        "# KRS-412 with cisplatin\n\nDoses of KRS-412 rest on data from the first-in-human study.\n"
    ).first_in_human


def test_phases_come_from_the_study_and_not_from_what_may_follow() -> None:
    text = "@document_type: Clinical study report\n# KRS-412 in asthma\n\n{}\n"
    proceed = "It decides whether KRS-412 should proceed to a phase III trial. This was a Phase IIa trial."
    assert document(text.format(proceed)).phases == {2}
    assert document(text.format("This phase I/II trial of KRS-412 had two parts.")).phases == {1, 2}


@pytest.mark.parametrize(("first", "second"), [("5 mg/kg", "9 mg/m2"), ("9 mg/m2", "5 mg/kg")])
def test_of_dimensions_in_equally_many_documents_the_first_is_compared(first: str, second: str) -> None:
    found = doses(f"Patients received {first} of KRS-412 and later {second} of KRS-412.")
    assert [dose.single_text for dose in comparable(found)] == [first]
