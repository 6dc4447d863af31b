"""From words on a page to lines, paragraphs, headings and tables without rules, by geometry alone."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from retrieval.parse.tables import cell, pipe_table

TOUCH = 0.08
"""Share of the font size under which the gap between two words is none."""
GAP = 1.6
"""Widths of a character between two words beyond which they belong to different columns."""
LEADING = 1.25
"""Usual distances from one line to the next beyond which a new paragraph begins."""
TABLE_LINES = 3
LONGEST_HEADING = 110
NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+[A-Z]")
CAPTION = re.compile(r"^(?:Table|Figure|Appendix)\s+[\w.\-]+", re.IGNORECASE)
LABEL = re.compile(r"^[A-Z][\w/().,' -]{1,45}:(?=\s|$)")
"""What a line begins with that gives one value of a form: "Study Director: …"."""
LEADERS = re.compile(r"\.{5,}|(?:\. ){4,}|_{5,}")
BULLET = re.compile(r"^(?:[•●▪◦‣➢–\uf0b7\uf0a7-]|o)\s+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its box (points from the top left), font size and weight."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one baseline, left to right."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """The words, separated by blanks."""
        return " ".join(word.text for word in self.words)

    @property
    def top(self) -> float:
        """Upper edge."""
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """Font size of most of its characters."""
        sizes: Counter[float] = Counter()
        for word in self.words:
            sizes[word.size] += len(word.text)
        return sizes.most_common(1)[0][0]

    @property
    def bold(self) -> bool:
        """Whether every word is bold."""
        return all(word.bold for word in self.words)

    def segments(self) -> list[tuple[Word, ...]]:
        """The words, cut at wide gaps."""
        width = median([(word.x1 - word.x0) / len(word.text) for word in self.words])
        parts: list[list[Word]] = [[self.words[0]]]
        for left, right in pairwise(self.words):
            if right.x0 - left.x1 > max(GAP * width, 5.0) and not BULLET.match(f"{left.text} "):
                parts.append([])
            parts[-1].append(right)
        return [tuple(part) for part in parts]


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Words gathered into lines, top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (round(word.bottom), word.x0)):
        height = word.bottom - word.top
        if lines and abs(word.bottom - lines[-1][0].bottom) <= 0.45 * height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [Line(_whole(sorted(line, key=lambda word: word.x0))) for line in lines]


def _whole(words: Sequence[Word]) -> tuple[Word, ...]:
    """Words that touch are one: a change of font within a word (small capitals) is no gap."""
    joined = [words[0]]
    for word in words[1:]:
        last = joined[-1]
        if -1.0 < word.x0 - last.x1 < TOUCH * min(word.size, last.size):
            size = max(last, word, key=lambda part: len(part.text)).size
            top, bottom = min(last.top, word.top), max(last.bottom, word.bottom)
            joined[-1] = Word(
                last.text + word.text, last.x0, word.x1, top, bottom, size, last.bold and word.bold
            )
        else:
            joined.append(word)
    return tuple(joined)


def columns_of(words: Sequence[Word], width: float) -> list[list[Word]]:
    """Words by text column, left first; one list where the page has one column."""
    lines = lines_of(words)
    for x in (width * share / 100 for share in range(42, 60)):
        crossing = sum(any(word.x0 < x < word.x1 for word in line.words) for line in lines)
        both = sum(line.words[0].x1 < x < line.words[-1].x0 and len(line.segments()) == 2 for line in lines)
        if len(lines) >= 20 and both > 0.6 * len(lines) and crossing < 0.15 * len(lines):
            return [[w for w in words if (w.x0 + w.x1) / 2 < x], [w for w in words if (w.x0 + w.x1) / 2 >= x]]
    return [list(words)]


def blocks(lines: Sequence[Line], body: float) -> Iterator[tuple[float, str]]:
    """(top, Markdown) of tables, headings and paragraphs."""
    pitch = usual_pitch(lines)
    at = 0
    while at < len(lines):
        rows = table_at(lines, at, body)
        if rows:
            yield lines[at].top, table(lines[at : at + rows])
            at += rows
            continue
        end = at + 1
        if not heading(lines[at], body):
            while (
                end < len(lines)
                and follows(lines[end - 1], lines[end], body, pitch)
                and not table_at(lines, end, body)
            ):
                end += 1
        yield lines[at].top, paragraph(lines[at:end], body)
        at = end


def table(lines: Sequence[Line]) -> str:
    """Aligned lines as a pipe table; a form of labels and values as one item for each label."""
    rows = grid(lines)
    labels = [row for row in rows if LABEL.match(f"{row[0]} ")]
    if len(rows[0]) > 2 or len(labels) < 0.4 * len(rows):
        return pipe_table(rows)
    items: list[str] = []
    for row in rows:
        text = cell(" ".join(part for part in row if part))
        if LABEL.match(f"{row[0]} ") or not items:
            items.append(f"- {text}")
        else:
            items[-1] += f" {text}"
    return "\n".join(items)


def usual_pitch(lines: Sequence[Line]) -> float:
    """Distance from one baseline to the next in running text; without any, some line heights."""
    distances = [b.bottom - a.bottom for a, b in pairwise(lines) if 0 < b.bottom - a.bottom < 2.2 * a.size]
    return median(distances) if distances else 1.4 * max((line.size for line in lines), default=10.0)


def follows(above: Line, below: Line, body: float, pitch: float) -> bool:
    """Whether a line goes on with the paragraph of the line above it."""
    near = below.bottom - above.bottom < LEADING * pitch
    same = abs(above.size - below.size) < 1.0 and not heading(below, body)
    opens = BULLET.match(below.text) or CAPTION.match(below.text) or LABEL.match(below.text)
    closes = CAPTION.match(above.text) and not below.text[:1].islower()
    return near and same and not opens and not closes


def heading(line: Line, body: float) -> int:
    """Level of a heading; 0 for other lines. By numbering, else by size and weight."""
    text = line.text
    if len(text) > LONGEST_HEADING or text.endswith((".", ",", ";")) or not re.search(r"[A-Za-z]{2}", text):
        return 0
    large, strong = line.size > body * 1.12, line.bold or line.size > body * 1.12
    if strong and (found := NUMBERED.match(text)):
        return min(6, found[1].count(".") + 2)
    if CAPTION.match(text) and not large:
        return 0
    if large:
        return 1 if line.size > body * 1.6 else 2
    return 3 if line.bold and not text.endswith(":") and len(line.segments()) == 1 else 0


def paragraph(lines: Sequence[Line], body: float) -> str:
    """A heading, list item or paragraph; words cut at a line's end are joined again."""
    text = lines[0].text
    for line in lines[1:]:
        broken = re.search(r"[a-z]-$", text) and line.text[:1].islower()
        text = text[:-1] + line.text if broken else f"{text} {line.text}"
    if level := heading(lines[0], body) if len(lines) == 1 else 0:
        return f"{'#' * level} {cell(text)}"
    return f"- {cell(BULLET.sub('', text))}" if BULLET.match(text) else cell(text)


def table_at(lines: Sequence[Line], start: int, body: float) -> int:
    """How many lines from `start` form a table without rules."""
    count = 0
    for line in lines[start:]:
        if LEADERS.search(line.text) or (NUMBERED.match(line.text) and heading(line, body)):
            break
        if len(line.segments()) < 2 and not (count and _continues(line, lines[start : start + count])):
            break
        if count and line.top - lines[start + count - 1].top > 3.2 * line.size:
            break
        count += 1
    kept = lines[start : start + count]
    many = [line for line in kept if len(line.segments()) >= 2]
    if len(many) < TABLE_LINES or len(many) < 0.5 * count or not _aligned(many):
        return 0
    return count if len(grid(kept)[0]) > 1 else 0


def _continues(line: Line, above: Sequence[Line]) -> bool:
    """Whether a one-segment line lies inside a column of the lines above, not across them."""
    first = line.words[0].x0
    starts = [segment[0].x0 for row in above for segment in row.segments()[1:]]
    crosses = any(line.words[0].x0 + 2 < start < line.words[-1].x1 - 2 for start in starts)
    return not crosses and first >= min(row.words[0].x0 for row in above) - 3


def _aligned(lines: Sequence[Line]) -> bool:
    """Whether most lines share at least one column edge (left, right or middle) beyond the first."""
    edges: Counter[tuple[str, int]] = Counter()
    for line in lines:
        seen = set()
        for segment in line.segments()[1:]:
            left, right = segment[0].x0, segment[-1].x1
            seen |= {("l", round(left / 4)), ("r", round(right / 4)), ("m", round((left + right) / 8))}
        edges.update(seen)
    return bool(edges) and edges.most_common(1)[0][1] >= 0.6 * len(lines)


def grid(lines: Sequence[Line]) -> list[list[str]]:
    """The cells of a table without rules: its columns are divided where hardly any line has a word."""
    columns = columns_between(lines)
    rows: list[list[str]] = []
    for line in lines:
        row = [""] * len(columns)
        for word in line.words:
            middle = (word.x0 + word.x1) / 2
            at = next((i for i, (_, end) in enumerate(columns) if middle < end), len(columns) - 1)
            row[at] = f"{row[at]} {word.text}".strip()
        rows.append(row)
    return rows


def columns_between(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """(from, to) of the columns. A title that spans several columns does not join them: a fifth may cross."""
    words = [word for line in lines for word in line.words]
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    width = median([(word.x1 - word.x0) / len(word.text) for word in words])
    covered = [0] * (int(right - left) + 2)
    for line in lines:
        for x in {x for word in line.words for x in range(int(word.x0 - left), int(word.x1 - left) + 1)}:
            covered[x] += 1
    most = max(0, len(lines) // 5 if len(lines) >= 5 else 0)
    free = [count <= most for count in covered]
    edges, start = [left], None
    for x, empty in enumerate([*free, False]):
        if empty and start is None:
            start = x
        elif not empty and start is not None:
            if x - start >= max(0.9 * width, 3.0) and start > 0 and x < len(free):
                edges.append(left + (start + x) / 2)
            start = None
    return list(pairwise([*edges, right + 1.0]))
