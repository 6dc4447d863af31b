"""Parts of a card in words, for a skin that cannot draw them."""

import re
from collections.abc import Sequence

from agents.reports.marked import cited
from agents.reports.values import Code, Figure, Structure
from bot.values import Attachment, Source, Step, Table
from retrieval.text.ranges import in_ranges

STEP_MARKS = {"waiting": "○", "running": "◐", "done": "●", "failed": "✕"}
NOT_DRAWN = "not drawn, as this is not a valid SMILES, or its molecule is too large."
HEADS = re.compile(r"(?:, Table [^›]*?)?, heads: .*$", re.DOTALL)


def in_words(part: Figure | Structure | Code | Attachment) -> str:
    """A picture, a structure, a program or an attached file as Markdown."""
    if isinstance(part, Attachment):
        shown = _fenced(part.text) if part.text else "It follows as a file, or is on the page."
        return f"**{part.told}**\n\n{shown}"
    if isinstance(part, Figure):
        return cited(f"**{part.noun}: {part.title}** {part.text}".strip(), part.citations)
    if isinstance(part, Structure):
        return cited(f"**Structure: {part.name or 'without a name'}** `{part.smiles}`", part.citations)
    output = f"\n\n{_fenced(part.output)}" if part.output else ""
    return f"{_fenced(part.text, part.language)}{output}"


def without_file(part: Table | Figure | Structure | Attachment) -> str:
    """What stands in place of a part's file where there is none; the card before has the part in words."""
    if isinstance(part, Structure):
        return f"{part.name or 'The molecule'}: {NOT_DRAWN}"
    if isinstance(part, Attachment):
        return part.told
    return part.title if isinstance(part, Table) else in_words(part)


def _fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def step_line(step: Step) -> str:
    """A step with its state, its time and what it says of itself."""
    return f"{STEP_MARKS[step.state]} {step.told}"


def cited_records(sources: Sequence[Source]) -> str:
    """Whose records a section cites, each once with its numbers; `sources` shows what they say."""
    numbers: dict[str, list[int]] = {}
    for one in sorted(sources, key=lambda one: one.number):
        numbers.setdefault(one.title, []).append(one.number)
    return "\n".join(f"[{in_ranges(of)}] {title}" for title, of in numbers.items())


def source_line(source: Source, before: Source | None = None) -> str:
    """A source in a line: document, place, and the title once a document."""
    place = ", ".join(filter(None, (source.doc_id, short_place(source, before))))
    again = before is not None and before.doc_id == source.doc_id
    known = again or source.titled or source.title == source.doc_id
    return place if known else f"{place} · {source.title}"


def short_place(source: Source, before: Source | None = None) -> str:
    """Where a quote stands in its document, without the title that its headings begin with.

    The caption and the heads of a table are left out where the text tells the row with them, and where the
    source before had them.
    """
    place = source.place
    if source.told or source.folded or (before is not None and before.place == place):
        place = HEADS.sub("", place)
    found = re.match(r"(page \d+, )?(.*?) › (.*)", place, re.DOTALL)
    if found and source.title.startswith(found[2]):
        return f"{found[1] or ''}{found[3]}"
    return "" if place == source.title else place
