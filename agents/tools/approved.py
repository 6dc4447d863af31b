"""Approval: a person is asked before a tool runs that needs it. Where nobody can be asked, it is rejected."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from agents.errors import ToolFailed
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool, canonical_arguments

APPROVE, REJECT = "approve", "reject"
OPTIONS = (APPROVE, REJECT)
SHOWN = 600
"""Characters of the arguments that a person is shown."""


@dataclass(frozen=True, slots=True)
class Approval:
    """What was chosen, by whom, and what they said to it."""

    choice: str
    by: str = ""
    comment: str = ""


NOBODY = Approval(REJECT, comment="nobody can be asked for approval here")

Ask = Callable[[str, tuple[str, ...]], Awaitable[Approval]]
"""Puts a question with options to a person and waits for the decision."""


async def nobody(question: str, options: tuple[str, ...]) -> Approval:
    """The approver where there is none: rejects."""
    return NOBODY


def approved(tool: Tool[Any], ask: Ask = nobody) -> Tool[Any]:
    """The tool, asking before it runs if it needs approval. Any choice but "approve" rejects the call.

    Put it outside all other wrappers. The tool that comes back needs no further approval.
    """
    if not tool.needs_approval:
        return tool

    async def work(inputs: Any) -> ToolReply:
        decision = await ask(approval_question(tool, inputs), OPTIONS)
        if decision.choice == APPROVE:
            return await tool(inputs)
        why = f": {decision.comment}" if decision.comment else ""
        by = f" by {decision.by}" if decision.by else ""
        raise ToolFailed(f"{tool.name} did not run: the call was rejected{by}{why}. Go on without it.")

    return replace(tool, work=work, needs_approval=False)


def approval_question(tool: Tool[Any], inputs: Any) -> str:
    """What a person is asked: which tool, of whom, with which arguments, and whether it changes something."""
    arguments = canonical_arguments(inputs)
    shown = arguments if len(arguments) <= SHOWN else f"{arguments[:SHOWN]}… ({len(arguments)} characters)"
    effect = "only reads" if tool.read_only else "may change something"
    return f"May {tool.name} of {tool.source} run? It {effect}. Cost: {tool.cost}. Arguments: {shown}"
