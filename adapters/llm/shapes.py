"""What an endpoint's answer must look like. Anything else is a failed answer, and rules take over."""

from typing import Annotated

from pydantic import BaseModel, Field

from agents.messages import ToolCall

Tokens = Annotated[int, Field(ge=0, le=10**9)]


class Spent(BaseModel):
    """The tokens that the endpoint counted."""

    prompt_tokens: Tokens = 0
    completion_tokens: Tokens = 0


class Function(BaseModel):
    """A function that is called, with its arguments as JSON."""

    name: str
    arguments: str | None = None


class Call(BaseModel):
    """A call of a tool."""

    id: str | None = None
    type: str | None = "function"
    function: Function | None = None


class Message(BaseModel):
    """What the model says."""

    content: str | None = None
    refusal: str | None = None
    tool_calls: list[Call] | None = None

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Calls of functions; an endpoint's tools of other kinds are none of ours."""
        return tuple(
            ToolCall(call.id or "", call.function.name, call.function.arguments or "")
            for call in self.tool_calls or ()
            if call.type in ("function", None) and call.function is not None
        )


class Choice(BaseModel):
    """One of the answers; only one is ever asked for."""

    message: Message
    finish_reason: str | None = None


class ChatAnswer(BaseModel):
    """A whole answer."""

    choices: list[Choice] = []
    usage: Spent | None = None
