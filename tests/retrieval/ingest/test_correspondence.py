"""Mails and letters are told from reports, and have their subject for a title."""

import pytest

from retrieval.ingest.record import describe
from retrieval.values import DocumentRecord, ParsedFile

MAIL = """From: Ann Example <ann@norrland.example>

To: Project team QX-7701

Date: Tue, 4 Mar 2014 09:10

Subject: RE: Fwd: VK-0902 cohort 4 - dosing stopped

Dear all, two patients in the phase 2 study were ill after 40 mg QX-7701.
"""
LETTER = """Medicines Board of Norrland (fictitious)

14 September 2011

Subject: Clinical trial application VK-5101, QX-7701

Dear Dr. Example,

we have assessed the clinical study report of the phase 1 study in patients. Doses of QX-7701 are too high.

Yours sincerely,

Karin Board
"""


def record(text: str, path: str = "a.txt") -> DocumentRecord:
    return describe(ParsedFile(text), path, "")


def test_a_mail_is_a_mail_whatever_it_speaks_of() -> None:
    found = record(MAIL)
    assert (found.document_type, found.title) == ("E-mail", "VK-0902 cohort 4 - dosing stopped")
    assert (found.phase, found.status, found.study_id) == ("", None, "")


def test_a_mail_whose_subject_is_its_heading() -> None:
    text = "# RE: QX-7701 answer to the board\n\nFrom: Karin\n\nSent: 4 October 2011\n\nTo: Henrik\n\nYes."
    assert (record(text).document_type, record(text).title) == ("E-mail", "QX-7701 answer to the board")


def test_a_letter_of_an_agency_is_no_study_report() -> None:
    found = record(LETTER)
    assert (found.document_type, found.title) == ("Letter", "Clinical trial application VK-5101, QX-7701")


@pytest.mark.parametrize(
    "text",
    [
        "# Clinical study report\n\nSubject: 001-004 was ill.\n\nPatients received 4 mg.",
        "# Report\n\nFrom: Day 1 to Day 9 rats were dosed.\n\nNothing was seen.",
    ],
)
def test_a_report_with_such_words_stays_a_report(text: str) -> None:
    assert record(text).document_type not in ("E-mail", "Letter")


def test_names_of_sheets_are_no_titles() -> None:
    text = "## Nonclinical\n\n| Report | Species |\n|---|---|\n| 1 | rat |\n\n## Read me\n\nKept by Ann."
    found = record(text, "lists/study_overview_2011.xlsx")
    assert (found.title, found.document_type) == ("study overview 2011", "Study list")


def test_the_first_bullet_of_a_slide_is_no_part_of_its_title() -> None:
    found = record("## VK-2201 topline: first-in-human study\n\n- Preliminary data", "a.pptx")
    assert found.title == "VK-2201 topline: first-in-human study"
