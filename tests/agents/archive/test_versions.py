"""What changed between versions of a document, and who has to do what until when, told as tables."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer, Question
from agents.archive.kind import KIND
from agents.archive.pipeline import answer_question
from agents.reports.values import Table
from agents.runs.memory import trial_run
from tests.agents.archive.world import archive, ask

PROTOCOL = """# Clinical Trial Protocol QV-CL-21

Protocol version: {version}. Molecule: QV-310. Sponsor: Quintavale.

## Design

Patients will receive {doses} of QV-310 once daily for {weeks} weeks, followed by a follow-up of 4 weeks.
A total of {patients} patients will be enrolled at 30 sites in Poland and in the Netherlands.

## Visits

| Assessment | Week 4 | Week 8 |
|---|---|---|
| ECG | X | {ecg} |
| Weight | X | X |

## Eligibility

Men and women of 18 to 70 years with plaque psoriasis are eligible.
{more}
"""
ONE = PROTOCOL.format(
    version="1.0", doses="50 mg or 200 mg", weeks=12, patients=160, ecg="", more="Smokers are not eligible."
)
TWO = PROTOCOL.format(
    version="2.0",
    doses="50 mg or 100 mg",
    weeks=12,
    patients=150,
    ecg="X",
    more="Women must use contraception.",
)
MINUTES = """# Project team meeting QV-310: minutes

Date: 3 October 2024

## Actions

| No. | Action | Owner | Due | Status |
|---|---|---|---|---|
| A1 | Synthesise 5 g of M3 | Tomas Bielik | 15 November 2024 | open |
| A2 | Send the hERG result | Yuki Tanabe | 10 October 2024 | done |
"""
MAIL = """# QV-310: hERG result

Date: 9 October 2024

The result of QV-310 came in. Rajiv, could you please send the ECG listings by 21 October?
"""
DOCUMENTS = {"QV-CL-21 protocol v1.0": ONE, "QV-CL-21 protocol v2.0": TWO, "minutes": MINUTES, "mail": MAIL}


def rows_of(answer: Answer) -> list[tuple[str, ...]]:
    """The cells of the one table behind the gate, each of which cites a passage that says it."""
    (table,) = (block for block in KIND.report(answer).blocks if isinstance(block, Table))
    assert all(cell.citations for row in table.rows for cell in row if cell.text)
    return [tuple(cell.text for cell in row) for row in table.rows]


@pytest.mark.parametrize(
    "text",
    [
        "What changed between version 1 and version 2 of the protocol?",
        "What is new in v2.0 of QV-CL-21 protocol?",
        "List the differences between versions 1 and 2 of the protocol",
    ],
)
async def test_two_versions_are_told_old_beside_new_numbers_first(tmp_path: Path, text: str) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    answer = await ask(tools, text)
    told = rows_of(answer)
    assert [pair for pair in told if "enrolled" in pair[0]] == [
        (
            "A total of 160 patients will be enrolled at 30 sites in Poland and in the Netherlands.",
            "A total of 150 patients will be enrolled at 30 sites in Poland and in the Netherlands.",
        )
    ]
    assert any("200 mg" in old and "100 mg" in new for old, new in told)
    assert ("Assessment: ECG; Week 4: X", "Assessment: ECG; Week 4: X; Week 8: X") in told
    assert not any("plaque psoriasis" in old for old, _ in told)
    assert {("Smokers are not eligible.", ""), ("", "Women must use contraception.")} & {*told[-2:]}
    assert " passages." in answer.text
    assert KIND.report(answer).found
    assert not any("Not shown" in note for note in KIND.report(answer).notes)
    assert {one.doc_id for one in answer.citations} == {"QV-CL-21 protocol v1.0", "QV-CL-21 protocol v2.0"}


async def test_a_follow_up_knows_the_document(tmp_path: Path) -> None:
    tools = await archive(tmp_path, DOCUMENTS | {"ZZ report v1": "# ZZ-1 report\n\nDraft.\n"})
    asked = Question("And what changed since version 1?", thread_document="QV-CL-21 protocol v2.0")
    answer = await answer_question(await trial_run(), asked, tools)
    assert any("160 patients" in old for old, _ in rows_of(answer))


async def test_one_version_alone_says_so(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"QV-CL-21 protocol v2.0": TWO, "minutes": MINUTES})
    answer = await ask(tools, "What changed between version 1 and version 2 of the protocol?")
    assert answer.short == "The archive holds one version of this alone."
    assert "names no version 1." in answer.text
    assert rows_of(answer) == [("Clinical Trial Protocol QV-CL-21",)]


@pytest.mark.parametrize("end", ["", "\n"])
async def test_versions_that_do_not_differ_are_told_to_be_alike(tmp_path: Path, end: str) -> None:
    same = TWO.replace("Protocol version: 2.0. ", "")
    tools = await archive(tmp_path, {"QV-CL-21 v1": same, "QV-CL-21 v2": same + end})
    answer = await ask(tools, "What changed between version 1 and version 2 of the protocol?")
    assert answer.short == "These versions are alike."
    assert rows_of(answer) == [("Clinical Trial Protocol QV-CL-21",) * 2]


async def test_a_version_that_is_not_at_hand_is_named(tmp_path: Path) -> None:
    answer = await ask(
        await archive(tmp_path, DOCUMENTS), "What changed between versions 1 and 3 of the protocol?"
    )
    assert "The archive names no version 3." in answer.text
    assert any("160 patients" in old for old, _ in rows_of(answer))


async def test_a_heading_that_is_asked_about_comes_first(tmp_path: Path) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    answer = await ask(tools, "What changed in eligibility between version 1 and 2 of the protocol?")
    assert {*rows_of(answer)[:2]} == {
        ("Smokers are not eligible.", ""),
        ("", "Women must use contraception."),
    }


async def test_no_more_changes_are_shown_than_the_reply_says(tmp_path: Path) -> None:
    grown = TWO + "".join(f"\nSite {number} in Ghent opens.\n" for number in range(50))
    tools = await archive(tmp_path, {"QV-CL-21 protocol v1.0": ONE, "QV-CL-21 protocol v2.0": grown})
    answer = await ask(tools, "What changed between version 1 and 2 of the protocol?")
    assert "40 of 5" in answer.text
    assert len(rows_of(answer)) == 40


async def test_other_questions_are_no_comparison(tmp_path: Path) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    answer = await ask(tools, "How many patients does version 2.0 of the protocol enrol?")
    assert not answer.tables


@pytest.mark.parametrize("text", ["Who has to do what until when?", "List the action items"])
async def test_actions_are_told_with_person_date_and_status(tmp_path: Path, text: str) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    assert rows_of(await ask(tools, text)) == [
        ("Rajiv", "send the ECG listings", "21 October", ""),
        ("Tomas Bielik", "Synthesise 5 g of M3", "15 November 2024", "open"),
        ("Yuki Tanabe", "Send the hERG result", "10 October 2024", "done"),
    ]


async def test_open_actions_and_those_of_one_person(tmp_path: Path) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    assert [row[0] for row in rows_of(await ask(tools, "What are the open actions?"))] == [
        "Rajiv",
        "Tomas Bielik",
    ]
    for text in ("What does Yuki have to do?", "What are Yuki Tanabe's tasks?"):
        assert [row[0] for row in rows_of(await ask(tools, text))] == ["Yuki Tanabe"]


async def test_decisions_of_a_day_are_listed(tmp_path: Path) -> None:
    taken = "\n## Decisions\n\n- **D1**: QV-311 is stopped.\n- The first dose is 2 mg.\n"
    later = f"{MINUTES}{taken}".replace("3 October", "8 November").replace("2 mg", "4 mg")
    tools = await archive(tmp_path, {"minutes": MINUTES + taken, "later": later})
    told = rows_of(await ask(tools, "What was decided in the meeting of 3 October 2024?"))
    assert told == [("D1: QV-311 is stopped.",), ("The first dose is 2 mg.",)]
    assert not (await ask(tools, "What was agreed with the agency?")).present


@pytest.mark.parametrize(("version", "patients"), [("1.0", "160"), ("2", "150")])
async def test_a_fact_is_that_of_the_version_that_is_named(
    tmp_path: Path, version: str, patients: str
) -> None:
    tools = await archive(tmp_path, DOCUMENTS)
    answer = await ask(tools, f"How many patients will be enrolled in version {version} of the protocol?")
    assert answer.present
    assert f"A total of {patients} patients" in answer.short


async def test_what_is_not_completed_is_open_and_a_finding_is_no_action(tmp_path: Path) -> None:
    minutes = MINUTES.replace("| open |", "| not completed |")
    study = """# QV-310 in rats

Due to vomiting, four rats were given food by the end of the study. Prior to dosing, all were weighed.

According to the plan, rats were killed by Day 28. Please note the responsible person's due date.
"""
    tools = await archive(tmp_path, {"minutes": minutes, "study": study})
    told = rows_of(await ask(tools, "What are the open actions?"))
    assert told == [("Tomas Bielik", "Synthesise 5 g of M3", "15 November 2024", "not completed")]


async def test_a_request_with_a_weekday_is_an_action(tmp_path: Path) -> None:
    mail = MAIL.replace(
        "by 21 October?", "by Friday? Claire, please add the number before the end of October."
    )
    told = rows_of(await ask(await archive(tmp_path, {"mail": mail}), "List the action items"))
    assert told == [
        ("Rajiv", "send the ECG listings", "Friday", ""),
        ("Claire", "add the number", "before the end of October", ""),
    ]
