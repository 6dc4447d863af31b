"""The species recommendation by rules: how close each test species' protein is, and what is known in it."""

from collections.abc import Sequence

from agents.counts import listed
from agents.databases.facts import Response, Topic
from agents.safety.endpoints.species import SpeciesGroup, species_group, species_name
from agents.safety.material import Draft, Material, claim_of
from agents.safety.sections.tables import value_of
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.findings import is_class
from agents.safety.synthesis.wording import NO_EVIDENCE
from agents.safety.values import CellDraft, CitedFact, DraftBlock, TableDraft, cites

TITLE = "Test species"
COLUMNS = ("Species", "Group", "Identity with the human protein (%)", "Phenotypes known in it")
NOT_ASSESSED = (
    "No species is recommended: how close the protein of a test species is to the human one was told by none "
    "of these: {}."
)
ALIKE = (
    "In a group, species whose identities differ by less than five points are named together: so small a "
    "difference does not rank them. Binding, potency and expression in the species have to confirm it."
)
GROUPS = (SpeciesGroup.RODENT, SpeciesGroup.NON_RODENT, SpeciesGroup.ALTERNATIVE)
PHENOTYPES = 3
CLOSE = 5.0
"""Points of identity within which species are not ranked."""


def species(material: Material, wish: Wish) -> Draft:
    """The section by rules: of each group the closest species, then all in a table."""
    homology = [one for one in material.of(Topic.HOMOLOGY) if _group(one) in GROUPS and not wish.refuses(one)]
    closest = [one for group in GROUPS[:2] for one in _closest(homology, group)]
    phenotypes = [one for one in material.of(Topic.PHENOTYPE) if one.fact.term and not is_class(one.fact)]
    names = _names(homology, phenotypes)
    blocks: tuple[DraftBlock, ...] = ()
    if names:
        rows = tuple(_row(name, homology, phenotypes) for name in names)
        blocks = (TableDraft(TITLE, COLUMNS, rows),)
    remarks = ((ALIKE,) if closest else (_not_assessed(material),)) + without_ortholog(material)
    return Draft(tuple(map(claim_of, closest)), blocks, remarks)


def _not_assessed(material: Material) -> str:
    """Why no species is recommended: the sources of sequences that could not tell."""
    silent = [one.source for one in material.collected if Topic.HOMOLOGY in one.topics and not one.facts]
    return NOT_ASSESSED.format(listed(tuple(dict.fromkeys(silent))) or "sources of orthologs")


def without_ortholog(material: Material) -> tuple[str, ...]:
    """Sources that were asked for an ortholog of a species and hold none."""
    return tuple(
        line
        for one in material.collected
        if one.answer is Response.NO_ROW
        for line in one.missing
        if "ortholog" in line
    )


def _closest(homology: Sequence[CitedFact], group: SpeciesGroup) -> list[CitedFact]:
    """The facts with the highest identity in a group, one a species; those within a few points together."""
    best: dict[str, CitedFact] = {}
    for one in homology:
        name = species_name(one.fact.species)
        if _group(one) is group and _identity(one) > _identity(best.get(name)):
            best[name] = one
    ranked = sorted(best.values(), key=_identity, reverse=True)
    return [one for one in ranked if _identity(ranked[0]) - _identity(one) < CLOSE]


def _identity(one: CitedFact | None) -> float:
    """The identity of a species' protein in %; -1 where none is told."""
    told = one is not None and one.fact.unit == "%" and one.fact.value is not None
    return (one.fact.value or 0.0) if told and one is not None else -1.0


def _names(homology: Sequence[CitedFact], phenotypes: Sequence[CitedFact]) -> list[str]:
    """Species by group, then by closeness."""
    found = dict.fromkeys(
        species_name(one.fact.species) for one in (*homology, *phenotypes) if _group(one) in GROUPS
    )

    def rank(name: str) -> tuple[int, float]:
        values = [_identity(one) for one in homology if species_name(one.fact.species) == name]
        return GROUPS.index(species_group(name)), -max(values, default=0.0)

    return sorted((name for name in found if species_group(name) in GROUPS), key=rank)


def _row(name: str, homology: Sequence[CitedFact], phenotypes: Sequence[CitedFact]) -> tuple[CellDraft, ...]:
    close = [one for one in homology if species_name(one.fact.species) == name and _identity(one) >= 0]
    seen = [one for one in phenotypes if species_name(one.fact.species) == name]
    top = max(close, key=_identity, default=None)
    called = next((one.fact.species for one in (*close, *seen)), name)
    identity = value_of(top).rstrip("%").strip() if top else ""
    return (
        CellDraft(called),
        CellDraft(str(species_group(name))),
        CellDraft(identity, (top.key,), top.fact.quotes) if top else CellDraft(NO_EVIDENCE),
        _cell(seen[:PHENOTYPES]),
    )


def _cell(seen: Sequence[CitedFact]) -> CellDraft:
    if not seen:
        return CellDraft(NO_EVIDENCE)
    return CellDraft("; ".join(one.fact.term for one in seen), *cites(seen))


def _group(one: CitedFact) -> SpeciesGroup:
    """The group of a fact's species; great apes are no test species."""
    ape = one.fact.species.casefold() == "chimpanzee"
    return SpeciesGroup.UNKNOWN if ape else species_group(one.fact.species)
