"""Markdown export."""

import re

from adapters.export.outline import outline
from adapters.export.parts import Grid, Heading, Paragraph, Part
from agents.kinds import RunView
from agents.reports.marked import CITED

SPECIAL = re.compile(r"([\\`*_<>#|\[\]!&~])")
CODE = re.compile(r"(`[^`\n|]+`)")
FIGURE = "Figure: "
FENCE = re.compile(r"`{3,}")
BARE_MARK = r"[\1]"
"""A citation in a text that is bold as a whole."""


def markdown(view: RunView) -> str:
    """The report as one Markdown text, without the figures, of which only captions could stand here. Text
    from documents becomes neither markup nor a link.
    """
    parts = (
        one for one in outline(view) if not (isinstance(one, Paragraph) and one.alone.startswith(FIGURE))
    )
    return "\n\n".join(map(_part, parts)) + "\n"


def _part(part: Part) -> str:
    """One part of the outline."""
    if isinstance(part, Heading):
        return f"{'#' * part.level} {escape(part.text)}"
    if isinstance(part, Grid):
        lines = [part.columns, tuple("---" for _ in part.columns), *part.rows]
        rows = "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)
        return f"**{escape(part.title)}**\n\n{rows}" if part.title else rows
    if part.style == "code":
        fence = "`" * (1 + max(map(len, FENCE.findall(part.text)), default=2))
        return f"{fence}\n{part.text}\n{fence}"
    if part.style == "strong":
        return f"**{CITED.sub(BARE_MARK, escaped(part.text))}**"
    if part.style == "caption" and not part.picture:
        return f"*{escape(part.text)}*"
    lead = {"quote": "> ", "item": "- ", "note": "> **Note:** "}.get(part.style, "")
    text = escape(part.text).replace("\n", "\n> " if part.style == "quote" else "\n")
    return lead + text


def _cell(text: str) -> str:
    """A table cell on one line."""
    return text if text == "---" else escape(text).replace("\n", " ")


def escape(text: str) -> str:
    """Text that Markdown shows as it is. Only the report's own citations are set in bold."""
    return CITED.sub(r"**[\1]**", escaped(text))


def escaped(text: str) -> str:
    """Text without markup of its own; what stands in backticks, as structures do, can be copied from there.
    Citations are still marked as in the outline.
    """
    parts = CODE.split(text)
    return "".join(one if at % 2 else SPECIAL.sub(r"\\\1", one) for at, one in enumerate(parts))
