"""One tool: a typed input, work that gives a reply, and what a model, a person and a limit need to know."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.errors import ToolFailed, ToolRetry
from agents.messages import ToolSpec
from agents.tools.reply import ToolReply


class Arguments(BaseModel):
    """Base of every tool's input: unknown names are refused. Each field has a description for a model."""

    model_config = ConfigDict(extra="forbid", frozen=True)


I = TypeVar("I", bound=BaseModel)  # noqa: E741  (the input)


@dataclass(frozen=True, slots=True)
class Tool(Generic[I]):
    """Something that can be asked.

    `name` is snake_case and unique in its toolset; `source` says whose data it answers from ("archive",
    "openFDA", "calculation") and `release` in which state, "" for the state of the moment. `inputs` refuses
    unknown names. `output`, if there is one, describes the reply's `data`;
    `topics` are what it tells of, in the words of whoever sorts its facts.

    `work` raises `ToolRetry` for arguments that another call can mend, and `ToolFailed` where it cannot.
    """

    name: str
    description: str
    inputs: type[I]
    work: Callable[[I], Awaitable[ToolReply]]
    source: str
    read_only: bool = True
    needs_approval: bool = False
    release: str = ""
    output: type[BaseModel] | None = None
    topics: tuple[str, ...] = ()

    @property
    def spec(self) -> ToolSpec:
        """What a model is told."""
        return ToolSpec(self.name, self.description, _schema(self.inputs))

    async def __call__(self, inputs: I) -> ToolReply:
        """The reply to valid arguments. Raises `ToolRetry`, `ToolFailed`."""
        reply = await self.work(inputs)
        if self.output is not None:
            try:
                self.output.model_validate(reply.data)
            except ValidationError as error:
                raise ToolFailed(
                    f"{self.name} gave data that do not fit {self.output.__name__} "
                    f"({error.error_count()} faults). Go on without it."
                ) from error
        return reply

    def parse(self, arguments: str) -> I:
        """Arguments as a model wrote them, validated. Raises `ToolRetry` that says how to call."""
        try:
            return self.inputs.model_validate_json(arguments.strip() or "{}")
        except ValidationError as error:
            faults = "; ".join(_fault(fault) for fault in error.errors(include_url=False)[:5])
        except ValueError as error:  # such as text that no UTF-8 can hold
            faults = str(error)
        raise ToolRetry(f"{self.name} cannot be called so: {faults}. {self._usage()}")

    def _usage(self) -> str:
        schema = self.spec.parameters
        wanted = json.dumps(schema.get("properties", {}), ensure_ascii=False)
        required = ", ".join(schema.get("required", ())) or "none"
        return f"Call it with one JSON object. Required: {required}. Properties: {wanted}"


@lru_cache(maxsize=512)
def _schema(inputs: type[BaseModel]) -> dict[str, Any]:
    """The schema of a tool's arguments, made once: it takes longer than the call of many a tool."""
    return inputs.model_json_schema()


def canonical_arguments(inputs: BaseModel) -> str:
    """Arguments as JSON that is the same for the same values, whatever order they were written in."""
    return json.dumps(inputs.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


def _fault(fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])
