"""What the databases say of a target, for an evaluation: its facts, without those that are gold."""

import asyncio
from dataclasses import dataclass

from agents.databases.facts import Facts, Topic
from agents.databases.target_tool import TargetArguments
from agents.errors import ToolFailed, ToolRetry
from agents.safety.synthesis.findings import CURATED
from agents.safety.values import CitedFact
from agents.tools.toolset import Toolset

CURATED_SAFETY = "open_targets_safety"
"""A tool of Open Targets that comes from the same reviews: what is looked for is no source."""


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """A target's facts, and what tools could not tell."""

    facts: tuple[CitedFact, ...]
    missing: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """Whether any source tells something of what the target does, beyond where it is expressed."""
        return any(one.fact.topic is not Topic.EXPRESSION for one in self.facts)


async def facts_of(target: str, tools: Toolset) -> FoundFacts:
    """Ask every tool that takes a target, but not the one that is made of curated reviews."""
    names = [
        name for name, tool in tools.items() if tool.inputs is TargetArguments and name != CURATED_SAFETY
    ]
    replies = await asyncio.gather(*(_asked(tools, name, target) for name in names))
    facts = tuple(
        CitedFact(fact, "", name, name)
        for name, told in zip(names, replies, strict=True)
        for fact in told.facts
        if fact.measure != CURATED
    )
    return FoundFacts(facts, tuple(dict.fromkeys(line for told in replies for line in told.missing)))


async def _asked(tools: Toolset, name: str, target: str) -> Facts:
    try:
        reply = await tools[name](TargetArguments(target=target))
    except (ToolFailed, ToolRetry) as error:
        return Facts(target=target, missing=(str(error),))
    return Facts.model_validate(reply.data) if reply.data else Facts(target=target)
