"""Words, runs of words, rows and rules on a page: points from its top left, y downwards, text upright."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from retrieval.parse.blocks import Block

MARKERS = frozenset("*#†‡§¶")


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a blank between them. `size` is the font size; `turned` words are not upright."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool = False
    turned: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """Centre of the box."""
        return (self.x0 + self.x1) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Rule:
    """A drawn line, or the edge of a box: horizontal or vertical."""

    x0: float
    top: float
    x1: float
    bottom: float

    @property
    def horizontal(self) -> bool:
        """Whether it is wider than high."""
        return self.x1 - self.x0 >= self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page: words in the order of the file, rules, and bookmarks as (depth, title) in `outline`."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...] = ()
    rules: tuple[Rule, ...] = ()
    outline: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class TextRun:
    """Words of one row without a wide gap between them."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        """Words with single blanks."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.words[0].x0

    @cached_property
    def x1(self) -> float:
        """Right edge."""
        return max(word.x1 for word in self.words)

    @cached_property
    def top(self) -> float:
        """Upper edge."""
        return min(word.top for word in self.words)

    @cached_property
    def bottom(self) -> float:
        """Lower edge."""
        return max(word.bottom for word in self.words)

    @cached_property
    def size(self) -> float:
        """Font size of most of its characters."""
        return weighted_mode((round(word.size, 1), len(word.text)) for word in self.words)

    @cached_property
    def bold(self) -> bool:
        """Whether all its letters are bold."""
        return all(word.bold for word in self.words if any(map(str.isalnum, word.text)))


@dataclass(frozen=True, slots=True)
class Row:
    """Runs on one line of the page, left to right."""

    runs: tuple[TextRun, ...]
    words: tuple[Word, ...] = field(default=(), repr=False)

    @property
    def top(self) -> float:
        """Upper edge."""
        return min(run.top for run in self.runs)

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return max(run.bottom for run in self.runs)

    @property
    def middle(self) -> float:
        """Height of its centre."""
        return (self.top + self.bottom) / 2

    @property
    def size(self) -> float:
        """Largest font size."""
        return max(run.size for run in self.runs)


@dataclass(frozen=True, slots=True)
class Placed:
    """A table, with notes that belong above it, and its box on the page."""

    blocks: tuple[Block, ...]
    x0: float
    top: float
    x1: float
    bottom: float


def weighted_mode(values: Iterable[tuple[float, int]]) -> float:
    """The value with the most weight; 0.0 for none."""
    weights = Counter[float]()
    for value, weight in values:
        weights[value] += weight
    return max(weights, key=weights.__getitem__, default=0.0)


def lines_of_words(words: Iterable[Word]) -> list[list[Word]]:
    """Words grouped by the line they stand on, top to bottom, each line left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.middle[1], word.x0)):
        for line in reversed(lines[-4:]):
            if _same_line(line[0], word):
                line.append(word)
                break
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.x0) for line in lines]


def _same_line(a: Word, b: Word) -> bool:
    """Whether two words overlap in height, boxes no higher than the font: those of close lines overlap."""
    a_half, b_half = (min(word.size, word.bottom - word.top) / 2 for word in (a, b))
    a_middle, b_middle = a.middle[1], b.middle[1]
    overlap = min(a_middle + a_half, b_middle + b_half) - max(a_middle - a_half, b_middle - b_half)
    return overlap > min(a_half, b_half)


def split(line: Sequence[Word], gap: float) -> Row:
    """A row parted into runs where a gap is over `gap` font sizes wide. Footnote marks stay attached."""
    groups = [[line[0]]]
    for left, right in pairwise(line):
        size = max(left.size, right.size)
        limit = 3.0 if set(right.text) <= MARKERS else gap
        if right.x0 - max(word.x1 for word in groups[-1]) > limit * size:
            groups.append([right])
        else:
            groups[-1].append(right)
    return Row(tuple(TextRun(tuple(group)) for group in groups), tuple(line))


def rows_of(words: Iterable[Word], gap: float) -> list[Row]:
    """Rows of a region, top to bottom."""
    return [split(line, gap) for line in lines_of_words(words)]


def cluster(values: Iterable[float], tolerance: float) -> list[float]:
    """Means of groups of values that lie within `tolerance` of their neighbour, ascending."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= tolerance:
            groups[-1].append(value)
        else:
            groups.append([value])
    return [sum(group) / len(group) for group in groups]
