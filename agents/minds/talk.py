"""An agent's conversation with its model: turns and tool calls, each a durable step of the run.

A turn's step has the messages so far as its inputs, a tool call's step the tool and its arguments. So a run
that was interrupted goes through its finished turns and calls without repeating one. What went wrong is kept
as well: a failure is an outcome like any other.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agents.data_block import data_block
from agents.errors import ModelError, ToolFailed, ToolRetry
from agents.evidence.memory import holder
from agents.evidence.values import Evidence
from agents.json_answers import brief_form, checked, repair_request
from agents.messages import Message, Speaker, ToolCall, ToolSpec, Turn
from agents.minds.forget import SHOWN_BEFORE, forget, kept_by, shown_under
from agents.minds.prompts import Composed
from agents.minds.readable import readable
from agents.minds.repeats import without_repeats
from agents.minds.work import Work
from agents.ports import LanguageModel
from agents.runs import meter
from agents.runs.steps import LOOKING, StepCall
from agents.text.rows import render_heads
from agents.tools.brief import brief
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool, canonical_arguments
from agents.tools.toolset import Toolset

T = TypeVar("T", bound=BaseModel)

RETRY = "Retry with this correction:"
STOP = "Failed, stop asking:"
LAST_WORDS = (
    "No further tools can be used. Give your best final answer now from what you have, in the form asked for."
)
SHOWN_OF_A_RECORD = 12_000
"""Characters of a record that a model reads; the whole of it can be cited."""
SHOWN_OF_A_CUT = 100
"""Characters of an answer that was cut, when it is asked for again."""
HEADINGS_SHOWN = 3
LONGEST_SUBJECT = 120


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much an agent may use; None means no limit. At a bound it is asked once for its best final answer.

    `rounds` are turns in which it may use tools, `calls` the tools it may use in one of them. `tokens` and
    `seconds` count its turns.
    """

    rounds: int = 8
    calls: int = 8
    tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """The outcome of a turn, or in a few words why there is none, and what it took."""

    turn: Turn | None
    failed: str = ""
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Used:
    """The outcome of a tool call: a reply, a correction, or a failure."""

    reply: ToolReply | None = None
    retry: str = ""
    failed: str = ""


class TurnFailed(ModelError):
    """A model's turn gave nothing usable; `clause` says why."""

    def __init__(self, clause: str) -> None:
        super().__init__(f"The agent's turn gave nothing usable: {clause}.")
        self.clause = clause


class Talk:
    """One agent's conversation. `messages` grows; `final` may be asked for again after another message."""

    def __init__(
        self, work: Work, model: LanguageModel, prompt: Composed, tools: Toolset, bounds: Bounds
    ) -> None:
        self.messages = [Message(Speaker.SYSTEM, prompt.system)]
        self._work, self._model, self._prompt = work, model, prompt
        self._tools, self._bounds = tools, bounds
        self._tokens, self._seconds = 0, 0.0
        self._forgotten: set[str] = set()
        self._told_whole: set[str] = set()
        self._headed: dict[tuple[str, str], str] = {}

    def hear(self, text: str) -> None:
        """Add a message of the user."""
        self.messages.append(Message(Speaker.USER, text))

    async def final(self, schema: type[T]) -> T:
        """The answer after as many rounds of tools as the bounds allow; one repair.

        Raises `TurnFailed`, and what stops the run.
        """
        for _ in range(self._bounds.rounds if self._tools else 0):
            turn = await self._turn(tuple(map(brief, self._tools.spec())))
            if not turn.tool_calls:
                return await self._fitting(turn, schema)
            await self._use(turn.tool_calls)
            if self._over():
                break
        if self._tools:
            self._work.notes.append(f"{self._work.agent} reached its bounds and answered from what it had.")
            self.hear(LAST_WORDS)
        return await self._fitting(await self._turn((), schema.model_json_schema()), schema)

    def _over(self) -> bool:
        tokens, seconds = self._bounds.tokens, self._bounds.seconds
        return (tokens is not None and self._tokens >= tokens) or (
            seconds is not None and self._seconds >= seconds
        )

    async def _fitting(self, turn: Turn, schema: type[T]) -> T:
        """The turn as a value; asked for once more where it does not fit. Raises `TurnFailed`."""
        value = checked(turn.text, schema)
        if not isinstance(value, ValidationError):
            return value
        self.hear(repair_request(value, cut=turn.cut))
        if turn.cut:  # small models copy what stands there
            self.messages[-2] = replace(self.messages[-2], text=f"{turn.text[:SHOWN_OF_A_CUT]} …")
        form = schema.model_json_schema()
        again = await self._turn((), brief_form(form) if turn.cut else form)
        value = checked(again.text, schema)
        if isinstance(value, ValidationError):
            long = "its answer was too long, also when asked to be shorter"
            raise TurnFailed(long if again.cut else "its answer did not fit what was asked for")
        return value

    async def _turn(self, specs: Sequence[ToolSpec], form: dict[str, Any] | None = None) -> Turn:
        number = sum(message.role is Speaker.ASSISTANT for message in self.messages) + 1
        speak = partial(_speak, self._model, self._prompt, form)
        name = f"{self._work.agent}/turn/{number}"
        spoken: Spoken = await self._work.run.step(name, speak, tuple(self.messages), tuple(specs))
        self._tokens += spoken.tokens
        self._seconds += spoken.seconds
        if spoken.turn is None:
            raise TurnFailed(spoken.failed)
        self.messages.append(spoken.turn.message)
        return spoken.turn

    async def _use(self, calls: Sequence[ToolCall]) -> None:
        """Carry out calls side by side, and add their results as messages in the order of the calls."""
        prepared = [self._prepared(call, place) for place, call in enumerate(calls)]
        for call, item in zip(calls, prepared, strict=True):
            if isinstance(item, StepCall):
                await self._work.run.event(LOOKING, step=item.name, subject=subject_of(call.arguments))
        steps = [item for item in prepared if isinstance(item, StepCall)]
        outcomes = iter(await self._work.run.gather(*steps))
        if (keep := kept_by(calls)) is not None:
            self.messages, gone = forget(self.messages, keep)
            self._forgotten |= gone
        for call, item in zip(calls, prepared, strict=True):
            text = self._render_reply(call, next(outcomes)) if isinstance(item, StepCall) else item
            self.messages.append(Message(Speaker.TOOL, text, tool_call_id=call.id))

    def _prepared(self, call: ToolCall, place: int) -> StepCall | str:
        """The step that carries a call out, or what to say where none is needed."""
        if place >= self._bounds.calls:
            return f"{RETRY} at most {self._bounds.calls} calls at a time; make this one later."
        try:
            tool = self._tools.find(call.name)
            arguments = canonical_arguments(tool.parse(call.arguments))
        except ToolRetry as wrong:
            return f"{RETRY}\n{data_block(str(wrong), kind='correction')}"
        known = self._work.memory.recall(call_of(tool, arguments)) if tool.read_only else None
        if known is not None:
            keys = ", ".join(item.key for item in known) or "none"
            return f"You have asked this already. Its records: {keys}."
        carry_out = partial(_carry_out, self._tools)
        # What changes something is done once per call; what only reads is done once per run and state of the
        # source: two agents may have tools of one name that read different things.
        state = (tool.release,) if tool.release else ()
        once = state if tool.read_only else (self._work.agent, len(self.messages), call.id)
        return self._work.run.call(f"tool/{tool.name}", carry_out, tool.name, arguments, *once)

    def _render_reply(self, call: ToolCall, used: Used) -> str:
        """The result of a call as the model reads it; its records go into the evidence memory."""
        if used.reply is None:
            word, text = (RETRY, used.retry) if used.retry else (STOP, used.failed)
            return f"{word}\n{data_block(text, kind='correction' if used.retry else 'failure')}"
        tool = self._tools[call.name]
        arguments = canonical_arguments(tool.parse(call.arguments))
        memory, before = self._work.memory, len(self._work.memory.all())
        records = [memory.add(record.place, record.source) for record in used.reply.records]
        memory.remember_call(call_of(tool, arguments), [item.key for item in records])
        whole = [item for item in memory.all()[:before] if self._is_whole(item)]
        seen = [item for item in whole if item.key not in self._forgotten]
        known = memory.all()[:before]
        holders = {item: holder(item, seen) or self._shown_in_part(item, known) for item in records}
        named_only = {item.key for item, there in holders.items() if there and there.key != item.key}
        self._forgotten = (self._forgotten - {item.key for item in records}) | named_only
        self._told_whole |= {item.key for item in records}
        named = f"{used.reply.summary}\n{used.reply.note}"
        blocks = [
            _record(item, self._head(item), named, self._around(item, known))
            for item, there in holders.items()
            if there is None
        ]
        if again := dict.fromkeys(there.key for there in holders.values() if there):
            blocks.append(f"{SHOWN_BEFORE}{', '.join(again)}.")
        files = ", ".join(f"{one.name} ({one.sha256})" for one in used.reply.files)
        said = ((self._news(used.reply.summary), "summary"), (used.reply.note, "note"), (files, "files"))
        blocks += [data_block(text, kind=kind) for text, kind in said if text]
        return "\n".join(blocks) or "No records."

    def _head(self, item: Evidence) -> str:
        """Caption and heads of the table that a record begins in, or where they are shown."""
        head = "\n".join(filter(None, (item.caption, render_heads(item.header))))
        place = (item.doc_id, head)
        if self._headed.get(place) in self._forgotten:
            del self._headed[place]
        key = self._headed.setdefault(place, item.key)
        return head if key == item.key or not head else f"[… under {key}]"

    def _news(self, summary: str) -> str:
        """The lines of a summary that no message shows."""
        told = {line for message in self.messages for line in message.text.splitlines()}
        return "\n".join(line for line in summary.splitlines() if line not in told)

    def _shown_in_part(self, item: Evidence, known: Sequence[Evidence]) -> Evidence | None:
        """The record known before of which a part was shown, and this in it."""
        text = readable(item.text)
        around = (one for one in known if holder(item, (one,)))
        return next((one for one in around if text in shown_under(self.messages, one.key)), None)

    def _around(self, item: Evidence, known: Sequence[Evidence]) -> dict[str, str]:
        """What the messages show now of the text that a record is of, by key."""
        beside = (
            one.key
            for one in known
            if one.start < item.end and item.start < one.end and one.doc_id == item.doc_id
        )
        return {key: shown for key in beside if (shown := shown_under(self.messages, key))}

    def _is_whole(self, item: Evidence) -> bool:
        """Whether a record was shown as it is: by this agent's task, or by a tool."""
        return item.shown_to == self._work.agent or item.key in self._told_whole


async def _speak(
    model: LanguageModel,
    prompt: Composed,
    form: dict[str, Any] | None,
    messages: tuple[Message, ...],
    specs: tuple[ToolSpec, ...],
) -> Spoken:
    """One turn of the model."""
    prompt.fingerprint()
    began = time.perf_counter()
    turn, failed = None, ""
    try:
        turn = await model.converse(prompt.role, messages, specs, form)
    except ModelError as error:
        failed = error.clause
    measured = meter.current()
    return Spoken(turn, failed, measured.usage.tokens if measured else 0, time.perf_counter() - began)


async def _carry_out(tools: Toolset, name: str, arguments: str, *once: object) -> Used:
    """One call of a tool."""
    try:
        return Used(await tools.call(name, arguments))
    except ToolRetry as wrong:
        return Used(retry=str(wrong))
    except ToolFailed as failure:
        return Used(failed=str(failure))


def call_of(tool: Tool[Any], arguments: str) -> str:
    """A call as the evidence memory knows it; `arguments` in their canonical form."""
    return " ".join(filter(None, (tool.name, tool.release, arguments)))


def subject_of(arguments: str) -> str:
    """What a call of a tool is about, for people: the texts among its arguments."""
    try:
        given = json.loads(arguments)
    except ValueError:
        return ""
    texts = [value for value in given.values() if isinstance(value, str) and value.strip()]
    return ", ".join(texts)[:LONGEST_SUBJECT]


def _record(evidence: Evidence, head: str, named: str, shown: Mapping[str, str]) -> str:
    """A record as a model reads it: data under its key, with its place.

    `head` stands over it. `named` is what the reply says besides: a title that stands there is not repeated,
    nor one in a heading. `shown` is what other keys show of the same text: those lines are not repeated.
    """
    text = without_repeats(readable(evidence.text), shown)
    if len(text) > SHOWN_OF_A_RECORD:
        text = f"{text[:SHOWN_OF_A_RECORD]}\n(Cut here; the record goes on.)"
    begins = text.lstrip("# ")
    section = [h for h in evidence.section if h not in evidence.title and not begins.startswith(h)]
    places = {
        "document": evidence.doc_id,
        "title": "" if evidence.title in named else evidence.title,
        "source": "" if evidence.doc_id in named else evidence.document_type,
        "section": " / ".join(section[-HEADINGS_SHOWN:]),
        "page": "" if evidence.page is None else str(evidence.page),
    }
    labels = {name: value for name, value in places.items() if value}
    return data_block(f"{head}\n{text}" if head else text, key=evidence.key, **labels)
