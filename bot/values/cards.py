"""What goes out: neutral cards and what they are made of, and files."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from agents.reports.values import Code, Figure, Structure
from agents.runs.records import RunState


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

    @property
    def told(self) -> str:
        """It in one line, with its detail and its time: "Reading (3 of 4) · 1.2 s"."""
        detail = f" ({self.detail})" if self.detail else ""
        seconds = f" · {self.seconds:.1f} s" if self.seconds is not None else ""
        return f"{self.label}{detail}{seconds}"


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered citation as shown: where, and the verbatim quote.

    `told` is set where the text that cites it gives the quote already, `titled` where it gives the title:
    neither is shown twice. Of one that is `folded` the text tells a part, and the whole opens on demand.
    `cell` are the offsets of the one cell that it tells of a quoted table.
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
    folded: bool = False
    cell: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table as shown; cells are Markdown-free text, with citations as in `agents.reports.marked`. One that
    is `folded` opens on demand: on the page below its title, elsewhere by `sources`.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown between tables and pictures; `folded` as of a table."""

    markdown: str
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a person decides on, by the hash of its content; `size` is in bytes. `text` is all that it
    says, "" where it is no text or too long for a card.
    """

    name: str
    media_type: str
    sha256: str
    size: int
    text: str = ""

    @property
    def told(self) -> str:
        """Which file it is, in a line."""
        return f"{self.name}, {self.size:,} bytes, SHA-256 {self.sha256[:16]}"


Part = Text | Table | Figure | Structure | Code | Attachment
"""What a card shows below its text, in reading order."""


@dataclass(frozen=True, slots=True)
class Export:
    """The report of a run as a file. `format` is one of `bot.commands.EXPORT_FORMATS`."""

    run_id: str
    format: str
    as_document: bool = False
    """No format was named: it may be a document of the platform's own, where that has some."""


EXPORTED = "report.exported"
"""Event of a run of which somebody took the report as a file, or asked for it."""

Handed = Export | Table | Figure | Structure | Attachment
"""What can be handed out as a file: a report, a table as CSV, a picture, a drawn molecule, what a person
decides on.
"""


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
    about: str = ""
    """What a digest tells of, in words: a reply that names nothing is on that."""
    goes_on: str = ""
    """The run whose question a reply to a digest goes on from."""
    folded: bool = False
    """Of the appendix of a report: a skin that can opens it on demand."""
    reads: str = ""
    """What its maker may read (`bot.rights`), "" for everything: others are not shown it."""
    mark: str = ""
    """Set on delivery to the slot the card fills; a platform may keep it with the message (`FindsPosted`)."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Table))

    @property
    def unfolded(self) -> tuple[Part, ...]:
        """The parts that are shown at once."""
        return tuple(part for part in self.parts if not (isinstance(part, Table | Text) and part.folded))


def file_slot(slot: str, handed: Handed) -> str:
    """The outbox slot of a file that follows the card in `slot`; another file has another slot."""
    told = handed.sha256 if isinstance(handed, Figure) else repr(handed)
    return f"file:{sha256(told.encode()).hexdigest()[:16]}:{slot}"
