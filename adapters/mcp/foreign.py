"""A tool of another MCP server as a tool of the house.

All that the server says is data: its description is marked as its own, its replies become sources with its
name, and its claim to read only is believed no further than the setting allows.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.exceptions import best_match
from mcp import MCPError
from mcp.types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents
from mcp.types import Tool as McpTool
from pydantic import JsonValue, RootModel, model_validator
from referencing import Registry
from referencing.exceptions import Unresolvable

from adapters.mcp.connection import Connection, ServerDown
from agents.counts import number_of
from agents.data_block import data_block
from agents.errors import ToolFailed, ToolRetry
from agents.evidence.sources import canonical, tool_source
from agents.runs.clock import utc_now
from agents.tools.markdown import as_markdown
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool, canonical_arguments

Approval = Literal["writing", "always", "never"]
DESCRIPTION = 2_000
SCHEMA = 20_000
REFUSAL = 1_000
QUERY = 500
"""Most characters taken of a description, a schema, a refusal, and of the arguments shown as a query."""
NAME = 64
"""Longest name of a tool that model endpoints take."""


class UnusableTool(ValueError):
    """A server's tool that cannot be offered to a model."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How tools of other servers are treated. `characters` bounds the text of one reply."""

    characters: int = 100_000
    approval: Approval = "writing"


class ForeignArguments(RootModel[dict[str, JsonValue]]):
    """Arguments that another server's JSON schema describes. Each tool has a class of its own."""

    validator: ClassVar[Any]

    @model_validator(mode="after")
    def fits_schema(self) -> "ForeignArguments":
        """Refuse what the schema refuses. A schema that points elsewhere is left to the server."""
        try:
            error = best_match(self.validator.iter_errors(self.root))
        except (Unresolvable, RecursionError, re.error):
            return self
        if error is not None:
            place = ".".join(str(part) for part in error.absolute_path)
            raise ValueError(f"{place}: {error.message}" if place else error.message)
        return self

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """The server's own schema."""
        return dict(cls.validator.schema)


def foreign_tool(connection: Connection, offered: McpTool, rules: Rules) -> Tool[ForeignArguments]:
    """One tool of another server, called `server__tool`. Raises `UnusableTool`."""
    hints = offered.annotations
    read_only = bool(hints and hints.read_only_hint)
    asks = rules.approval == "always" or (rules.approval == "writing" and not read_only)

    async def work(inputs: ForeignArguments) -> ToolReply:
        result = await _called(connection, offered.name, inputs.root, again=read_only)
        return reply_of(connection, offered, inputs, result, rules)

    return Tool(
        name=name_of(connection.name, offered.name),
        description=_description(connection.name, offered),
        inputs=_arguments_of(offered),
        work=work,
        source=connection.name,
        read_only=read_only,
        needs_approval=asks,
        release=connection.release,
    )


def name_of(server: str, tool: str) -> str:
    """`server__tool` in characters that every model endpoint takes; a long name is cut and told apart."""
    name = f"{server}__{re.sub(r'[^A-Za-z0-9_]', '_', tool)}"
    if len(name) <= NAME:
        return name
    return f"{name[: NAME - 9]}_{hashlib.sha256(tool.encode()).hexdigest()[:8]}"


def reply_of(
    connection: Connection,
    offered: McpTool,
    inputs: ForeignArguments,
    result: CallToolResult,
    rules: Rules,
) -> ToolReply:
    """What a server answered, as a reply whose text can be cited. Raises `ToolRetry` for a refusal."""
    blocks = list(map(_text_of, result.content))
    text = "\n\n".join(filter(None, blocks))
    if result.is_error:
        said = data_block(text[:REFUSAL], source=connection.name)
        raise ToolRetry(f"{connection.name} refused this call of {offered.name}. It said: {said}")
    query, date = canonical_arguments(inputs)[:QUERY], utc_now().date().isoformat()
    text = canonical(_better(text, result.structured_content, _title(offered)))
    note = _left_out(blocks)
    if len(text) > rules.characters:
        note = f"{note} Only {rules.characters} of {len(text)} characters were taken.".strip()
    if not (text := text[: rules.characters].strip()):
        return ToolReply(note=f"{connection.name} gave no text. {note}".strip())
    source = tool_source(
        connection.name,
        _title(offered),
        text,
        query=query,
        release=connection.release,
        date=date,
        link=_link_of(result),
    )
    return ToolReply((ToolRecord(source),), f"{_title(offered)} of {connection.name}", note)


async def _called(
    connection: Connection, tool: str, arguments: dict[str, Any], *, again: bool
) -> CallToolResult:
    try:
        return await connection.call(tool, arguments, again=again)
    except ServerDown as down:
        raise ToolFailed(f"{tool} of another server cannot be used: {down}. Go on without it.") from down
    except MCPError as error:
        said = data_block(error.message[:REFUSAL], source=connection.name)
        raise ToolFailed(f"{connection.name} could not carry out {tool}. It said: {said}") from error


def _arguments_of(offered: McpTool) -> type[ForeignArguments]:
    schema = offered.input_schema
    if len(json.dumps(schema)) > SCHEMA:
        raise UnusableTool(f"the schema of {offered.name} has more than {SCHEMA} characters")
    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError) as error:
        raise UnusableTool(f"the schema of {offered.name} is not valid") from error
    # The empty registry keeps a schema from having anything fetched.
    validator = Draft202012Validator(schema, registry=Registry())
    return type("ForeignArguments", (ForeignArguments,), {"validator": validator, "__module__": __name__})


def _description(server: str, offered: McpTool) -> str:
    said = canonical(offered.description or _title(offered))[:DESCRIPTION]
    return f"A tool of the server {server}, which describes it so: {said}"


def _title(offered: McpTool) -> str:
    return canonical(offered.title or offered.name)[:200]


def _text_of(block: object) -> str:
    """The text of one block of a reply; "" for a picture or a sound."""
    if isinstance(block, TextContent):
        return block.text
    if isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
        return block.resource.text
    if isinstance(block, ResourceLink):
        return f"- {block.title or block.name}: {block.uri}"
    return ""


def _left_out(blocks: list[str]) -> str:
    count = blocks.count("")
    return f"{number_of(count, 'part')} without text left out." if count else ""


def _better(text: str, structured: Any, title: str) -> str:
    """Structured content as Markdown where the text is missing or only the same as JSON."""
    if structured is None:
        return text
    try:
        same = not text or json.loads(text) == structured
    except ValueError:
        same = False
    return as_markdown(structured, title) if same else text


def _link_of(result: CallToolResult) -> str:
    links = [str(block.uri) for block in result.content if isinstance(block, ResourceLink)]
    links += [str(block.resource.uri) for block in result.content if isinstance(block, EmbeddedResource)]
    return next((link for link in links if link.startswith(("http://", "https://"))), "")
