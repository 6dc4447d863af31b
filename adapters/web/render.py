"""From neutral cards to HTML. Everything is escaped; Markdown may make paragraphs, lists and emphasis, never
HTML or links.
"""

import re
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup, escape

from adapters.markdown import reader
from adapters.web.board import Post
from bot.values import Card, Source
from bot.words import in_words

CITATION = re.compile(r"\[(\d{1,3})\]")

_markdown = reader(links=False)


def environment() -> Environment:
    """The templates, with autoescape and the filters below."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["markdown"] = markdown
    jinja.filters["cited"] = cited
    jinja.filters["in_words"] = in_words
    return jinja


def markdown(text: str, card: Card) -> Markup:
    """A card's Markdown as HTML, its citation marks linked to the passages."""
    return _linked(_markdown.render(text), card)


def cited(text: str, card: Card) -> Markup:
    """Plain text, escaped, its citation marks linked."""
    return _linked(str(escape(text)), card)


def _linked(html: str, card: Card) -> Markup:
    """`html` (already escaped) with each known citation mark made a link."""
    sources = {str(source.number): source for source in card.sources}

    def link(found: re.Match[str]) -> str:
        source = sources.get(found[1])
        return _link(source) if source else found[0]

    return Markup(CITATION.sub(link, html))


def _link(source: Source) -> str:
    """A citation mark that opens its passage."""
    label = escape(f"Source {source.number}: {source.title}")
    address = escape(passage_address(source))
    return f'<a class="cite" href="{address}" data-open aria-label="{label}">[{source.number}]</a>'


def passage_address(source: Source) -> str:
    """Where the page shows a source in its document."""
    return f"/documents/{quote(source.doc_id, safe='')}?start={source.start}&end={source.end}"


def post_html(jinja: Environment, post: Post) -> str:
    """One post of a thread."""
    return jinja.get_template("post.html").render(post=post, card=post.card, address=passage_address)
