"""The species recommendation by rules: how close each test species' protein is, and what is known in it."""

from collections.abc import Sequence

from agents.databases.facts import Topic
from agents.safety.endpoints.species import SpeciesGroup, species_group, species_name
from agents.safety.material import Draft, Material, claim_of
from agents.safety.sections.tables import value_of
from agents.safety.sections.wish import Wish
from agents.safety.values import CellDraft, CitedFact, DraftBlock, TableDraft

TITLE = "Test species"
COLUMNS = ("Species", "Group", "Closeness of the protein", "Phenotypes known in it")
NO_HOMOLOGY = (
    "No source told how close the protein of a test species is to the human one: no species is recommended."
)
GROUPS = (SpeciesGroup.RODENT, SpeciesGroup.NON_RODENT, SpeciesGroup.ALTERNATIVE)
PHENOTYPES = 3


def species(material: Material, wish: Wish) -> Draft:
    """The section by rules: of each group the closest species, then all in a table."""
    homology = [one for one in material.of(Topic.HOMOLOGY) if _group(one) in GROUPS and not wish.refuses(one)]
    closest = [one for group in GROUPS[:2] if (one := _closest(homology, group)) is not None]
    names = _names(homology, material.of(Topic.PHENOTYPE))
    blocks: tuple[DraftBlock, ...] = ()
    if names:
        rows = tuple(_row(name, homology, material.of(Topic.PHENOTYPE)) for name in names)
        blocks = (TableDraft(TITLE, COLUMNS, rows),)
    claims = tuple(claim_of(one) for one in closest)
    return Draft(claims, blocks, (() if closest else (NO_HOMOLOGY,)) + _advice(closest))


def _advice(closest: Sequence[CitedFact]) -> tuple[str, ...]:
    """Which species follow from what is cited above, in words without values."""
    told = [f"{species_name(one.fact.species)} ({_group(one)})" for one in closest]
    if not told:
        return ()
    return (
        f"By closeness of sequence alone these come first: {' and '.join(told)}. Binding, potency and "
        "expression in the species have to confirm it.",
    )


def _closest(homology: Sequence[CitedFact], group: SpeciesGroup) -> CitedFact | None:
    """The fact with the highest identity in a group; the first of equals."""
    of_group = [one for one in homology if _group(one) is group and one.fact.value is not None]
    return max(of_group, key=lambda one: one.fact.value or 0.0, default=None)


def _names(homology: Sequence[CitedFact], phenotypes: Sequence[CitedFact]) -> list[str]:
    """Species by group, then by closeness."""
    found = dict.fromkeys(
        species_name(one.fact.species) for one in (*homology, *phenotypes) if _group(one) in GROUPS
    )

    def rank(name: str) -> tuple[int, float]:
        values = [one.fact.value or 0.0 for one in homology if species_name(one.fact.species) == name]
        return GROUPS.index(species_group(name)), -max(values, default=0.0)

    return sorted((name for name in found if species_group(name) in GROUPS), key=rank)


def _row(name: str, homology: Sequence[CitedFact], phenotypes: Sequence[CitedFact]) -> tuple[CellDraft, ...]:
    close = [one for one in homology if species_name(one.fact.species) == name and one.fact.value is not None]
    seen = [one for one in phenotypes if species_name(one.fact.species) == name and one.fact.term][
        :PHENOTYPES
    ]
    top = max(close, key=lambda one: one.fact.value or 0.0, default=None)
    return (
        CellDraft(name),
        CellDraft(str(species_group(name))),
        CellDraft(value_of(top), (top.key,), top.fact.quotes) if top else CellDraft("no evidence found"),
        _cell(seen),
    )


def _cell(seen: Sequence[CitedFact]) -> CellDraft:
    if not seen:
        return CellDraft("no evidence found")
    keys = tuple(dict.fromkeys(one.key for one in seen))
    quotes = tuple(dict.fromkeys(quote for one in seen for quote in one.fact.quotes))
    return CellDraft("; ".join(one.fact.term for one in seen), keys, quotes)


def _group(one: CitedFact) -> SpeciesGroup:
    return species_group(one.fact.species)
