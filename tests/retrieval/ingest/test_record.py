"""Records from front matter, and from words alone."""

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ingest.record import describe
from retrieval.values import DocumentRecord, Domain, Page, ParsedFile, StudyStatus


def described(text: str, path: str = "reports/TR-1.md", **metadata: object) -> DocumentRecord:
    return describe(ParsedFile(text, (Page(1, 0, len(text)),), metadata), path, "ab" * 32)


TOXICOLOGY = """# QX 1001: four-week oral toxicity study in the dog

Acme Laboratories, Department of Toxicology
Report AC-TR-85-007 (final), signed 2 April 1985

Dogs received QX 1001 for four weeks. The rat was studied elsewhere. QX-1009 was not tested. No dog died.
"""

REGISTRY = """# QRX-875 in Patients With Asthma

## Brief summary

This Phase II study is studying how well QRX-875 (lorafetib) works in patients with asthma. Lorafetib is new.

## Status

Overall status: Withdrawn. Reason the study was stopped, as given by the sponsor: No funding.
"""

MINUTES = """# Minutes of the Project Committee: termination of QX-1014

Meeting of 17 April 1991. A Phase II study of QX-1001 was completed.

The development of QX-1014 is terminated because of liver findings in the dog. Dogs are sensitive.
"""


def test_a_toxicology_report_without_front_matter() -> None:
    record = described(TOXICOLOGY)
    assert record.doc_id == "reports/TR-1"
    assert record.title == "QX 1001: four-week oral toxicity study in the dog"
    assert record.main_molecules == ("QX 1001",)
    assert set(record.molecules) == {"QX 1001", "QX-1009"}
    assert (record.document_type, record.study_type) == ("Toxicology report", "repeated-dose toxicity")
    assert record.species[0] == "dog"
    assert record.stages == (Domain.PRECLINICAL,)
    assert (record.date, record.status) == ("1985-04-02", StudyStatus.COMPLETED)
    assert (record.language, record.page_count, record.format) == ("en", 1, "md")


def test_a_registry_record_without_front_matter() -> None:
    record = described(REGISTRY)
    assert (record.phase, record.status, record.stop_reason) == (
        "Phase 2",
        StudyStatus.WITHDRAWN,
        "No funding.",
    )
    assert record.names == (("QRX-875", "lorafetib"),)
    assert set(record.stages) == {Domain.CLINICAL, Domain.STRATEGIC}


def test_minutes_have_no_phase_and_status_of_their_own() -> None:
    record = described(MINUTES)
    assert (record.phase, record.status) == ("", None)
    assert record.main_molecules == ("QX-1014",)
    assert record.document_type == "Project closure minutes"
    assert Domain.STRATEGIC in record.stages


def test_front_matter_wins() -> None:
    record = described(
        MINUTES,
        doc_id="M-7",
        title="Closure",
        date=dt.date(1991, 4, 18),
        phase="Phase 1/Phase 2",
        status="Terminated",
        stop_reason="Toxicity",
        keywords=["liver", "dog"],
    )
    assert (record.doc_id, record.title, record.date) == ("M-7", "Closure", "1991-04-18")
    assert (record.phase, record.status, record.stop_reason) == (
        "Phase 1/2",
        StudyStatus.TERMINATED,
        "Toxicity",
    )
    assert record.keywords == ("liver", "dog")


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("The study was terminated early.", StudyStatus.TERMINATED),
        ("The study was stopped before the first participant was enrolled.", StudyStatus.WITHDRAWN),
        ("The dose was lowered before the first subject was dosed.", None),
        ("The study is ongoing.", StudyStatus.ONGOING),
        ("Status: planned, not started.", StudyStatus.PLANNED),
        ("The study was completed.", StudyStatus.COMPLETED),
        ("Overall status: Terminated. Phase: Phase 2.", StudyStatus.TERMINATED),
    ],
)
def test_status_from_words(sentence: str, status: StudyStatus | None) -> None:
    assert described(f"# A trial\n\nPatients took QX-1001. {sentence}").status is status


@pytest.mark.parametrize(
    "sentence",
    [
        "Nine patients stopped early: six for adverse events, three withdrew consent.",
        "No participant stopped early.",
        "The study was not terminated.",
        "The final report is expected in May 2031.",
        "Vaccination status: completed.",
    ],
)
def test_what_else_ended_is_no_status_of_the_study(sentence: str) -> None:
    assert described(f"# A trial\n\nPatients took QX-1001. {sentence}").status is None


@pytest.mark.parametrize(
    ("title", "type_"),
    [
        ("Investigator’s Brochure QX-1001, Edition 3", "Investigator brochure"),
        ("Portfolio Committee – Minutes of 22 February 2024", "Minutes"),
        ("Minutes - QX team, 12 March 2024", "Minutes"),
        ("Steering committee minutes", "Minutes"),
        ("PIND 123456 - Written Responses", "Letter"),
        ("Scientific Advice Letter", "Letter"),
        ("FDA advice: minutes of the Type B meeting", "Minutes"),
        ("Clinical study protocol, amended after the FDA letter of May 2031", "Clinical study protocol"),
        ("Rest of 30 minutes of the dogs after dosing: toxicity study", "Toxicology report"),
    ],
)
def test_types_of_documents_that_are_no_reports(title: str, type_: str) -> None:
    rats = "Pharmacokinetics in rats and a clinical study of QX-1001 were discussed."
    assert described(f"# {title}\n\n{rats}").document_type == type_


@pytest.mark.parametrize("title", ["4-week study in mice", "2-year carcinogenicity study in rats"])
def test_the_length_of_a_study_is_no_phase(title: str) -> None:
    assert described(f"# {title}\n\nStudy report on QX-1001.").phase == ""
    assert described(f"# {title}\n\nStudy report on QX-1001.", phase="2").phase == "Phase 2"


@pytest.mark.parametrize(
    ("words", "phase"),
    [
        ("Phase IIb study of QX-1001", "Phase 2"),
        ("a phase 1/2 trial", "Phase 1/2"),
        ("Phase III trial", "Phase 3"),
        ("10 mg was selected for a later Phase II study", ""),
        ("no such word", ""),
    ],
)
def test_phase_from_words(words: str, phase: str) -> None:
    assert described(f"# QX-1001\n\nThis report is about {words}.").phase == phase


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("signed 3 May 2001", "2001-05-03"),
        ("dated May 3, 2001", "2001-05-03"),
        ("Meeting of 03.05.2001", "2001-05-03"),
        ("Date: 2001-05-03", "2001-05-03"),
        ("dated May 2001", "2001-05"),
        ("no date", ""),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert described(f"# Report\n\n{text}").date == date


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Ratten wurden mit der Substanz behandelt und sind nicht gestorben.", "de"),
        ("The rats were treated with the substance, and none of them has died in this study.", "en"),
        (
            "Les rats ont reçu 10 mg/kg par jour par gavage. Aucun décès n'a été observé.",
            "fr",
        ),
        ("ラットに1日1回10 mg/kgを経口投与した。死亡例は認められなかった。", "ja"),
        ("Rotterne fik dagligt 10 mg/kg ved sonde. Der blev ikke observeret dødsfald.", "da"),
        ("| Animal | 1 | 2 |\n|---|---|---|\n| QX-1001 | 412 | 405 |", ""),
        ("", ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert described(text).language == language


def test_two_molecules_of_one_study_are_both_main_without_a_title() -> None:
    record = described(
        "Report\n\nQX-1001 and QX-1009 were given. QX-1001 and QX-1009 were safe.", "x/List.txt"
    )
    assert record.main_molecules == ("QX-1001", "QX-1009")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["doc_id", "title", "date", "phase", "status", "molecules", "aliases", "keywords", "document_type", "x"]
)


@given(st.dictionaries(FIELDS, VALUES), st.text(max_size=200))
def test_stray_front_matter_never_breaks_it(metadata: dict[str, object], text: str) -> None:
    record = described(text, **metadata)
    assert record.doc_id
    assert all(isinstance(name, str) and name for group in record.names for name in group)


@pytest.mark.parametrize(
    "text",
    [
        "Cells were treated. " * 900 + "They were stimulated with the agonist QX-2006 (3 mg of QX-2006).",
        "Rats were dosed. " * 20
        + "The reference inhibitor QX-2006, dosed at 10 mg/kg, had a half-life of 2 h.",
    ],
)
def test_a_reagent_or_comparator_is_not_what_a_document_is_about(text: str) -> None:
    found = describe(ParsedFile(text), "x.txt", "")
    assert (found.molecules, found.main_molecules) == (("QX-2006",), ())


def test_the_comparator_in_a_title_is_not_what_a_document_is_about() -> None:
    text = "# Efficacy of QX-2006 versus QX-3110 in rats\n\nRats received 4 mg QX-2006 or 9 mg QX-3110."
    assert describe(ParsedFile(text), "x.md", "").main_molecules == ("QX-2006",)


TELEMETRY = """GP-0417 Final report, 9 May 2027

# GP-0417: Cardiovascular Safety Pharmacology Study of QXR-2101 in Dogs

The hERG assay is told in study report number GP-0388. Peer review was completed on 2 March 2027.
"""


def test_a_molecule_before_a_title_is_no_number_of_a_study() -> None:
    text = "# QXR-2101: single doses in men\n\nQXR-2101 was given at 5 mg to eight men.\n"

    assert described(text, "reports/QXR-2101_men.md").study_id == ""


def test_the_date_of_a_row_or_of_the_letter_answered_is_not_its_own() -> None:
    answer = "# Response to the Letter of 4 October 2030\n\nAcme, 15 November 2030. The limit is accepted.\n"
    register = "## Studies\n\n| Study | Start |\n|---|---|\n| QX-T-1 | 2029-09-09 |\n"

    assert described(answer, "letters/answer.md").date == "2030-11-15"
    assert described(register, "registers/list.md").date == ""


@pytest.mark.parametrize(
    "words", ["Restrictions: English, date of publication January 2040.", "The decision date is 9 May 2041."]
)
def test_a_date_of_something_else_is_not_its_own(words: str) -> None:
    assert described(f"# QX-1001 in asthma\n\n{'Eight men were dosed. ' * 30}\n\n{words}").date == ""


def test_a_register_of_batches_is_no_report_of_what_they_were_used_for() -> None:
    table = "## Drug substance\n\n| Batch | Use |\n|---|---|\n| QB-3 | first Ames test, toxicity study |\n"

    assert described(table, "cmc/Batch_register.xlsx").document_type == "Register"


def test_a_memo_with_sender_and_date_is_no_mail() -> None:
    text = "# Vial memo 12-3: a vial for phase 2\n\nFrom: Ada Quill\nTo: Bo Ras\nDate: 2 May 2019\n\nA vial."
    record = described(text)
    assert (record.document_type, record.phase, record.study_type) == ("Memorandum", "", "")
    assert described(text.split("\n\n", 1)[1]).document_type == "E-mail"


def test_minutes_that_discuss_a_phase_are_none_of_it() -> None:
    record = described(
        "# Minutes — council, meeting 9\n\nPhase 3 is planned. A phase 3 trial. Phase III costs."
    )
    assert (record.document_type, record.phase, record.study_type) == ("Minutes", "", "")


@pytest.mark.parametrize(
    "text",
    [
        "ADVERSE REACTIONS\n\nIn a phase 1/2 study of patients, falls [see Warnings and Precautions (5.1)].",
        "ADVERSE REACTIONS\n\n6 ADVERSE REACTIONS\n\nVolunteers in a phase 3 study fell.",
    ],
)
def test_the_text_of_a_drug_label_is_no_study_report(text: str) -> None:
    record = described(text, "labels/QUILLAX_label.txt")
    assert (record.title, record.document_type, record.phase) == ("QUILLAX label", "Drug label", "")


@pytest.mark.parametrize("run", ["\n", " ", " \n", "\t"])
def test_a_long_run_takes_the_rules_no_longer_than_other_text(run: str) -> None:
    began = time.process_time()
    found = describe(ParsedFile(f"# QX-1001 in rats\n\n{run * 200_000}\n\nRats were well."), "a.md", "1")
    assert time.process_time() - began < 10
    assert found.title == "QX-1001 in rats"
