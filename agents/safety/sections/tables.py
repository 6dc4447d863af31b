"""Facts as tables, a topic each: what was found, in which species, after which change, and its value."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agents.databases.facts import Change, Fact, Topic
from agents.safety.endpoints.mapping import is_expressed
from agents.safety.synthesis.findings import is_class
from agents.safety.values import CellDraft, CitedFact, TableDraft, Words, cites
from agents.text.numbers import parse_numbers

ROWS, ALL_ROWS = 10, 80
"""Rows of a table by default, and where all was asked for."""
MORE = "The table is cut; further rows stand in the records cited."
TITLES = {
    Topic.FUNCTION: "Function",
    Topic.PATHWAY: "Pathways and processes",
    Topic.LOCATION: "Location in the cell",
    Topic.EXPRESSION: "Expression by tissue",
    Topic.CONSTRAINT: "Constraint in human populations",
    Topic.VARIANT: "Variants",
    Topic.ASSOCIATION: "Common variants and traits",
    Topic.DISEASE: "Diseases from rare variants",
    Topic.PHENOTYPE: "Phenotypes of animals with a changed target",
    Topic.HOMOLOGY: "Orthologs and paralogs",
    Topic.DRUG: "Drugs on the target",
    Topic.ADVERSE_EVENT: "Adverse events",
    Topic.TRIAL: "Clinical trials",
    Topic.LITERATURE: "Publications",
    Topic.ARCHIVE: "Passages of the archive",
}
FIRST = {
    Topic.EXPRESSION: "Tissue",
    Topic.CONSTRAINT: "Measure",
    Topic.ASSOCIATION: "Trait",
    Topic.DISEASE: "Disease",
    Topic.PHENOTYPE: "Phenotype",
    Topic.HOMOLOGY: "Gene or protein",
    Topic.DRUG: "Drug",
    Topic.ADVERSE_EVENT: "Event",
    Topic.TRIAL: "Trial",
    Topic.PATHWAY: "Pathway or process",
    Topic.LOCATION: "Place",
}
CHANGES = {
    Change.LOSS: "loss of function",
    Change.GAIN: "gain of function",
    Change.INHIBITION: "inhibition",
    Change.ACTIVATION: "activation",
}


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    text: Callable[[CitedFact], str]
    always: bool = False
    labelled: bool = False
    """Whether it holds a number, which says nothing without its head."""


def tables_of(topic: Topic, facts: Sequence[CitedFact], rows: int = ROWS) -> Iterator[TableDraft | Words]:
    """The facts of a topic that have a term, a row each; one table for each thing that is measured, and
    behind one that is cut a remark.

    What only one fact measures is left to the sentences, and so are classes of phenotypes, and expression
    where no tissue shows any.
    Columns in which all rows agree are left out.
    """
    measured: dict[tuple[str, str], list[CitedFact]] = {}
    for one in facts:
        if one.fact.topic is topic and one.fact.term and not is_class(one.fact):
            measure = one.fact.measure.removeprefix("withdrawn ")
            measured.setdefault((measure, one.fact.unit), []).append(one)
    for listed in measured.values():
        if len(listed) > 1 and tells_levels(topic, listed):
            yield _table(topic, _by_level(topic, listed), rows, named=len(measured) > 1)
            if len(listed) > rows:
                yield Words(MORE)


def tells_levels(topic: Topic, facts: Sequence[CitedFact]) -> bool:
    """Whether rows or bars of these facts tell more than that the target is expressed nowhere."""
    return topic is not Topic.EXPRESSION or any(is_expressed(one.fact) for one in facts)


def _by_level(topic: Topic, facts: Sequence[CitedFact]) -> list[CitedFact]:
    """Tissues, the highest first; other facts as their source orders them."""
    return sorted(facts, key=lambda one: -(one.fact.value or 0.0) if topic is Topic.EXPRESSION else 0.0)


def _table(topic: Topic, listed: Sequence[CitedFact], rows: int, *, named: bool) -> TableDraft:
    """The first rows. Facts that a reader could not tell apart, as of one event in two labels, share one."""
    every = _columns(topic, listed[0].fact)
    columns = [one for one in every if one.always or len({one.text(fact) for fact in listed}) > 1]
    told: dict[tuple[object, ...], list[CitedFact]] = {}
    for one in listed:
        name = one.fact.term.casefold().removesuffix("s")
        told.setdefault((name, *(column.text(one) for column in columns[1:])), []).append(one)
    first = list(told.values())[:rows]
    made = tuple(tuple(_cell(column, own) for column in columns) for own in first)
    alike = (
        [listed[0].fact.measure] if named and listed[0].fact.value is None and listed[0].fact.measure else []
    )
    alike += [_said(one, listed[0]) for one in every if one not in columns and one.text(listed[0])]
    title = f"{TITLES[topic]} ({', '.join(alike)})" if alike else TITLES[topic]
    return TableDraft(title, tuple(column.head for column in columns), made)


def _said(column: _Column, one: CitedFact) -> str:
    """What all rows of a table have alike, for its title."""
    return (
        f"{column.head[:1].lower()}{column.head[1:]}: {column.text(one)}"
        if column.labelled
        else column.text(one)
    )


def value_of(one: CitedFact) -> str:
    """The number of a fact with its unit, as its record writes it; "" where it has none, or another one."""
    number, unit = number_of(one), one.fact.unit
    if not number or "phase" in one.fact.measure:
        return f"phase {number}" if number else ""
    return f"{number}{'%' if unit == '%' else f' {unit}' if unit else ''}"


def number_of(one: CitedFact) -> str:
    """The number of a fact as its record writes it ("3E-50"); "" where it has none, or another one."""
    value = one.fact.value
    if value is None:
        return ""
    stated = {number.value: number.text for quote in one.fact.quotes for number in parse_numbers(quote)}
    spelled = (f"{value:.12g}", *(f"{value:.{digits}f}" for digits in (4, 3, 2, 1, 0)))
    if number := next((text for text in spelled if float(text) in stated), ""):
        written = stated[float(number)]
        return written if "e" in number or "." in written else number
    return next((text for known, text in stated.items() if math.isclose(known, value, rel_tol=1e-9)), "")


def head_of(fact: Fact) -> str:
    """What the numbers of a column are: the measure with its unit ("Mean expression (log2(1 + RPKM))")."""
    if "phase" in fact.measure:
        return "Highest phase"
    named = fact.measure[:1].upper() + fact.measure[1:] or "Value"
    return f"{named} ({fact.unit})" if fact.unit else named


def _columns(topic: Topic, first: Fact) -> tuple[_Column, ...]:
    return (
        _Column(FIRST.get(topic, "Finding"), lambda one: one.fact.term, always=True),
        _Column("Kind", lambda one: one.fact.measure if topic is Topic.DRUG else ""),
        _Column("Species", lambda one: one.fact.species),
        _Column("Genotype", lambda one: one.fact.genotype),
        _Column("Change of the target", lambda one: CHANGES.get(one.fact.change, "")),
        _Column(head_of(first), value_of if "phase" in first.measure else number_of, labelled=True),
        _Column("Source", lambda one: one.source),
    )


def _cell(column: _Column, own: Sequence[CitedFact]) -> CellDraft:
    """A cell; the first carries the citations for its row."""
    text = column.text(own[0])
    carries = column.always or column.labelled or column.head == "Source"
    return CellDraft(text, *cites(own)) if text and carries else CellDraft(text)
