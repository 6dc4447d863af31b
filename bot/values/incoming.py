"""What comes in: messages, buttons and reactions, and the commands that they are understood as."""

from dataclasses import dataclass
from enum import StrEnum

from bot.values.places import ThreadRef


class Standing(StrEnum):
    """What the writer of a message is where the bot is."""

    MEMBER = "member"
    GUEST = "guest"
    NOBODY = "nobody"
    """A program, or an account that is closed: it may ask nothing, and there is nobody to be told."""


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
    standing: Standing = Standing.MEMBER


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that came with a message. `place` is where its skin finds it: the id that Slack gave it, a path.

    What reads it is the skin's `FileReader`.
    """

    name: str
    place: str


@dataclass(frozen=True, slots=True)
class InArchive:
    """A document that a file became. An id may later be given to another one, so it counts only together with
    the SHA-256 of the content and the `path` under which the archive has it.
    """

    doc_id: str
    sha256: str
    path: str


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a file for the archive, in words. `document` is None where none was added."""

    told: str
    document: InArchive | None = None


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
    VOTE = "vote"
    """A ballot in a poll that a run holds."""
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
    RECORDS = "records"
    """What the archive holds: documents, studies, molecules."""
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
