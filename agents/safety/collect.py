"""What the databases say of a target: every tool is asked once, side by side, each in a step of the run.

A tool that fails leaves a sentence on what is missing; the report goes on without it.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from agents.databases.facts import Facts, Response, Topic
from agents.databases.target import Target
from agents.errors import AgentError, ToolFailed, ToolRetry
from agents.evidence.memory import EvidenceMemory
from agents.runs.run import Run
from agents.runs.steps import StepCall
from agents.safety.values import CitedFact, Collected
from agents.tools.allowance import allowed
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

FIRST_KEY, BLOCK = 20_001, 1000
"""Keys of records: each tool has a block of its own, above those of the sections' agents."""
SECONDS = 40.0
"""How long one tool may work; the others go on meanwhile. What it waits for its turn does not count."""


def database_tools_of(toolset: Toolset) -> Toolset:
    """Those tools of a toolset that tell facts of a target by its name."""
    return Toolset(toolset.name, (tool for tool in toolset.values() if tells_of_target(tool)))


def tells_of_target(tool: Tool[Any]) -> bool:
    """Whether a tool needs a target's name and nothing else, and replies with facts."""
    needed = {name for name, field in tool.inputs.model_fields.items() if field.is_required()}
    return tool.output is Facts and needed == {"target"}


async def collect(run: Run, tools: Toolset, target: Target, seconds: float = SECONDS) -> list[Collected]:
    """What each tool told, in the order of the toolset."""
    calls = [
        _call(run, tool, FIRST_KEY + place * BLOCK, target, seconds)
        for place, tool in enumerate(tools.values())
    ]
    collected: list[Collected] = await run.gather(*calls)
    return collected


def left_out(tools: Toolset, names: Sequence[str]) -> tuple[Collected, ...]:
    """What is told of tools that the order leaves out."""
    why = "was not asked: the order leaves it out."
    return tuple(
        _without(tool, f"{tool.source} ({name}) {why}", Response.NOT_ASKED)
        for name, tool in tools.items()
        if name in names
    )


def _call(run: Run, tool: Tool[Any], first: int, target: Target, seconds: float) -> StepCall:
    return run.call(f"collect/{tool.name}", partial(ask, tool, first, seconds), target.symbol)


async def ask(tool: Tool[Any], first: int, seconds: float, symbol: str) -> Collected:
    """What one tool told. Its own failure is a sentence; what stops the run is raised."""
    try:
        async with allowed(seconds):
            reply = await tool(tool.inputs(target=symbol))
        return collected_of(tool, first, symbol, reply)
    except TimeoutError:
        return _without(tool, f"{tool.source} did not answer within {seconds:g} seconds.")
    except (ToolFailed, ToolRetry) as error:
        return _without(tool, str(error))
    except AgentError:
        raise
    except Exception as error:  # whatever a reply holds, the other sections are written
        return _without(tool, f"What {tool.source} replied cannot be read ({type(error).__name__}).")


def collected_of(tool: Tool[Any], first: int, symbol: str, reply: ToolReply) -> Collected:
    """The facts of a reply with the keys of its records.

    A fact without a record, or with a quote that its record does not hold, is left out, and a sentence says
    so. Raises `pydantic.ValidationError` for data that are no facts.
    """
    data = Facts.model_validate(reply.data)
    memory = EvidenceMemory(first)
    found = [memory.add(record.place, record.source) for record in reply.records]
    good = [one for one in data.facts if _stands(one.quotes, one.record, [item.text for item in found])]
    facts = tuple(CitedFact(one, found[one.record].key, tool.name, tool.source) for one in good)
    lost = len(data.facts) - len(good)
    missing = data.missing
    if lost:
        missing = (*missing, f"Some of what {tool.source} told is left out: no record of it carries it.")
    answer = Response.FOUND if facts else data.answer or (Response.FAILED if missing else Response.NO_ROW)
    return Collected(tool.name, tool.source, facts, memory.all(), missing, tool.topics, answer)


def _stands(quotes: Iterable[str], record: int, texts: Sequence[str]) -> bool:
    if not 0 <= record < len(texts):
        return False
    flat = " ".join(texts[record].split())
    return all(" ".join(quote.split()) in flat for quote in quotes)


def _without(tool: Tool[Any], why: str, answer: Response = Response.FAILED) -> Collected:
    return Collected(tool.name, tool.source, missing=(why,), topics=tool.topics, answer=answer)


def facts_of(collected: Iterable[Collected], topics: Sequence[Topic]) -> tuple[CitedFact, ...]:
    """The facts of some topics, in the order of the topics, none told twice."""
    every = [fact for one in collected for fact in one.facts]
    told: dict[tuple[Topic, str], CitedFact] = {}
    for topic in topics:
        for one in every:
            if one.fact.topic is topic:
                told.setdefault((topic, one.fact.text), one)
    return tuple(told.values())
