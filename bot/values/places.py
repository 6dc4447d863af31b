"""Where a conversation is on its platform, and which message of ours shows what."""

from dataclasses import dataclass

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


def polled(slot: str) -> str:
    """The name of what a run asks in a slot; "" for any other slot."""
    kind, _, rest = slot.partition(":")
    return rest.partition(":")[2] if kind == "request" else ""


def section_slot(run_id: str, section_id: str) -> str:
    """The outbox slot of one section of a report with several."""
    return f"section:{run_id}:{section_id}"


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
