"""From neutral cards to HTML. Everything is escaped; Markdown may make paragraphs, lists and emphasis, never
HTML or links.
"""

import re
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup, escape

from adapters.markdown import reader
from adapters.structures import in_words
from adapters.web.board import Post
from adapters.web.drawings import drawing_address
from agents.reports.marked import CITED, typed
from bot.report_cards import trace
from bot.values import Card, CardKind, Source
from bot.words import short_place

SAID = {"👍": "helpful", "👎": "not right"}
MORE = re.compile(r"([0-9]+ more passages?): write `sources` · ")
THUMBS = re.compile("([👍👎]) ([0-9]+)?")

_markdown = reader(links=False)


def environment() -> Environment:
    """The templates, with autoescape and the filters below."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters |= {one.__name__: one for one in (markdown, cited, inline, in_words, footnote, more)}
    jinja.filters |= {"short_place": short_place, "in_letters": in_letters, "drawing": drawing_address}
    jinja.filters["marked"] = lambda text: Markup(_markdown.renderInline(typed(text)))
    jinja.tests["at_rest"] = at_rest
    return jinja


def markdown(text: str, card: Card) -> Markup:
    """A card's Markdown as HTML, its citation marks linked to the passages."""
    return _linked(_markdown.render(text), card)


def inline(text: str, card: Card) -> Markup:
    """A line of Markdown as HTML, the sources of the card that it names linked."""
    return _linked(_markdown.renderInline(typed(text)), card)


def cited(text: str, card: Card) -> Markup:
    """Plain text, escaped, its citation marks linked."""
    return _linked(str(escape(text)), card)


def _linked(html: str, card: Card) -> Markup:
    """`html` (already escaped) with each citation of a known source made a link."""
    sources = {str(source.number): source for source in card.sources}

    def link(found: re.Match[str]) -> str:
        source = sources.get(found[1])
        return _link(source) if source else f"[{found[1]}]"

    return Markup(CITED.sub(link, html))


def _link(source: Source) -> str:
    """A citation mark that opens its passage."""
    label = escape(f"Source {source.number}: {source.title}")
    address = escape(passage_address(source))
    return f'<a class="cite" href="{address}" data-open aria-label="{label}">[{source.number}]</a>'


def passage_address(source: Source) -> str:
    """Where the page shows a source in its document: of a table the one cell that is told."""
    start, end = source.cell or (source.start, source.end)
    return f"/documents/{quote(source.doc_id, safe='')}?start={start}&end={end}"


def post_html(jinja: Environment, post: Post) -> str:
    """One post of a thread."""
    return jinja.get_template("post.html").render(post=post, card=post.card, address=passage_address)


def at_rest(card: Card) -> bool:
    """Whether this is the progress of a run that is over: nothing can be done with it any more."""
    return card.kind is CardKind.PROGRESS and not card.buttons


def footnote(card: Card) -> str:
    """The footer without ids, which the trace and the log show, and without how many passages are left."""
    parts = MORE.sub("", card.footer).split(" · ")
    return in_letters(" · ".join(part for part in parts if part and not part.startswith(trace(""))))


def more(card: Card) -> str:
    """How many passages there are that the card does not show, in words; "" if none."""
    found = MORE.match(card.footer)
    return found[1] if found else ""


def in_letters(text: str) -> str:
    """A text without the signs that only some machines can draw."""
    return THUMBS.sub(lambda found: f"{found[2]} × {SAID[found[1]]}" if found[2] else "", text)
