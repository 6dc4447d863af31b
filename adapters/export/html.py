"""HTML export: the report as one file that needs nothing else, with navigation and charts, light and dark."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from adapters.export.back_matter import EVIDENCE
from adapters.export.outline import outline
from adapters.export.parts import Grid, Heading, Paragraph, Part
from agents.counts import number_of
from agents.kinds import RunView
from agents.reports.marked import CITED

STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
_TAGS = {"quote": "blockquote", "code": "pre"}


def html(view: RunView, pictures: Mapping[str, bytes]) -> bytes:
    """The report as one HTML page. `pictures` are the files of its figures, by content hash.

    It loads nothing and runs no script; text from documents becomes neither markup nor a link.
    """
    parts = list(outline(view))
    title = next((part.text for part in parts if isinstance(part, Heading)), view.asked)
    body = "\n".join(_body(parts, pictures))
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{_plain(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f"{_navigation(parts)}\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
    return page.encode("utf-8", "replace")


def _navigation(parts: Sequence[Part]) -> str:
    """A link to each section."""
    links = (
        f'<li><a href="#{_anchor(part.text)}">{_plain(part.text)}</a></li>'
        for part in parts
        if isinstance(part, Heading) and part.level == 2
    )
    return f'<nav aria-label="Sections"><ol>{"".join(links)}</ol></nav>'


def _body(parts: Sequence[Part], pictures: Mapping[str, bytes]) -> Iterator[str]:
    """Every part, sections in elements of their own; items of a list together."""
    within, inside, listing = "", False, False
    for part in parts:
        is_item = isinstance(part, Paragraph) and part.style == "item"
        if is_item is not listing:
            yield "<ul>" if is_item else "</ul>"
            listing = is_item
        if isinstance(part, Heading) and part.level == 2:
            yield f'{"</section>" if inside else ""}<section id="{_anchor(part.text)}">'
            within, inside = part.text, True
        yield _part(part, pictures, evidence=within == EVIDENCE)
    yield f"{'</ul>' if listing else ''}{'</section>' if inside else ''}"


def _part(part: Part, pictures: Mapping[str, bytes], *, evidence: bool) -> str:
    if isinstance(part, Heading):
        return f"<h{part.level}>{_text(part.text)}</h{part.level}>"
    if isinstance(part, Grid):
        return _table(part, evidence=evidence)
    if part.picture in pictures:
        return _figure(part, pictures)
    if part.style == "item":
        return f"<li>{_text(part.text)}</li>"
    text = f"<strong>{_text(part.text)}</strong>" if part.style == "strong" else _text(part.text)
    tag = _TAGS.get(part.style, "p")
    return f'<{tag} class="{part.style}">{text}</{tag}>' if part.style else f"<p>{text}</p>"


def _figure(part: Paragraph, pictures: Mapping[str, bytes]) -> str:
    """A picture in light and dark, its description as alternative text."""
    told = _plain(CITED.sub("", part.text))
    dark = pictures.get(part.dark)
    source = f'<source srcset="{_inline(dark)}" media="(prefers-color-scheme: dark)">' if dark else ""
    shown = f'<picture>{source}<img src="{_inline(pictures[part.picture])}" alt="{told}"></picture>'
    return f"<figure>{shown}<figcaption>{_text(part.alone or part.text)}</figcaption></figure>"


def _inline(data: bytes) -> str:
    kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _table(grid: Grid, *, evidence: bool) -> str:
    """A table; on a narrow screen each row stands by itself, its cells under their heads."""
    head = "".join(f'<th scope="col">{_text(column)}</th>' for column in grid.columns)
    rows = "".join(
        f"<tr{_row_id(row) if evidence else ''}>"
        + "".join(
            f'<td data-head="{_plain(column)}">{_text(cell, links=not evidence)}</td>'
            for column, cell in zip(grid.columns, row, strict=True)
        )
        + "</tr>"
        for row in grid.rows
    )
    caption = f"<caption>{_text(grid.title)}</caption>" if grid.title and not grid.folded else ""
    table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    count = number_of(len(grid.rows), "row")
    return f"<details><summary>{_text(grid.title)}, {count}</summary>{table}</details>" * grid.folded or table


def _row_id(row: Sequence[str]) -> str:
    found = CITED.search(row[0])
    return f' id="e{found[1]}"' if found else ""


def _text(text: str, *, links: bool = True) -> str:
    """Text, escaped; the report's own citations lead to their line of evidence."""
    made = r'<a class="cite" href="#e\1">\1</a>' if links else r"\1"
    return CITED.sub(made, escape(text)).replace("\n", "<br>")


def _plain(text: str) -> str:
    return escape(CITED.sub("", text), quote=True)


def _anchor(text: str) -> str:
    """A name for a heading in an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "section"
