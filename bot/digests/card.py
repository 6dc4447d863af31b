"""From what a digest tells to a neutral card. Pure."""

from dataclasses import replace
from datetime import datetime

from agents.reports.marked import cited
from bot.digests.schedule import render_moment
from bot.digests.values import ChangedAnswer, Contents, Digest
from bot.values import Button, Card, CardKind, Source

LISTED = 20
"""Documents that a card names; of more it says how many there are."""


def digest_card(digest: Digest, contents: Contents, now: datetime, *, preview: bool = False) -> Card | None:
    """What a digest says; None where there is nothing to say and no line was asked for."""
    if contents.empty and not digest.heartbeat and not preview:
        return None
    sources, changed = _numbered(contents.answers)
    parts = (
        _documents(contents),
        _listed("Answers that changed", [_answer(one) for one in changed]),
        _listed("Watched labels", contents.labels),
        _listed("Waiting for people", [one.told for one in contents.reviews]),
        _listed("Not looked at", contents.failed),
    )
    about = f": {digest.about}" if digest.about else ""
    return Card(
        CardKind.NOTICE,
        title=f"{'Preview of digest' if preview else 'Digest'} {digest.number}{about}",
        text="\n\n".join(filter(None, parts)) or _nothing(digest),
        sources=sources,
        buttons=() if preview else _buttons(digest),
        footer=f"{render_moment(now, digest.schedule)} · {digest.schedule.text}",
        about=digest.about,
        goes_on=contents.answers[0].run_id if len(contents.answers) == 1 else "",
    )


def list_card(digests: list[Digest], said: str = "") -> Card:
    """The digests of a channel with what they can be told by, each with a button that mutes it."""
    lines = [_line(one) for one in digests]
    none = 'This channel has no digest. `digest "every weekday 08:30 Europe/Zurich" about AB-123` orders one.'
    return Card(
        CardKind.NOTICE,
        title="Digests of this channel",
        text="\n\n".join(filter(None, (said, "\n".join(lines) or none))),
        buttons=tuple(button for one in digests[:2] for button in _buttons(one)),
    )


def _line(digest: Digest) -> str:
    due = render_moment(datetime.fromisoformat(digest.due), digest.schedule)
    state = "muted" if digest.muted else f"next {due}"
    about = f" about {digest.about}" if digest.about else ""
    beats = ", a line also when nothing is new" if digest.heartbeat else ""
    return f"- **{digest.number}** {digest.schedule.text}{about}: {state}{beats} (by {digest.by})"


def _buttons(digest: Digest) -> tuple[Button, ...]:
    number = digest.number
    mute = ("Unmute", "unmute") if digest.muted else ("Mute", "mute")
    return (
        Button(f"{mute[0]} {number}", "digest", f"- {mute[1]} {number}"),
        Button(f"Delete {number}", "digest", f"- delete {number}", "danger"),
    )


def _documents(contents: Contents) -> str:
    lines = [
        f"{_line_of(one.title)} ({one.doc_id}{', changed' if one.changed else ''})"
        for one in contents.documents[:LISTED]
    ]
    if more := len(contents.documents) - LISTED:
        lines += [f"and {more} more: `pestle documents` lists them"] if more > 0 else []
    return _listed(f"New documents ({len(contents.documents)})", lines)


def _answer(one: ChangedAnswer) -> str:
    marks = tuple(source.number for source in one.evidence)
    told, before = cited(_line_of(one.after), marks), _line_of(one.before)
    told = f"**Now:** {told} Before: {before}" if before else f"**Now:** {told}"
    told = cited("**Other passages now**", marks) if one.before == one.after else told
    return f"{_line_of(one.asked)} {told} (run {one.run_id})"


def _numbered(answers: tuple[ChangedAnswer, ...]) -> tuple[tuple[Source, ...], list[ChangedAnswer]]:
    """The sources of all answers under numbers of their own."""
    sources: list[Source] = []
    changed = []
    for one in answers:
        own = [replace(source, number=len(sources) + i) for i, source in enumerate(one.evidence, start=1)]
        sources += own
        changed.append(replace(one, evidence=tuple(own)))
    return tuple(sources), changed


def _nothing(digest: Digest) -> str:
    since = digest.baseline.since
    when = f" since {render_moment(datetime.fromisoformat(since), digest.schedule)}" if since else ""
    return f"Nothing is new{when}."


def _listed(title: str, lines: list[str] | tuple[str, ...]) -> str:
    return f"**{title}**\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def _line_of(text: str) -> str:
    return " ".join(text.split())
