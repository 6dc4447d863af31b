"""Approval: a person is asked before a tool runs that needs it. Where nobody can be asked, it is rejected."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.errors import ToolFailed
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool

APPROVE, REJECT = "approve", "reject"
OPTIONS = (APPROVE, REJECT)
INLINE = 600
"""Characters of arguments that stand in the question; longer ones are attached, and so is a longer text or
one of several lines among them.
"""
LINE = 200


@dataclass(frozen=True, slots=True)
class Approval:
    """What was chosen, by whom, and what they said to it."""

    choice: str
    by: str = ""
    comment: str = ""


NOBODY = Approval(REJECT, comment="nobody can be asked for approval here")

Files = Mapping[str, str]
"""Texts that are shown whole with a question, by file name."""
Ask = Callable[[str, tuple[str, ...], Files], Awaitable[Approval]]
"""Puts a question with options and files to a person and waits for the decision."""


async def nobody(question: str, options: tuple[str, ...], files: Files) -> Approval:
    """The approver where there is none: rejects."""
    return NOBODY


def approved(tool: Tool[Any], ask: Ask = nobody) -> Tool[Any]:
    """The tool, asking before it runs if it needs approval. Any choice but "approve" rejects the call.

    Put it outside all other wrappers. The tool that comes back needs no further approval.
    """
    if not tool.needs_approval:
        return tool

    async def work(inputs: Any) -> ToolReply:
        question, files = approval_question(tool, inputs)
        decision = await ask(question, OPTIONS, files)
        if decision.choice == APPROVE:
            return await tool(inputs)
        why = f": {decision.comment}" if decision.comment else ""
        by = f" by {decision.by}" if decision.by else ""
        raise ToolFailed(f"{tool.name} did not run: the call was rejected{by}{why}. Go on without it.")

    return replace(tool, work=work, needs_approval=False)


def approval_question(tool: Tool[Any], inputs: Any) -> tuple[str, Files]:
    """What a person is asked, and the files that go with it: which tool, of whom, with which arguments, and
    whether it changes something. Nothing is cut.
    """
    arguments = inputs.model_dump(mode="json")
    long = {name: text for name, text in arguments.items() if isinstance(text, str) and _is_long(text)}
    files = {f"{name}.txt": text for name, text in long.items()}
    shown = _json(arguments | {name: f"see {name}.txt" for name in long})
    if len(shown) > INLINE:
        files["arguments.json"] = json.dumps(arguments, indent=1, sort_keys=True, ensure_ascii=False)
        shown = "see arguments.json"
    effect = "only reads" if tool.read_only else "may change something"
    asked = f"May {tool.name} of {tool.source} run? It {effect}. Arguments: {shown}"
    return asked, files


def _is_long(text: str) -> bool:
    return len(text) > LINE or "\n" in text


def _json(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False)
