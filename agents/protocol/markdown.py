"""A protocol in Markdown, as a model writes it, in parts and steps, and these as blocks of a report."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.protocol.values import ProtocolPart, ProtocolStep
from agents.protocol.whose import origin_of
from agents.reports.markdown import text_of
from agents.reports.values import Block, Cell, Code, Heading, Points, Prose, Statement, Table
from retrieval.markdown import DELIMITER, cells

FENCE = "```"
NAMED = 40
"""Characters of the id of a part."""
OTHERS = ("study", "checks", "hazards", "repeat", "search", "datasets", "articles")
"""Sections of the report that are no parts of the protocol."""
_HEAD = re.compile(r"##? +(?P<heading>\S.*)")
_NUMBER = re.compile(r"(\d+)[.)] +")
_BEGINS = re.compile(rf"(?:\d+[.)]|[-*]|#{{3,}}) +\S|[1-9]\d?\.\d\d? +(?:\*\*|[A-Z]\w)|{FENCE}")
"""How a step, an item, a smaller heading or a program begins."""


def parts_in(text: str, by: str) -> tuple[ProtocolPart, ...]:
    """The parts below the headings of a text; each rests on those before it. A step is a numbered item with
    what is indented below it, a paragraph, a table or a program, as it is written.
    """
    drawn: list[tuple[str, list[str]]] = [("Protocol", [])]
    fenced = False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith(FENCE)
        if (head := _HEAD.fullmatch(line)) and not fenced:
            drawn.append((head["heading"].strip(), []))
        else:
            drawn[-1][1].append(line.rstrip())
    parts: list[ProtocolPart] = []
    for heading, lines in drawn:
        if steps := tuple(map(ProtocolStep, _steps(lines))):
            before = tuple(one.id for one in parts)
            parts.append(ProtocolPart(_id(heading, before), heading, "", steps, "", before, by))
    return tuple(parts)


def _id(heading: str, taken: Sequence[str]) -> str:
    """Words of a heading, unlike those that are taken and those of sections that code writes."""
    words = "-".join(re.findall(r"[a-z][a-z0-9]*", heading.casefold()))[:NAMED].strip("-")
    free = words and words not in (*taken, *OTHERS) and not words.startswith("task")
    return words if free else f"part-{len(taken) + 1}"


def _steps(lines: Iterable[str]) -> Iterator[str]:
    made: list[list[str]] = []
    fenced, apart = False, True
    for line in lines:
        if not line and not fenced:
            apart = True
            continue
        headed = bool(made) and made[-1][-1].startswith("###")
        begins = headed or bool(_BEGINS.match(line)) or (apart and not line[:1].isspace())
        if not made or (not fenced and (begins or _is_row(line) != _is_row(made[-1][-1]))):
            made.append([])
        made[-1].append(line)
        fence = line.lstrip().startswith(FENCE)
        fenced ^= fence
        apart = fence and not fenced
    yield from map("\n".join, made)


def _is_row(line: str) -> bool:
    return line.startswith("|")


def text_in(part: ProtocolPart) -> str:
    """A part in Markdown."""
    return "\n\n".join((f"## {part.heading}", *(one.text for one in part.steps)))


def edited(text: str, edits: Iterable[tuple[str, str]]) -> tuple[str, list[str]]:
    """A text after edits, old text and new, one after the other; and the old texts that do not stand in it
    exactly once. Words between the first and the last of an old text may be left out (" … ").
    """
    left = []
    for old, new in edits:
        pieces = (r"\s+".join(map(re.escape, piece.split())) for piece in re.split(r"\s…\s", old))
        found = list(re.finditer(r"[\s\S]*?".join(pieces), text)) if old.strip() else []
        if len(found) == 1:
            text = f"{text[: found[0].start()]}{new}{text[found[0].end() :]}"
        else:
            left.append(old)
    return text, left


def blocks_of(title: str, steps: Iterable[Statement]) -> Iterator[Block]:
    """Steps in Markdown as blocks; a number goes where its list counts it, and else stays before its text."""
    points = Points(())
    for one in steps:
        number, text = _NUMBER.match(one.text), one.text
        place = int(number[1]) if number else 0
        follows = points.numbered and place == len(points.statements) + 1
        numbered = follows or place == 1
        block = None if numbered else Prose((one,)) if number else _other(title, text)
        if points.statements and not follows and (block or points.numbered or numbered):
            yield points
            points = Points(())
        if block:
            yield block
            continue
        text = text[number.end() :] if number else re.sub(r"\A[-*] +", "", text)
        points = Points((*points.statements, replace(one, text=text)), numbered=numbered)
    if points.statements:
        yield points


def _other(title: str, text: str) -> Block | None:
    """A table, a program or a smaller heading; None for a text."""
    first, *rest = text.split("\n")
    if first.startswith("###"):
        return Heading(first.lstrip("# "), 3)
    if first.startswith(FENCE):
        return Code(
            first.strip("` "), "\n".join(rest).removesuffix(FENCE).rstrip(), origin=origin_of("model")
        )
    if not _is_row(first) or not rest:
        return None
    head, *rows = (cells(line) for line in (first, *rest) if not DELIMITER.fullmatch(line))
    held = (tuple(Cell(one) for one in (*row, *("" for _ in head))[: len(head)]) for row in rows)
    return Table(title, head, tuple(held), origin_of("model"))


def markdown_of(blocks: Iterable[Block]) -> str:
    """Blocks in Markdown, tables and programs too."""
    return "\n\n".join(filter(None, map(_written, blocks)))


def _written(block: Block) -> str:
    if isinstance(block, Table):
        rows = ([cell.text for cell in row] for row in block.rows)
        lines = (block.columns, ["---" for _ in block.columns], *rows)
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if isinstance(block, Code):
        return f"{FENCE}{block.language}\n{block.text}\n{FENCE}"
    return text_of((block,))
