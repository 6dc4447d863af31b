"""Invented protein families that evolve along the tree of species: orthologs and paralogs."""

import random
from dataclasses import replace

from agents.safety.orthologs.species import preclinical, species_named
from agents.safety.orthologs.values import ProteinSequence

AMINO = "ACDEFGHIKLMNPQRSTVWY"
Tree = tuple[float, tuple["Tree | str", ...]]
MONKEYS: Tree = (43, ("human", "marmoset", (4, ("cynomolgus monkey", "rhesus monkey"))))
RODENTS: Tree = (70, ("guinea pig", (27, ("hamster", (12, ("rat", "mouse"))))))
CARNIVORES: Tree = (76, ("minipig", (54, ("dog", "cat"))))
TREE: Tree = (94, (CARNIVORES, (87, (MONKEYS, (79, ("rabbit", RODENTS))))))
"""Species by millions of years since their last common ancestor."""


class Family:
    """One gene in all species. `rate` is the substitutions per residue and million years, both lineages.

    The same seed gives the same family.
    """

    def __init__(self, seed: int, length: int = 400, rate: float = 0.002, gene: str = "GENE1") -> None:
        self._random = random.Random(seed)
        self.rate, self.gene = rate, gene
        first = self._random.choice
        self.root = "M" + "".join(first(AMINO) for _ in range(length - 1))
        self._made: dict[str, str] = {}
        self._grow(self.root, TREE, 130.0)

    def residues(self, species: str) -> str:
        return self._made[species_named(species).scientific]

    def entry(self, species: str, accession: str = "", **changes: object) -> ProteinSequence:
        """The species' sequence as an unreviewed entry of a database."""
        of = species_named(species)
        name = accession or f"{self.gene}_{of.common.upper().replace(' ', '')}"
        made = ProteinSequence(
            name,
            of,
            self.residues(species),
            "UniProt unreviewed",
            "Protein of interest",
            self.gene,
            "made.fasta",
        )
        return replace(made, **changes)  # type: ignore[arg-type]

    def entries(self, *without: str) -> list[ProteinSequence]:
        """An entry of every preclinical species."""
        return [self.entry(one.common) for one in preclinical() if one.common not in without]

    def mutated(self, residues: str, share: float) -> str:
        """A share of the residues replaced by others; the first one stays."""
        places = self._random.sample(range(1, len(residues)), round(share * (len(residues) - 1)))
        made = list(residues)
        for at in places:
            made[at] = self._random.choice(AMINO.replace(made[at], ""))
        return "".join(made)

    def paralog(self, identity: float, seed: int, gene: str = "GENE2") -> "Family":
        """Another family, whose ancestor is so much (0 to 1) identical with this one's."""
        other = Family(seed, len(self.root), self.rate, gene)
        other._made = {}
        other.root = other.mutated(self.root, 1 - identity)
        other._grow(other.root, TREE, 130.0)
        return other

    def random_residues(self, length: int) -> str:
        return "".join(self._random.choice(AMINO) for _ in range(length))

    def _grow(self, residues: str, tree: Tree | str, age: float) -> None:
        """Evolve along the tree from an ancestor of so many million years ago."""
        if isinstance(tree, str):
            self._made[species_named(tree).scientific] = self._evolved(residues, age)
            return
        split, branches = tree
        ancestor = self._evolved(residues, age - split)
        for branch in branches:
            self._grow(ancestor, branch, split)

    def _evolved(self, residues: str, years: float) -> str:
        share = min(self.rate * years / 2, 0.9)
        places = [at for at in range(1, len(residues)) if self._random.random() < share]
        made = list(residues)
        for at in places:
            made[at] = self._random.choice(AMINO.replace(made[at], ""))
        return "".join(made)
