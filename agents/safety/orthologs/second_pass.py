"""The second pass (Appendix F, step 3): a similarity search for a species that has no valid candidate."""

import re
from collections.abc import Iterable
from dataclasses import replace

from agents.safety.orthologs.kmers import most_alike
from agents.safety.orthologs.screen import Reference, screen
from agents.safety.orthologs.species import Species
from agents.safety.orthologs.values import Candidate, Limits, ProteinSequence, Reason, Rejection

MOST = 5
"""Sequences of a search that are aligned."""


def similar(
    reference: Reference, species: Species, sequences: Iterable[ProteinSequence], limits: Limits
) -> tuple[Candidate, ...]:
    """Sequences like the human one that may be of the species, most alike first.

    Those are: of no stated species, if their description names this one; of no stated species at all; and of
    another subspecies, or the wild form. Only the first can be valid, the others are for a person to choose.
    """
    unlabelled = [one for one in sequences if not one.species.known]
    named = [one for one in unlabelled if _names(one.description, species)]
    kin = [one for one in sequences if one.species != species and _kin(one.species, species)]
    found = [
        screen(reference, replace(one, species=species), limits)
        for one in most_alike(reference.residues, named, MOST)
    ]
    rest = [one for one in (*kin, *unlabelled) if one not in named]
    for one in most_alike(reference.residues, rest, MOST):
        label = one.species.scientific
        text = f"its label says {label}" if label else "its header states no species"
        looked = screen(reference, one, limits)
        refused = (*looked.rejections, Rejection(Reason.SPECIES, text))
        found.append(replace(looked, rejections=refused))
    return tuple(found)


def _names(description: str, species: Species) -> bool:
    names = (species.scientific, species.common)
    return any(re.search(rf"\b{re.escape(name)}\b", description, re.IGNORECASE) for name in names)


def _kin(one: Species, other: Species) -> bool:
    """Whether two names begin with the same genus and species."""
    first, second = one.scientific.split()[:2], other.scientific.split()[:2]
    return len(first) == 2 and first == second
