"""Rows of tables that stand as plain text, read with the head that is cited beside them.

"Diarrhea 84 9 76 5" under "All Grades (%) Grade 3/4 (%) All Grades (%) Grade 3/4 (%)" says 84%. A cell has
the unit of its column where the columns can be told apart: as many as cells, or blocks of the same columns.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agents.trust.clauses import clauses
from agents.trust.column_words import ALL, OTHER_ARM, limits, tokens
from agents.trust.lexical import content_words, negated, opposed
from agents.trust.lines import Line, ordered
from agents.trust.measures import MEASURES
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity, same
from agents.trust.stated import rate_named
from agents.trust.units import match_unit, plain
from agents.trust.written_numbers import parse_numbers

_UNIT = re.compile(r"[(\[]\s?(?P<unit>[^()\[\]]{1,20}?)\s?[)\]]|(?<![\d.])\s?(?P<share>%)")
_ARM = re.compile(r"(?P<name>[^()]+?)\s?\(\s?[Nn]\s?=\s?\d[\d,]*\s?\)")
_SIZE = re.compile(r"\s?\(\s?[Nn]\s?=\s?\d[\d,]*\s?\)(?=\s?(?:%|[(\[]\s?%\s?[)\]]))")
"""The size of an arm right before the unit of its only column."""
_BARE_SIZE = re.compile(r"\s[Nn]\s?=\s?(\d[\d,]*)(?=\s+(?:%|[(\[]\s?%))")
"""The same without brackets: "Cyclosporin N=405 %"."""
_CELLS = re.compile(r"(?:(?<=\s)|\A)(?:(?:[<>≤≥~]\s?)?\d[\d.,·]*(?:\s+|\Z))+\Z")
_CELL = re.compile(r"\d[\d.,·]*")
_COUNT = re.compile(r"\b(?:n|no\.?|nr\.?|number|patients|count)\s?[,/]?\s?\Z", re.IGNORECASE)
"""At the end of a column's words: its cells are two numbers, "12 (34)"."""
_STUB = re.compile(
    r"\A(?:(?:adverse|drug|reactions?|events?|preferred|terms?|system|organ|class|parameters?|characteristics?"
    r"|end ?points?|symptoms?|findings?)\s)+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;]\s+[A-Z]")
_FOOTNOTE = re.compile(r"\s+[a-f]\Z")
_WIDE = re.compile(r"\s{3,}")
"""Between two heads of one line."""
_MOST_WORDS = 8
"""Words of a column's head, or of a row with one dose."""
_LONGEST = 400
"""Characters of a line that may be a head or a row."""
_SEGMENT = re.compile(r"[,;:()]|\b(?:and|vs\.?|versus|against|but|while|whereas|compared (?:to|with))\s")
_ASIDE = re.compile(r"\s?\((?:[^()\d]|\b[Nn]\s?=\s?\d+)*\)")
"""Right behind an amount, whose it is, and no other amount: "27% (high dose, N=59)"."""
_REACH = 3000
"""Characters between a head and a row of its table."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a head: its unit, its own words, and those of its arm."""

    unit: str
    words: str
    arm: str = ""


@dataclass(frozen=True, slots=True)
class FlatCell:
    """A cell of a plain row: its amount, the row's line and label, and its column among all of the row.

    `alone`: its row tells it without its column, as the only dose, or by a unit in the row's own label.
    """

    amounts: tuple[Quantity, ...]
    row: Line
    label: str
    place: int
    columns: tuple[Column, ...]
    alone: bool = False


@lru_cache(maxsize=1024)
def flat_cells(lines: tuple[Line, ...]) -> tuple[FlatCell, ...]:
    """The cells of the plain rows among some cited lines, each under the nearest head before it."""
    return tuple(_read(ordered(lines)))


def carries(
    cells: Iterable[FlatCell], rows: Collection[Line], quantity: Quantity, text: str, asked: str = ""
) -> bool:
    """Whether one of some rows states an amount of a text, in the column and row that the text names, or
    the question `asked`, where that names one row alone.
    """
    known = tuple(cells)
    found = [one for one in known if any(same(quantity, amount) for amount in one.amounts)]
    found = [one for one in found if one.row in rows]
    labels = frozenset(map(_label_words, {one.label for one in known})) if found else frozenset()
    words = _label_words(asked)
    parts = _parts(text, quantity) if found else []
    parts += [asked] * (sum(bool(label) and label <= words for label in labels) == 1)
    return any(_is_meant(one, known, labels, text, parts) for one in found)


def _read(lines: Sequence[Line]) -> Iterator[FlatCell]:
    columns: tuple[Column, ...] = ()
    head: tuple[Column, ...] = ()
    rate, over, at = "", "", Line("", 0, "")
    for line in (one for one in lines if len(one.text) <= _LONGEST):
        if line.doc_id != at.doc_id or line.start - at.start > _REACH:
            columns, rate, over, head = (), "", "", ()
        before, above, head = (columns, rate, over), head, ()
        if arms := _arms_alone(line.text):
            columns, rate, over = (), "", arms
        elif head := _columns(f"{over} {line.text}".strip()):
            columns, rate, over = _spanned(above, head), "", ""
        elif given := _rate_of(line.text):
            columns, rate, over = (), given, ""
        elif rate:
            yield from _rated(line, rate)
        elif found := _CELLS.search(line.text):
            label = line.text[: found.start()]
            yield from _cells(line, label, found[0], columns) if columns else _labelled(line, label, found[0])
        at = line if (columns, rate, over) != before else at


def _arms_alone(text: str) -> str:
    """A line of nothing but arms with their sizes; "" for others."""
    return text if len(_ARM.findall(text)) > 1 and not _ARM.sub("", text).strip() else ""


def _columns(text: str) -> tuple[Column, ...]:
    """The columns of a head in which each ends with its unit; none for other lines."""
    text = _BARE_SIZE.sub("", _SIZE.sub("", text))
    arms = [match for match in _ARM.finditer(text)]
    rest = text[arms[-1].end() :] if arms else text
    names = [re.split(r"\.\s", match["name"])[-1].strip() for match in arms]
    found, at = [], 0
    for match in _UNIT.finditer(rest):
        written = match["share"] or match["unit"]
        unit = match_unit(plain(written), 0)
        if unit is None or unit.end != len(written):
            continue
        found.append(Column(written, _FOOTNOTE.sub("", rest[at : match.start()].strip())))
        at = match.end()
    if not found or rest[at:].strip() or _SENTENCE.search(rest):
        return ()
    if any(_COUNT.search(one.words) or len(one.words.split()) > _MOST_WORDS for one in found):
        return ()
    if parse_quantities(rest) or (len(found) == 1 and not found[0].words):
        return ()
    found[0] = Column(found[0].unit, _without_stub(found[0].words, [one.words for one in found[1:]]))
    return _under_arms(found, names) if names else tuple(found)


def _spanned(above: Sequence[Column], below: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of a line of heads together with those of the line right `above`, where one head there has
    no unit and stands wide apart from the next: it spans the columns below. Else those below alone.

    The first head of a line may be that of the labels.
    """
    wide = [place for place, one in enumerate(above) if place and _WIDE.search(one.words)]
    if len(wide) != 1 or len({one.unit for one in (*above, *below)}) > 1:
        return below
    [place] = wide
    over, *rest = _WIDE.split(above[place].words)
    if len(rest) != 1:
        return below
    inner = (Column(one.unit, f"{one.words} {over}") for one in below)
    return (*above[:place], *inner, Column(above[place].unit, rest[0]), *above[place + 1 :])


def _without_stub(words: str, others: Sequence[str]) -> str:
    """The words of the first column without the head of the labels to its left ("Adverse event")."""
    repeated = next((other for other in others if other and words.endswith(f" {other}")), "")
    return repeated or _STUB.sub("", words)


def _under_arms(columns: Sequence[Column], names: Sequence[str]) -> tuple[Column, ...]:
    """Columns with the arms that span them; none where they cannot be shared out."""
    if len(columns) % len(names):
        return ()
    width = len(columns) // len(names)
    return tuple(Column(one.unit, one.words, names[place // width]) for place, one in enumerate(columns))


def _cells(line: Line, label: str, numbers: str, columns: Sequence[Column]) -> Iterator[FlatCell]:
    cells = [number.rstrip(".,") for number in _CELL.findall(numbers)]
    if not columns or len(cells) % len(columns):
        return
    if len(cells) != len(columns) and len({one.unit for one in columns}) > 1:
        return
    spread = tuple(columns) * (len(cells) // len(columns))
    for place, cell in enumerate(cells):
        yield FlatCell(parse_quantities(f"{cell} {spread[place].unit}"), line, label.strip(), place, spread)


def _labelled(line: Line, label: str, numbers: str) -> Iterator[FlatCell]:
    """The cells of a plain row whose label ends with their unit: "titre (g/L) 2.1 3.4"."""
    for column in _columns(label.strip()):
        for cell in _CELL.findall(numbers):
            amounts = parse_quantities(f"{cell.rstrip('.,')} {column.unit}")
            yield FlatCell(amounts, line, column.words, 0, (column,), alone=True)


def _rate_of(text: str) -> str:
    """What the only column of doses of a head is given in; "" for rows and sentences."""
    if re.search(r"\d", text) or text.endswith((".", ":", "!", "?")) or len(text.split()) > 2 * _MOST_WORDS:
        return ""
    return rate_named(text) if len(re.findall(r"\bdos(?:e|es|age)\b", text, re.IGNORECASE)) == 1 else ""


def _rated(line: Line, rate: str) -> Iterator[FlatCell]:
    """The only dose of a plain row as so much a day or week."""
    doses = [one for one in parse_quantities(line.text) if one.is_dose]
    told = line.text.endswith(".") or len(line.text.split()) > _MOST_WORDS
    if len(doses) == 1 and not doses[0].frequency and not told:
        label = line.text[: doses[0].start].strip()
        amounts = parse_quantities(f"{doses[0].text} {rate}")
        yield FlatCell(amounts, line, label, 0, (Column(doses[0].unit, ""),), alone=True)


def _is_meant(
    cell: FlatCell,
    cells: Sequence[FlatCell],
    labels: frozenset[frozenset[str]],
    text: str,
    parts: Sequence[str],
) -> bool:
    """Whether a text gives an amount to the row and column of a cell. `labels` are the words of all rows.

    The words nearest before the amount tell it, those of its own part of the clause first.
    """
    own = _label_words(cell.label)
    if _is_limited(cell, parts):
        return False
    if cell.alone:
        return _names_row(own, labels, parts) and not opposed(text, cell.label)
    if own and not _names_row(own, labels, parts):
        return False
    if len({one.unit for one in cell.columns}) > 1:
        return _names_column(cell, parts) and (bool(own) or _begins_row(cell, cells, parts))
    return bool(own) and _in_column(cell, parts) and _in_arm(cell, parts)


def _parts(text: str, quantity: Quantity) -> list[str]:
    """The parts of a clause up to that of an amount, this one first, without the amount itself."""
    begin, clause = 0, ""
    for clause in clauses(text):
        if quantity.start < begin + len(clause):
            break
        begin += len(clause)
    ends = [match.end() for match in _SEGMENT.finditer(text)]
    text = f"{text[: quantity.start]}{'…' * (quantity.end - quantity.start)}{text[quantity.end :]}"
    behind = _ASIDE.match(text, quantity.end)
    told = behind.end() if behind else quantity.end + 1
    close = min((end for end in ends if end >= told), default=begin + len(clause))
    cuts = [begin, *(end for end in ends if begin < end <= quantity.start), close]
    return [text[start:end] for start, end in pairwise(cuts)][::-1]


def _is_limited(cell: FlatCell, parts: Sequence[str]) -> bool:
    """Whether a text counts less than a cell does, or the opposite: another grade, fatal cases, those without
    the event, another arm. The part that names the cell's own column or arm is the last that is read.
    """
    columns = [frozenset(tokens(f"{one.words} {one.arm}")) for one in cell.columns]
    own = columns[cell.place] - frozenset.intersection(*columns)
    last = next((place for place, part in enumerate(parts) if own & set(tokens(part))), len(parts))
    column = cell.columns[cell.place]
    told = " ; ".join((cell.label, column.words, column.arm))
    read = parts[: last + 1]
    found = {limit for part in read for limit in limits(part)}
    if _repeats(cell):
        found = {one for one in found if not OTHER_ARM.fullmatch(one)}
    return not found <= {*limits(told), *tokens(told)} or any(map(negated, read)) != negated(told)


def _repeats(cell: FlatCell) -> bool:
    """Whether the columns of a cell stand more than once, for arms that their head does not name."""
    words = [one.words for one in cell.columns]
    return not any(one.arm for one in cell.columns) and words.count(words[cell.place]) > 1


@lru_cache(maxsize=4096)
def _label_words(text: str) -> frozenset[str]:
    """The words and numbers by which a row is told, "diarrhoea" spelled as "diarrhea"."""
    numbers = (f"{one.value:g}" for one in parse_numbers(text))
    return content_words(re.sub(r"([oa])e", "e", text.casefold())).union(numbers)


def _names_row(own: frozenset[str], labels: Iterable[frozenset[str]], parts: Sequence[str]) -> bool:
    """Whether the nearest part that has words of labels has all of a row's, and of no row more."""
    known = frozenset().union(*labels)
    said = next(filter(None, (_label_words(part) & known for part in parts)), frozenset())
    return own <= said and not any(own < other <= said for other in labels)


def _begins_row(cell: FlatCell, cells: Sequence[FlatCell], parts: Sequence[str]) -> bool:
    """Whether the nearest part that has the first amount of any row has that of a cell's own row, as a label
    of it: "at 20 mg" of the row of 20 mg. No part need have one.
    """
    firsts = [one for one in cells if one.place == 0 and not one.label]
    for part in () if cell.place == 0 else parts:
        told = parse_quantities(part)
        named = [one.row for one in firsts if any(same(a, b) for a in one.amounts for b in told)]
        if named:
            return cell.row in named
    return True


def _names_column(cell: FlatCell, parts: Sequence[str]) -> bool:
    """Whether the nearest part that names a column of a cell's unit names its own: by a word that no other
    column has, or by the property. The only column of doses needs no name.
    """
    own = cell.columns[cell.place]
    rivals = [one for one in cell.columns if one.unit == own.unit]
    for part in parts:
        if named := [one for one in rivals if _names(one, cell.columns, part)]:
            return own in named
    return rivals == [own] and "dose" in set(tokens(own.words))


def _names(column: Column, columns: Sequence[Column], part: str) -> bool:
    others = {token for one in columns if one != column for token in tokens(one.words)}
    if (set(tokens(column.words)) - others) & set(tokens(part)):
        return True
    return any(one.names.search(column.words) and one.names.search(part) for one in MEASURES)


def _in_column(cell: FlatCell, parts: Sequence[str]) -> bool:
    """Whether the column of a cell is that which is named; without a name the first, or that of all."""
    columns = [frozenset(tokens(one.words)) for one in cell.columns]
    shared = frozenset.intersection(*columns)
    own = columns[cell.place] - shared
    others = frozenset().union(*columns) - shared
    for part in parts:
        if named := others & frozenset(tokens(part)):
            return bool(named & own) and len(named & own) == max(len(named & one) for one in columns)
    first = columns[0] - shared
    return (own == first or bool(own & ALL)) and not OTHER_ARM.search(cell.columns[cell.place].words)


def _in_arm(cell: FlatCell, parts: Sequence[str]) -> bool:
    """Whether the arm of a cell is that which is named; without a name the first.

    Where the head does not tell the arms, the first is that of no placebo or comparator.
    """
    arms = [one.arm for one in cell.columns]
    if any(arms):
        words_of = {arm: frozenset(tokens(arm)) for arm in arms}
        for part in parts:
            said = frozenset(tokens(part))
            if named := [arm for arm in words_of if words_of[arm] & said]:
                return arms[cell.place] in named
        return arms[cell.place] == arms[0] and not OTHER_ARM.search(arms[0])
    words = [one.words for one in cell.columns]
    block = words[: cell.place].count(words[cell.place])
    other = next((bool(OTHER_ARM.search(part)) for part in parts if OTHER_ARM.search(part)), False)
    return bool(block) == other if _repeats(cell) else True
