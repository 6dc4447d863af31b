"""With a model: it writes prose over what the databases say, and nothing that they do not say is shown."""

import json
import re
from dataclasses import replace

import pytest

from agents.reports.values import Report, Table
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.outline import SECTIONS
from agents.scripted import Call, ScriptedModel
from tests.agents.safety.kit import assessed, tools
from tests.support.memory.ledger import MemoryLedger

GIVEN = re.compile(r"^- (.+) \[(E\d+)\]$", re.MULTILINE)


def writes(call: Call) -> str:
    """Repeats the first finding that it was given, and makes one up."""
    given = [found for message in call.messages for found in GIVEN.findall(message.text)]
    if not given:
        return json.dumps({"statements": []})
    text, key = given[0]
    made_up = {"text": "ZORB1 killed many patients in Lisbon.", "keys": [key]}
    return json.dumps({"statements": [{"text": text, "keys": [key]}, made_up]})


def shortens(call: Call) -> str:
    keys = re.findall(r'key="(C\d+)"[^>]*>\n([^\n]+)', call.user)
    return json.dumps({"sentences": [{"text": text, "keys": [key]} for key, text in keys[:1]]})


def model() -> ScriptedModel:
    return ScriptedModel({"write": writes, "compress": shortens})


def statements(shown: Report, section: str) -> list[str]:
    found = shown.section(section)
    assert found is not None
    return [one.text for one in found.statements]


async def test_the_model_writes_over_the_same_facts_and_tables_stay() -> None:
    asked = model()
    made = await assessed("ZORB1", tools(model=asked))
    shown = KIND.report(made)
    assert [one.id for one in shown.sections] == [one.id for one in SECTIONS]
    by = {part.id: part.by for part in made.parts}
    assert by["phenotypes"] == "scripted"
    assert "Mice without ZORB1 show preweaning lethality." in statements(shown, "phenotypes")
    table = next(block for block in shown.section("risks").blocks if isinstance(block, Table))  # type: ignore[union-attr]
    by_rules = KIND.report(await assessed("ZORB1"))
    same = next(block for block in by_rules.section("risks").blocks if isinstance(block, Table))  # type: ignore[union-attr]
    assert [[cell.text for cell in row] for row in table.rows] == [
        [cell.text for cell in row] for row in same.rows
    ]


async def test_what_the_model_makes_up_is_not_shown() -> None:
    shown = KIND.report(await assessed("ZORB1", tools(model=model())))
    everything = " ".join(text for one in SECTIONS for text in statements(shown, one.id))
    assert "Lisbon" not in everything
    assert "Lisbon" not in everything
    assert any("left out" in note for note in shown.notes)


@pytest.mark.parametrize("number", ["７７７", "⑦⑦⑦", "٧٧٧", "seven hundred and seventy-seven", "7\u200b77"])
async def test_a_made_up_number_is_not_shown_in_any_writing(number: str) -> None:
    def lies(call: Call) -> str:
        given = [found for message in call.messages for found in GIVEN.findall(message.text)]
        told = [{"text": f"ZORB1 killed {number} patients.", "keys": [key]} for _, key in given[:1]]
        return json.dumps({"statements": told})

    asked = ScriptedModel({"write": lies, "compress": shortens})
    shown = KIND.report(await assessed("ZORB1", tools(model=asked)))
    everything = " ".join(text for one in SECTIONS for text in statements(shown, one.id))
    assert "patients" not in everything
    assert "killed" not in f"{shown.short} {everything}"


async def test_a_section_sees_its_own_findings_and_those_it_needs() -> None:
    asked = model()
    await assessed("ZORB1", tools(model=asked))
    first = [call for call in asked.calls if call.role == "write" and "A reviewer asks" not in call.user]
    prompts = {call.system.split("“")[1].split("”")[0]: call for call in first}
    assert "preweaning" in prompts["Animal phenotypes"].user
    assert "Zorbatinib is an inhibitor" not in prompts["Animal phenotypes"].user
    assert not prompts["Executive summary"].tools
    assert "Study plan and open questions" in prompts["Executive summary"].user
    assert [spec.name for spec in prompts["Animal phenotypes"].tools] == ["mice"]


async def test_prompts_have_three_layers_and_their_hashes_are_in_the_ledger() -> None:
    ledger = MemoryLedger()
    order = SafetyOrder("ZORB1", instructions="Name the dog first.")
    asked = model()
    await assessed(order, tools(model=asked), ledger)
    (record,) = await ledger.runs()
    steps = await ledger.steps(record.run_id)
    turn = next(step for step in steps if step.name == "homology/turn/1")
    assert {"prompt/research", "skill/safety-homology", "instructions/people"} <= {
        mark.split()[0] for mark in turn.fingerprints
    }
    call = next(call for call in asked.calls if "<instructions>" in call.user)
    assert "Name the dog first." in call.user
    assert "Name the dog first." not in call.system


async def test_a_model_that_fails_is_replaced_by_rules_and_the_report_says_so() -> None:
    silent = ScriptedModel({})
    made = await assessed("ZORB1", tools(model=silent))
    shown = KIND.report(made)
    rules = KIND.report(await assessed("ZORB1"))
    assert {part.by for part in made.parts} == {"rules"}
    assert statements(shown, "phenotypes") == statements(rules, "phenotypes")
    assert any("rules were used instead" in note for note in shown.notes)


async def test_a_finished_run_is_replayed_without_a_call() -> None:
    asked = model()
    bound = tools(model=asked)
    ledger = MemoryLedger()
    first = await assessed("ZORB1", bound, ledger)
    calls = len(asked.calls)
    (record,) = await ledger.runs()
    from agents.runs.run import Run
    from agents.safety.pipeline import assess

    again = await assess(bound, Run(record, ledger), first.order)
    assert again == first
    assert len(asked.calls) == calls


async def test_a_hook_that_fails_stops_its_section_with_a_reason() -> None:
    class Broken:
        name = "broken"

        async def judge_all(self, pairs: object) -> list[object]:
            raise ZeroDivisionError("no verdict")

    bound = tools(model=model())
    bound = replace(bound, desk=replace(bound.desk, entailment=Broken()))  # type: ignore[arg-type]
    shown = KIND.report(await assessed("ZORB1", bound))
    section = shown.section("phenotypes")
    assert section is not None
    assert "This section's text was not written" in section.opening
    assert "phenotypes/citations failed" in section.opening
