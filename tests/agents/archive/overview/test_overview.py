"""Counts, lists, ranks, tables, status and dossiers come from records, each record cited."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer, Outcome
from agents.archive.kind import KIND
from agents.archive.overview.asked import Shape, Thing, asked_over_archive
from agents.archive.overview.key_sentences import is_row_as_text
from agents.archive.overview.structure import asks_for_structure
from agents.archive.tools import ArchiveTools
from agents.reports.values import Points, Prose, Statement, Structure
from tests.agents.archive.world import archive, ask

DOCUMENTS = {
    "ZK-CL-01": """# ZK-701: single ascending dose study in healthy volunteers

Clinical study report ZK-CL-01, signed 4 March 1998. First administration of ZK-701 to humans.
Thirty-two healthy volunteers received single oral doses of 2, 6, 20 and 60 mg ZK-701 as capsules.
The results showed that single doses up to 60 mg were well tolerated.
""",
    "ZK-CL-02": """# ZK-701: Phase II study in patients with asthma

Clinical study report ZK-CL-02, signed 9 May 1999. Phase II study. The study was terminated early.
Patients with asthma received 10, 20 or 40 mg ZK-701 orally twice daily for 14 days.
A serious adverse event (hepatitis) occurred in one patient at 40 mg twice daily.
""",
    "ZK-CL-02P": """# Protocol of the Phase II study of ZK-701 in patients with asthma

Study number: ZK-CL-02. Clinical study protocol. Patients with asthma will receive ZK-701.
""",
    "ZK-TX-01": """# ZK-701: 13-week oral toxicity study in rats

Report ZK-TX-01, signed 2 April 1997. Rats received 5, 15 or 50 mg/kg ZK-701 daily by gavage.
Liver necrosis was seen at 50 mg/kg.
""",
    "ZK-MIN-01": """# Minutes of the portfolio committee: termination of ZK-701

Meeting of 7 June 2000. The development of ZK-701 is terminated because of liver toxicity in patients.
""",
    "ZK-CL-09": """# ZK-702: Phase II study in patients with eczema

Clinical study report ZK-CL-09, signed 1 July 2004. Phase II study. The study was completed.
Patients with eczema received 75 mg ZK-702 by inhalation once daily for 8 weeks.
""",
}


@pytest.fixture
async def tools(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", {**DOCUMENTS, "copy-of-ZK-TX-01": DOCUMENTS["ZK-TX-01"]})


def listed(answer: Answer) -> set[str]:
    """What the first column of the first table lists."""
    return {row[0].text for row in answer.tables[0].rows} if answer.tables else set()


@pytest.mark.parametrize(
    ("question", "studies"),
    [
        ("How many studies of ZK-701 are there?", {"ZK-CL-01", "ZK-CL-02", "ZK-TX-01"}),
        ("How many clinical trials were done with ZK-701?", {"ZK-CL-01", "ZK-CL-02"}),
        ("How many Phase II studies are in the archive?", {"ZK-CL-02", "ZK-CL-09"}),
        ("How many studies of ZK-701 were terminated?", {"ZK-CL-02"}),
        ("How many rat studies do we have?", {"ZK-TX-01"}),
        ("Which studies were done in patients with eczema?", {"ZK-CL-09"}),
        ("List all studies from 1998", {"ZK-CL-01"}),
        ("Which studies of ZK-701 were finished before 1999?", {"ZK-CL-01", "ZK-TX-01"}),
        ("How many minutes do we have?", {"ZK-MIN-01"}),
        ("How many studies of ZK-702 were withdrawn?", set()),
    ],
)
async def test_studies_and_documents_are_counted_from_records(
    tools: ArchiveTools, question: str, studies: set[str]
) -> None:
    answer = await ask(tools, question)

    assert answer.outcome is Outcome.ANSWERED
    assert listed(answer) == studies
    assert answer.short.startswith(f"{len(studies)} ")
    assert all(row[0].citations for table in answer.tables for row in table.rows)
    assert any(note.startswith("Counted from the archive's records") for note in answer.notes)


async def test_of_what_the_count_is_unsure_is_told(tools: ArchiveTools) -> None:
    answer = await ask(tools, "How many Phase III studies of ZK-701 are there?")

    assert answer.short.startswith("On record for none")
    assert "for some it is not known" in answer.short
    assert any("not on record" in note for note in answer.notes)


@pytest.mark.parametrize(
    "question",
    [
        "How many studies of ZK-701 are there?",
        "How many Phase III studies of ZK-701 are there?",
        "Which molecules are in the archive?",
        "How many compounds were discontinued?",
        "Which molecule has the most studies?",
        "What is the status of ZK-702?",
        "Summarise what we know about ZK-701",
    ],
)
async def test_what_is_counted_and_told_passes_the_gate(tools: ArchiveTools, question: str) -> None:
    answer = await ask(tools, question)

    assert KIND.report(answer).short == answer.short
    assert not [note for note in KIND.report(answer).notes if note.startswith("Not shown")]


@pytest.mark.parametrize(
    ("question", "molecules"),
    [
        ("Which molecules are in the archive?", {"ZK-701", "ZK-702"}),
        ("How many compounds do we have?", {"ZK-701", "ZK-702"}),
        ("Which drugs were tested in patients with asthma?", {"ZK-701"}),
        ("Which molecules were discontinued?", {"ZK-701"}),
        ("Which compounds were given by inhalation?", {"ZK-702"}),
    ],
)
async def test_molecules_are_listed(tools: ArchiveTools, question: str, molecules: set[str]) -> None:
    answer = await ask(tools, question)

    assert listed(answer) == molecules


async def test_a_table_of_all_molecules_has_a_column_a_type(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Make a table of all molecules with route of administration and highest dose")

    table = answer.tables[0]
    assert len(table.columns) == 3
    assert {row[0].text for row in table.rows} == {"ZK-701", "ZK-702"}


@pytest.mark.parametrize(
    "question",
    ["Summarise what we know about ZK-701", "Brief me on ZK-701", "What do we know about ZK-701?"],
)
async def test_a_dossier_has_a_cited_line_a_type_and_names_its_gaps(
    tools: ArchiveTools, question: str
) -> None:
    answer = await ask(tools, question)

    assert answer.short.startswith("ZK-701: 3 studies")
    assert [word for word in ("liver", "2 mg", "terminated") if word not in answer.text] == []
    assert all(one.citations for one in _statements(answer))
    assert len([line for line in answer.not_found if line.startswith("Not stated for ZK-701")]) == 1


async def test_a_dossier_gives_what_a_study_concludes_with_its_values(tmp_path: Path) -> None:
    report = """# Report ZK-PH-07: effect of ZK-703 on eye pressure in rabbits

Report ZK-PH-07, signed 2 May 2011. Study of ZK-703 in rabbits.

## Results

Rabbits were observed for 8 hours. The results of all animals were found in the data base. No animal died.

## Conclusion

0.3% irritates the cornea. Drops of 0.1% twice daily lower the pressure for a whole day.
"""
    answer = await ask(
        await archive(tmp_path / "docs", {"ZK-PH-07": report}), "Summarise what we know about ZK-703"
    )

    assert "0.3% irritates the cornea." in answer.text
    assert "Drops of 0.1% twice daily" in answer.text
    assert "data base" not in answer.text


async def test_a_study_is_summarised_in_its_own_sentences(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Summarise study ZK-CL-01")

    assert "Thirty-two healthy volunteers" in answer.text
    assert "ZK-702" not in answer.text
    assert {citation.doc_id for citation in answer.citations} == {"ZK-CL-01"}


async def test_a_group_of_patients_is_a_subject(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What do we know about eczema?")

    assert {citation.doc_id for citation in answer.citations} == {"ZK-CL-09"}


async def test_the_status_of_a_molecule_is_the_end_or_how_far_it_came(tools: ArchiveTools) -> None:
    stopped = await ask(tools, "What is the status of ZK-701?")
    running = await ask(tools, "What is the status of ZK-702?")

    assert stopped.short.startswith("ZK-701 was stopped")
    assert running.short.startswith("ZK-702: Phase II; latest study ZK-CL-09, completed")


async def test_molecules_are_ranked_by_studies_of_the_asked_kind_and_share_the_first_place(
    tools: ArchiveTools,
) -> None:
    clinical = await ask(tools, "Rank the molecules by number of clinical studies")
    rats = await ask(tools, "Which molecule has the most studies in rats?")

    assert clinical.short == "ZK-701, with 2 studies (clinical)."
    assert rats.short == "ZK-701, with 1 study (in the rat)."


async def test_a_timeline_goes_from_the_first_to_the_last(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Give me a timeline of ZK-701")

    names = [row[0].text for row in answer.tables[0].rows]
    assert names[:4] == ["ZK-TX-01", "ZK-CL-01", "ZK-CL-02", "ZK-MIN-01"]


@pytest.mark.parametrize(
    "question",
    [
        "How many patients were treated in the asthma study?",
        "What was the highest dose of ZK-701?",
        "How many animals were used per group in ZK-TX-01?",
        "Which compound was used as positive control?",
        "How many doses were tested in study ZK-CL-01?",
    ],
)
def test_what_a_document_tells_is_no_question_over_the_archive(question: str) -> None:
    assert asked_over_archive(question) is None


@pytest.mark.parametrize(
    ("question", "shape", "thing"),
    [
        ("How many clinical trials were done with QX-1?", Shape.COUNT, Thing.STUDIES),
        ("How many dog studies do we have?", Shape.COUNT, Thing.STUDIES),
        ("What is the number of reports?", Shape.COUNT, Thing.DOCUMENTS),
        ("which drugs reached phase 3", Shape.LIST, Thing.MOLECULES),
        ("Which of the molecules has the longest half-life?", Shape.RANK, Thing.MOLECULES),
        ("Which has the lowest starting dose?", Shape.RANK, Thing.MOLECULES),
        ("List our compounds by NOAEL in dogs", Shape.RANK, Thing.MOLECULES),
        ("Please give me a short overview of QX-1", Shape.DOSSIER, Thing.MOLECULES),
    ],
)
def test_the_shape_of_a_question(question: str, shape: Shape, thing: Thing) -> None:
    asked = asked_over_archive(question)
    assert asked is not None
    assert (asked.shape, asked.thing) == (shape, thing)


@pytest.mark.parametrize("ending", [" for me", ", please!", " in short, please", " for us?"])
def test_courtesies_at_the_end_name_nothing(ending: str) -> None:
    asked = asked_over_archive(f"Summarise the KITE-3 results{ending}")
    assert asked is not None
    assert asked.rest == "the KITE-3 results"


def _statements(answer: Answer) -> list[Statement]:
    return [one for block in answer.blocks if isinstance(block, Points | Prose) for one in block.statements]


async def test_every_row_cites_its_own_document_also_beside_a_cited_phase(tmp_path: Path) -> None:
    text = "# ZK-701: study {0} in patients\n\nClinical study report.\nThis was a Phase II study of ZK-701."
    many = {f"ZK-CL-{n}": text.format(n) for n in range(21, 25)}
    answer = await ask(await archive(tmp_path / "many", many), "How many studies of ZK-701 are there?")
    documents = {one.number: one.doc_id for one in answer.citations}
    rows = [row for table in answer.tables for row in table.rows]
    assert [documents[row[0].citations[0]] for row in rows] == sorted(many)
    assert KIND.report(answer).sections[0].tables == answer.tables


EFFECTS = {
    "QL-CL-01": """# QL-301: dose finding study in adults with high lipids

Clinical study report QL-CL-01, signed 3 May 2021.

## Results

There was one serious adverse event, a fracture of the wrist, which was not related to the drug.

| Dose | n | Mean maximum change of lipids (%) | Day of nadir |
|---|---|---|---|
| 20 mg | 6 | -38 | 43 |
| 180 mg | 6 | -89 | 57 |
| 360 mg | 6 | -93 | 71 |
| atorvastatin 400 mg | 6 | -12 | 30 |

## Conclusion

QL-301 lowers lipids in a dose-dependent manner.
""",
    "QL-CMC-02": """# QL-301: stability of the solution

Report QL-CMC-02, signed 3 June 2021. Stability study of QL-301.

| Test | Limit | Change against version 1 |
|---|---|---|
| Impurity 0.62 | not more than 1.0% | was 1.5% |
""",
}


async def test_a_dossier_has_the_effect_at_the_highest_dose_and_what_is_said_of_safety(
    tmp_path: Path,
) -> None:
    answer = await ask(await archive(tmp_path, EFFECTS), "Summarise what we know about QL-301")

    told = [one.text for block in answer.blocks if isinstance(block, Points) for one in block.statements]
    row = "Dose: 360 mg; n: 6; Mean maximum change of lipids (%): -93; Day of nadir: 71"
    assert any(one.endswith(row) for one in told)
    assert any("fracture of the wrist" in text for text in told)
    assert any("dose-dependent manner" in text for text in told)
    assert not any("Impurity" in text for text in told)


async def test_a_dossier_shows_the_structure_that_a_document_states(tmp_path: Path) -> None:
    stated = """# Investigator's Brochure ZK-701

ZK-701 is a white powder. The structure of ZK-701 as SMILES: CC(=O)Oc1ccccc1C(=O)O.
"""
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "ZK-IB": stated})
    answer = await ask(tools, "Tell me about ZK-701")
    report = KIND.report(answer)
    (drawn,) = [block for block in report.sections[0].blocks if isinstance(block, Structure)]
    (cited,) = [one for one in report.citations if one.number in drawn.citations]
    assert (drawn.name, cited.doc_id) == ("ZK-701", "ZK-IB")
    assert drawn.smiles in cited.quote


@pytest.mark.parametrize(
    "question",
    [
        "What is the structure of ZK-701?",
        "draw ZK-701",
        "Show me the chemical structure of ZK-701 and ZK-702",
        "What is the SMILES of ZK-701?",
    ],
)
async def test_a_question_for_a_structure_is_answered_by_the_passage_that_states_it(
    tmp_path: Path, question: str
) -> None:
    stated = "# Brochure ZK-701\n\nThe SMILES of ZK-701 is CC(=O)Oc1ccccc1C(=O)O. It is white.\n"
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "ZK-IB": stated})
    answer = await ask(tools, question)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.short == "The SMILES of ZK-701 is CC(=O)Oc1ccccc1C(=O)O."
    assert answer.not_found == (("Not stated for ZK-702: its structure.",) if "ZK-702" in question else ())
    (drawn,) = [block for block in KIND.report(answer).sections[0].blocks if isinstance(block, Structure)]
    assert drawn.smiles == "CC(=O)Oc1ccccc1C(=O)O"


@pytest.mark.parametrize(
    "question", ["What is the structure of the study ZK-701?", "Draw conclusions on ZK-701"]
)
async def test_other_questions_are_none_for_a_structure(tools: ArchiveTools, question: str) -> None:
    assert not asks_for_structure(question, await tools.index.molecules())


async def test_the_lines_of_a_dossier_stand_by_themselves(tmp_path: Path) -> None:
    rats = "# Report VK-TX-01: VK-900 toxicity study in rats\n\n## Results\n\nThe NOAEL is 30 mg/kg/day.\n"
    dogs = "# Report VK-TX-02: VK-900 toxicity study in dogs\n\n## Results\n\nThe NOAEL is 6 mg/kg/day.\n"
    tools = await archive(tmp_path / "docs", {"VK-TX-01": rats, "VK-TX-02": dogs})

    answer = await ask(tools, "Summarise what we know about VK-900")

    assert "VK-TX-01: The NOAEL is 30 mg/kg/day." in answer.text
    assert "VK-TX-02: The NOAEL is 6 mg/kg/day." in answer.text
    assert not [note for note in KIND.report(answer).notes if note.startswith("Not shown")]


async def test_a_summary_leaves_out_boilerplate_and_the_labels_of_lists(tmp_path: Path) -> None:
    label = """@document_type: Drug label
# Qorvia label

Because clinical trials are conducted under varying conditions, rates cannot be directly compared.

EXCERPT: * Neutropenia was observed in 82% of patients treated with Qorvia.

Weight decreased 32 (9%) 0 28 (8%) 1 (1%)
"""
    answer = await ask(await archive(tmp_path / "docs", {"Qorvia_label": label}), "Summarise Qorvia")

    told = [one.text for block in answer.blocks if isinstance(block, Points) for one in block.statements]
    assert told == ["Neutropenia was observed in 82% of patients treated with Qorvia."]


async def test_molecules_with_a_value_are_named_in_the_first_line(tmp_path: Path) -> None:
    report = "# {0}: study in volunteers\n\nReport of a Phase 1 study of {0}. {1}\n"
    tools = await archive(
        tmp_path / "docs",
        {
            "VK-CL-01": report.format("VK-900", "The terminal half-life of VK-900 was 9 hours."),
            "VK-CL-02": report.format("VK-901", "The drug was well tolerated."),
        },
    )

    answer = await ask(tools, "Which molecules have a half-life?")

    assert answer.short == "1 molecule: VK-900."


@pytest.mark.parametrize(
    ("text", "is_row"),
    [
        ("Deaths occurred in 0/10, 1/10, 3/10, and 8/10 rats at 0, 5, 15 and 45 mg/kg.", False),
        ("Mortality was 0, 0, 2, 5 and 9 of 10 males at 0, 1, 3, 10 and 30 mg/kg/day.", False),
        ("Deaths 0 1 3 8 of 10.", True),
        ("Males 12.1 (3.2) 14.0 (2.9) 15.5 (3.1).", True),
    ],
)
def test_a_sentence_with_many_numbers_is_no_row_of_a_table(text: str, is_row: bool) -> None:
    assert is_row_as_text(text) == is_row


async def test_tox_studies_are_studies_of_toxicology(tmp_path: Path) -> None:
    documents = {
        "TS-TX-1": "# TS-41: 4-week toxicity study in rats\n\nToxicology report.\nRats got TS-41 daily.\n",
        "TS-CL-1": "# TS-41: single dose study\n\nClinical study report.\nVolunteers received 5 mg TS-41.\n",
    }
    answer = await ask(await archive(tmp_path, documents), "list tox studies of TS-41")

    assert "TS-TX-1" in answer.short
    assert "TS-CL-1" not in answer.short
