"""Every message of a run's agents can be read as a dialog."""

from agents.minds.dialogs import messages
from agents.runs.records import StepRecord
from tests.agents.vigilance.kit import desk, made_run
from tests.agents.vigilance.test_minds import model
from tests.support.memory.ledger import MemoryLedger


async def test_agent_critic_and_agent_again_are_told_in_their_order() -> None:
    ledger = MemoryLedger()
    run = await made_run("ACE inhibitors: angioedema", ledger, desk(model=model()))
    told = messages(await ledger.steps(run))
    where = "category/ACE inhibitors/angioedema"
    of_class = [(one.where, one.who) for one in told if one.where == where]
    assert of_class == [
        (where, "CategoryAgent/ACE inhibitors/angioedema"),
        (where, "CategoryAgent/ACE inhibitors/angioedema/critic/1"),
    ]
    for drug in ("lisinopril", "captopril"):
        assert [one.who for one in told if one.where == f"drug/{drug}/angioedema"] == [
            f"DrugAgent/{drug}/angioedema",
            f"DrugAgent/{drug}/angioedema/critic/1",
        ]
    assert '"label": "increase"' in told[0].text
    assert told[1].text == '{"verdict": "accept"}'


def step(name: str, output: str) -> StepRecord:
    return StepRecord("r", name, "h", output, "2026-11-22T10:00:00", 0.1)


def test_calls_of_tools_their_replies_and_failures_are_told_and_other_steps_are_not() -> None:
    call = '{"turn": {"text": "", "tool_calls": [{"name": "search", "arguments": "{}"}]}}'
    told = messages(
        [
            step("A/turn/1", call),
            step("tool/search", '{"reply": {"summary": "2 passages"}}'),
            step("A/turn/2", '{"turn": null, "failed": "it did not answer"}'),
            step("find/x", "[]"),
            step("broken/turn/1", "no json"),
        ]
    )
    assert [one.text for one in told] == ["search {}", "2 passages", "it did not answer"]
