"""Corrections come along with what they correct."""

from pathlib import Path

from agents.archive.corrections import corrected_by, corrections_of
from agents.archive.reading.first import first_excerpts
from retrieval.values import DocumentRecord
from tests.agents.archive.world import archive, ask

REPORT = """# QX-41: 26-week oral toxicity study in the dog

Study number: XT-0398

## Toxicokinetics

| Dose (mg/kg/day) | AUC0-24 (ng·h/mL) |
|---|---|
| 3 | 1,900 |
| 10 | 7,420 |
"""
ERRATUM = """# Erratum no. 1 to the final report of study XT-0398

The table of toxicokinetics has a wrong value. At 10 mg/kg/day the AUC0-24 is 4,720 ng·h/mL and not 7,420.
"""
OTHER = "# QX-41: 4-week study in the rat\n\nStudy number: XT-0277\n\nThe AUC0-24 was 3,300 ng·h/mL.\n"
DOCUMENTS = {"XT-0398": REPORT, "NOTE-7": ERRATUM, "XT-0277": OTHER}


def record(doc_id: str, title: str, study_id: str = "") -> DocumentRecord:
    return DocumentRecord(doc_id, path="", sha256=doc_id, format="md", title=title, study_id=study_id)


def test_a_correction_names_a_number_a_title_or_has_the_study() -> None:
    report = record("A-1", "QX-41: 26-week oral toxicity study in the dog", "TX/41-398")
    other = record("A-2", "QX-41: 4-week study in the rat", "TX/41-277")
    for title, study in (
        ("Amendment 1 to report TX/41-398", ""),
        ("Correction to: QX-41: 26-week oral toxicity study in the dog (report)", ""),
        ("Corrigendum", "TX/41-398"),
    ):
        assert corrected_by(record("E", title, study), [report, other]) == ("A-1",)
    assert corrected_by(record("E", "Amendment 1 to protocol TX/41-398"), [report, other]) == ()
    assert corrections_of([report, other, record("E", "Corrigendum", "TX/41-398")], ["A-2"]) == {}


async def test_a_passage_is_shown_with_its_correction_and_says_so(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)

    answer = await ask(tools, "What AUC0-24 did dogs have at 10 mg/kg/day of QX-41?")

    quotes = [one.quote for one in answer.citations]
    assert any("4,720" in quote for quote in quotes)
    assert "7,420" not in answer.short
    assert not answer.short.startswith("Dose")  # the first head of the table states nothing
    places = {one.doc_id: one.place for one in answer.citations}
    assert "corrected by NOTE-7" in places["XT-0398"]
    assert "corrected by" not in places["NOTE-7"]


async def test_a_model_reads_the_correction_with_what_it_corrects(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)

    shown = await first_excerpts(tools, "AUC0-24 of QX-41 in dogs at 10 mg/kg/day", (), most=1)

    assert {one.record.doc_id for one in shown} == {"XT-0398", "NOTE-7"}
