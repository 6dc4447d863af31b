"""Kinds of documents: title page and form decide before words of the body."""

import pytest

from retrieval.ingest.document_type import document_type
from retrieval.ingest.record import describe
from retrieval.values import DocumentRecord, ParsedFile


def described(text: str, path: str = "files/1.md") -> DocumentRecord:
    return describe(ParsedFile(text), path, "ab" * 32)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("# Corrigendum to the final report of study QT-0398\n\nCmax in rats is 12 ng/mL.", "Correction"),
        ("# Beiblatt 1 (Correction no. 1) to report QT/77\n\nPlasma levels study in dogs.", "Correction"),
        (
            "# Lenkungskreis (steering group) — minutes 5/2031\n\nThe interaction study in volunteers.",
            "Minutes",
        ),
        ("# QT-9: projection of the dose\n\nMemorandum QT-PK-15. Volunteers get 2 mg.", "Memorandum"),
        ("# QT-9 - Protocol Amendment No. 3\n\nA phase 2 trial in patients.", "Clinical study protocol"),
        ("QT THERAPEUTICS — INTERNAL MEMO\n\nTo: Board\nFrom: A. Berg\nDate: 2 May 2024\n", "Memorandum"),
        ("COMPETITOR NOTE no. 4\nDate: 3 May 2031\n\nTheir drug in patients with asthma.", "Competitor note"),
        ("# All projects\n\n## Project status, 3 May 2031\n\nQT-9 is in phase 2.", "Project overview"),
        ("# Synopsis — QT/Alm-5\n\nTitle: QT-9 in patients with gout", "Clinical study report synopsis"),
        ("# QT-9 in volunteers\n\n## Synopsis\n\nTwelve men.", "Clinical study report"),
        ("# QT-9: pharmacokinetic parameters in man\n\nThey are below.", "Pharmacokinetics report"),
        ("# Lipases of bacilli\n\nThe pharmacological inhibition of lipases was tried in mice.", ""),
    ],
)
def test_the_title_page_says_what_a_document_is(text: str, type_: str) -> None:
    assert described(text).document_type == type_


def test_a_phase_in_a_line_of_its_own_is_that_of_the_study() -> None:
    page = "# A study of QX-7 in adults with gout\n\nClinical study report\n\nPhase II\n\nAdults took 2 mg."
    assert described(page).phase == "Phase 2"


def test_a_sheet_whose_rows_are_studies_is_a_list_of_them() -> None:
    rows = (
        "| study | compound | type | status |\n|---|---|---|---|\n| QT-1 | QX-7 | pharmacokinetics | done |\n"
    )
    assert described(rows, "liste.csv").document_type == "Study list"
    batches = "| batch | compound | status |\n|---|---|---|\n| B-1 | QX-7 | released |\n"
    assert described(batches, "register.csv").document_type == "Register"


@pytest.mark.parametrize(
    ("title", "type_", "study_type"),
    [
        ("QX-7: 28-day oral (gavage) toxicity study in rats", "Toxicology report", "repeated-dose toxicity"),
        ("Bacterial reverse mutation assay with QX-7", "Toxicology report", "genotoxicity"),
        ("First trial in man of QX-7: single rising subcutaneous doses", "", "single ascending dose"),
        ("QX-7: 4-week efficacy study in mice", "", ""),
    ],
)
def test_a_title_says_what_a_study_is_about(title: str, type_: str, study_type: str) -> None:
    record = described(f"# {title}\n\nAn Ames test was negative. No toxic effect was seen at necropsy.")
    assert (record.document_type, record.study_type) == (type_, study_type)


def test_what_minutes_and_mails_discuss_is_no_study_of_theirs() -> None:
    body = "The Ames test, the micronucleus test and the interaction study with rifampicin were discussed."
    assert described(f"# Board minutes\n\n{body}").study_type == ""
    mail = f"From: A. Moor\nTo: B. Lund\nSubject: toxicity study of QX-7\n\n{body}"
    assert described(mail, "note.eml").study_type == ""


def test_a_field_gives_the_phase() -> None:
    record = described("# Synopsis — QT/Alm-5\n\n**Product:** QX-7  **Phase:** 2b  **Indication:** gout\n")
    assert record.phase == "Phase 2"


@pytest.mark.parametrize(
    "title",
    [
        "Correction of HbA1c by QX-12 in patients: a phase 2 study",
        "Correction of B12 deficiency with QX-12",
        "Correction of QX-12-induced anaemia in rats",
        "Correction of study drug supply",
        "Effect of QX-12 on protocol adherence",
        "Protocol deviations in QX-301",
    ],
)
def test_what_is_corrected_in_patients_or_said_of_a_protocol_is_neither_kind(title: str) -> None:
    record = described(f"# {title}\n\nClinical study report. Study number QX-301.")
    assert record.document_type == "Clinical study report"


@pytest.mark.parametrize(
    "title", ["Correction of QX-TX-7", "Corrections of Table 3", "Corrections of the study"]
)
def test_a_correction_of_a_document_is_one(title: str) -> None:
    assert described(f"# {title}\n\nRead 5 for 6.").document_type == "Correction"


def test_a_long_line_of_hyphens_is_read_at_once() -> None:
    assert document_type("x", f"Outline {'a-' * 1500}", "x.md") == ""


@pytest.mark.parametrize(
    ("text", "type_", "number"),
    [
        ("# Prüfung der akuten oralen Toxizität von QT-5521 an der Maus\n\nBericht QT-TOX-006, 11. Mai 2023.",
         "Toxicology report", "QT-TOX-006"),
        ("# Étude de toxicité aiguë du QT-5521 chez la souris\n\nRapport QT-TOX-007, 3 mai 2023.",
         "Toxicology report", "QT-TOX-007"),
        ("# Prüfbericht QT-AB-006\n\nText.", "Study report", "QT-AB-006"),
        ("# Rapport final\n\nTexte.", "Study report", ""),
        ("# Pharmakokinetik von QT-5521 am Hund\n\nText.", "Pharmacokinetics report", ""),
        ("# QT-5521 bei gesunden Probanden: eine klinische Studie\n\nText.", "Clinical study report", None),
        ("# Prüfplan QT-CL-103: QT-5521 bei gesunden Probanden", "Clinical study protocol", "QT-CL-103"),
        ("# Protocole d’essai : le QT-5521 chez le rat", "Study protocol", None),
        ("# Compte rendu de réunion du 3 mai 2024\n\nTexte.", "Minutes", ""),
        ("# Aktennotiz zu QT-5521\n\nText.", "Memorandum", ""),
        ("# Prüferinformation QT-5521\n\nText.", "Investigator brochure", None),
    ],
)  # fmt: skip
def test_german_and_french_words_tell_types_and_numbers(text: str, type_: str, number: str | None) -> None:
    found = described(text)
    assert found.document_type == type_
    assert number is None or found.study_id == number
