"""An agent: a prompt, tools, an output schema, bounds and hooks; worked by a model, or by rules.

    result = await run_agent(run, agent, Task("Which knockouts are known?"), memory, ports)

Everything costly is a durable step of the run (see `agents.minds.talk`). An agent knows its own conversation
and nothing else: what others found reaches it only as its task says.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field, JsonValue, model_validator

from agents.data_block import data_block
from agents.errors import ModelUnavailable
from agents.evidence.memory import EvidenceMemory
from agents.json_answers import at_most, schema_request
from agents.minds.critic import ACCEPT, ROUNDS, Refined, Review, refine
from agents.minds.hooks import Hook
from agents.minds.minded import RULES, Minded, fallback_note, minded
from agents.minds.prompts import Composed
from agents.minds.talk import Bounds, Talk
from agents.minds.work import AgentResult, Ports, Said, Task, Work
from agents.ports import LanguageModel
from agents.runs import meter
from agents.runs.records import Request
from agents.runs.run import Run
from agents.tools.approved import REJECT, Approval, Ask, Files, approved
from agents.tools.kept import kept
from agents.tools.toolset import Toolset
from agents.trust.citations import marked_keys
from agents.trust.values import Claim

SECONDS = 3 * 24 * 3600.0
"""How long a person has. After that the call is rejected, and the agent goes on without it."""
O = TypeVar("O", bound=BaseModel)  # noqa: E741  (the output)
KEYS, QUOTES, STATEMENTS = 12, 6, 40
"""Of an answer that an endpoint holds to its form; small models do not know where a list ends."""
KEY: dict[str, JsonValue] = {"type": "string", "pattern": "^E[0-9]{1,6}$"}
"""A key of evidence, in the form that an endpoint is held to."""
Rules = Callable[[Task, EvidenceMemory, tuple[str, ...]], Awaitable[O]]
"""The mind without a model: from task, evidence and a critic's points to the output."""
AgentCritic = Callable[[AgentResult, tuple[Said, ...], Work], Review | Awaitable[Review]]
"""Judges an agent's draft; gets the dialog so far, and the work with its task and evidence."""


class CitedStatement(BaseModel):
    """A statement, the keys of its evidence, and quotes. Small models mark keys in the text ("[E3]")."""

    text: str
    keys: list[str] = Field(json_schema_extra=at_most(KEYS) | {"items": KEY})
    quotes: list[str] = Field([], json_schema_extra=at_most(QUOTES))

    @model_validator(mode="before")
    @classmethod
    def _marked_in_the_text(cls, given: object) -> object:
        if isinstance(given, dict) and marked_keys(str(given.get("text", ""))):
            return {"keys": [], **given}
        return given


class Statements(BaseModel):
    """The output of an agent that writes statements."""

    statements: list[CitedStatement] = Field(json_schema_extra=at_most(STATEMENTS))


def claims_of(output: BaseModel) -> tuple[Claim, ...]:
    """The claims of `Statements`; an output of another kind makes none."""
    if not isinstance(output, Statements):
        return ()
    return tuple(Claim(one.text, tuple(one.keys), tuple(one.quotes)) for one in output.statements)


@dataclass(frozen=True, slots=True)
class Agent(Generic[O]):
    """Who does a piece of work, and how.

    `name` is unique in its run. `claims` finds the statements in an output. `critic` reviews drafts, over at
    most `rounds` rounds. `rules` works without a model; an agent that has none needs one.
    """

    name: str
    prompt: Composed
    output: type[O]
    tools: Toolset = field(default_factory=lambda: Toolset("none"))
    bounds: Bounds = Bounds()
    hooks: tuple[Hook, ...] = ()
    claims: Callable[[O], Sequence[Claim]] = claims_of
    critic: AgentCritic | None = None
    rounds: int = ROUNDS
    rules: Rules[O] | None = None

    def value(self, result: AgentResult) -> O:
        """The output of a result, typed."""
        return self.output.model_validate_json(result.answer)


async def run_agent(
    run: Run, agent: Agent[Any], task: Task, memory: EvidenceMemory, ports: Ports
) -> AgentResult:
    """The agent's result. What its tools replied is in `memory` afterwards.

    A tool that needs approval asks the people of the run's thread first.

    Raises `ModelError` where a model is needed and fails, and what stops the run.
    """
    tools = agent.tools if ports.sources is None else agent.tools.map(partial(kept, sources=ports.sources))
    agent = replace(agent, tools=tools.map(partial(approved, ask=approver(run))))
    work = Work(agent.name, task, run, memory, ports)
    refined = await _refined(agent, work)
    result = replace(refined.value, dialog=refined.dialog).noted(*work.notes, *refined.notes)
    for hook in agent.hooks:
        result = await hook(result, work)
    return result


class ModelCritic:
    """A model as critic. It reads the task, the draft with the evidence it cites, and what was said before.

    Each review is a conversation of its own. `prompt` says what to look for.
    """

    def __init__(self, prompt: Composed) -> None:
        self._prompt = prompt

    async def __call__(self, draft: AgentResult, dialog: tuple[Said, ...], work: Work) -> Review:
        """The verdict. Raises `ModelError`.

        A draft that states nothing, of an agent that was shown nothing, needs no review.
        """
        if not (draft.claims or work.memory.all()):
            return ACCEPT
        model = work.ports.model
        if model is None:
            raise ModelUnavailable("A critic that is a model needs one; set model.base_url and model.name.")
        own = replace(work, agent=f"{work.agent}/critic/{dialog[-1].round}")
        talk = Talk(own, model, _asking(self._prompt, Review), Toolset("none"), Bounds())
        before = [data_block(said.what, who=said.who, round=str(said.round)) for said in dialog[:-1]]
        shown = data_block(draft.answer, kind="draft")
        talk.hear("\n\n".join((f"The task was:\n{work.task.whole}", *before, *_cited(draft, work), shown)))
        return await talk.final(Review)


def _cited(draft: AgentResult, work: Work) -> list[str]:
    """The evidence that a draft cites, as data; what the task showed already is not shown again."""
    memory = work.memory
    keys = dict.fromkeys(key for claim in draft.claims for key in claim.keys if key in memory)
    blocks = [data_block(memory.get(key).text, key=key, title=memory.get(key).title) for key in keys]
    return [one for one in blocks if one not in work.task.whole]


class _Drafts:
    """An agent's drafts: the first, and those after a critic's points. A model goes on with its talk."""

    def __init__(self, agent: Agent[Any], work: Work) -> None:
        self._agent, self._work = agent, work
        self._talk: Talk | None = None
        self._by = ""

    async def __call__(self, points: tuple[str, ...]) -> AgentResult:
        if not self._by:
            made = await self._first()
            self._by = made.by
            self._work.notes.append(fallback_note(self._agent.name, made.why_fallen_back))
            return self._result(made.value)
        if self._by == RULES:
            return self._result(await self._ruled(points))
        return self._result(await self._again(points))

    async def _first(self) -> Minded[BaseModel]:
        if self._agent.rules is None and self._work.ports.model is not None:
            return Minded(await self._thought(self._work.ports.model), self._work.ports.model.name)
        return await minded(self._work.ports.model, self._thought, lambda: self._ruled(()))

    async def _thought(self, model: LanguageModel) -> BaseModel:
        prompt = _asking(self._agent.prompt, self._agent.output)
        self._talk = Talk(self._work, model, prompt, self._agent.tools, self._agent.bounds)
        self._talk.hear(prompt.user(self._work.task.whole))
        output: BaseModel = await self._talk.final(self._agent.output)
        return output

    async def _again(self, points: tuple[str, ...]) -> BaseModel:
        assert self._talk is not None
        listed = "\n".join(f"- {point}" for point in points)
        self._talk.hear(f"A reviewer asks for changes:\n{data_block(listed, kind='review')}\n{REVISE}")
        output: BaseModel = await self._talk.final(self._agent.output)
        return output

    async def _ruled(self, points: tuple[str, ...]) -> BaseModel:
        if self._agent.rules is None:
            raise ModelUnavailable(
                f"{self._agent.name} needs a language model; set model.base_url and model.name."
            )
        output: BaseModel = await self._agent.rules(self._work.task, self._work.memory, points)
        return output

    def _result(self, output: BaseModel) -> AgentResult:
        claims = tuple(self._agent.claims(output))
        return AgentResult(self._agent.name, output.model_dump_json(), self._by, claims)


REVISE = (
    "Weigh each of these points against the evidence. Change what they are right about, and give the whole "
    "answer again in the form asked for."
)


async def _refined(agent: Agent[Any], work: Work) -> Refined[AgentResult]:
    """The draft that the critic accepts in the end, or the only one."""
    drafts, critic = _Drafts(agent, work), agent.critic
    if critic is None:
        return Refined(await drafts(()))
    return await refine(
        agent.name,
        drafts,
        lambda draft, dialog: critic(draft, dialog, work),
        lambda draft: draft.answer,
        rounds=agent.rounds,
    )


def _asking(prompt: Composed, schema: type[BaseModel]) -> Composed:
    """The prompt with the form of the answer at the end of its rules."""
    return prompt.with_rule("form", f"Your final answer: {schema_request(schema)}")


def approver(run: Run) -> Ask:
    """Asks through `Run.wait_for`: nothing is lost and no worker is held while nobody decides.

    A decision holds for the step that asks, so that the same call made again is asked about again.
    """

    async def ask(question: str, options: tuple[str, ...], files: Files) -> Approval:
        kept = [await run.artefact(text.encode(), "text/plain", name) for name, text in files.items()]
        request = Request(question, options, seconds=SECONDS, otherwise=REJECT, attachments=tuple(kept))
        asking = meter.current()
        name = f"approval/{asking.inputs_hash[:12]}" if asking else "approval"
        decided = await run.wait_for(name, request)
        said = "nobody decided in time" if decided.timed_out else ""
        return Approval(decided.choice, decided.by, said)

    return ask
