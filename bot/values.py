"""The values of the conversation: what comes in, what goes out. Neutral: no word of any platform."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from agents.reports.values import Code, Figure, Structure
from agents.runs.records import RunState

_ONLY = "|only|"


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """A conversation's place on a platform; `thread` is the platform's own id.

    `platform` is "web", "slack" or "teams", or "cli-" and the thread: each terminal delivers to itself alone.
    """

    platform: str
    channel: str
    thread: str

    @property
    def thread_id(self) -> str:
        """One string for the database. `parse` gives back the same place, whatever its three ids hold."""
        return f"{_escaped(self.platform)}:{_escaped(self.channel)}:{self.thread}"

    @property
    def whole_channel(self) -> "ThreadRef":
        """Under which is kept what all threads of the channel share."""
        return ThreadRef(self.platform, self.channel, "")

    @property
    def only(self) -> str:
        """Who alone sees this conversation; "" where everybody in the channel does."""
        return self.thread.partition(_ONLY)[2]

    @property
    def everybody(self) -> "ThreadRef":
        """The thread beside which a private conversation goes on."""
        return ThreadRef(self.platform, self.channel, self.thread.partition(_ONLY)[0])

    def seen_only_by(self, user: str) -> "ThreadRef":
        """The private conversation of one person beside this thread, on a platform that `ShowsPrivately`."""
        return ThreadRef(self.platform, self.channel, f"{self.everybody.thread}{_ONLY}{user}")

    @classmethod
    def parse(cls, thread_id: str) -> "ThreadRef":
        """The place behind a `thread_id`."""
        platform, channel, thread = thread_id.split(":", 2)
        return cls(_unescaped(platform), _unescaped(channel), thread)


def _escaped(part: str) -> str:
    """An id without colons: those of Teams are full of them."""
    return part.replace("%", "%25").replace(":", "%3A")


def _unescaped(part: str) -> str:
    return part.replace("%3A", ":").replace("%25", "%")


def progress_slot(run_id: str) -> str:
    """The outbox slot of a run's progress card: one message per run, edited in place."""
    return f"progress:{run_id}"


def answer_slot(run_id: str) -> str:
    """The outbox slot of a run's answer card, or of the index of its sections."""
    return f"answer:{run_id}"


def request_slot(run_id: str, name: str) -> str:
    """The outbox slot of something that a run asks people."""
    return f"request:{run_id}:{name}"


def section_slot(run_id: str, section_id: str) -> str:
    """The outbox slot of one section of a report with several."""
    return f"section:{run_id}:{section_id}"


def file_slot(slot: str, handed: "Handed") -> str:
    """The outbox slot of a file that follows the card in `slot`; another file has another slot."""
    told = handed.sha256 if isinstance(handed, Figure) else repr(handed)
    return f"file:{sha256(told.encode()).hexdigest()[:16]}:{slot}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message comes from, as far as the platform says; by default from the bot's own people.

    `teams` are the ids of the teams whom the writer belongs to. `foreign` is set unless all of them are the
    bot's own; `shared` where another organisation reads along; `direct` where nobody else does.
    """

    teams: tuple[str, ...] = ()
    foreign: bool = False
    shared: bool = False
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that came with a message. `place` is where its skin finds it: the id that Slack gave it, a path.

    What reads it is the skin's `FileReader`.
    """

    name: str
    place: str


def about(slot: str) -> tuple[str, str]:
    """The run that a slot is about, and the id of its section ("" for the whole); the run is "" for none."""
    kind, _, rest = slot.partition(":")
    if kind not in ("progress", "answer", "request", "section"):
        return "", ""
    run_id, _, section = rest.partition(":")
    return run_id, section if kind == "section" else ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a message of ours shows: a slot of a thread. `about` says which run and section that is."""

    thread: ThreadRef
    slot: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji that somebody set on a message of ours, or took off again.

    `emoji` is what the platform calls it ("white_check_mark", with or without colons), or the character.
    `message_id` is the platform's id of the message; it may be one of several that show one card.
    """

    emoji: str
    message_id: str
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message, button or reaction that reached us. `event_id` is the platform's; the same event may come
    again.

    `text` has the mention of the bot taken off. `action` and `value` are set for buttons, as the card's
    `Button` gave them out: "stop", "resume", "feedback", "sources", "export", "ask" (an offered choice).
    `opens` is set for a message that is the first of its thread: nothing was said there before. `files` came
    with the message. Of a reaction's `thread` only platform and channel need be known: the message names it.
    """

    event_id: str
    thread: ThreadRef
    user: str
    text: str
    action: str = ""
    value: str = ""
    origin: Origin = Origin()
    opens: bool = False
    files: tuple[Attached, ...] = ()
    reaction: Reaction | None = None

    @property
    def key(self) -> str:
        """The event among those of all platforms."""
        return f"{self.thread.platform}:{self.event_id}"


class CommandName(StrEnum):
    """What a user can ask for. Anything that is no command is a question: `ask`."""

    ASK = "ask"
    HELP = "help"
    STATUS = "status"
    STOP = "stop"
    RESUME = "resume"
    SOURCES = "sources"
    FEEDBACK = "feedback"
    EXPORT = "export"
    ROUTE = "route"
    """The kind of run that a doubtful message was meant for."""
    ANSWER = "answer"
    """The reply to what a waiting run asked."""
    REVISE = "revise"
    REFRESH = "refresh"
    GIVE = "give"
    """A text or a file that comes to the sources of a section."""
    EDIT = "edit"
    APPEND = "append"
    UNDO = "undo"
    ACCEPT = "accept"
    LOCK = "lock"
    UNLOCK = "unlock"
    CHANGES = "changes"
    COMPARE = "compare"
    HISTORY = "history"
    GUIDANCE = "guidance"
    """What the channel wants of all its reports."""
    REMEMBER = "remember"
    FORGET = "forget"
    RESPONSIBLE = "responsible"
    """Who is asked what runs of the channel leave open."""
    DIGEST = "digest"
    """What is new for the channel, told on a schedule."""
    PIN = "pin"
    """A question whose answer digests watch."""
    WATCH = "watch"
    DISPUTE = "dispute"
    """A citation that the channel does not believe."""
    SHARE = "share"
    """What one person alone was shown, for everybody."""
    TALK = "talk"
    """Thanks, greetings and the like: nothing to do."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was understood, with its argument (the question, a citation number, a format, a
    verdict).
    """

    name: CommandName
    argument: str = ""


class CardKind(StrEnum):
    """The neutral views. A skin renders each of them its own way."""

    PROGRESS = "progress"
    ANSWER = "answer"
    SECTION = "section"
    REQUEST = "request"
    SOURCES = "sources"
    HELP = "help"
    NOTICE = "notice"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press. `action` and `value` come back in an `Incoming`."""

    label: str
    action: str
    value: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the progress card. `state` is "waiting", "running", "done" or "failed"."""

    label: str
    state: str
    seconds: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered citation as shown: where, and the verbatim quote.

    `told` is set where the text that cites it gives the quote already, `titled` where it gives the title:
    neither is shown twice.
    """

    number: int
    title: str
    place: str
    quote: str
    doc_id: str
    start: int
    end: int
    page: int | None = None
    told: bool = False
    titled: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table as shown; cells are Markdown-free text, with citations as in `agents.reports.marked`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown between tables and pictures."""

    markdown: str


Part = Text | Table | Figure | Structure | Code
"""What a card shows below its text, in reading order."""


@dataclass(frozen=True, slots=True)
class Export:
    """The report of a run as a file. `format` is one of `bot.commands.EXPORT_FORMATS`."""

    run_id: str
    format: str


Handed = Export | Table | Figure | Structure
"""What can be handed out as a file: a report, a table as CSV, a picture, a drawn molecule."""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file that is ready to be shown. `alt` says what a picture shows, for those who cannot see it."""

    name: str
    media_type: str
    content: bytes
    title: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A neutral view of something to show. Skins decide on layout and split what is too long; nothing is
    dropped silently.
    """

    kind: CardKind
    title: str = ""
    text: str = ""
    """Markdown, with citations as in `agents.reports.marked`: a document's own "[1]" is none."""
    steps: tuple[Step, ...] = ()
    parts: tuple[Part, ...] = ()
    sources: tuple[Source, ...] = ()
    not_found: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()
    footer: str = ""
    who: str = ""
    """Whom a request is for, as a person wrote it ("@U024"); a platform that can tell them does so."""
    run_id: str = ""
    state: RunState | None = None
    """Of a progress card: where its run stands."""
    file: Handed | None = None
    """Handed out where the platform `ShowsFiles`. Elsewhere the card is shown, and says where it is."""
    mark: str = ""
    """Set on delivery to the slot the card fills; a platform may keep it with the message (`FindsPosted`)."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Table))


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """A card to be delivered. `slot` names the message it fills ("progress", "answer"): the same slot again
    is an update.

    `number` orders items; `attempts` counts failed deliveries, but not the times the platform asked to wait;
    times are ISO 8601, UTC.
    """

    number: int
    thread: ThreadRef
    slot: str
    card: Card
    attempts: int = 0
    not_before: str = ""
    owner: str = ""
    """The pump that claimed it."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """An expert's judgement of an answer. `verdict` is "up" or "down"."""

    run_id: str
    user: str
    verdict: str
    comment: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Reacted:
    """That a person set an emoji of this meaning on a message of ours, and when (ISO 8601, UTC).

    `event` is the key of the event that brought it: what it started, or wrote, is known under that key.
    `before` is the person's earlier judgement of the run that it replaced, as a command gives it, or "".
    `removed` is the key of the event in which it was taken off again, or "".
    """

    shown: Shown
    user: str
    meaning: str
    emoji: str
    at: str
    event: str
    before: str = ""
    removed: str = ""


@dataclass(frozen=True, slots=True)
class Unposted:
    """A card that its platform has not taken yet, and why.

    It is tried again at `not_before` (ISO 8601, UTC), or, if it was `given_up`, when somebody asks for it.
    """

    thread: ThreadRef
    slot: str
    run_id: str
    error: str
    given_up: bool
    not_before: str = ""
