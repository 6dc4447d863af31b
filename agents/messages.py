"""What is said between a run and a language model: messages, tools on offer, calls of them, and turns."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Speaker(StrEnum):
    """Who says a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool. `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model wants to use. `arguments` is JSON as the model wrote it, valid or not.

    `id` is unique in its conversation.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    An assistant's message may carry `tool_calls`; a tool's message answers the one with `tool_call_id`.
    """

    role: Speaker
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model says when it is its turn: a text, calls of tools, or both.

    `cut` if it ended at the limit of tokens.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    cut: bool = False

    @property
    def message(self) -> Message:
        """The turn as a message of the conversation."""
        return Message(Speaker.ASSISTANT, self.text, self.tool_calls)
