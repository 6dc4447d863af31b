"""Recorded replies: a folder of JSON files from which tools answer without any network."""

import asyncio
import json
import re
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agents.errors import ToolFailed, ToolRetry
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool, call_key, canonical_arguments

_REPLY = TypeAdapter(ToolReply)


class SnapshotMode(StrEnum):
    """LIVE asks the source. RECORD asks it and writes each reply down. REPLAY reads what was written."""

    LIVE = "live"
    RECORD = "record"
    REPLAY = "replay"


def snapshotted(tool: Tool[Any], folder: Path, mode: SnapshotMode) -> Tool[Any]:
    """The tool with its replies recorded in, or replayed from, a folder.

    A refusal of the arguments is part of the record; a failure is not, because it may have been the
    network's. In REPLAY the tool's own work never runs.
    """
    if mode is SnapshotMode.LIVE:
        return tool

    async def record(inputs: Any) -> ToolReply:
        path = folder / file_name(tool, inputs)
        try:
            reply = await tool(inputs)
        except ToolRetry as refused:
            await asyncio.to_thread(_write, path, tool, inputs, {"retry": str(refused)})
            raise
        await asyncio.to_thread(_write, path, tool, inputs, {"reply": _REPLY.dump_python(reply, mode="json")})
        return reply

    async def replay(inputs: Any) -> ToolReply:
        return await asyncio.to_thread(_read, folder / file_name(tool, inputs), tool, inputs)

    return replace(tool, work=record if mode is SnapshotMode.RECORD else replay)


def file_name(tool: Tool[Any], inputs: Any) -> str:
    """Where the reply to a call is kept: readable, and by a hash of name, release and arguments."""
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(_words(inputs)).lower()).strip("-")[:40].strip("-")
    return "-".join(filter(None, (tool.name, words, call_key(tool, inputs)[:16]))) + ".json"


def _words(inputs: Any) -> list[str]:
    return [str(value) for value in inputs.model_dump(mode="json", exclude_defaults=True).values()]


def _write(path: Path, tool: Tool[Any], inputs: Any, outcome: dict[str, Any]) -> None:
    arguments = inputs.model_dump(mode="json")
    content = {"tool": tool.name, "release": tool.release, "arguments": arguments, **outcome}
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    new.replace(path)


def _read(path: Path, tool: Tool[Any], inputs: Any) -> ToolReply:
    call = f"{tool.name}({canonical_arguments(inputs)})"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if "retry" in kept:
            raise ToolRetry(kept["retry"])
        return _REPLY.validate_python(kept["reply"])
    except FileNotFoundError:
        raise ToolFailed(
            f"There is no recorded reply to {call}: {path} is missing. "
            "Recorded replies only are in use; record this call with the source in reach."
        ) from None
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise ToolFailed(
            f"The recorded reply {path} to {call} is damaged: {error}. Record it again."
        ) from error
