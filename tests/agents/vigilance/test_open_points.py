"""A name that may mean several drugs is asked of who is responsible, and the run goes on with the answer."""

from dataclasses import replace

import pytest

from agents.errors import Suspended
from agents.runs.open_points import Responsible
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.vigilance.kind import KIND
from agents.vigilance.pipeline import assess
from agents.vigilance.understand import ordered
from agents.vigilance.values import Effect, Order
from tests.agents.vigilance.kit import assessed, desk
from tests.support.memory.ledger import MemoryLedger

ORDER = ordered("lisinoprol: angioedema")
ASKING = replace(ORDER, asks=Responsible("@ada", 3600.0))


async def test_who_is_responsible_says_which_drug_is_meant() -> None:
    ledger, record = MemoryLedger(), new_run("vigilance", ASKING, "key", thread_id="wall:general:1")
    await ledger.create(record)
    with pytest.raises(Suspended):
        await assess(desk(), Run(record, ledger), ASKING)
    (asked,) = await ledger.open_requests(record.run_id)
    assert asked.request.question == "Which class or drug is meant by “lisinoprol”?"
    assert "lisinopril" in asked.request.options
    await ledger.decide(record.run_id, asked.name, "lisinopril", "Bob")
    made = await assess(desk(), Run(record, ledger), ASKING)
    assert [one.effect for one in made.cells] == [Effect.INCREASE]
    assert KIND.report(made).notes == ("“lisinoprol” was read as lisinopril, as Bob decided.",)
    kept: Order = KIND.remember(made, None)
    assert [one.name for one in kept.classes] == ["lisinopril"]


async def test_one_unclear_part_of_a_list_is_asked_by_its_name_and_the_others_stay() -> None:
    asking = replace(ordered("pressure pills (lisinoprol, losartan): angioedema"), asks=ASKING.asks)
    ledger, record = MemoryLedger(), new_run("vigilance", asking, "key", thread_id="wall:general:1")
    await ledger.create(record)
    with pytest.raises(Suspended):
        await assess(desk(), Run(record, ledger), asking)
    (asked,) = await ledger.open_requests(record.run_id)
    assert asked.request.question == "Which class or drug is meant by “lisinoprol”?"
    await ledger.decide(record.run_id, asked.name, "lisinopril", "Bob")
    made = await assess(desk(), Run(record, ledger), asking)
    kept: Order = KIND.remember(made, None)
    assert [(one.name, one.parts) for one in kept.classes] == [("pressure pills", ("lisinopril", "losartan"))]
    assert {one.drug_class.name for one in made.found} == {"lisinopril", "losartan"}


async def test_without_one_who_asked_is_asked_back() -> None:
    made = await assessed(ORDER)
    assert made.ask_back.startswith("“lisinoprol” is no class or drug")
