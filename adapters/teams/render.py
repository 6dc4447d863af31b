"""From neutral cards to pages, one Teams message each. Pure. What is too long goes on on a further page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adapters.markup import MarkupLine, Run, lines_of, runs_of
from adapters.pages import groups
from adapters.teams.elements import Element, actions, button, link, opening, paragraphs, pieces, size, table
from adapters.teams.mentions import Mentioned, called
from adapters.teams.pictures import data_uri
from adapters.teams.text import message_text
from agents.counts import shortened
from agents.reports.marked import bracketed
from bot.values import Card, CardKind, OutgoingFile, Part, Source, Table, Text
from bot.words import cited_records, in_words, source_line, step_line

CARD = 24_000
"""Bytes of a page's elements; Teams refuses a card over 28 KB."""
TEXT = 6_000
"""Characters of a text that stands in the message itself, where Teams opens its citations."""
SUMMARY, ALT = 300, 1_000
OPENED = 24
"""Passages that have a button each; `sources` shows the others."""
WHOLE = 3_000
"""Characters of a passage that its button opens; a longer one is shown whole by `sources N`."""

_IN_TEXT = (CardKind.ANSWER, CardKind.SECTION)


@dataclass(frozen=True, slots=True)
class Page:
    """One message: a `text`, or a card with `body`; `summary` is what a notification says.

    It never has both: of a message with a text and a card Teams tells no id, and it could not be changed.
    `cited` are the sources that the text cites. `generated` is set where a model or a rule wrote the content.
    """

    text: str
    body: tuple[Element, ...]
    summary: str
    cited: tuple[Source, ...] = ()
    generated: bool = False
    judged: bool = False
    """Whether it asks for a judgement."""
    mentioned: Mentioned | None = None
    """Whom the card tells of itself."""


def render(card: Card, mentioned: Mentioned | None = None) -> tuple[Page, ...]:
    """The messages that show a card; at least one. The first tells who is `mentioned`."""
    text = _text(card)
    body = [*(called(mentioned) if mentioned else ()), *_body(card, in_text=bool(text))]
    parts = list(groups(body, lambda element: size(element) + 2, CARD)) or [[]]
    summary = _summary(card)
    bodies = (tuple(_continued(part, number, len(parts), card)) for number, part in enumerate(parts))
    pages = [Page("", body, summary) for body in bodies if body or not text]
    if text:
        cited = tuple(one for one in card.sources if f"[{one.number}]" in text)
        pages.insert(0, Page(text, (), summary, cited))
    judged = any(one.action == "feedback" for one in card.buttons)
    pages[0] = replace(pages[0], judged=judged, mentioned=mentioned if pages[0].body else None)
    return tuple(replace(page, generated=card.kind in _IN_TEXT) for page in pages)


def picture(file: OutgoingFile, png: bytes) -> Page:
    """A picture under its title, with what it shows for those who cannot see it."""
    title = file.title or file.name
    head = paragraphs(MarkupLine((Run(title),), heading=True))
    image = {"type": "Image", "url": data_uri(png), "altText": shortened(file.alt or title, ALT)}
    return Page("", (*head, image), shortened(title, SUMMARY))


def download(title: str, name: str, address: str) -> Page:
    """A file to be downloaded, under its title if it has one."""
    title = title or name
    head = paragraphs(MarkupLine((Run(title),), heading=True))
    more = _lines("Whoever has this link can read the file. It is good for a day.", isSubtle=True)
    return Page("", (*head, *actions([link(f"Download {name}", address)]), *more), shortened(title, SUMMARY))


def passage(source: Source) -> list[Element]:
    """A verbatim passage, and where it stands."""
    quote, more = source.quote, ""
    if len(quote) > WHOLE:
        quote, more = quote[:WHOLE], f"… `sources {source.number}` shows it whole."
    where = MarkupLine((Run(f"[{source.number}] ", bold=True), Run(source_line(source))))
    return [*paragraphs(where), *_quoted(quote), *_lines(more, isSubtle=True)]


def _text(card: Card) -> str:
    """The text of a message before the card: that of an answer, if it is short and holds no table."""
    if card.kind not in _IN_TEXT or not card.text:
        return ""
    lines = lines_of(card.text)
    told = [line for line in lines if isinstance(line, MarkupLine)]
    if len(told) < len(lines):
        return ""
    title = (MarkupLine((Run(card.title, bold=True),)),) if card.title else ()
    text = message_text((*title, *told))
    return text if len(text) <= TEXT else ""


def _body(card: Card, *, in_text: bool) -> Iterator[Element]:
    if not in_text:
        if card.title:
            yield from paragraphs(MarkupLine((Run(card.title),), heading=True), size="Large")
        yield from _markdown(card.text)
    for step in card.steps:
        yield from paragraphs(MarkupLine((Run(step_line(step)),), gap=False))
    for part in card.unfolded:
        yield from _part(part)
    yield from _listed("Not found", card.not_found)
    yield from _sources(card)
    yield from _listed("Please note", card.notes)
    yield from actions([button(one) for one in card.buttons])
    if card.footer:
        yield from _lines(card.footer, isSubtle=True, size="Small")


def _continued(part: Sequence[Element], number: int, of: int, card: Card) -> Iterator[Element]:
    """A page of several says so, at its beginning and its end."""
    title = shortened(card.title or card.kind, 100)
    if number:
        yield from _lines(f"{title}, continued ({number + 1} of {of})", isSubtle=True)
    yield from part
    if number + 1 < of:
        yield from _lines(f"Goes on in the next message ({number + 1} of {of})", isSubtle=True)


def _lines(text: str, **look: object) -> Iterator[Element]:
    """Plain text of our own, a line each; what is to be typed is set as code."""
    for line in text.split("\n") if text else ():
        told = (
            replace(run, mono=n % 2 > 0) for n, part in enumerate(line.split("`")) for run in runs_of(part)
        )
        yield from paragraphs(MarkupLine((*told,)), **look)


def _markdown(text: str) -> Iterator[Element]:
    for block in lines_of(text):
        if isinstance(block, Table):
            yield from table(block)
        else:
            yield from paragraphs(block)


def _part(part: Part) -> Iterator[Element]:
    if isinstance(part, Table):
        if part.title:
            yield from paragraphs(MarkupLine(runs_of(part.title), heading=True))
        yield from table(part)
    elif isinstance(part, Text):
        yield from _markdown(part.markdown)
    else:
        yield from _markdown(in_words(part))


def _sources(card: Card) -> Iterator[Element]:
    """Where the citations stand, and a button for each passage; the whole passages in a card of sources."""
    if card.kind is CardKind.SECTION:
        yield from _lines(cited_records(card.sources))
    for before, source in zip((None, *card.sources), card.sources, strict=False):
        if card.kind is not CardKind.SECTION:
            where = (Run(f"[{source.number}] ", bold=True), Run(source_line(source, before)))
            yield from paragraphs(MarkupLine(where, gap=False))
        if card.kind is CardKind.SOURCES:
            yield from _quoted(source.quote)
    if card.kind is not CardKind.SOURCES:
        opened = [opening(f"[{one.number}]", passage(one)) for one in card.sources[:OPENED]]
        yield from actions(opened)
        if len(card.sources) > OPENED:
            yield from _lines("`sources` shows every passage.", isSubtle=True)


def _quoted(quote: str) -> Iterator[Element]:
    for line in quote.strip().split("\n"):
        if line.strip():
            for piece in pieces(MarkupLine((Run(line),), quoted=True)):
                yield from paragraphs(piece)


def _listed(title: str, lines: tuple[str, ...]) -> Iterator[Element]:
    if lines:
        yield from paragraphs(MarkupLine((Run(title),), heading=True))
        for line in lines:
            yield from paragraphs(MarkupLine(runs_of(line), "• ", gap=False))


def _summary(card: Card) -> str:
    first = next((line.text for line in lines_of(card.text) if isinstance(line, MarkupLine)), "")
    told = f"{card.title}: {first}" if card.title and first else card.title or first
    return shortened(bracketed(" ".join(told.split())), SUMMARY) or "…"
