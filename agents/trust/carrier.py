"""What a citation carries: the values of its quote, of the heads and caption of its table, of its title and
headings.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from agents.evidence.values import Citation
from agents.text.frequencies import parse_frequencies
from agents.text.identifiers import Word, folded, parse_identifiers, parse_names, pattern
from agents.text.numbers import with_thin_blanks
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity
from agents.text.rows import plain_head, row_in_words
from agents.trust.heads import Row
from agents.trust.measures import measure_named
from agents.trust.numbered import Bare, carries, parse_bare, spoken
from agents.trust.numbers import outside, states, states_frequency
from agents.trust.owners import CitedLine, lines_of
from agents.trust.retold import with_label_of
from agents.trust.stated import StatedValues, read_values
from retrieval.markdown import cells, is_delimiter
from retrieval.text.dates import WrittenDate, covers, parse_dates

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a text, each once: what the gate asks of its citations."""

    quantities: tuple[Quantity, ...] = ()
    frequencies: tuple[tuple[str, str], ...] = ()
    """Words as written, and standard term."""
    dates: tuple[WrittenDate, ...] = ()
    identifiers: tuple[Word, ...] = ()
    numbers: tuple[Bare, ...] = ()
    names: tuple[Word, ...] = ()

    def __len__(self) -> int:
        return sum(len(getattr(self, one.name)) for one in fields(self))


@lru_cache(maxsize=8192)
def values_of(text: str) -> Values:
    """The values of a text. No character is part of two of them, but for a dose with its frequency."""
    frequencies = parse_frequencies(text)
    quantities = tuple(outside(parse_quantities(text), frequencies))
    measured = [(one.start, one.end) for one in quantities]
    measured += [(one.start, one.end) for one in frequencies]
    dates = tuple(date for date in parse_dates(text) if free((date.start, date.end), measured))
    taken = [*measured, *((one.start, one.end) for one in dates)]
    words = [word for word in parse_identifiers(text) if free((word.start, word.end), taken)]
    taken += [(word.start, word.end) for word in words]
    identifiers = tuple(word for word in words if not measure_named(word.text, whole=True))
    return Values(
        quantities,
        tuple((one.text, one.term) for one in frequencies),
        dates,
        identifiers,
        parse_bare(text, taken),
        tuple(
            word
            for word in parse_names(text)
            if free((word.start, word.end), taken) and not measure_named(word.text, whole=True)
        ),
    )


def free(span: Span, taken: Iterable[Span]) -> bool:
    """Whether a span touches none of those taken."""
    return not any(start < span[1] and span[0] < end for start, end in taken)


@dataclass(frozen=True, slots=True)
class Carrier:
    """The values that one citation carries, and its texts for names: `quote` alone, and `all` of them.

    `near` is what the text around the quote states: the dose, the day or the size of a group that a finding
    goes with, and never the finding.
    """

    key: str
    quote: str
    all: str
    stated: StatedValues
    dates: tuple[WrittenDate, ...]
    numbers: tuple[Bare, ...]
    subjects: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    """The identifiers of its quote."""
    named: bool = False
    """Whether its document is known to be about something, or it has an identifier itself."""
    near: StatedValues = StatedValues()
    nearby: tuple[Bare, ...] = ()
    lines: tuple[CitedLine, ...] = ()
    """The lines of the quote in their document."""
    rows: tuple[Row, ...] = ()
    """Its rows with their heads."""
    caption: str = ""
    """The caption of its table, folded."""

    def quantity(self, quantity: Quantity) -> bool:
        """Whether it states an amount, in any unit of its dimension."""
        return states(self.stated, quantity)

    def frequency(self, term: str) -> bool:
        """Whether it states a frequency."""
        return states_frequency(self.stated, term)

    def date(self, date: WrittenDate) -> bool:
        """Whether it says all of a date."""
        return any(covers(known, date) for known in self.dates)

    def number(self, number: Bare) -> bool:
        """Whether it states a number without a unit, in the same role."""
        return any(carries(known, number) for known in self.numbers)

    def number_near(self, number: Bare) -> bool:
        """Whether the text around it states a number without a unit, in the same role."""
        return any(carries(known, number) for known in self.nearby)

    def names(self, name: str) -> bool:
        """Whether it has an identifier or a name, in any case and with any separators."""
        return bool(pattern(name).search(self.all))

    def says(self, text: str) -> bool:
        """Whether a text is the whole quote, or some words of it that do not end within a word, a number or
        an amount ("5 mg" of "5 mg/kg"), or one of its rows told with the heads and the caption.
        """
        words = " ".join(folded(text).split())
        rows = (" ".join(folded(row_in_words(*row)).split()) for row in self.rows)
        if words and words.strip(". ") == self.quote.strip(". "):
            return True
        if any(row and words.startswith(row) and self._titles(words.removeprefix(row)) for row in rows):
            return True
        if len(words.split()) < VERBATIM:
            return False
        words, quote = f" {words.strip('. ')}", f" {self.quote}"
        starts = (match.start() for match in re.finditer(re.escape(words), quote))
        return any(not _GOES_ON.match(quote, start + len(words)) for start in starts)

    def _titles(self, behind: str) -> bool:
        """Whether what a text says behind a row is how the caption begins, or nothing."""
        told = behind.strip(",. …")
        apart = not told or behind[0] == "," or behind[0].isspace()
        return (
            apart and self.caption.startswith(told) and not (told and _GOES_ON.match(self.caption, len(told)))
        )


_GOES_ON = re.compile(r"\w|\s?[/%·×^]|[.,]\d|\s?[-–—±]\s?\d|\s(?:per|kg\s?-1)\b|(?<=\d)\s(?:to\s)?\d")
"""Behind words of a quote, what they may not be cut from: the rest of a word, a number or an amount."""
VERBATIM = 5
"""Words of the shortest text that is compared as a whole; a shorter one may stand in any number or name."""
_HEADING_NUMBER = re.compile(r"\A\d+(?:\.\d+)*\.?\s+(?=[^\W\d])")
"""The number of a heading, which counts nothing: "2 Dosage"."""


def _unnumbered(heading: str) -> str:
    """A heading without its number; one that begins with an amount keeps it: "30 mg/kg, males"."""
    amount = any(one.start == 0 for one in parse_quantities(heading))
    return heading if amount else _HEADING_NUMBER.sub("", heading)


@lru_cache(maxsize=8192)
def carrier_of(citation: Citation) -> Carrier:
    """What a citation carries."""
    section = map(_unnumbered, citation.section)
    about = (citation.title, citation.study, *section, *citation.group, citation.lead)
    carrier = text_carrier(
        with_thin_blanks(citation.quote),
        about=about,
        heads=(citation.caption, *dict.fromkeys((*citation.header, *map(plain_head, citation.header)))),
        stated=_stated(citation, about),
        key=citation.key,
        names=(citation.doc_id, citation.date, citation.release, *_roman_cells(citation)),
        subjects=citation.subjects,
        around="\n".join(filter(None, (citation.notes, citation.around))),
        lines=lines_of(citation.doc_id, citation.start, citation.quote),
    )
    caption = " ".join(folded(citation.caption).split())
    return replace(carrier, rows=tuple((citation.header, row) for _, row in _rows(citation)), caption=caption)


def _stated(citation: Citation, about: tuple[str, ...]) -> StatedValues:
    """The numbers of a quote; of a table each row with its heads."""
    rows = _rows(citation)
    if not rows:
        rows = [(citation.quote, ())]
    around = f"{citation.notes}\n{citation.around}"
    read = (
        read_values(line, citation.caption, citation.header, row, about, around, citation.group)
        for line, row in rows
    )
    return sum(read, StatedValues())


def _rows(citation: Citation) -> list[tuple[str, tuple[str, ...]]]:
    """The rows of a quote, each with as many cells as the table has heads; none for a sentence."""
    width = len(citation.header)
    if not width or not citation.quote.lstrip().startswith("|"):
        return []
    lines = [line for line in citation.quote.splitlines() if not is_delimiter(line)]
    return [(line, (*cells(line), *("",) * width)[:width]) for line in lines]


def _roman_cells(citation: Citation) -> tuple[str, ...]:
    """Cells that number what their own head names, as words: "phase II" of II under "Phase"."""
    return tuple(
        told
        for _, row in _rows(citation)
        for head, cell in zip(citation.header, row, strict=True)
        for told in with_label_of(head, cell)
    )


def text_carrier(
    text: str,
    *,
    about: tuple[str, ...] = (),
    heads: tuple[str, ...] = (),
    stated: StatedValues | None = None,
    key: str = "",
    names: tuple[str, ...] = (),
    subjects: tuple[str, ...] = (),
    around: str = "",
    lines: tuple[CitedLine, ...] = (),
) -> Carrier:
    """What a text carries, with the texts that stand over it and around it."""
    read = (text, *about, *heads)
    found = [values_of(one) for one in read if one]
    return Carrier(
        key,
        " ".join(folded(text).split()),
        folded("\n".join((*read, *names, *subjects, around))),
        stated if stated is not None else read_values(text, "", (), (), (*about, *heads), around),
        tuple(date for values in found for date in values.dates)
        + tuple(date for name in names for date in parse_dates(name)),
        tuple(number for values in found for number in values.numbers)
        + tuple(number for one in read if one for number in spoken(one)),
        subjects,
        tuple(word.text for word in values_of(text).identifiers),
        bool(subjects) or any(values.identifiers for values in found),
        read_values(around, "", (), ()) if around else StatedValues(),
        values_of(around).numbers if around else (),
        lines,
    )
