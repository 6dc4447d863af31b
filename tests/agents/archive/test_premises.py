"""What a question takes for granted is corrected where documents decide it; no highest dose is narrowed."""

from pathlib import Path

import pytest

from agents.archive.answer import Outcome
from agents.archive.highest import Scope, scope_of
from agents.archive.premises import may_be_wrong
from agents.archive.tools import ArchiveTools
from agents.archive.work import as_shown
from tests.agents.archive.world import archive, ask

DOCUMENTS = {
    "VX-TX-1": """# VX-120: four-week oral toxicity study in the rat

Rats received 5, 20 or 80 mg/kg VX-120 once daily by gavage for four weeks. The NOAEL was 20 mg/kg/day.
""",
    "VX-MIN-1": """# Minutes of the project board: VX-120

VX-120 has not been administered to humans. The development of VX-120 was stopped because of lens opacity.
""",
    "VX-CL-1": """# VX-340: first-in-human, single ascending dose study

Phase I clinical study report.
Single oral doses of 3, 10, 30 and 90 mg VX-340 were given to healthy volunteers.
""",
    "VX-CL-2": """# VX-340: multiple ascending dose study in healthy volunteers

Phase I clinical study report.
Healthy volunteers received 10, 20 or 45 mg VX-340 orally twice daily for 14 days.
""",
    "VX-TX-2": """# VX-340: 13-week oral toxicity study in the dog

Dogs received 2, 6 or 18 mg/kg/day VX-340 orally for 13 weeks.
""",
    "VX-CL-3": """# VX-340 in gout: Phase II study, status report

Study VX-CL-3 of VX-340 is ongoing. By June 40 of 90 patients had been randomised.
""",
}


@pytest.fixture
async def tools(tmp_path: Path) -> ArchiveTools:
    return await archive(tmp_path / "docs", DOCUMENTS)


async def test_a_human_dose_of_what_no_human_received_is_corrected_first(
    tools: ArchiveTools,
) -> None:
    answer = await ask(tools, "What was the highest dose of VX-120 in patients?")

    assert answer.text.startswith("**VX-120 was never given to humans.** [1]")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.citations[0].quote == "VX-120 has not been administered to humans."


async def test_what_no_document_speaks_of_is_said_with_what_they_do_speak_of(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Which dose of VX-340 was given to monkeys?")

    assert answer.short == "No document of VX-340 speaks of monkeys; animals named there: dogs."
    assert [citation.quote for citation in answer.citations] == [
        "Dogs received 2, 6 or 18 mg/kg/day VX-340 orally for 13 weeks."
    ]


async def test_a_document_of_no_known_molecule_leaves_open_what_is_spoken_of(tmp_path: Path) -> None:
    more = {"PK-7": "# Exposure in animals\n\nMonkeys were given 4 mg/kg of the peptide once.\n"}
    answer = await ask(
        await archive(tmp_path / "docs", {**DOCUMENTS, **more}), "Which dose of VX-340 was given to monkeys?"
    )

    assert "No document of VX-340 speaks of monkeys" not in answer.text


async def test_a_document_whose_own_number_is_taken_for_a_molecule_leaves_it_open_too(tmp_path: Path) -> None:
    """ "DW-418" is a study's number; the sheet is any molecule's."""
    sheet = {
        "DW-418_hepatocytes": "# DW-418 hepatocytes\n\nDW-418: clearance in cells of monkeys 9.3 uL/min.\n"
    }
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **sheet})

    answer = await ask(tools, "Which dose of VX-340 was given to monkeys?")

    [record] = [one for one in await tools.index.records() if one.doc_id == "DW-418_hepatocytes"]
    assert record.molecules == ("DW-418",)
    assert "No document of VX-340 speaks of monkeys" not in answer.text


async def test_a_reason_for_an_end_that_no_document_tells_is_corrected(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Why was VX-340 discontinued?")

    assert answer.text.startswith("**No document says that VX-340 was discontinued")
    assert answer.citations[0].doc_id == "VX-CL-3"


@pytest.mark.parametrize(
    "question",
    [
        "What was the planned first dose of VX-120 in humans?",
        "Why was VX-120 never given to patients?",
        "Which lot of VX-120 was used?",
        "What margin of safety does VX-340 have in humans?",
    ],
)
def test_a_question_that_takes_nothing_for_granted_is_not_checked(question: str) -> None:
    assert not may_be_wrong(question)


async def test_a_premise_that_holds_changes_nothing(tools: ArchiveTools) -> None:
    answer = await ask(tools, "Which dose of VX-340 was given to dogs?")

    assert "No document" not in answer.text


async def test_the_highest_dose_names_every_group_that_it_covers(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the highest dose of VX-340?")

    assert (
        "90 mg as a single dose in humans and 45 mg twice daily as a repeated dose in humans" in answer.text
    )
    rows = [[cell.text for cell in row] for row in answer.tables[0].rows]
    assert ["In the dog", "18 mg/kg/day"] in [row[:2] for row in rows]
    quotes = {one.number: one.quote for one in answer.citations}
    for row in answer.tables[0].rows:
        [amount] = [cell for cell in row if " mg" in cell.text]
        assert any(amount.text.split()[0] in quotes[number] for number in amount.citations)


async def test_a_single_dose_is_cited_with_the_sentence_that_calls_it_single(tmp_path: Path) -> None:
    report = """# VX-560: a first study in healthy women

Forty healthy women received single oral doses of VX-560. The first cohort received 2 mg. Cohorts then
received 4, 8 and 16 mg.
"""
    answer = await ask(await archive(tmp_path, {"VX-CL-9": report}), "What was the highest dose of VX-560?")

    assert "16 mg as a single dose in humans" in as_shown(answer).text


async def test_a_highest_dose_in_one_species_is_that_of_the_species(tools: ArchiveTools) -> None:
    answer = await ask(tools, "What was the highest dose of VX-340 in dogs?")

    assert answer.text.startswith("**The highest dose of VX-340 was 18 mg/kg/day in the dog.**")


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("What was the highest dose of VX-340?", Scope()),
        ("What was the highest dose of VX-340 in humans?", Scope(animals=False)),
        ("What was the maximum single dose of VX-340?", Scope(single=True)),
        ("What is the top dose of VX-340 in rats?", Scope(humans=False, species=("rat",))),
        ("What was the highest dose of VX-340 in repeated-dose Phase I studies?", None),
        ("At which highest dose did serious adverse events occur?", None),
        ("What was the highest tolerated dose of VX-340?", None),
    ],
)
def test_the_scope_of_a_highest_dose_is_read(question: str, scope: Scope | None) -> None:
    assert scope_of(question) == scope


@pytest.mark.parametrize(
    "question",
    [
        "Cmax at the highest dose of VX-340?",
        "ALT on the top dose of VX-340",
        "What was the AUC of the highest dose of VX-340?",
        "What happened at the highest dose of VX-340?",
    ],
)
async def test_what_was_measured_at_the_highest_dose_is_not_answered_with_the_dose(
    tools: ArchiveTools, question: str
) -> None:
    answer = await ask(tools, question)

    assert "highest dose of VX-340 was" not in answer.text


OTHERS = {
    "OW-TX-1": "# OW-510: 13-week study in the dog\n\nDogs received 4 mg/kg OW-510 daily. Cataracts were not "
    "looked for. Degeneration of the retina was seen in 3 of 8 dogs at 4 mg/kg.\n",
    "OW-TX-2": "# OW-620: 13-week study in the dog\n\nDogs received 9 mg/kg OW-620 daily. All ate well.\n",
}


async def test_a_finding_of_another_molecule_is_told_as_that_of_the_other(tmp_path: Path) -> None:
    answer = await ask(
        await archive(tmp_path, OTHERS), "Which dog study showed the retina finding of OW-620?"
    )

    assert "No document of OW-620 speaks of retina; one of OW-510 does." in answer.text
    assert "retina was seen" in answer.citations[0].quote


@pytest.mark.parametrize(
    "more",
    [
        {"OW-TX-3": "# OW-620: 4-week study in the rat\n\nRats got 9 mg/kg OW-620. The retina was normal.\n"},
        {"MEMO": "# Note on an old study\n\nThe compound had changed the retina of the rabbit.\n"},
    ],
)
async def test_nothing_is_said_of_the_other_where_a_document_may_speak_of_the_finding(
    tmp_path: Path, more: dict[str, str]
) -> None:
    tools = await archive(tmp_path, OTHERS | more)
    answer = await ask(tools, "Which dog study showed the retina finding of OW-620?")

    assert "No document of OW-620" not in answer.text
