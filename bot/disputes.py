"""Citations that a channel disputes: later runs there rank them lower, and say so where they cite them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from agents.counts import shortened
from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.disputed import Disputed
from agents.runs.clock import stamp, utc_now
from bot.cards import notice_card
from bot.editor import history_of
from bot.errors import BadRequest
from bot.kept import KeptList
from bot.ports import Conversations
from bot.report_cards import trace
from bot.values import Button, Card, CardKind, Incoming, ThreadRef

QUOTED = 160


@dataclass(frozen=True, slots=True)
class Dispute:
    """A place that somebody disputes: offsets and words of the quote, who, when (ISO 8601, UTC) and why.

    `event` is the message or reaction in which it was said.
    """

    doc_id: str
    title: str
    start: int
    end: int
    quote: str
    by: str
    at: str
    why: str = ""
    event: str = ""

    @property
    def place(self) -> tuple[str, int, int]:
        """The disputed span."""
        return self.doc_id, self.start, self.end

    @property
    def told(self) -> str:
        """It in one line."""
        why = f": {self.why}" if self.why else ""
        return f"{self.title}, “{shortened(self.quote, QUOTED)}” (disputed by {self.by}, {self.at[:10]}{why})"


def disputed(citation: Citation, by: str, at: str, why: str, event: str) -> Dispute:
    """A dispute of what a citation quotes."""
    title = citation.title or citation.doc_id
    return Dispute(citation.doc_id, title, citation.start, citation.end, citation.quote, by, at, why, event)


KEPT = KeptList(
    "?disputes", TypeAdapter(tuple[Dispute, ...]), "disputed citations", lambda one: one.place, 100
)


def disputed_in(kept: Mapping[str, str]) -> tuple[Disputed, ...]:
    """What a channel that keeps this disputes, as runs rank it lower."""
    return tuple(Disputed(one.doc_id, one.start, one.end, one.told, one.by) for one in KEPT.of(kept))


def citations_of(view: RunView, section: str = "") -> tuple[Citation, ...]:
    """The citations of a section as it stands, or of all. Raises `BadRequest` without a report."""
    report = history_of(view).standing
    named = report.section(section) if section else None
    return named.citations if named else report.citations


def citation_meant(view: RunView, number: int) -> Citation:
    """The citation with this number. Raises `BadRequest`."""
    cited = citations_of(view)
    if found := next((one for one in cited if one.number == number), None):
        return found
    numbers = ", ".join(str(one.number) for one in cited)
    raise BadRequest(f"There is no source {number} here. Sources: {numbers or 'none'}.")


async def dispute(
    conversations: Conversations, view: RunView, asked: Incoming, section: str = "", argument: str = ""
) -> Card:
    """Dispute the citation that an argument numbers ("2: the assay was faulty"), or the only one there is.

    Asks back where several may be meant. Raises `BadRequest`.
    """
    number, _, why = argument.partition(" ") if argument else ("", "", "")
    number, why = number.strip("]:,"), why.strip(" ]:,")
    cited = citations_of(view, section)
    if not number and len(cited) > 1:
        return which_card(view, cited)
    if not cited:
        raise BadRequest(f"This {view.kind.result} cites nothing that could be disputed.")
    meant = citation_meant(view, int(number)) if number else cited[0]
    thread = ThreadRef.parse(view.record.thread_id)
    new = disputed(meant, asked.user, stamp(utc_now()), why, asked.key)
    await KEPT.add(conversations, thread, new)
    later = (
        "Later runs in this channel rank it lower, and say so if they cite it."
        if view.kind.heeds_channel
        else f"It is kept; a {view.kind.result} of this kind cannot rank it lower yet."
    )
    return notice_card(
        f"Source {meant.number} is disputed: {new.told}. {later} `guidance` lists what is disputed here.",
        view.record.run_id,
    )


async def withdrawn(conversations: Conversations, thread: ThreadRef, event: str, run_id: str) -> Card:
    """Drop what was disputed in this message or reaction."""
    found = await KEPT.all(conversations, thread)
    await KEPT.put(conversations, thread, [one for one in found if one.event != event])
    gone = [one.told for one in found if one.event == event]
    told = f"No longer disputed: {'; '.join(gone)}." if gone else "Nothing was disputed by it."
    return notice_card(told, run_id)


def which_card(view: RunView, cited: Sequence[Citation]) -> Card:
    """Asks which of several citations is disputed."""
    run_id = view.record.run_id
    listed = "\n".join(f"[{one.number}] {one.title or one.doc_id}, {one.place}" for one in cited)
    return Card(
        CardKind.NOTICE,
        title="Which of its sources do you dispute?",
        text=f"{listed}\n\nPress one, or write `dispute 2: why`.",
        buttons=tuple(
            Button(f"Dispute {one.number}", "dispute", f"{run_id} {one.number}") for one in cited[:10]
        ),
        footer=trace(run_id),
        run_id=run_id,
    )
