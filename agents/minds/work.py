"""The values of an agent's work: what it gets, what it works with, and what it hands over."""

from dataclasses import dataclass, field, replace

from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Sources
from agents.minds.minded import RULES
from agents.ports import Entailment, LanguageModel
from agents.runs.run import Run
from agents.trust.check import shown
from agents.trust.lexical import LexicalEntailment
from agents.trust.values import Claim


@dataclass(frozen=True, slots=True)
class Ports:
    """What agents work with. Without `model` the rules do the work; `sources` keeps what tools reply, so that
    a citation of it can be opened.
    """

    model: LanguageModel | None = None
    entailment: Entailment = field(default_factory=LexicalEntailment)
    sources: Sources | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What an agent shall do. `given` are blocks of data that it reads before."""

    text: str
    given: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """The task with what is given for it."""
        return "\n\n".join((*self.given, self.text))


@dataclass(frozen=True, slots=True)
class Said:
    """One remark of a dialog between an agent and its critic."""

    who: str
    what: str
    round: int


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent hands over. Fit to be a step's output.

    `answer` is the JSON of its output, made by `by` ("rules", or the model's name). `claims` are the
    statements in it; they carry verdicts once a hook has checked them. `notes` must be told to the reader.
    `dialog` is the conversation with the critic.
    """

    agent: str
    answer: str
    by: str = RULES
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    dialog: tuple[Said, ...] = ()

    @property
    def shown(self) -> tuple[Claim, ...]:
        """The claims that may be shown as findings."""
        return shown(self.claims)

    def noted(self, *notes: str) -> "AgentResult":
        """The same with further notes, each once; empty ones tell nothing."""
        return replace(self, notes=tuple(dict.fromkeys(filter(None, (*self.notes, *notes)))))


@dataclass(slots=True)
class Work:
    """An agent at work, as its critic and its hooks see it. `notes` are for the reader, in order."""

    agent: str
    task: Task
    run: Run
    memory: EvidenceMemory
    ports: Ports
    notes: list[str] = field(default_factory=list)
