"""A debate as a text, round by round."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from agents.minds.debate import Entry, Floor, Vote


def transcript(floor: Floor[Any], head: Sequence[str]) -> str:
    """All that was said, as Markdown; `head` are lines on the task and on who took part."""
    parts = {
        "Proposals to the chair": [
            _proposed(Entry(f"P{at}", one, 0)) for at, one in enumerate(floor.waiting, 1)
        ],
        **{f"Round {vote.round}": list(_round(floor, vote)) for vote in floor.votes},
        "Vetoed": [f"- {one}" for one in floor.vetoed],
        "Sent back": [f"- {one.proposal.by}: {one.proposal.what}: {one.reason}" for one in floor.returned],
        "People": [f"- {one.who}: {one.text}\n  - {one.answered_by}: {one.answer}" for one in floor.remarks],
    }
    told = ([f"## {name}", "", *lines, ""] for name, lines in parts.items() if lines)
    return "\n".join(("# Transcript", "", *head, *chain.from_iterable(told)))


def _round(floor: Floor[Any], vote: Vote) -> Iterator[str]:
    yield from (_proposed(one) for one in floor.entries if one.round == vote.round)
    came = {one.id for one in floor.entries if one.round <= vote.round}
    said = (one for one in floor.critiques if one.entry in came or not floor.entry(one.entry))
    yield from (f"- {one.by} on {one.entry}: {one.text}" for one in said)
    for ballot in vote.ballots:
        scores = ", ".join(f"{one.entry} {one.mean:.1f}" for one in ballot.scores)
        yield f"- vote of {ballot.voter}: {scores}"
    agreed = "" if vote.agreement is None else f" (Kendall's W {vote.agreement:.2f})"
    yield f"- ranking: {', '.join(one.entry for one in vote.places)}{agreed}"


def _proposed(entry: Entry) -> str:
    one = entry.proposal
    source = f" from {one.parent}" if one.parent else ""
    return f"- {entry.id} `{one.what}` by {one.by} ({one.by_mind}){source}: {one.change}. {one.why}"
