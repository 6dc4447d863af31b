"""Titles as title pages give them."""

import pytest

from retrieval.ingest.document_type import document_type
from retrieval.ingest.record import describe
from retrieval.ingest.title import title_of
from retrieval.values import ParsedFile

STUDY = "Effects of QX-1001 on Breathing in Rats"


@pytest.mark.parametrize(
    ("text", "given", "title"),
    [
        (f"Study Number: QJ14020\n\n# FINAL REPORT\n\nStudy Title: {STUDY}\n\nStudy No.: 1", "Title:", STUDY),
        (f"# Study Protocol\n\n|  |  |\n|---|---|\n| Study Title | {STUDY} |", "", STUDY),
        (f"# Final Report\n\n**Title:** {STUDY}", "", STUDY),
        (f"# Title\n\n{STUDY}", "", STUDY),
        (f"# Front cover\n\n## {STUDY}", "", STUDY),
        (f"# {STUDY}\n\nText.", "Template for clinical trials, corporate", STUDY),
        (f"# {STUDY}, part\n\nText.", STUDY, STUDY),
        ("", "holiday.jpg", "QJ 7"),
    ],
)  # fmt: skip
def test_the_title_page_gives_the_title(text: str, given: str, title: str) -> None:
    assert title_of(text, given, "reports/QJ_7.pdf") == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"# Quillon Pharma AS\n\n## {STUDY}\n\nText.", STUDY),
        (f"# Ostby Therapeutics JSC, New Bern\n## {STUDY}\n\nText.", STUDY),
        (f"# Ostby & Sons Co., Ltd.\n\nReport 7: {STUDY}\n\nText.", f"Report 7: {STUDY}"),
        (f"Quillon GmbH\n\nReport 7: {STUDY}\n\nText.", f"Report 7: {STUDY}"),
        ("# Toxicity report of Quillon AB\n\n## Methods", "Toxicity report of Quillon AB"),
        ("6 Adverse Reactions\n\nFalls were seen.", "QJ 7"),
    ],
)
def test_a_companys_or_a_sections_name_is_no_title(text: str, title: str) -> None:
    assert title_of(text, "", "reports/QJ_7.txt") == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Department of Health annual report 2014\n\nText.", "Department of Health annual report 2014"),
    ],
)  # fmt: skip
def test_the_letterhead_of_an_authority_or_of_companies_is_no_title(text: str, title: str) -> None:
    assert title_of(text, "", "reports/QJ_7.txt") == title


def test_a_warning_of_a_label_is_no_title_and_names_no_drug_of_it() -> None:
    warning = (
        "Agents of this class, such as fexurone, one of the two in BRENVA, raise the risk of sudden death. "
        "Data from a large trial that compared another one (solterone) with placebo in addition to the usual "
        "care of adults with severe asthma showed more deaths from asthma in those who took it for a year, "
        "and nothing tells whether other drugs lower this risk. It is seen as an effect of the class."
    )
    text = f"Brenva\n\nBOXED WARNING: WARNING: SUDDEN DEATH\n\n  WARNING: SUDDEN DEATH\n\n    {warning}"
    record = describe(ParsedFile(text), "Brenva.txt", "0" * 64)

    assert (record.title, record.main_molecules) == ("Brenva", ())


PAGE_TITLE = "A randomised, controlled study of QX-1001 in adults with gout"


@pytest.mark.parametrize(
    "text",
    [
        f"# Memo\n\n{PAGE_TITLE}\n\nThe study was discussed.",
    ],
)
def test_a_title_in_a_line_below_cover_words_is_taken(text: str) -> None:
    assert title_of(text, "", "reports/QJ_7.md") == PAGE_TITLE


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Final Report QJ-9\n\nThis is the study of QX-1001 in dogs", "Final Report QJ-9"),
        ("# Effects in dogs\n\nA study of QX-1001 in adults", "Effects in dogs"),
    ],
)
def test_a_sentence_below_a_heading_is_no_title(text: str, title: str) -> None:
    assert title_of(text, "", "reports/QJ_7.md") == title


def test_a_report_page_gives_number_date_and_type() -> None:
    text = (
        f"# FINAL REPORT\n\nStudy Title: {STUDY}\n\nStudy Number: QJ14020\n\n| Study Initiation Date: | "
        "28 November 2016 |\n| Study Completion Date: | 16 February, 2017 |\n\nRats took QX-1001. Rats ran."
    )
    record = describe(ParsedFile(text), "x.pdf", "")
    assert (record.study_id, record.date, record.document_type) == ("QJ14020", "2017-02-16", "Study report")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Clinical study report QF-CL-09-010, signed 4 December 2009.", "QF-CL-09-010"),
        ("| Protocol No. | M11-793 |", "M11-793"),
        ("# Minutes of the Board\n\nStudy Number: QJ14020 was discussed.", ""),
        ("The study was done in 2009.", ""),
    ],
)
def test_the_number_of_the_study(text: str, number: str) -> None:
    assert describe(ParsedFile(text), "x.pdf", "").study_id == number


def test_a_protocol_of_an_animal_study_is_no_clinical_one() -> None:
    record = describe(ParsedFile(f"# Study Protocol\n\nStudy Title: {STUDY}\n\nRats. Rats."), "x.pdf", "")
    assert record.document_type == "Study protocol"


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("T-2018-0229_dog_QX-1001.pdf", "QX-1001: 39-week study in dogs"),
        ("final.pdf", "T-2018-0229: QX-1001 in dogs"),
        ("final.pdf", "T-2018-0229 QX-1001 in dogs"),
    ],
)
def test_a_number_before_a_title_or_name_is_that_of_the_study(path: str, heading: str) -> None:
    text = f"# {heading}\n\nReport T-2018-0229 of the study LL/1603, final. Dogs received 4 mg/kg QX-1001."
    assert describe(ParsedFile(text), path, "").study_id == "T-2018-0229"


def test_a_drug_before_a_title_is_no_study() -> None:
    text = (
        "# QX-1001: overview of effects\n\nDogs received 4 mg/kg QX-1001 and were treated with QX-1001 again."
    )
    assert describe(ParsedFile(text), "QX-1001_effects.pdf", "").study_id == ""


def test_sections_captions_and_the_call_for_reports_of_a_label_are_no_titles() -> None:
    text = (
        "Vexoril\n\nADVERSE REACTIONS\n\n    6 ADVERSE REACTIONS\n\n  EXCERPT: Headache was common (6.1)\n\n"
        "   To report SUSPECTED ADVERSE REACTIONS, contact Acme at 1-800-555-0100 or FDA.\n\n"
        "  6.1 Clinical Trials Experience\n\nTable 1. Reactions of patients on VEXORIL and placebo\n\nText.\n"
    )

    assert title_of(text, "", "Vexoril.txt") == "Vexoril"
    assert document_type(text, "Vexoril", "Vexoril.txt") == "Drug label"


@pytest.mark.parametrize(
    ("text", "given", "path", "title"),
    [
        ("# Explanations of Molecular\n\n# Prediction Models\n\n### A. Roe\n\nText.", "", "a.pdf",
         "Explanations of Molecular Prediction Models"),
        ("# Toxicity of QX-7\n\n# 1 Summary\n\nText.", "", "a.pdf", "Toxicity of QX-7"),
        ("## Vesalia\n\n# User Guide\n\n### About it\n\nText.", "", "a.pdf", "Vesalia User Guide"),
        ("# Doses in space\n\nby Ada Roe and others\n\nText.", "", "a.pdf", "Doses in space"),
        ("# vesalia\n\nv0.2a 2016/01/07\n\n### A Database\n\nText.", "", "a.pdf", "vesalia"),
    ],
)  # fmt: skip
def test_titles_of_labels_pages_and_printed_articles(text: str, given: str, path: str, title: str) -> None:
    assert title_of(text, given, path) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"QJ-GT-002\n{STUDY.upper()}\nFinal report, 17 August 2023\n\nText.", STUDY.upper()),
        ("QJ-GT-002\nREVERSE MUTATION TEST WITH QX-1001\nFinal report, 17 August 2023\n\nText.",
         "REVERSE MUTATION TEST WITH QX-1001"),
    ],
)  # fmt: skip
def test_a_title_ends_before_a_label_and_is_no_mere_code_date_or_person(text: str, title: str) -> None:
    assert title_of(text, "", "reports/QJ_7.txt") == title
