"""Studies are counted from the documents that describe one and from the registers that list them."""

from agents.archive.research import EXTRACTORS
from tests.agents.archive.research.archives import from_texts

ARCHIVE = from_texts(
    LBX_210_03="""@document_type: Clinical study report
# LBX-210: multiple-dose study in healthy volunteers (study LBX-210-03)
Volunteers received LBX-210 for 14 days in 07 centres.
""",
    Register_2007="""# Register of studies

| Study no. | Compound | Design | Species | Status |
|---|---|---|---|---|
| TX-210-01 | LBX-210 | Repeated dose | Dog | reported 2004 |
| TX-377-01 | LBX-377 | Repeated dose | Rat | reported 2005 |
| TX-210-02 | LBX-210 | Carcinogenicity | Mouse | cancelled |

| Study | Compound | Phase | Status |
|---|---|---|---|
| LBX-210-03 | LBX-210 | I | completed |
| LBX-210-04 | LBX-210 | II | planned |
""",
    MM_1="""@document_type: Memorandum
# Memorandum on LBX-210
In study LBX-210-04, 240 patients are planned. LBX-377 was named too.
""",
)


def test_a_register_gives_its_rows_and_is_no_study_itself() -> None:
    draft = EXTRACTORS["study_list"](ARCHIVE.research_input("LBX-210"))
    assert draft.short == (
        "4 studies (2 clinical, 2 nonclinical): LBX-210-03 (Phase I; healthy volunteers; completed); "
        "TX-210-01 (Repeated dose; Dog; reported 2004); TX-210-02 (Carcinogenicity; Mouse; cancelled); "
        "LBX-210-04 (Phase II; planned)"
    )


def test_every_study_is_cited_to_the_heading_or_row_that_stands_for_it() -> None:
    draft = EXTRACTORS["study_list"](ARCHIVE.research_input("LBX-210"))
    for field in draft.fields:
        if field.field == "study":
            assert field.value in field.passages[0].text


def test_the_rows_of_another_molecule_are_not_counted() -> None:
    draft = EXTRACTORS["study_list"](ARCHIVE.research_input("LBX-377"))
    assert draft.short == "1 study: TX-377-01 (Repeated dose; Rat; reported 2005)"


def test_the_files_of_one_study_are_one_study_and_a_protocol_in_rats_is_not_clinical() -> None:
    archive = from_texts(
        RAT_protocol="""@study_id: CJ-5
@document_type: Study protocol
# Effects of LBX-210 on respiration in rats (study CJ-5)
LBX-210 will be given once to rats at 10 mg/kg.
""",
        RAT_report="""@study_id: CJ-5
@document_type: Study report
# Effects of LBX-210 on respiration in rats (study CJ-5)
LBX-210 was given once to rats at 10 mg/kg.
""",
    )
    draft = EXTRACTORS["study_list"](archive.research_input("LBX-210"))
    assert draft.short.startswith("1 study: CJ-5 (")
