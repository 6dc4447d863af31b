"""Lines that a question names: rows ("Diarrhoea" after diarrhoea), and lines with its rare words.

A row says little in words, so that sentences outrank it; yet it is what was asked for. Some texts hold
tables without bars, whose cells blanks keep apart.
"""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from agents.archive.general.score import ScoredPassage
from agents.archive.general.words import LIGHT_STEMS, stems
from retrieval.values import Passage

FEWEST_CELLS = 3
"""Cells from which on a line without bars is a row."""
MOST_ROWS, BEFORE = 3, 6
"""So many rows come so early: behind so many lines that answer most likely."""
RARE = 2
"""Lines with most of the rare words of a question that come as early."""
_GAP = re.compile(r"\s{2,}|\t")


def with_named_rows(question: str, lines: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The lines, best first, with the rows that a question names behind the first of them.

    A row is named by its first cell, if the question has all words of that. A label with a digit or of many
    rows ("30", "AB-1") is no name: it tells doses and molecules, which the order of the lines knows better.
    """
    asked = frozenset(stems(question)) - LIGHT_STEMS
    labels = {id(line): label for line in lines if (label := _label(line.passage)) and label <= asked}
    times = Counter(labels.values())
    named = [
        line for line in lines[BEFORE:] if times[labels.get(id(line), frozenset())] in range(1, MOST_ROWS)
    ]
    first = named[:MOST_ROWS]
    rest = [line for line in lines[BEFORE:] if not any(line is one for one in first)]
    return [*lines[:BEFORE], *first, *rest]


def with_rare_words(question: str, lines: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The lines, best first, with those that have the rarest words of a question behind the first of them.

    A word counts the more the fewer of the lines have it. A row of a register that has the one word that
    tells what is asked ("itraconazole") stands so beside sentences about the molecule in general.
    """
    asked = frozenset(stems(question)) - LIGHT_STEMS
    shared = [asked.intersection(stems(line.passage.text)) for line in lines]
    times = Counter(word for own in shared for word in own)
    weights = [sum(log(len(lines) / times[word]) for word in own) for own in shared]
    best = sorted(range(len(lines)), key=lambda place: -weights[place])[:RARE]
    early = [place for place in best if place >= BEFORE and weights[place] > 0]
    rest = [line for place, line in enumerate(lines) if place >= BEFORE and place not in early]
    return [*lines[:BEFORE], *(lines[place] for place in early), *rest]


def _label(passage: Passage) -> frozenset[str]:
    """The words of the first cell of a row; none for prose, and for a label with a digit."""
    if passage.row is not None:
        label = next(iter(passage.row.cells), "")
    else:
        label, *values = _GAP.split(passage.text.strip())
        is_row = len(values) + 1 >= FEWEST_CELLS and all(any(map(str.isdigit, cell)) for cell in values)
        label = label if is_row else ""
    return frozenset() if any(map(str.isdigit, label)) else frozenset(stems(label))
