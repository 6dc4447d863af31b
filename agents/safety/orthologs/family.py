"""Other members of a protein family: how they are told from the ortholog, without knowing any gene.

Three signs, each of them general. In one species: a sequence that is clearly less like the human one than
another of that species. Across species: a sequence that is less like the human one than the species' distance
in time gives, as learnt from all species at hand. And between them: a sequence that is nearer to a refused
one than to the chosen one of that refused one's species.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from agents.safety.orthologs.align import paired_identity
from agents.safety.orthologs.kmers import likeness
from agents.safety.orthologs.species import Species, human, parted
from agents.safety.orthologs.values import Candidate, ProteinSequence, Reason, Rejection

FEWEST = 3
"""Species from which a family's rate of change is learnt."""
FASTEST = 0.008
"""Substitutions per residue and million years that few proteins exceed: human and mouse 50 % identical.
Used where there are too few species to learn from.
"""
USUAL = 0.0032
"""Substitutions per residue and million years that most proteins do not exceed: man and mouse 76 % identical.
The bound for a sequence with another gene's symbol.
"""
_LOCUS = re.compile(r"_|\d{4}|^LOC|^RGD|^ENS", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clock:
    """How fast a family changes. `rate` is None where too few species tell; `spread` is of its ratios."""

    rate: float | None
    spread: float = 0.0
    species: int = 0

    def expected(self, years: float) -> float | None:
        """Identity of aligned residues, in %, that a species so many million years away should have."""
        return None if self.rate is None else 100 * math.exp(-self.rate * years)

    def least(self, years: float, named: bool | None) -> float:
        """The identity below which a sequence is another protein.

        `named` says whether its database gives it the target's symbol, another one (False), or none (None).
        A family's name is worth more tolerance, another name less.
        """
        if self.rate is None:
            fastest = {True: math.inf, None: FASTEST, False: USUAL}[named]
            return 100 * math.exp(-fastest * years)
        ratio, slack = {True: (3.0, 0.2), None: (1.6, 0.12), False: (1.25, 0.05)}[named]
        expected = self.rate * years
        return 100 * math.exp(-max(max(ratio, 1 + 4 * self.spread) * expected, expected + slack))


def distance(identity: float) -> float:
    """Substitutions per residue (Poisson) for an identity in %."""
    return -math.log(max(identity, 1.0) / 100)


def clock(best: Mapping[Species, Candidate]) -> Clock:
    """A family's rate from the best candidate of each species, by the median; robust to some wrong ones."""
    rates: dict[str, float] = {}
    for species, one in best.items():
        years = parted(human(), species)
        if years:
            rates[species.scientific] = distance(one.measures.aligned_identity) / years
    if len(rates) < FEWEST:
        return Clock(None, species=len(rates))
    middle = median(rates.values())
    off = [abs(rate / middle - 1) for rate in rates.values()] if middle else [0.0]
    return Clock(middle, median(off), len(rates))


def symbol_of(reference: ProteinSequence, sequences: Iterable[ProteinSequence]) -> str:
    """The target's gene symbol: the human entry's, else the one that most candidates bear."""
    if reference.gene:
        return reference.gene
    found = Counter(one.gene.upper() for one in sequences if _symbol(one.gene))
    return min(found, key=lambda symbol: (-found[symbol], symbol), default="")


def named(one: ProteinSequence, gene: str) -> bool | None:
    """Whether its database gives it this symbol; None where it gives none, or a locus' number."""
    return one.gene.upper() == gene.upper() if gene and _symbol(one.gene) else None


def within_species(candidates: Sequence[Candidate]) -> dict[ProteinSequence, Rejection]:
    """Candidates of one species that another of it leaves far behind."""
    whole = [one for one in candidates if one.valid and not one.sequence.fragment]
    best = max(whole, key=lambda one: one.measures.aligned_identity, default=None)
    if best is None:
        return {}
    nearest = best.measures.aligned_identity
    limit = 1.5 * distance(nearest) + 0.05
    return {
        one.sequence: Rejection(
            Reason.OTHER_PROTEIN,
            f"{one.sequence.called}{one.measures.aligned_identity:.1f} % of its aligned residues are"
            f" identical with the human ones, while {best.sequence.accession} of the same species has"
            f" {nearest:.1f} %: another protein of the family or another form",
        )
        for one in candidates
        if one.valid and distance(one.measures.aligned_identity) > limit
    }


def too_far(one: Candidate, family: Clock, gene: str) -> Rejection | None:
    """What speaks against a candidate that is less like the human sequence than its species should be."""
    years = parted(human(), one.sequence.species)
    if not years:
        return None
    found = one.measures.aligned_identity
    least = family.least(years, named(one.sequence, gene))
    if found >= least:
        return None
    expected = family.expected(years)
    basis = (
        f"at least {least:.0f} % are expected after {years:.0f} million years apart"
        if expected is None
        else f"about {expected:.0f} % are expected of {one.sequence.species.common} by {family.species}"
        f" species of this family, and at least {least:.0f} %"
    )
    return Rejection(
        Reason.OTHER_PROTEIN,
        f"{one.sequence.called}{found:.1f} % of its aligned residues are identical with the human ones, while"
        f" {basis}: probably another protein of the family",
    )


def nearer_to_other(
    one: Candidate, others: Iterable[tuple[ProteinSequence, ProteinSequence]]
) -> Rejection | None:
    """What speaks against a candidate that belongs to a refused protein of another species.

    `others` are pairs: a refused sequence and the right one of the same species.
    """
    residues = one.sequence.residues
    for wrong, right in others:
        if likeness(residues, wrong.residues) <= likeness(residues, right.residues):
            continue
        to_wrong = paired_identity(residues, wrong.residues)
        to_right = paired_identity(residues, right.residues)
        if 1.25 * distance(to_wrong) + 0.02 < distance(to_right):
            return Rejection(
                Reason.OTHER_PROTEIN,
                f"{one.sequence.called}it is {to_wrong:.1f} % identical with {wrong.accession} of"
                f" {wrong.species.common}, which is another protein, and {to_right:.1f} % with the right one,"
                f" {right.accession}",
            )
    return None


def _symbol(gene: str) -> bool:
    return bool(gene) and _LOCUS.search(gene) is None
