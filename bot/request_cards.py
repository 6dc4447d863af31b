"""Cards of what a run asks people: a question with its choices or a poll, and later what was decided."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import TypeAdapter

from agents.runs.polls import VOTED, Ballot, Closing, Poll, PollResult, ballots, tally
from agents.runs.records import Event, OpenRequest, Request
from agents.runs.requests import ASKED, DECIDED
from bot.emoji import NUMBERS
from bot.report_cards import trace
from bot.values import Attachment, Button, Card, CardKind, Table, request_slot

STYLES = {"approve": "primary", "reject": "danger"}
CHANGED = "A vote can be changed, and taken back, until then."
Files = Mapping[str, Sequence[Attachment]]
NO_FILES: Files = {}
_poll = TypeAdapter(Poll)


def request_cards(
    run_id: str,
    open_requests: Sequence[OpenRequest],
    events: Sequence[Event],
    files: Files = NO_FILES,
) -> dict[str, Card]:
    """The card of everything that a run asked, by slot. `files` are attached to requests, by their names."""
    details = [(event.kind, json.loads(event.detail)) for event in events if event.kind in (ASKED, DECIDED)]
    questions = {detail["name"]: detail["question"] for kind, detail in details if kind == ASKED}
    polls = polls_of(events)
    cast = {name: _cast(poll, name, events) for name, poll in polls.items()}
    cards = {asked.name: _open(asked, cast.get(asked.name, ())) for asked in open_requests}
    for kind, detail in details:
        name = detail["name"]
        if kind != DECIDED or name in cards:
            continue
        if poll := polls.get(name):
            cards[name] = _counted(run_id, PollResult(poll, cast[name], Closing(detail["choice"])))
        else:
            told = "Nobody decided in time" if detail["timed_out"] else f"Decided by {detail['by']}"
            shown = f" (shown: SHA-256 {detail['shown'][:16]})" if name in files else ""
            cards[name] = _closed(run_id, questions.get(name, ""), f"{told}: **{detail['choice']}**{shown}")
    return {
        request_slot(run_id, name): replace(card, parts=(*card.parts, *files.get(name, ())))
        for name, card in cards.items()
    }


def polls_of(events: Sequence[Event]) -> Mapping[str, Poll]:
    """The polls that a run has held, by name."""
    asked = (json.loads(event.detail) for event in events if event.kind == ASKED)
    return {one["name"]: _poll.validate_python(one["poll"]) for one in asked if "poll" in one}


def _cast(poll: Poll, name: str, events: Sequence[Event]) -> tuple[Ballot, ...]:
    return ballots(poll, name, ((event.detail, event.at) for event in events if event.kind == VOTED))


def _open(asked: OpenRequest, cast: Sequence[Ballot]) -> Card:
    request, run_id = asked.request, asked.run_id
    poll = request.poll
    return Card(
        CardKind.REQUEST,
        title="Please vote" if poll else "A decision is needed",
        text=request.question,
        parts=(_standing(poll, cast),) if poll else (),
        notes=_rules(poll, len(cast), _minute(asked.due)) if poll else _notes(request, asked.due),
        buttons=_ballot(asked, poll) if poll else _choices(asked),
        footer=trace(run_id) + (f" · for {request.who}" if request.who else ""),
        who="" if poll else request.who,
        run_id=run_id,
    )


def _choices(asked: OpenRequest) -> tuple[Button, ...]:
    name = f"{asked.run_id} {asked.name}"
    options = asked.request.options
    return tuple(Button(one, "answer", f"{name} {one}", STYLES.get(one, "")) for one in options)


def _notes(request: Request, due: str) -> tuple[str, ...]:
    notes = [f"It touches {one}." for one in request.touches]
    if request.attachments:
        notes.append("Decide on what is attached: the decision holds for exactly that.")
    if due:
        then = "the run stops" if request.otherwise is None else f"it goes on with “{request.otherwise}”"
        notes.append(f"Without a decision by {_minute(due)} UTC {then}.")
    if not request.options:
        notes.append("Write `answer: …` in this thread.")
    return tuple(notes)


def _ballot(asked: OpenRequest, poll: Poll) -> tuple[Button, ...]:
    name = f"{asked.run_id} {asked.name}"
    options = enumerate(poll.options, start=1)
    buttons = (Button(f"{NUMBERS[number - 1]} {one}", "vote", f"{name} {number}") for number, one in options)
    return (*buttons, Button("Take back my vote", "vote", f"{name} 0"))


def _standing(poll: Poll, cast: Sequence[Ballot]) -> Table:
    """How a poll stands: each option with its ballots, and whose they are."""
    rows = enumerate(tally(poll, cast).items(), start=1)
    who = {option: [one.by for one in cast if option in one.choices] for option in poll.options}
    told = ((str(number), option, str(count), ", ".join(who[option])) for number, (option, count) in rows)
    return Table("", ("No.", "Option", "Votes", "Who"), tuple(told))


def _rules(poll: Poll, cast: int, due: str) -> tuple[str, ...]:
    """What closes a poll, who may vote, and how."""
    closing = {
        Closing.ALL: f"when all {len(poll.voters)} have voted",
        Closing.QUORUM: f"when {poll.quorum} {'has' if poll.quorum == 1 else 'have'} voted",
        Closing.MAJORITY: f"when {poll.quorum} or more have voted and more than half agree",
        Closing.DEADLINE: f"at {due} UTC; it counts with {poll.quorum} or more",
    }[poll.closes]
    at_most = f", at {due} UTC in any case" if due and poll.closes is not Closing.DEADLINE else ""
    who = (f"{', '.join(poll.voters)} may vote.",) if poll.voters else ()
    how = "numbers, as `vote 1, 2`" if poll.several else "number, as `vote 1`"
    told = f"It closes {closing}{at_most}; {cast} {'has' if cast == 1 else 'have'} voted so far."
    return (*who, told, f"Press a button, or write the {how}; in a chat its emoji counts too. {CHANGED}")


def _counted(run_id: str, result: PollResult) -> Card:
    """A poll that is closed."""
    told = f"Most want **{result.winner}**." if result.winner else "It is a tie."
    if not result.quorate:
        told = f"No result: {len(result.ballots)} voted, and {result.poll.quorum} were needed."
    card = _closed(run_id, result.poll.question, told, "The poll is closed")
    parts = (_standing(result.poll, result.ballots),)
    return Card(card.kind, card.title, card.text, parts=parts, footer=card.footer, run_id=run_id)


def _closed(run_id: str, question: str, told: str, title: str = "Decided") -> Card:
    text = "\n\n".join(filter(None, (question, told)))
    return Card(CardKind.REQUEST, title=title, text=text, footer=trace(run_id), run_id=run_id)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
