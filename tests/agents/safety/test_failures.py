"""Whatever a database does, its section says what is missing, and the report ends."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from agents.databases.facts import Facts, Response, Topic
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.toolset import database_tools
from agents.errors import ToolFailed, ToolRetry
from agents.evidence.sources import tool_source
from agents.reports.values import Paragraph, Report
from agents.safety import pipeline
from agents.safety.collect import ask, database_tools_of
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.orthologs.tool import ortholog_tools
from agents.safety.outline import EVIDENCE, SECTIONS
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from tests.agents.safety.kit import ABOUT, FACTS, Ask, assessed, databases, fact, replying, tool_of, tools

REACH = Reach(MemoryBulk())


async def refused(asked: object) -> ToolReply:
    raise ToolFailed("Mice replied with status 500 three times.")


async def limited(asked: object) -> ToolReply:
    raise ToolFailed("Mice asks for fewer questions (429); ask again in an hour.")


async def misunderstood(asked: object) -> ToolReply:
    raise ToolRetry("Mice knows no gene of this name.")


async def changed(asked: object) -> ToolReply:
    return ToolReply(data={"genes": []})


async def broken(asked: object) -> ToolReply:
    raise KeyError("phenotype")


async def slow(asked: object) -> ToolReply:
    await asyncio.sleep(30)
    raise AssertionError("nobody waited")


async def unfounded(asked: object) -> ToolReply:
    record = ToolRecord(tool_source("Mice", "Mice: ZORB1", "Nothing of the kind."))
    told = fact(Topic.PHENOTYPE, "Mice without ZORB1 fly.", "flight", species="mouse")
    return ToolReply((record,), data=Facts(target="ZORB1", facts=(told,)).model_dump(mode="json"))


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (refused, "status 500 three times"),
        (limited, "fewer questions (429)"),
        (misunderstood, "knows no gene of this name"),
        (changed, "gave data that do not fit"),
        (broken, "What Mice replied cannot be read (KeyError)"),
        (slow, "Mice did not answer within 0.05 seconds"),
        (unfounded, "no record of it carries it"),
    ],
)
async def test_a_failing_database_leaves_a_sentence(work: Ask, said: str) -> None:
    failing = tool_of("mice", ABOUT["mice"], "Mice", work)
    shown = KIND.report(await assessed("ZORB1", replace(tools(databases(mice=failing)), seconds=0.05)))
    assert [one.id for one in shown.sections] == [one.id for one in SECTIONS]
    assert said in remarks(shown, "phenotypes")
    assert remarks(shown, "phenotypes").startswith(("Not assessed", "Nothing found"))
    assert "preweaning" not in " ".join(one.text for section in shown.sections for one in section.statements)


async def test_what_a_database_does_not_hold_is_told_in_its_section() -> None:
    empty = replying(
        "mice", ABOUT["mice"], "Mice", [], ("Mice lists no phenotype of ZORB1.",), Response.NO_ROW
    )
    made = await assessed("ZORB1", tools(databases(mice=empty)))
    assert "Mice lists no phenotype of ZORB1." in remarks(KIND.report(made), "phenotypes")
    assert "Mice lists" not in remarks(KIND.report(made), "genetics")


async def test_what_the_order_leaves_out_is_told_in_its_section() -> None:
    shown = KIND.report(await assessed(SafetyOrder("ZORB1", without=("mice",))))
    assert "Mice was not asked." in remarks(shown, "phenotypes")
    assert "Mice (mice) was not asked: the order leaves it out." in remarks(shown, "coverage")


def test_every_tool_says_what_it_tells_of_and_every_section_has_one() -> None:
    asked = database_tools_of(database_tools(REACH).joined(ortholog_tools(REACH)))
    for tool in asked.values():
        assert any(one.asks(tool.topics) for one in EVIDENCE), tool.name
    for one in EVIDENCE:
        assert one.id == "archive" or any(one.asks(tool.topics) for tool in asked.values()), one.id


async def test_what_came_of_asking_is_kept() -> None:
    async def came(tool: Tool[Any]) -> Response:
        return (await ask(tool, 1, 1.0, "ZORB1")).answer

    none = ("Mice lists none.",)
    about = ABOUT["mice"]
    assert await came(replying("mice", about, "Mice", FACTS["mice"], ("A part failed.",))) is Response.FOUND
    assert await came(replying("mice", about, "Mice", [], none, Response.NO_ROW)) is Response.NO_ROW
    assert await came(replying("mice", about, "Mice", [], none, Response.NOT_ASKED)) is Response.NOT_ASKED
    assert await came(replying("mice", about, "Mice", [], none)) is Response.FAILED
    assert await came(replying("mice", about, "Mice", [])) is Response.NO_ROW
    assert await came(tool_of("mice", about, "Mice", refused)) is Response.FAILED


async def test_an_empty_reply_is_no_failure() -> None:
    empty = replying("mice", ABOUT["mice"], "Mice", [], ("Mice lists no phenotype of ZORB1.",))
    shown = KIND.report(await assessed("ZORB1", tools(databases(mice=empty))))
    assert "Mice lists no phenotype of ZORB1." in remarks(shown, "phenotypes")


async def test_a_report_without_any_database_says_that_nothing_was_found() -> None:
    shown = KIND.report(await assessed("ZORB1", tools(Toolset("databases"))))
    assert not shown.found
    assert len(shown.sections) == len(SECTIONS)


async def test_a_chart_that_cannot_be_drawn_is_told_and_ends_no_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def torn(order: object, rated: object) -> object:
        raise OSError("no font")

    monkeypatch.setattr(pipeline, "chart_of", torn)
    shown = KIND.report(await assessed("ZORB1"))
    assert len(shown.sections) == len(SECTIONS)
    assert "The chart could not be drawn (OSError); the tables say the same." in shown.notes


def remarks(shown: Report, section: str) -> str:
    found = shown.section(section)
    assert found is not None
    return " ".join(block.text for block in found.blocks if isinstance(block, Paragraph))
