"""What a text rests on beside citations: somebody's proposal, or a computation of the run.

A computed value must occur in what its program wrote. A proposal may say what is to be done, with amounts,
and states no finding.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain

from agents.reports.values import COMPUTED, PROPOSED, Block, Computation, Heading, Origin, Points, Prose
from agents.reports.values import Paragraph as Line
from agents.text.clauses import clauses
from agents.trust.carrier import values_of
from agents.trust.support import Fault, Support, faults

_POWER = r"(?:[eE][-+−]?\d+|\s?[x×]\s?10\^?[-−]?\d+)?"
_NUMERAL = re.compile(rf"(?<![\w.])(?<!\d,)[-−]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?{_POWER}(?![\d.]*\d)")
_DIGIT = re.compile(r"(?<![\w.])(?<![^\W\d][-−])\d")
"""A number in digits that is no part of a name."""
_LABEL = re.compile(
    r"\A\W*(?:\d\d?[.)]|[1-9]\d?(?:\.\d\d?)+(?= \W*[A-Z])) "
    r"|\b(?:steps?|sections?|parts?|lines?|as in) \d[\d.]*\w?"
)
"""The number of a step, before it or where another names it: no value."""
_WRITTEN = re.compile(r"(?<![\w.])[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w|\.\w)")
_CAPITALISED = re.compile(r"\b[A-Z][\w-]*\w")
_TOKEN = re.compile(r"[^\W_](?:[\w./+-]*\w)?")
_PER_CENT = re.compile(r"\s?(?:%|per ?cent)")
_NAMES_A_ROW = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).+|[A-Z][A-Z-]+")
_OUTCOMES = r"""
    p?(IC|EC|GI|CC|ED|LD)[- ]?50 | K[id] | AUC\S* | C\s?max | clearance | half[- ]?li(fe|ves)
    | bioavailability
    | log[ ]?[PDS] | (hazard|odds|risk|response)[ ](ratio|rate) | fold[- ]changes? | p[- ]?values?
    | HR | (?-i:OR)
    | affinit(y|ies) | potency | efficacy | viability | survival | inhibition | selectivity | incidence
    | correlation | scores?(?=[ ]of) | QED | TPSA | solubility | yields? | NOA?EL
"""
_IS = "\\s | [=:~≈<>] | of | is | are | about | around | near | below | above | over | as | low | than"
_PRESENT = """
    has[ ]an? | shows | demonstrates | reaches | causes | yields | binds | achieves | inhibits | reduces
    | increases | decreases | improves | kills | lowers | exceeds | differs | correlates | doubles
"""
_REPORTS = rf"""
    (?<!\bthat\s)(?<!\bwho\s)(?: was | were | had )
    | is[ ]active | showed | (?:show | blocks)(?=[^:,;(<>≤≥]*%)
    | (?:is | are | {_OUTCOMES})\s(?:found | observed) | observed(?=.*(?:% | \d\sof\s\d))
    | (?:{_PRESENT})(?=[^:,;.(]*(?<![≤≥=])(?<!\bday)\s[~≈<>]?\s?\d
        | .*(?:\bby\s|[,(]\s?(?:by\s)?)[\d.]+\s?(?:%|-?fold))
    | \d[^:,;.(]*[^\W\d][^:,;.(]*\s(?:{_PRESENT})(?![ ](?:how | whether)\b)
    | (?<!\bbe\s)(?: demonstrated | reached | caused )
    | (?<!\bis\s)(?<!\bare\s)(?<!\bbe\s)(?<!\bwho\s)(?<!\bupper\s)(?<!\blower\s) (?: achieved
    | yielded | inhibited | bound | reduced
    | increased | decreased | improved | died | blocked | killed | lowered
    | exceeded | differed | correlated | gave | halved | doubled | survived
    )(?![ ](?:for | by | between | among)[ ][a-z])
"""
_COMPARED = "better | worse | higher | lower | more | less | fewer | greater | stronger"
_REPORTED = re.compile(rf"\b(?<!\w-)(?:{_REPORTS})\b", re.IGNORECASE | re.VERBOSE)
"""A verb that reports, and no part of a name ("growth-factor-reduced"). One in the present tells what is done
or would follow unless a value stands beside it.
"""
_VALUED = re.compile(
    rf"""\b(?:{_OUTCOMES})(?![\w-]) (?:\s*\([^)]*\))? (?:\sof\s[\w-]+(?=\sis\s))? (?:{_IS})* [-−]?\d
    | (?:(?<![≥≤\d.])(?<![≥≤]\s)\d[\d.]*\s?% | per[ ]?cent | fold | times) \s (?:(?!or\b)\w+\s)?
    (?:{_COMPARED})\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""A property with its value ("≥ 90 %" is a limit, as "at least" is), or a comparison: an outcome."""
_AIMED = re.compile(
    rf"""\b(?: assum\w+ | expect\w* | hypothes\w+ | suppos\w+ | aim\w* | goals?
    | target(s|ed)?[ ](of|value|is) | should | would | must | require[sd]? | at[ ]least | at[ ]most | worth
    | if | unless | until | that[ ]\w+s[ ]by[ ](?:more|less)
    | criteri(on|a) | threshold | cut-?off | plan\w* | to[ ]be | keep(?![ ]in[ ]mind)
    | null | for[ ]orientation | (?:our | same)[ ](?:\w+[ ])?simulation | simulated | whether
    | (?: sized | power | scenario | true[ ]\w+[ ]of | so[ ]that )(?!.*\b(?:was|were|had)\b)
    | smallest[ ](?:\w+[ ])?effect | interval\b.*\bwithin | that[ ]had[ ]been[ ][<>≤≥].*
    | fewer[ ]than[ ][\d,]+[ ]\w+[ ](?:is|are) )\b
    | \A\W* (?: ask | record | write | state | list | name | note )\b .* \b how \b
    | \A\W* (?:{_OUTCOMES}) \s [<>] \s? [\d.]+ \s? %? \W* \Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""What marks a value as an assumption, an aim, a condition or the reckoning of a size."""
_RECKONS = re.compile(r"[^.:;]{0,9}(?:\d\.)?[^.:;]{0,40}\b(?:assumptions?|calculated)\W*[:;)]", re.IGNORECASE)
"""How a text begins that tells what it assumes or has reckoned: "13.1 Assumptions: …"."""


@dataclass(frozen=True)
class _Written:
    """What a program wrote, line by line."""

    text: str

    @cached_property
    def lines(self) -> tuple[tuple[frozenset[str], tuple[float, ...]], ...]:
        """Words and numbers of each line that has a number."""
        read = ((set(_TOKEN.findall(line)), _WRITTEN.findall(line)) for line in self.text.splitlines())
        return tuple((frozenset(words), tuple(map(_value, found))) for words, found in read if found)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words."""
        return frozenset(_TOKEN.findall(self.text))

    def numbers(self, clause: str) -> list[float]:
        """The numbers that a clause may tell: of the lines that it names, or of all where it names none."""
        named = {word for word in _TOKEN.findall(clause) if _NAMES_A_ROW.fullmatch(word)} & self.words
        own = [found for words, found in self.lines if words & named]
        return list(chain.from_iterable(own or (found for _, found in self.lines)))


@lru_cache(maxsize=64)
def _written(text: str) -> _Written:
    return _Written(text)


def origin_faults(text: str, origin: Origin, outputs: Sequence[str], support: Support) -> Iterator[Fault]:
    """What a text of this origin states that neither its citations nor its origin carry.

    `outputs` are the texts that a computation left.
    """
    reckons = bool(_RECKONS.match(text))
    for clause in filter(str.strip, clauses(text)):
        wrong = list(faults(clause, support))
        if support.carriers and not wrong:
            continue
        if origin.kind == COMPUTED:
            yield from not_in_output(clause, outputs, support)
        elif not reckons and _tells_value(told := _LABEL.sub("", clause)) and _tells_finding(told):
            yield Fault(clause.strip(), "a proposal states no finding")


def _tells_finding(clause: str) -> bool:
    """Whether a clause tells an outcome, and none that is assumed, aimed at or made a condition."""
    return not _AIMED.search(clause) and bool(_VALUED.search(clause) or _REPORTED.search(clause))


def _tells_value(clause: str) -> bool:
    values = values_of(clause)
    return bool(values.frequencies or values.numbers[1:] or _DIGIT.search(clause))


def not_in_output(clause: str, outputs: Sequence[str], support: Support) -> Iterator[Fault]:
    """The values of a clause that none of some texts has, in the lines that the clause names."""
    output = _written("\n".join(outputs))
    told = (*(word.text for word in values_of(clause).identifiers), *_CAPITALISED.findall(clause))
    names = (*support.names, *(word for word in told if word in output.words))
    rest = _without(clause, names)
    units = {one.start: one.text for one in values_of(rest).quantities}
    dates = [one for one in values_of(rest).dates if one.text not in output.text]
    parts, last, numbers = [], 0, output.numbers(clause)
    for numeral in _NUMERAL.finditer(rest):
        dated = any(one.start <= numeral.start() < one.end for one in dates)
        unit = _unit(units.get(numeral.start(), ""), numeral[0])
        if not dated and _has(numbers, numeral[0], rest[numeral.end() :]) and _names_unit(output.text, unit):
            parts.append(f"{rest[last : numeral.start()]}…")
            last = numeral.end() + len(unit)
        elif not support.carriers:
            yield Fault(numeral[0], "the output that it is computed from does not hold it")
    yield from faults("".join((*parts, rest[last:])), replace(support, names=names))


def _without(clause: str, names: Iterable[str]) -> str:
    """A clause without names, whose digits are no values."""
    for name in sorted((one for one in names if one and one in clause), key=len, reverse=True):
        clause = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", clause)
    return clause


def _has(numbers: Sequence[float], numeral: str, after: str) -> bool:
    """Whether a number is one of some, as it stands, rounded, or in per cent of one."""
    value, half = _value(numeral), _half(numeral)
    scales = (1.0, 0.01) if _PER_CENT.match(after) else (1.0,)
    pairs = ((one, scale) for one in numbers for scale in scales)
    return any(abs(one - value * scale) <= half * scale + 1e-9 * abs(one) for one, scale in pairs)


def _plain(numeral: str) -> str:
    """A number as a program writes it: "2e5" for "2 × 10^5"."""
    return re.sub(r"\s?[x×]\s?10\^?", "e", numeral.replace("−", "-").replace(",", "")).lower()


def _value(numeral: str) -> float:
    return float(_plain(numeral))


def _half(numeral: str) -> float:
    """Half a unit of the last digit; 0 for a number of one digit, which is no rounding of another."""
    digits, _, power = _plain(numeral).partition("e")
    if len(digits.replace(".", "").lstrip("-0")) < 2:
        return 0.0
    return 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def _unit(quantity: str, numeral: str) -> str:
    """The unit of an amount as it is written, with the blank before it."""
    return quantity.removeprefix(numeral) if quantity.startswith(numeral) else ""


def _names_unit(output: str, unit: str) -> bool:
    """Whether an output names a unit, as in "IC50_nM" or "5.2 nM"; a percentage is a share as well."""
    unit = unit.strip().replace("μ", "µ")
    if not unit or unit == "%":
        return True
    return bool(re.search(rf"(?<![^\W\d_]){re.escape(unit)}(?![^\W_])", output.replace("μ", "µ")))


def is_honest(origin: Origin, known: dict[str, Computation], cites: bool) -> bool:
    """Whether an origin is what it says: of a computation that the report keeps, or of a cited reply of a
    tool; who proposed or computed is named without a value.
    """
    named = values_of(f"{origin.by} {origin.source}")
    if named.dates or (origin.kind == PROPOSED and named.quantities):
        return False
    if origin.kind == PROPOSED:
        return True
    return known[origin.key].origin == origin if origin.key in known else cites and not origin.key


def origins_of(block: Block) -> tuple[Origin, ...]:
    """What a block rests on beside its citations, each once."""
    parts = block.statements if isinstance(block, Prose | Points) else (block,)
    return tuple(dict.fromkeys(one for part in parts if (one := getattr(part, "origin", None)) is not None))


def with_origin(block: Block) -> tuple[Block, ...]:
    """A block as it is read, and the line below it that tells its origin. Proposals of one origin are told
    once, by that line, where all other statements have citations.
    """
    found = origins_of(block)
    if not found:
        return (block,)
    line = " ".join(one.line for one in found)
    if isinstance(block, Prose | Points) and [one.kind for one in found] == [PROPOSED]:
        others = [one for one in block.statements if not one.origin]
        if all(one.citations for one in others):
            unmarked = tuple(replace(one, origin=None) for one in block.statements)
            block = replace(block, statements=unmarked)
            line = f"Without a citation: {line[:1].lower()}{line[1:]}" if others else line
    return (block, Line(line, remark=True))


def with_origins(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks as they are read. Of neighbours that the same mind proposed, the last one says so."""
    every = list(blocks)
    for place, one in enumerate(every):
        block, *line = with_origin(one)
        after = next((each for each in every[place + 1 :] if not isinstance(each, Heading)), None)
        proposed = {each.kind for each in origins_of(one)} == {PROPOSED}
        told = proposed and after is not None and line == [*with_origin(after)[1:]]
        yield from (block, *([] if told else line))
