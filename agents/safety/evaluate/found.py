"""What the databases say of a target, for an evaluation: its facts, without those that are gold."""

import asyncio
from dataclasses import dataclass

from agents.databases.facts import Fact, Facts, Topic
from agents.databases.target_tool import TargetArguments
from agents.errors import ToolFailed, ToolRetry
from agents.tools.toolset import Toolset

CURATED_SAFETY = "open_targets_safety"
CURATED_MEASURE = "curated safety liability"
"""A tool and facts of Open Targets that come from the same reviews: what is looked for is no source."""


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """A target's facts, what each tool could not tell, and which tools told something.

    `tools` names the tool of each fact.
    """

    target: str
    facts: tuple[Fact, ...]
    missing: tuple[str, ...]
    sources: tuple[str, ...]
    tools: tuple[str, ...] = ()

    @property
    def covered(self) -> bool:
        """Whether any source tells something of what the target does, beyond where it is expressed."""
        return any(fact.topic is not Topic.EXPRESSION for fact in self.facts)


async def facts_of(target: str, tools: Toolset) -> FoundFacts:
    """Ask every tool that takes a target, but not the one that is made of curated reviews."""
    names = [
        name for name, tool in tools.items() if tool.inputs is TargetArguments and name != CURATED_SAFETY
    ]
    replies = await asyncio.gather(*(_asked(tools, name, target) for name in names))
    kept = [(fact, name) for name, told in replies for fact in told.facts if fact.measure != CURATED_MEASURE]
    facts, asked = tuple(fact for fact, _ in kept), tuple(name for _, name in kept)
    missing = tuple(dict.fromkeys(line for _, found in replies for line in found.missing))
    return FoundFacts(target, facts, missing, tuple(name for name, told in replies if told.facts), asked)


async def _asked(tools: Toolset, name: str, target: str) -> tuple[str, Facts]:
    try:
        reply = await tools[name](TargetArguments(target=target))
    except (ToolFailed, ToolRetry) as error:
        return name, Facts(target=target, missing=(str(error),))
    return name, Facts.model_validate(reply.data) if reply.data else Facts(target=target)
