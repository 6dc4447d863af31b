"""Whether citations carry a text: each number with its unit, date, name and identifier, word for word or
derived with its inputs. Pure; no model and no search.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from agents.evidence.values import Evidence
from agents.ports import Judged
from agents.text.clauses import clauses
from agents.text.identifiers import Word, codes, folded, pattern, written
from agents.text.numbers import joined, parse_numbers
from agents.text.quantity import COMPUTED, Quantity, same
from agents.trust.arithmetic import derivation_fault, derived_amounts, is_reversed, is_stated
from agents.trust.carrier import Carrier, Values, carrier_of, values_of
from agents.trust.citations import cited
from agents.trust.date_arithmetic import dates_of
from agents.trust.enumerated import listed
from agents.trust.heads import is_misplaced
from agents.trust.measures import misfits
from agents.trust.numbered import Bare, apart, parse_bare, parts
from agents.trust.numbers import states, states_told
from agents.trust.owners import is_of, may_own, series
from agents.trust.retold import (
    as_multiple,
    is_fall,
    is_ratio,
    is_written_so,
    tells_rise,
    time_unit,
    with_unit_of,
)
from agents.trust.stated import StatedValues
from agents.trust.values import COUNT, Claim, Derivation, Verdict
from retrieval.language import is_foreign, language
from retrieval.text.dates import WrittenDate, covers

_QUOTED = re.compile(r"[“\"]([^“”\"]{1,80})[”\"]")
_TITLED = re.compile(r"\b(?:Dr|Prof|Herrn?|Frau|Mme|Mr|Ms)\b\.?\s(?:\S+\s)?\Z")
_SURNAME = re.compile(r"\s[A-ZÄÖÜ][a-zäöüß]")
_ADDRESS = re.compile(r"(?:https?://|www\.)[\w./%-]*\w|[\w.+-]+@[\w-]+(?:\.\w+)+")
"""Where a link or a message would lead."""
UNNAMED = "no citation names it"


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that no citation carries: its words, and what is wrong."""

    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Support:
    """What a text rests on.

    `carriers` are its citations. `derived` are computed numbers whose inputs these or `given` carry; `given`
    are texts that need no citation, such as the words of who asked. `names` may be named without a citation.
    A `message` tells of the work and not of a document: its names and plain numbers are its own. Names and
    codes of who `asked` may be repeated, and any words in quotation marks. An `orphan` cites only what its
    claim does not name.
    """

    carriers: tuple[Carrier, ...]
    derived: tuple[Derivation, ...] = ()
    given: tuple[Carrier, ...] = ()
    names: tuple[str, ...] = ()
    message: bool = False
    asked: str = ""
    orphan: bool = False


def faults(text: str, support: Support, of_list: bool = False) -> Iterator[Fault]:
    """Every value of a text that its citations do not carry, clause by clause. A part `of_list` may begin
    with the number of its item.
    """
    if support.orphan:
        yield Fault(text, "its citations are not those of its claim")
    elif any(one.says(text) for one in support.carriers):
        return
    quotes = "\n".join(one.quote for one in support.carriers)
    text = joined(text, (line.text for one in support.carriers for line in one.lines))
    for clause in clauses(listed(text, of_list).read(quotes)):
        yield from _clause_faults(clause.strip("; \n"), support)


def carriers_of(evidence: Iterable[Evidence]) -> tuple[Carrier, ...]:
    """What whole pieces of evidence carry."""
    return tuple(carrier_of(cited(0, one, one.start, one.end)) for one in evidence)


def check_numbers(claim: Claim, evidence: Sequence[Evidence]) -> Judged:
    """SUPPORTED, or UNSUPPORTED with the first value that no cited evidence carries.

    Names are left to who knows what was asked, and may be named without a citation.
    """
    carriers = carriers_of(evidence)
    stated = sum((one.stated for one in carriers), StatedValues())
    wrong = {one: derived_fault(one, carriers) for one in claim.derived}
    for derivation, fault in wrong.items():
        if fault and not is_stated(derivation.value, stated):
            return Verdict.UNSUPPORTED, fault
    computed = tuple(one for one, fault in wrong.items() if not fault)
    for one in faults(claim.text, Support(carriers, computed)):
        if one.reason != UNNAMED:
            return Verdict.UNSUPPORTED, f"{one.value!r}: {one.reason}."
    return Verdict.SUPPORTED, ""


def count_values(text: str) -> int:
    """How many values a text shows."""
    return len(values_of(text))


def sound(derived: Iterable[Derivation], carriers: Sequence[Carrier], given: Sequence[Carrier] = ()) -> tuple[
    Derivation, ...
]:  # fmt: skip
    """The derivations whose inputs are carried and whose value is what these give."""
    return tuple(one for one in derived if not derived_fault(one, carriers, given))


def derived_fault(derivation: Derivation, carriers: Sequence[Carrier], given: Sequence[Carrier] = ()) -> str:
    """What is wrong with a derived number; "" if nothing is."""
    own = [one for one in carriers if one.key in derivation.keys] or list(carriers)
    if derivation.formula != COUNT:
        stated = sum((one.stated for one in (*own, *given)), StatedValues())
        return derivation_fault(derivation, stated)
    for item in derivation.inputs:
        if not any(one.names(item) for one in (*own, *given)):
            return f"{derivation.value!r} counts {item!r}, which no citation names."
    numbers = {number.value for number in parse_numbers(derivation.value)}
    counted = len(derivation.inputs)
    return "" if numbers == {float(counted)} else f"{counted} were counted, not {derivation.value!r}."


def _clause_faults(clause: str, support: Support) -> Iterator[Fault]:
    carriers = (*support.carriers, *support.given)
    clause = _QUOTED.sub(lambda quote: "…" if quote[1] in support.asked else quote[0], clause)
    if any(one.says(clause) for one in carriers):
        return
    for reason in misfits(clause):
        yield Fault(clause, reason)
    for one in support.derived:
        if is_reversed(one, clause):
            yield Fault(one.value, f"{one.formula!r} is no rise")
    subjects = _subjects(clause, values_of(clause), support)
    nameless = _without_names(clause, support)
    values = values_of(nameless)
    asked = list(_asked(values, nameless, support))
    stated = any(derived or any(map(carried, carriers)) for _, carried, _, derived in asked)
    for text, carried, near, derived in asked:
        bearers = [one for one in carriers if carried(one) or (stated and near(one))]
        if not bearers and not derived:
            yield Fault(text, "no citation carries it")
        elif bearers and subjects and not any(_about(one, subjects, carriers) for one in bearers):
            yield Fault(text, f"its citation does not speak of {subjects[0]}")
    for text in _misplaced(clause, values, support):
        yield Fault(text, "it is of another row or column")
    for part, whole in _parts_elsewhere(clause, values, support):
        yield Fault(f"{part.text} of {whole.text}", "no citation carries this part of this whole")
    yield from (Fault(one, "no citation has this address") for one in _addresses(clause, support))
    yield from (Fault(name, UNNAMED) for name in _unnamed(nameless, values, support))


def _addresses(clause: str, support: Support) -> list[str]:
    """Addresses that nothing cited has; a message may tell where it asked."""
    quoted = "\n".join(one.quote for one in (*support.carriers, *support.given))
    return [] if support.message else [one for one in _ADDRESS.findall(clause) if one not in quoted]


def _misplaced(clause: str, values: Values, support: Support) -> Iterator[str]:
    """Values of a clause that a cited table has in another row or column than the clause names. What its
    caption says holds for all of them.
    """
    rows = [row for one in support.carriers for row in one.rows]
    if not rows or any(not one.rows for one in support.carriers):
        return
    told = frozenset((*(one.low for one in values.quantities), *(one.value for one in values.numbers)))
    captions = " ".join(one.caption for one in support.carriers)
    for quantity in values.quantities:
        of_all = re.search(rf"(?<![\d.,]){re.escape(folded(quantity.text))}(?!\w)", captions)
        if not (quantity.is_range or of_all) and is_misplaced(clause, quantity.low, told, rows):
            yield quantity.text
    numbers = (one for one in values.numbers if one.label != "table")  # "Table 2" tells no cell
    yield from (one.text for one in numbers if is_misplaced(clause, one.value, told, rows))


def _parts_elsewhere(clause: str, values: Values, support: Support) -> Iterator[tuple[Bare, Bare]]:
    """Parts of a clause with another whole than their citations give them. A part that its citation also
    tells without a whole, or that is computed, may have any.
    """
    claimed = parts(clause, [(date.start, date.end) for date in values.dates])
    known = [pair for one in support.carriers for pair in parts(one.quote)] if claimed else []
    if not known:
        return
    paired = {(part.value, whole.value) for part, whole in known}
    alone = {number.value for one in support.carriers for number in apart(one.quote)}
    computed = {one.value for item in support.derived for one in parse_numbers(item.value)}
    for part, whole in claimed:
        told = (part.value, whole.value) in paired or part.value in alone
        if not told and not {part.value, whole.value} & computed:
            yield part, whole


def _without_names(clause: str, support: Support) -> str:
    """The clause without names of molecules and codes that were asked for: their digits are no values."""
    known = {name for one in support.carriers for name in one.subjects}
    for name in sorted({*known, *support.names, *codes(support.asked)}, key=len, reverse=True):
        clause = written(name).sub("…", clause) if name else clause
    return clause


Holds = Callable[[Carrier], bool]
Asked = tuple[str, Holds, Holds, bool]
"""A value's words, whether a citation carries it, whether the text around one does, and whether it is
derived.
"""


def _nowhere(_: Carrier) -> bool:
    return False


def _asked(values: Values, clause: str, support: Support) -> Iterator[Asked]:
    """Every value of a clause but its names."""
    computed = [one for item in support.derived for one in derived_amounts(item)]
    dated = [date for item in support.derived for date in dates_of(item.value)]
    undated = (item.value for item in support.derived if not dates_of(item.value))
    numbers = {one.value for value in undated for one in parse_numbers(value)}
    stated = StatedValues(tuple(computed))
    joint = sum((one.stated for one in support.carriers), StatedValues())
    for quantity in values.quantities:
        derived = any(same(quantity, one) for one in computed) or states(stated, quantity)
        spread = quantity.is_range and states(joint, quantity)
        holds = partial(_holds, quantity, clause, joint.texts)
        near = partial(_holds_near, quantity, clause, values)
        yield quantity.text, holds, near, derived or spread
    for text, term in values.frequencies:
        per = {"QD": "/day", "QW": "/week"}.get(term, "#")
        rates = (one for one in computed if one.frequency != COMPUTED)
        derived = any(one.standard_unit.endswith(per) or one.frequency == term for one in rates)
        yield text, partial(_timed, text, term), _nowhere, derived
    for date in values.dates:
        derived = any(covers(one, date) for one in dated)
        yield date.text, partial(_dated, date), partial(_dated_near, date, values), derived
    for number in () if support.message else values.numbers:
        derived = number.value in numbers and not number.is_padded
        text = f"{number.label} {number.text}".strip()
        yield (
            text,
            partial(
                _numbered,
                number,
                _fell(number, clause, values),
                tuple(_as_amounts(number, clause, values)),
            ),
            partial(_numbered_near, number, values),
            derived,
        )


def _holds(quantity: Quantity, clause: str, texts: tuple[str, ...], carrier: Carrier) -> bool:
    """Whether a citation states an amount.

    A member of a list has the unit of the next, or has none, or one in the `texts` of another citation.
    """
    stated = replace(carrier.stated, texts=texts)
    return states_told(stated, quantity, clause) or any(map(carrier.number, _unwritten(quantity)))


def _holds_near(quantity: Quantity, clause: str, values: Values, carrier: Carrier) -> bool:
    """Whether the text around a citation states an amount. Where the citation has amounts of the same unit
    itself, the clause must tell one of these too: "60 mg" from around is no other dose for its 80 mg.
    """
    own = [one for one in carrier.stated.quantities if _alike(one, quantity)]
    told = any(states(StatedValues(tuple(own)), one) for one in values.quantities)
    near = states_told(carrier.near, quantity, clause) or any(map(carrier.number_near, _unwritten(quantity)))
    return near and (told or not own)


def _alike(a: Quantity, b: Quantity) -> bool:
    """Whether two amounts have the same unit, of times the same word ("h" and "weeks" tell other things)."""
    return a.standard_unit == b.standard_unit and time_unit(a) == time_unit(b)


def _numbered_near(number: Bare, values: Values, carrier: Carrier) -> bool:
    """Whether the text around a citation states a number. Where the citation itself numbers such a thing, the
    clause must tell this too: "cohort 4" from around is no other for its cohort 3.
    """
    own = [one for one in carrier.numbers if number.label and one.label == number.label]
    told = any(one.value == known.value for one in values.numbers for known in own)
    return carrier.number_near(number) and (told or not own)


def _unwritten(quantity: Quantity) -> tuple[Bare, ...]:
    """The number of an amount behind which no unit is written."""
    return parse_bare(quantity.text) if quantity.text[-1:].isdigit() else ()


def _as_amounts(number: Bare, clause: str, values: Values) -> Iterator[Quantity]:
    """What a number without a unit says beside itself: a multiple, or an amount like others of its clause."""
    if is_ratio(clause, number.start):
        yield from as_multiple(number.text)
    elif not number.label:
        yield from with_unit_of(clause, number.start, number.end, values.quantities)


def _numbered(number: Bare, fell: bool, amounts: tuple[Quantity, ...], carrier: Carrier) -> bool:
    """Whether a citation states a number, as such, with a minus sign where something `fell` by it, as an
    amount, or as the time of a numbered day or week.
    """
    return (
        carrier.number(number)
        or (fell and carrier.number(replace(number, value=-number.value)))
        or any(map(carrier.quantity, amounts))
        or is_written_so(number.label, number.value, carrier.all)
        or f"{number.label} {number.value:g}" in carrier.stated.passed
    )


def _fell(number: Bare, clause: str, values: Values) -> bool:
    """Whether a clause says that something fell by a number, or by another one where nothing rises ("fell by
    12 and 3 points").
    """
    beside = () if tells_rise(clause) else values.numbers
    return any(is_fall(clause, one.start, one.end) for one in (number, *beside))


def _timed(text: str, term: str, carrier: Carrier) -> bool:
    return carrier.frequency(term) or carrier.names(text)


def _dated(date: WrittenDate, carrier: Carrier) -> bool:
    return carrier.date(date) or (not carrier.dates and carrier.names(date.text))


def _dated_near(date: WrittenDate, values: Values, carrier: Carrier) -> bool:
    """Whether the text around says a date, in a clause that tells one of the citation's own too."""
    return any(map(carrier.date, values.dates)) and carrier.names(date.text)


def _subjects(clause: str, values: Values, support: Support) -> tuple[str, ...]:
    """What a clause speaks of: its identifiers, and the names of molecules that its citations are about."""
    known = {name for one in support.carriers for name in one.subjects} | set(support.names)
    words = clause.casefold()
    return (
        *(word.text for word in values.identifiers if may_own(clause, word, known)),
        *sorted(name for name in known if name.casefold() in words and pattern(name).search(words)),
    )


def _about(carrier: Carrier, subjects: Sequence[str], carriers: Sequence[Carrier]) -> bool:
    """Whether a citation speaks of a subject, or of none that it names; or a line of its document that is
    cited too says that this is what the document is of.
    """
    if any(_is_sibling(one, subject) for one in carrier.own for subject in subjects):
        return any(pattern(subject).search(carrier.quote) for subject in subjects)
    if not carrier.named or any(carrier.names(subject) for subject in subjects):
        return True
    lines = [line for one in carriers for line in one.lines]
    return bool(carrier.lines) and all(is_of(line, subjects, lines) for line in carrier.lines)


def _is_sibling(named: str, subject: str) -> bool:
    """Whether two identifiers are of one series ("AB-1" and "AB-2")."""
    return series(named) == series(subject) and not pattern(subject).fullmatch(folded(named))


def _unnamed(text: str, values: Values, support: Support) -> Iterator[str]:
    """Identifiers and names of a text that a citation must have, and none has."""
    allowed = {name.casefold() for name in (*support.names, *re.findall(r"[^\W\d_]+", support.asked))}
    for word in chain(values.identifiers, () if support.message else values.names):
        known = word.text.casefold() in allowed
        if known or any(one.names(word.text) for one in (*support.carriers, *support.given)):
            continue
        if word in values.identifiers or not _is_translated(text, word, support.asked):
            yield word.text


def _is_translated(text: str, word: Word, asked: str) -> bool:
    """Whether a word with a capital may be a noun or a place of another language than English.

    German writes every noun so, and names of places are translated ("Schweden"). A person is a name in any
    language: with a title, or with a first name ("Ada Lund").
    """
    foreign = any(is_foreign(one) or language(one) not in ("", "en") for one in (text, asked))
    return foreign and not (_TITLED.search(text, 0, word.start) or _SURNAME.match(text, word.end))
