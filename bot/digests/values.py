"""The values of digests. Times are ISO 8601, UTC."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from bot.digests.schedule import Schedule
from bot.kept import KeptList
from bot.values import Card, Source, ThreadRef


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a channel knew when it was last told: the next digest tells what differs from it.

    `documents` are content hashes by document id, `answers` what pinned questions were answered by pin,
    `labels` what watches saw (JSON of their kind) by watch, `since` the time.
    """

    since: str = ""
    documents: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, "Known"] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """An answer as it was told: its outcome and its short form, and the places that it cites."""

    outcome: str
    short: str
    cited: tuple[tuple[str, str], ...] = ()
    """Document and quote of each citation, in their order."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A standing order of a channel. `number` is given by the store and names it for people.

    It is told in `thread`; `about` narrows new documents ("" for all). Next `due` at that time. `heartbeat`
    asks for a line also where nothing is new. `event` is the message that ordered it.
    """

    thread: ThreadRef
    schedule: Schedule
    by: str
    event: str
    due: str
    about: str = ""
    number: int = 0
    created: str = ""
    muted: bool = False
    heartbeat: bool = False
    baseline: Baseline = Baseline()


@dataclass(frozen=True, slots=True)
class Tick:
    """A time at which a digest was due, and when a scheduler began it. It is open until it is told."""

    number: int
    at: str
    begun: str

    @property
    def slot(self) -> str:
        """The outbox slot of its card."""
        return f"digest:{self.number}:{self.at}"

    def request_key(self, pin: str) -> str:
        """The key of the run that asks a pinned question again for this tick."""
        return f"digest:{self.number}:{self.at}:{pin}"


@dataclass(frozen=True, slots=True)
class TickResult:
    """What a tick comes to: the card to show, None for silence, and what is known from then on."""

    card: Card | None
    baseline: Baseline


@dataclass(frozen=True, slots=True)
class Pin:
    """A question that a channel wants to be asked again: the input of a run of this kind, as JSON.

    `run_id` is the run that answered it when it was pinned, and names the pin.
    """

    run_id: str
    kind: str
    inputs: str
    asked: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Watched:
    """What a channel watches: a key that the kind of run made of a person's words, and these words."""

    kind: str
    key: str
    asked: str
    by: str
    at: str


PINS = KeptList("?pins", TypeAdapter(tuple[Pin, ...]), "pinned questions", lambda one: (one.kind, one.asked))
WATCHES = KeptList("?watches", TypeAdapter(tuple[Watched, ...]), "watches", lambda one: (one.kind, one.key))


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document that came or changed. `changed` tells the latter."""

    doc_id: str
    title: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A pinned question that is answered otherwise: both short answers, and the passages that are new."""

    asked: str
    before: str
    after: str
    run_id: str
    evidence: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """What waits for people in a channel."""

    told: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that a digest may tell. `failed` are sentences on what could not be looked at."""

    documents: tuple[NewDocument, ...] = ()
    answers: tuple[ChangedAnswer, ...] = ()
    labels: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say; what failed is something."""
        return not (self.documents or self.answers or self.labels or self.reviews or self.failed)
