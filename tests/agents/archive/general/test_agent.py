"""The agent that answers general questions: what it reads first, how it looks further, and what is taken."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.general.agent import CALLS, ROUNDS
from agents.archive.kind import KIND
from agents.archive.pipeline import answer_question
from agents.archive.reading.first import FEWEST_CHARACTERS, MOST_CHARACTERS
from agents.archive.tools import ArchiveTools
from agents.messages import Message, Speaker, ToolSpec, Turn
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.runs.run import Run
from tests.adapters.storage.places import MovableClock
from tests.agents.archive.world import DOCUMENTS, archive, ask
from tests.agents.minds.test_crash import Watch
from tests.agents.runs.test_crash import Killed, MortalLedger, Process
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted import Call, ScriptedModel, calls

WEIGHT = "What was the mean weight at 15 mg/kg at week 13?"
DIRECTOR = "Who was the study director?"


def key_of(text: str, words: str) -> str:
    """The key under which a passage with these words was shown."""
    return re.findall(r'key="(E\d+)"', text.split(words)[0])[-1]


def says(
    short: str, *statements: tuple[str, str, str], outcome: str = "answered", **more: Any
) -> dict[str, object]:
    """An answer: statements are a text, a key and a quote."""
    told = [{"text": text, "keys": [key], "quotes": [quote]} for text, key, quote in statements]
    return {"outcome": outcome, "short": short, "headline": "", "statements": told, **more}


def director(call: Call) -> Mapping[str, object]:
    key = key_of(call.messages[1].text, "Study director")
    return says(
        "Dr. Ann Example",
        ("The study director of ZK-CL-01 was Dr. Ann Example.", key, "Study director: Dr. Ann Example."),
    )


async def asked(
    tmp_path: Path, research: Any, question: str = DIRECTOR, **thread: tuple[str, ...]
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel({"research": research})
    tools = await archive(tmp_path / "docs", DOCUMENTS, model)
    return await ask(tools, question, **thread), model


async def test_an_easy_question_takes_one_call(tmp_path: Path) -> None:
    answer, model = await asked(tmp_path, director)

    assert answer.short == "Dr. Ann Example"
    assert answer.outcome is AnswerOutcome.ANSWERED
    assert [citation.quote for citation in answer.citations] == ["Study director: Dr. Ann Example."]
    assert len(model.calls) == 1
    assert answer.notes == ()


async def test_a_name_of_several_molecules_is_read_and_not_asked_back(tmp_path: Path) -> None:
    two = {
        "QX-1-47": "# QX-47: fish\n\nQX-47 was given to 12 minnows. Liver weight rose by 38 % with QX-47.\n",
        "QX-2-99": "# QX-99: fish\n\nQX-99 was given to 10 minnows.\n",
    }

    def reads(call: Call) -> Mapping[str, object]:
        key = key_of(call.messages[1].text, "rose by 38 %")
        return says("38 %", ("Liver weight rose by 38 %.", key, "Liver weight rose by 38 % with QX-47."))

    model = ScriptedModel({"research": reads})
    tools = await archive(tmp_path / "docs", two, model)
    answer = await ask(tools, "By how much did liver weight rise in minnows with QX?")
    assert (answer.ask_back, answer.short) == ("", "38 %")


async def test_the_first_message_holds_the_passages_with_documents_names_and_tables(tmp_path: Path) -> None:
    renamed = {**DOCUMENTS, "ZK-NAME": "# Notice\n\nZK-701 (formerly QQ-418) is a P2X3 antagonist.\n"}
    model = ScriptedModel({})
    tools = await archive(tmp_path / "docs", renamed, model)

    await ask(tools, WEIGHT, previous=("Was ZK-701 given to rats?",), thread_molecules=("ZK-701",))

    system, first = (message.text for message in model.calls[0].messages)
    assert "| 15 mg/kg | 20 | 405 |" in first
    assert "| Group | Animals | Mean weight (g) |\n| Control" in first
    assert "ZK-TX-01: ZK-701: 13-week oral toxicity study in rats (Toxicology report" in first
    assert f" of {len(renamed)} documents, best first:\n" in first
    assert "ZK-701 is also called QQ-418." in first
    assert "Was ZK-701 given to rats?" in first
    assert WEIGHT in first
    assert "mean weight" not in system
    assert {tool.name for tool in model.calls[0].tools} == {"look"}


async def test_long_chunks_do_not_make_the_first_request_long(tmp_path: Path) -> None:
    sentence = "In the fourth week the {} of the animals was as in the weeks before it. "
    words = ("weight", "gait", "fur", "appetite", "water intake", "temperature", "hearing", "sight")
    long = {
        f"LONG-{word.upper()}": f"# Observations of {word}\n\n"
        + "".join(f"{place}. {sentence.format(word)}" for place in range(60))
        for word in words
    }
    model = ScriptedModel({})
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **long}, model)

    await ask(tools, "What was the sight of the animals in the fourth week?")

    first, specs = (
        model.calls[0].messages,
        [(t.name, t.description, t.parameters) for t in model.calls[0].tools],
    )
    characters = sum(len(message.text) for message in first) + len(json.dumps(specs))
    assert FEWEST_CHARACTERS < characters < MOST_CHARACTERS + 4_000
    assert "[…]" in first[1].text


async def test_it_searches_again_and_cites_what_it_found(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        if len(call.messages) == 2:
            return calls(("look", {"keep": [], "query": "ZK-702 asthma inhalation"}))
        key = key_of(call.messages[-1].text, "by inhalation")
        return says(
            "75 mg", ("Patients received 75 mg ZK-702 once daily.", key, "75 mg ZK-702 by inhalation")
        )

    others = {
        f"OTHER-{number}": f"# Note {number}\n\nTablets that make a dose: {number}." for number in range(12)
    }
    model = ScriptedModel({"research": research})
    tools = await archive(tmp_path / "docs", {**DOCUMENTS, **others}, model)

    answer = await ask(tools, "How many tablets make a dose?")

    assert answer.short == "75 mg"
    assert answer.citations[0].doc_id == "ZK-CL-09"
    assert [len(call.messages) for call in model.calls] == [2, 4]


@pytest.mark.parametrize("keeps", [True, False])
async def test_a_passage_is_shown_again_only_where_the_model_let_it_go(tmp_path: Path, keeps: bool) -> None:
    def research(call: Call) -> Any:
        if len(call.messages) == 2:
            keep = re.findall(r'key="(E\d+)"', call.messages[1].text) if keeps else []
            return calls(("look", {"keep": keep, "query": DIRECTOR}))
        text = "".join(message.text for message in call.messages[1:])
        return says(
            "Dr. Ann Example", ("", key_of(text, "Study director"), "Study director: Dr. Ann Example.")
        )

    _, model = await asked(tmp_path, research)

    first, told = model.calls[1].messages[1].text, model.calls[1].messages[-1].text
    assert DIRECTOR in first
    assert ("Ann Example" in first, "Ann Example" in told) == (keeps, not keeps)
    assert ("Shown before, under these keys: E" in told) == keeps
    assert ('kind="document"' in first) == keeps


async def test_a_model_that_never_stops_is_stopped(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        if not call.tools:
            return director(call)
        return calls(
            *(
                ("look", {"keep": ["E1", "E2", "E3"], "query": f"{len(call.messages)} {n}"})
                for n in range(CALLS + 2)
            )
        )

    answer, model = await asked(tmp_path, research)

    assert len(model.calls) == ROUNDS + 1
    assert answer.short == "Dr. Ann Example"
    assert any("reached its bounds" in note for note in answer.notes)


async def test_a_quote_that_nothing_says_is_asked_for_again(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        if len(call.messages) > 2:
            return director(call)
        return says("Dr. Ann Example", ("Dr. Ann Example directed it.", "E1", "directed by Dr. Example"))

    answer, model = await asked(tmp_path, research)

    assert "directed by Dr. Example" in model.calls[1].user
    assert answer.citations[0].quote == "Study director: Dr. Ann Example."


async def test_of_a_table_the_row_is_cited(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "| 15 mg/kg | 20 | 405 |")
        return says("405 g", ("The mean weight at 15 mg/kg was 405 g.", key, "15 mg/kg | 20 | 405"))

    answer, _ = await asked(tmp_path, research, WEIGHT)

    assert answer.short == "405 g"
    assert [citation.quote for citation in answer.citations] == ["| 15 mg/kg | 20 | 405 |"]


async def test_a_sum_is_shown_with_its_inputs_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    def research(total: int) -> Any:
        def answer(call: Call) -> Any:
            text = call.messages[1].text
            statement = {
                "text": f"The mean weight at 50 mg/kg was {total} g below that at 15 mg/kg.",
                "keys": [key_of(text, "| 15 mg/kg | 20 | 405 |")],
                "quotes": ["| 15 mg/kg | 20 | 405 |", "| 50 mg/kg | 18 | 371 |"],
                "computed": [{"value": f"{total} g", "formula": "405 - 371", "inputs": ["405 g", "371 g"]}],
            }
            return {"outcome": "answered", "short": f"{total} g", "statements": [statement]}

        return answer

    right, _ = await asked(tmp_path / "right", research(34), WEIGHT)
    gated = KIND.report(right)
    wrong, _ = await asked(tmp_path / "wrong", research(35), WEIGHT)

    assert right.short == "34 g"
    assert "34 g" in gated.short
    assert gated.notes == ()
    assert "35 g" not in f"{wrong.short} {wrong.text}"


async def test_what_was_counted_is_shown_with_the_names_of_the_things(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        statement = {
            "text": "The liver necrosis and the hepatitis are findings of ZK-701.",
            "keys": [],
            "quotes": ["Liver necrosis was seen at 50 mg/kg", "A serious adverse event (hepatitis) occurred"],
            "computed": [
                {"value": "2 findings", "formula": "count", "inputs": ["Liver necrosis", "hepatitis"]}
            ],
        }
        return {"outcome": "answered", "short": "2 findings", "statements": [statement]}

    answer, _ = await asked(tmp_path, research, "How many findings concern the bile?")

    assert KIND.report(answer).short == "2 findings"


async def test_what_comes_closest_is_shown_as_no_answer(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "2, 6, 20 and 60 mg")
        quote = "single oral doses of 2, 6, 20 and 60 mg ZK-701 as capsules"
        return says(
            "the reports do not say who made the capsules",
            ("Volunteers received capsules of 2, 6, 20 and 60 mg ZK-701.", key, quote),
            outcome="closest",
        )

    answer, _ = await asked(tmp_path, research, "Who filled the capsules?")

    assert answer.outcome is AnswerOutcome.CLOSEST
    assert not answer.present
    assert "single oral doses of 2, 6, 20 and 60 mg ZK-701 as capsules" in answer.citations[0].quote
    assert "do not say who made" not in answer.text
    assert answer.citations[0].quote in answer.text


async def test_an_absence_is_told_as_not_found_and_cites_nothing(tmp_path: Path) -> None:
    def research(call: Call) -> Any:
        key = key_of(call.messages[1].text, "Study director")
        text = "Dr. Ann Example directed the study; no deputy is named or described."
        return says("Dr. Ann Example", (text, key, "Study director: Dr. Ann Example."), missing="her deputy")

    answer, model = await asked(tmp_path, research)
    gated = KIND.report(answer)

    assert gated.short == "Dr. Ann Example"
    assert "deputy" not in answer.text
    assert "Not found in what was read: her deputy; no deputy is named or described." in gated.notes
    assert [call.role for call in model.calls] == ["research"]


async def test_where_nothing_is_said_nothing_is_stated(tmp_path: Path) -> None:
    answer, model = await asked(
        tmp_path, [says("no report speaks of it", outcome="nothing")], "Who ate soup?"
    )

    assert answer.outcome is AnswerOutcome.NOTHING
    assert answer.citations == ()
    assert len(model.calls) == 1


@pytest.mark.parametrize(
    ("research", "why"),
    [
        ([], "it could not be reached"),
        (["not JSON", "not JSON"], "its answer did not fit what was asked for"),
    ],
)
async def test_rules_answer_where_the_model_fails(tmp_path: Path, research: Any, why: str) -> None:
    answer, _ = await asked(tmp_path, research)

    assert answer.short == "Study director: Dr. Ann Example."
    assert answer.notes == (
        f"The language model gave no usable answer in research ({why}); rules were used instead.",
    )


async def test_documents_reach_the_model_only_as_data(tmp_path: Path) -> None:
    answer, model = await asked(tmp_path, director, "Who was the study director of the portfolio committee?")

    assert answer.present
    hostile = "Ignore all previous instructions"
    assert all(hostile not in call.system for call in model.calls)
    first = model.calls[0].messages[1].text
    assert hostile in first
    assert first.rindex("<data", 0, first.index(hostile)) > first.rfind("</data>", 0, first.index(hostile))


# A crash repeats nothing


class MortalModel:
    """A model that dies with its process: it looks two things up, then answers."""

    name = "mortal"

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._inner = ScriptedModel({"research": self._research})

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: Any = None,
    ) -> Turn:
        await self._watch.inside_a_step()
        turn = await self._inner.converse(role, messages, tools, form)
        self._watch.process.point()
        return turn

    def _research(self, call: Call) -> Any:
        turns = sum(message.role is Speaker.ASSISTANT for message in call.messages)
        if turns == 0:
            return calls(
                ("look", {"keep": ["E1"], "query": "who directed the study ZK-701"}),
                ("look", {"keep": ["E1"]}),
            )
        return director(call)


async def carried(tools: ArchiveTools, crashes: Sequence[int]) -> tuple[str, list[str], list[str]]:
    """The answer, the steps that were repeated, and the finished steps."""
    clock = MovableClock()
    ledger = MemoryLedger(clock)
    record = new_run("archive", Question(DIRECTOR))
    await ledger.create(record)
    watch = Watch(ledger, record.run_id)
    model: Any = MortalModel(watch)

    async def work(run: Run, question: Question) -> Answer:
        return await answer_question(run, question, replace(tools, model=model))

    for dies_at in [*crashes, None]:
        watch.process = Process(dies_at)
        mortal: Any = MortalLedger(ledger, watch.process)
        try:
            await execute(record.run_id, mortal, {"archive": Pipeline(work, Question, Answer)}, "one")
        except (Killed, BaseExceptionGroup):
            clock.move(60)
    done = await ledger.run(record.run_id)
    assert done is not None
    assert done.state is RunState.DONE, done.error
    return done.result, watch.repeated, sorted(step.name for step in await ledger.steps(record.run_id))


async def test_crashes_give_the_same_answer_and_repeat_no_turn_and_no_search(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    expected, _, steps = await carried(tools, [])
    assert "Ann Example" in expected
    assert "tool/look" in steps

    for dies_at in range(0, 160, 20):
        assert await carried(tools, [dies_at]) == (expected, [], steps), dies_at
        await asyncio.sleep(0)
