"""Questions over the whole archive with a model: records are its material, and it need not read them all."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.archive.answer import Answer, Outcome
from agents.archive.kind import KIND
from agents.reports.values import Points, Table
from agents.scripted import ScriptedModel
from tests.agents.archive.world import DOCUMENTS, archive, ask

SUMMARY = "Summarise what we know about ZK-701."


async def asked(tmp_path: Path, research: Any, question: str) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel({"research": research})
    return await ask(await archive(tmp_path / "docs", DOCUMENTS, model), question), model


def statements_of(*quotes: str) -> Sequence[Mapping[str, object]]:
    return [{"keys": [], "quotes": [quote]} for quote in quotes]


STOPPED = "The development of ZK-701 was stopped because of liver toxicity in the multiple dose study."
DOSES = "Healthy volunteers received 10, 20 or 40 mg ZK-701 orally twice daily for 14 days."
EVENT = "A serious adverse event (hepatitis) occurred in one subject at 40 mg twice daily."


async def test_a_summary_is_written_from_the_records_and_passages_in_one_call(tmp_path: Path) -> None:
    told = {"outcome": "answered", "short": "stopped because of liver toxicity"}
    given = {**told, "statements": statements_of(STOPPED, DOSES)}

    answer, model = await asked(tmp_path, [given], SUMMARY)

    assert answer.outcome is Outcome.ANSWERED
    assert answer.short == "stopped because of liver toxicity"
    assert {one.doc_id for one in answer.citations} == {"ZK-MIN-01", "ZK-CL-02"}
    assert len(model.calls) == 1
    first = model.calls[0].messages[1].text
    records = first.split('<data kind="records">')[1].split("</data>")[0]
    assert "3 studies: ZK-CL-01, ZK-CL-02, ZK-TX-01" in records
    assert re.search(r"Highest dose.*\[E\d+", records)


async def test_where_the_model_fails_the_records_are_the_summary(tmp_path: Path) -> None:
    answer, _ = await asked(tmp_path, [], SUMMARY)

    assert answer.outcome is Outcome.ANSWERED
    assert "3 studies: ZK-CL-01, ZK-CL-02, ZK-TX-01" in answer.short
    assert any("rules were used instead" in note for note in answer.notes)


@pytest.mark.parametrize(
    "question",
    [
        "Which of our compounds had a serious adverse event?",
        "How many clinical trials were done with ZK-701?",
    ],
)
async def test_a_list_of_the_archive_takes_one_call(tmp_path: Path, question: str) -> None:
    given = {"outcome": "answered", "short": "ZK-701", "statements": statements_of(EVENT)}

    answer, model = await asked(tmp_path, [given], question)

    assert len(model.calls) == 1
    assert answer.citations[0].doc_id == "ZK-CL-02"


async def test_a_statement_without_words_of_its_own_says_what_it_quotes(tmp_path: Path) -> None:
    quotes = ("The study started on 4 March 1998.", "| 15 mg/kg | 20 | 405 |")
    given = {"outcome": "answered", "short": "4 March 1998; 405 g", "statements": statements_of(*quotes)}

    answer, model = await asked(tmp_path, [given], "When did it start, and what was the weight?")

    claims = [claim for finding in answer.findings for claim in finding.claims]
    assert [claim.text for claim in claims] == [
        "The study started on 4 March 1998.",
        "Group: 15 mg/kg; Animals: 20; Mean weight (g): 405",
    ]
    assert len(model.calls) == 1


async def test_documents_that_no_record_gives_to_the_molecule_are_shown_too(tmp_path: Path) -> None:
    note = "# Protein binding of a sulfonamide\n\nIn human plasma 98.7% was bound, free fraction 1.3%.\n"
    model = ScriptedModel({"research": []})
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, "NOTE": note}, model)

    await ask(tools, "What was the protein binding of ZK-701 in human plasma?")

    assert any("98.7% was bound" in call.messages[1].text for call in model.calls if call.messages)


async def test_the_statements_stand_in_the_order_of_the_model(tmp_path: Path) -> None:
    quotes = (STOPPED, DOSES, EVENT, "There were no serious adverse events.")
    given = {"outcome": "answered", "short": "no longer developed", "statements": statements_of(*quotes)}

    answer, _ = await asked(tmp_path, [given], SUMMARY)

    points = [one.text for block in answer.blocks if isinstance(block, Points) for one in block.statements]
    assert points == list(quotes)


async def test_all_rows_of_a_list_are_shown(tmp_path: Path) -> None:
    rows = ("| Control | 20 | 412 |", "| 15 mg/kg | 20 | 405 |", "| 50 mg/kg | 18 | 371 |")
    given = {"outcome": "answered", "short": "412, 405 and 371 g", "statements": statements_of(*rows)}

    answer, _ = await asked(tmp_path, [given], "What were the mean weights at week 13?")

    assert "Group: 50 mg/kg; Animals: 18; Mean weight (g): 371" in answer.text


async def test_a_summary_of_what_no_record_knows_is_the_model_s(tmp_path: Path) -> None:
    notes = {"NOTE": "# Lab notes\n\nThe centrifuge of room 12 was bought in 1999 and broke in 2004.\n"}
    quote = "The centrifuge of room 12 was bought in 1999 and broke in 2004."
    given = {"outcome": "answered", "short": "bought in 1999", "statements": statements_of(quote)}
    model = ScriptedModel({"research": [given]})
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **notes}, model)

    answer = await ask(tools, "Give me the history of the centrifuge in room 12")

    assert answer.short == "bought in 1999"


async def test_an_unknown_spelling_is_no_note_where_the_model_answers(tmp_path: Path) -> None:
    given = {"outcome": "answered", "short": "40 mg twice daily", "statements": statements_of(EVENT)}

    answer, _ = await asked(tmp_path, [given], "Which event did QX701A cause?")

    assert answer.short == "40 mg twice daily"
    assert not any("no document about" in note for note in answer.notes)


async def test_a_table_that_is_asked_for_stands_below_the_answer(tmp_path: Path) -> None:
    given = {"outcome": "answered", "short": "40 mg twice daily", "statements": statements_of(DOSES)}

    answer, model = await asked(tmp_path, [given], "Table of all molecules with the highest dose")
    shown = KIND.report(answer).sections[0]

    [table] = [block for block in shown.blocks if isinstance(block, Table)]
    assert table.title.endswith("by rules")
    cells = {row[0].text: row[1] for row in table.rows}
    assert "40 mg" in cells["ZK-701"].text
    quotes = {one.number: one.quote for one in shown.citations}
    assert any("40 mg" in quotes[number] for number in cells["ZK-701"].citations)
    assert len(quotes) == len(shown.citations)
    assert len(model.calls) == 1
