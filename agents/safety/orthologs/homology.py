"""A selection as records and facts: what the homology section of a report states, and what it cites."""

from collections.abc import Sequence

from agents.databases.facts import Topic
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target_tool import TargetFindings
from agents.safety.orthologs.values import Candidate, Choice, Selection

TITLE = "Ortholog selection"
IDENTITY = "100 x identical residues / columns of a global pairwise alignment, gaps included"
"""What identity means, wherever it stands."""
REFUSED = 3
"""Refused candidates of a species that are told in a sentence each; the record holds all."""


def homology_facts(selection: Selection, symbol: str, missing: Sequence[str] = ()) -> TargetFindings:
    """Facts on each species' identity, and on excluded species with every reason.

    Each sentence stands on a line of the record. `missing` says which databases could not be asked.
    """
    human = selection.human
    title = f"{TITLE}: {symbol}, human {human.accession} of {len(human.residues)} residues"
    sheet = Sheet(title, TITLE, query=symbol)
    sheet.line(f"identity: {IDENTITY}")
    if selection.searched:
        sheet.line(f"searched: {', '.join(selection.searched)}")
    for note in selection.notes:
        sheet.state(Topic.HOMOLOGY, note)
    for choice in selection.choices:
        if choice.chosen:
            _chosen(sheet, symbol, human.accession, choice, choice.chosen)
        else:
            _excluded(sheet, symbol, choice)
    _refused(sheet, selection)
    return target_findings((sheet,), nothing=f"No species was compared for {symbol}.", missing=missing)


def _chosen(sheet: Sheet, symbol: str, human: str, choice: Choice, one: Candidate) -> None:
    found, name = one.measures, choice.species.common
    says = (
        f"{symbol} of the {name} ({one.sequence.name}) is {found.identity:.1f}% identical with human {human};"
        f" its length is {found.length} residues ({found.length_change:+.1f}%)"
    )
    sheet.state(
        Topic.HOMOLOGY,
        says,
        term=one.sequence.accession,
        id=one.sequence.accession,
        species=name,
        measure="sequence identity",
        value=round(found.identity, 1),
        unit="%",
    )
    sheet.line(f"{name}, why this sequence: {'; '.join(choice.reasons)}")
    for flag in one.flags:
        sheet.state(
            Topic.HOMOLOGY, f"{symbol} of the {name} ({one.sequence.accession}): {flag}", species=name
        )


def _excluded(sheet: Sheet, symbol: str, choice: Choice) -> None:
    name = choice.species.common
    searched = ", ".join(choice.searched) or "nothing"
    says = f"No {symbol} sequence of the {name} is taken: {'; '.join(choice.reasons)} (searched: {searched})"
    sheet.state(Topic.HOMOLOGY, says, species=name)
    for one in choice.refused[:REFUSED]:
        why = "; ".join(each.text for each in one.rejections)
        sheet.state(Topic.HOMOLOGY, f"{one.sequence.name} of the {name} is refused: {why}", species=name)


def _refused(sheet: Sheet, selection: Selection) -> None:
    """Every refused candidate of species that have a chosen one; lines for a reader of the record."""
    rows = [(choice, one) for choice in selection.choices for one in choice.refused]
    if not rows:
        return
    sheet.head("Refused candidates")
    for choice, one in rows:
        why = "; ".join(each.text for each in one.rejections)
        sheet.line(f"{choice.species.common}: {one.sequence.name}: {why}")
