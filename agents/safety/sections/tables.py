"""Facts as tables, a topic each: what was found, in which species, after which change, and its value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.databases.facts import Topic
from agents.safety.values import CellDraft, CitedFact, TableDraft

ROWS, ALL_ROWS = 15, 80
"""Rows of a table by default, and where all was asked for."""
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
    Topic.DRUG: "Drugs against the target",
    Topic.ADVERSE_EVENT: "Adverse events",
    Topic.TRIAL: "Clinical trials",
    Topic.ASSAY: "Activity in assays",
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
    "loss": "loss of function",
    "gain": "gain of function",
    "inhibition": "inhibition",
    "activation": "activation",
}


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    text: Callable[[CitedFact], str]
    always: bool = False


def table_of(topic: Topic, facts: Sequence[CitedFact], rows: int = ROWS) -> TableDraft | None:
    """The facts of a topic that have a term, a row each; None where a table
    would say no more than a sentence.

    Columns without any entry are left out; so is the species where all is human.
    """
    listed = [one for one in facts if one.fact.topic is topic and one.fact.term][:rows]
    if len(listed) < 2:
        return None
    columns = [one for one in _columns(topic) if one.always or len({one.text(fact) for fact in listed}) > 1]
    made = tuple(tuple(_cell(column, one) for column in columns) for one in listed)
    return TableDraft(TITLES[topic], tuple(column.head for column in columns), made)


def value_of(one: CitedFact) -> str:
    """The number of a fact as it is shown, with its unit; "" where it has none."""
    value, unit = one.fact.value, one.fact.unit
    if value is None:
        return ""
    return f"{value:.12g}{'%' if unit == '%' else f' {unit}' if unit else ''}"


def _columns(topic: Topic) -> tuple[_Column, ...]:
    return (
        _Column(FIRST.get(topic, "Finding"), lambda one: one.fact.term, always=True),
        _Column("Species", lambda one: one.fact.species),
        _Column("Change of the target", lambda one: CHANGES.get(one.fact.change, "")),
        _Column("What is measured", lambda one: one.fact.measure),
        _Column("Value", value_of),
        _Column("Source", lambda one: one.source),
    )


def _cell(column: _Column, one: CitedFact) -> CellDraft:
    """A cell; the first carries the citation for its row."""
    text = column.text(one)
    carries = column.always or column.head in ("Value", "Source")
    return CellDraft(text, (one.key,), one.fact.quotes) if text and carries else CellDraft(text)
