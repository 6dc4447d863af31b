"""A name that may stand for several molecules is asked of who is responsible for the archive."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.archive.answer import Question
from agents.archive.pipeline import answer_question
from agents.errors import Suspended
from agents.runs.open_points import Responsible
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from tests.agents.archive.world import archive, ask
from tests.support.memory.ledger import MemoryLedger

PLACES = {
    "ZK-A": "# ZK-701: report A\n\nThe melting point of ZK-701 is 151 degrees Celsius.\n",
    "ZK-B": "# ZK-702: report B\n\nThe melting point of ZK-702 is 163 degrees Celsius.\n",
}
ASKED = Question("What is the melting point of ZK-703?")


async def test_the_answer_is_on_the_molecule_that_the_responsible_person_means(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", PLACES)
    question = replace(ASKED, asks=Responsible("@ada", 3600.0))
    ledger, record = MemoryLedger(), new_run("archive", question, "key", thread_id="wall:general:1")
    await ledger.create(record)
    with pytest.raises(Suspended):
        await answer_question(Run(record, ledger), question, tools)
    (asked,) = await ledger.open_requests(record.run_id)
    assert asked.request.question == f'Which molecule is meant by "ZK-703" in “{ASKED.text}”?'
    assert set(asked.request.options) == {"ZK-701", "ZK-702"}
    await ledger.decide(record.run_id, asked.name, "ZK-702", "Bob")
    answer = await answer_question(Run(record, ledger), question, tools)
    assert "163" in answer.citations[0].quote
    assert not any("151" in one.quote for one in answer.citations)
    assert answer.molecules == ("ZK-702",)
    assert '"ZK-703" was read as ZK-702, as Bob decided.' in answer.notes


async def test_without_one_who_asked_is_asked_back(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", PLACES)
    record, ledger = new_run("archive", ASKED, "key", thread_id="wall:general:1"), MemoryLedger()
    await ledger.create(record)
    answer = await answer_question(Run(record, ledger), ASKED, tools)
    assert set(answer.options) == {"ZK-701", "ZK-702"}


async def test_a_code_with_a_letter_for_a_digit_is_doubted_beside_what_comes_closest(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", PLACES)
    answer = await ask(tools, "What is the melting point of ZK-7O1?")
    assert answer.options == ("ZK-701",)
    assert answer.short.startswith('Which molecule do you mean by "ZK-7O1": ZK-701?')
