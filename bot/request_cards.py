"""Cards of what a run asks people: a question with its choices, and later what was decided."""

import json
from collections.abc import Sequence

from agents.runs.records import Event, OpenRequest
from agents.runs.requests import ASKED, DECIDED
from bot.report_cards import trace
from bot.values import Button, Card, CardKind, request_slot

STYLES = {"approve": "primary", "reject": "danger"}


def request_cards(
    run_id: str, open_requests: Sequence[OpenRequest], events: Sequence[Event]
) -> dict[str, Card]:
    """The card of everything that a run asked, by slot."""
    details = [(event.kind, json.loads(event.detail)) for event in events if event.kind in (ASKED, DECIDED)]
    questions = {detail["name"]: detail["question"] for kind, detail in details if kind == ASKED}
    cards = {asked.name: _open(asked) for asked in open_requests}
    for kind, detail in details:
        name = detail["name"]
        if kind == DECIDED and name not in cards:
            told = "Nobody decided in time" if detail["timed_out"] else f"Decided by {detail['by']}"
            cards[name] = _closed(run_id, questions.get(name, ""), f"{told}: **{detail['choice']}**")
    return {request_slot(run_id, name): card for name, card in cards.items()}


def _open(asked: OpenRequest) -> Card:
    request, run_id = asked.request, asked.run_id
    notes = []
    if asked.due:
        then = "the run stops" if request.otherwise is None else f"it goes on with “{request.otherwise}”"
        notes.append(f"Without a decision by {asked.due[:16].replace('T', ' ')} UTC {then}.")
    if not request.options:
        notes.append("Write `answer: …` in this thread.")
    return Card(
        CardKind.REQUEST,
        title="A decision is needed",
        text=request.question,
        notes=tuple(notes),
        buttons=tuple(
            Button(option, "answer", f"{run_id} {asked.name} {option}", STYLES.get(option, ""))
            for option in request.options
        ),
        footer=trace(run_id) + (f" · for {request.who}" if request.who else ""),
        who=request.who,
        run_id=run_id,
    )


def _closed(run_id: str, question: str, told: str) -> Card:
    text = "\n\n".join(filter(None, (question, told)))
    return Card(CardKind.REQUEST, title="Decided", text=text, footer=trace(run_id), run_id=run_id)
