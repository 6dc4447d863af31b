"""`pestle extract-events`: the adverse events of a text, as preferred terms; and learning them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from adapters.cli.session import JsonFile, console, load, write, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.vigilance.extraction.model import LearntExtraction
    from agents.vigilance.extraction.values import Event

LEARNT = "adverse-events.json"
"""What was learnt, in the home folder."""
STANDARD_INPUT = "-"
ADVERSE = "adverse_reactions"


def extract_events_command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A text file, or - for standard input.")],
    section: Annotated[
        str, typer.Option(help="What section of a label it is: adverse_reactions, warnings, boxed_warning.")
    ] = ADVERSE,
    json_file: JsonFile = None,
) -> None:
    """Find the adverse events in a section of a drug's label.

    With what `pestle learn-events` learnt they are preferred terms; without it a generic rule takes what
    looks like an event in lists and tables, in the label's own words.
    """
    from agents.vigilance.extraction.rule import by_rule

    text = _text(file)
    learnt = _learnt()
    events = learnt.events(text, section) if learnt else by_rule(text, section)
    how = f"learnt on {learnt.learnt_on}" if learnt else "by the generic rule; nothing was learnt"
    console.tell(f"{len(events)} adverse events, {how}", wrap=True)
    for event in events:
        console.print(_line(event, bool(learnt)), highlight=False)
    write_json(json_file, {"how": how, "section": section, "events": events})


def learn_events_command(
    source: Annotated[
        Path, typer.Argument(help="A folder or file of annotated label sections, in the form of TAC 2017.")
    ],
) -> None:
    """Learn adverse events from label sections in which experts marked them.

    What was learnt stays in the home folder and is used by `pestle extract-events` from now on.
    """
    from agents.vigilance.evaluate.annotated import read_annotated
    from agents.vigilance.extraction.model import learn

    sections = read_annotated(source)
    labels = len({one.label for one in sections})
    learnt = learn(sections, f"{source.name}: {labels} labels, {len(sections)} sections")
    path = load().home / LEARNT
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, learnt.as_json().encode())
    told = f"{len(learnt.lexicon.terms)} phrases of {len(set(learnt.lexicon.terms.values()))} preferred terms"
    console.tell(f"Learnt on {learnt.learnt_on}: {told}. Kept in {path}.", wrap=True)


def _text(file: str) -> str:
    if file == STANDARD_INPUT:
        return sys.stdin.read()
    try:
        return Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{file} cannot be read as text.") from error


def _learnt() -> LearntExtraction | None:
    from agents.vigilance.extraction.model import read_learnt

    path = load().home / LEARNT
    return read_learnt(path.read_text("utf-8")) if path.is_file() else None


def _line(event: Event, scored: bool) -> str:
    score = f" {event.score:.2f}" if scored else ""
    mention = " ".join(event.mention.split())
    told = "" if mention.lower() == event.term.lower() else f"  “{escape(mention)}”"
    return f"{escape(event.term)}{score}{told}"
