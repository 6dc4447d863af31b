"""The ports of the conversation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from agents.kinds import Named
from agents.runs.records import RunRecord, RunState
from bot.errors import BadRequest
from bot.values import (
    Added,
    Attached,
    Card,
    Feedback,
    Handed,
    InArchive,
    OutboxItem,
    OutgoingFile,
    Reacted,
    Shown,
    ThreadRef,
    Unposted,
)


class ChatPlatform(Protocol):
    """Where cards are shown.

    Raises `DeliveryDelayed` when asked to wait, `DeliveryFailed` when refused for good.
    """

    name: str

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card as a new message in the thread; returns the platform's message id."""

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str | None:
        """Replace a message that was posted; returns its new id where that changed."""


@runtime_checkable
class FindsPosted(Protocol):
    """A platform that can tell whether a card was posted already by a pump that died since."""

    async def find(self, thread: ThreadRef, card: Card) -> str:
        """The id of the message in this thread that was posted with the card's `mark`, or ""."""


@runtime_checkable
class ShowsFiles(Protocol):
    """A platform where a picture or a file can stand in a thread."""

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """Show a file in a thread, in place of the card's text; returns the platform's message id.

        Raises as `ChatPlatform`. A platform that also `FindsPosted` finds it by the card's `mark`.
        """


@runtime_checkable
class ShowsPrivately(Protocol):
    """A platform where one person can be shown something in a thread that others do not see."""

    async def show_privately(self, thread: ThreadRef, user: str, card: Card) -> None:
        """Show a card to one person alone. It cannot be changed later. Raises as `ChatPlatform`."""


class FileMaker(Protocol):
    """Makes the files that cards hand out."""

    async def made(self, handed: Handed) -> OutgoingFile | None:
        """The file; None where it cannot be made any more, or not here."""


class FileReader(Protocol):
    """Reads files that came with messages."""

    async def read(self, file: Attached) -> str:
        """The text of a file. Raises `BadRequest` for one that cannot be read, with the reason."""


class NoFiles:
    """Implements `FileReader` where messages bring no files, as in a terminal."""

    async def read(self, file: Attached) -> str:
        """See the port."""
        raise BadRequest(f"{file.name} cannot be read here. Put its text into the message.")


class ArchiveKeeper(Protocol):
    """Adds files that came with messages to the archive."""

    async def add(self, file: Attached, by: str, say: Callable[[str], None], *, again: bool = False) -> Added:
        """Add a file for somebody, such as slack:U024BE7LH; `say` is told what is being done. The same
        content again adds nothing; `again` says that an earlier attempt may have ended after the file came
        in, which then counts as added by this one.

        Raises `BadRequest` for one that is not taken, with the reason.
        """

    async def remove(self, document: InArchive, by: str) -> bool:
        """Take a document that was added out again; False if it is not there any more, or not as it was
        added. Raises `BadRequest` where the archive cannot be written to now, with the reason.
        """


class Outbox(Protocol):
    """Cards on their way. At most one pending item per thread and slot: a newer card takes the place of an
    undelivered older one.
    """

    async def put(self, thread: ThreadRef, slot: str, card: Card, after: float = 0.0) -> None:
        """Queue a card; the same slot again is an update of the same message.

        It is delivered `after` so many seconds: cards of a slot that come meanwhile take its place, so that
        it is not updated more often.
        """

    async def claim(self, owner: str, platforms: Sequence[str], seconds: float) -> OutboxItem | None:
        """Take the oldest deliverable item whose thread no other live pump holds; None when there is none."""

    async def message_id(self, thread: ThreadRef, slot: str) -> str:
        """The platform's id of the message in this slot, or ""."""

    async def showing(self, place: ThreadRef, message_id: str) -> Shown | None:
        """What a message of this channel shows, whatever its thread; None if it is none of ours.

        `message_id` may be one of several, separated by spaces, that show one card together.
        """

    async def shown(self, thread: ThreadRef, kind: str) -> list[tuple[str, Card]]:
        """The slots of a kind ("digest") in a thread with the card that each shows, in order, as long as
        they are kept.
        """

    async def delivered(self, item: OutboxItem, message_id: str) -> None:
        """The item was shown."""

    async def postponed(self, item: OutboxItem, seconds: float, error: str, *, failed: bool = True) -> None:
        """The item was not shown and is tried again after `seconds`; one that has not `failed` was only asked
        to wait.
        """

    async def abandoned(self, item: OutboxItem, error: str) -> None:
        """The item is not tried again unless `again` asks for it. It is kept until its slot shows a newer
        card.
        """

    async def unposted(self, threads: Sequence[ThreadRef]) -> list[Unposted]:
        """The cards of these threads that are abandoned, or that failed and are tried again, in order."""

    async def again(self, thread: ThreadRef, run_id: str) -> int:
        """Try the run's cards of this thread anew, at once: those abandoned and those that wait; how many."""

    async def forget(self, days: float) -> int:
        """Delete the items that were delivered longer ago; how many there were. Their messages stay known."""


class Conversations(Protocol):
    """What is kept about threads: what each kind of run left behind, and feedback."""

    async def start(self, record: RunRecord, thread: ThreadRef, card: Card) -> bool:
        """Write a run and its first progress card (in `progress_slot(run_id)`) in one transaction.

        False if this request was seen before; nothing is written then.
        """

    async def runs(
        self, channel: ThreadRef, *, since: str = "", limit: int = 50, state: RunState | None = None
    ) -> list[RunRecord]:
        """The runs of a channel's threads, private ones among them, newest first: those written after
        `since` (ISO 8601, UTC).
        """

    async def seen(self, event_id: str) -> bool:
        """Remember an event that starts no run (stop, feedback); True if it was seen before."""

    async def was_seen(self, event_id: str) -> bool:
        """Whether `seen` was told of this event."""

    async def remembered(self, thread: ThreadRef) -> Mapping[str, str]:
        """What the thread keeps of each kind of run: JSON by the kind's name."""

    async def remember(self, thread: ThreadRef, kind: str, value: str) -> None:
        """Set what the thread keeps of a kind of run."""

    async def remembered_as(self, kind: str) -> Mapping[str, str]:
        """What every thread keeps under this name, by `thread_id`; those that keep nothing are left out."""

    async def add_feedback(self, feedback: Feedback) -> None:
        """Store a judgement; the same user's later judgement of a run replaces the earlier one."""

    async def withdraw_feedback(self, run_id: str, user: str) -> None:
        """Forget a user's judgement of a run, if there is one."""

    async def feedback(self, run_id: str = "") -> list[Feedback]:
        """Judgements, newest first, of one run or of all."""

    async def note_reaction(self, reacted: Reacted) -> None:
        """Keep a reaction; the same meaning of the same user on the same card replaces the earlier one."""

    async def reactions(self, shown: Shown) -> list[Reacted]:
        """The reactions on a card, also those taken off again, in the order in which they were set."""


class Names(Protocol):
    """What the words of a message name."""

    async def named(self, text: str) -> Named:
        """Molecules, genes and classes of drugs in a text. Never raises: what cannot be read is not known."""


class JobQueue(Protocol):
    """Hands a run to whoever executes it: in-process, or a worker behind Redis. Delivery is at least once."""

    async def enqueue(self, run_id: str, queue: str) -> None:
        """Ask for a run to be executed; `queue` is the run's."""

    async def backlog(self, queue: str) -> int:
        """How many messages no worker has fetched yet."""
