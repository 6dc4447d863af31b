"""What agents, their critics and their tools said to each other in a run, read from its steps."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.runs.records import StepRecord

TURN = re.compile(r"^(?P<who>.+)/turn/\d+$")
TOOL = re.compile(r"^tool/(?P<who>.+)$")


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `where` is the step in which agent and critic worked, "" for the run itself."""

    where: str
    who: str
    text: str


def messages(steps: Sequence[StepRecord]) -> tuple[Message, ...]:
    """Every message of a run's agents, dialog by dialog, each in the order of its beginning.

    A turn that calls tools is told as the calls; a turn that failed, with the reason.
    """
    said = [(step, text) for step in steps for text in _texts(step) if text]
    said.sort(key=lambda pair: pair[0].started)
    begun = {where: place for place, where in reversed(list(enumerate(step.parent for step, _ in said)))}
    said.sort(key=lambda pair: begun[pair[0].parent])
    return tuple(Message(step.parent, _who(step.name), text) for step, text in said)


def _who(name: str) -> str:
    found = TURN.match(name) or TOOL.match(name)
    return found["who"] if found else name


def _texts(step: StepRecord) -> Iterator[str]:
    """What a step said, if it is a turn of a model or a call of a tool."""
    try:
        told = json.loads(step.output)
    except ValueError:
        return
    if not isinstance(told, dict):
        return
    if TURN.match(step.name):
        turn = told.get("turn") or {}
        calls = (f"{call['name']} {call['arguments']}" for call in turn.get("tool_calls") or ())
        yield "\n".join(filter(None, (turn.get("text", ""), *calls, told.get("failed", ""))))
    elif TOOL.match(step.name):
        reply = told.get("reply") or {}
        yield reply.get("summary") or reply.get("note") or told.get("retry") or told.get("failed") or ""
