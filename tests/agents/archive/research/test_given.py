"""Doses that were given, and of two versions of a report the newest."""

from dataclasses import replace

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.guards.doses import CLINICAL, admit
from tests.agents.archive.research.archives import from_texts

REPORT = """@document_type: Clinical study report
# VDT-660 in patients with gout: a Phase II study

Patients received VDT-660 5 mg or 10 mg twice daily for 8 weeks. {0}
"""


def amounts(sentence: str) -> list[str]:
    archive = from_texts(VD_1=REPORT.format(sentence))
    admitted, _ = admit(all_doses(annotated_documents(archive.research_input("VDT-660"))), CLINICAL)
    return [dose.single_text for dose in admitted]


@pytest.mark.parametrize(
    "sentence",
    [
        "Cohort 4 took 80 mg once daily for ten days.",
        "At 80 mg, Cmax was 410 ng/mL, as the model had suggested.",
        "Exposure at 80 mg was lower than predicted.",
        "No patient treated with 80 mg had a serious event.",
        "Nobody on 80 mg needed a lower dose.",
        "The 80 mg arm was closed early because of vomiting in five of nine patients.",
        "Protocol amendment 1 raised the dose to 80 mg, and eleven patients received it.",
        "VDT-660 besilate 80 mg was administered after breakfast.",
        "80 mg was considered to be the maximum tolerated dose.",
        "80 mg was given without food.",
    ],
)
def test_a_dose_that_was_given_stays_one(sentence: str) -> None:
    assert "80 mg" in amounts(sentence)


def test_of_two_versions_the_newest_is_read() -> None:
    archive = from_texts(
        VD_1=REPORT.format("80 mg was given too."), VD_2=REPORT.format("40 mg was given too.")
    )
    asked = archive.research_input("VDT-660")
    older, newer = asked.documents
    record = replace(older.record, newest_version=newer.record.doc_id)
    older = replace(older, document=replace(older.document, record=record))
    draft = EXTRACTORS["highest_dose"](replace(asked, documents=(older, newer)))
    assert draft.short.startswith("40 mg")
