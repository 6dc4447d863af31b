"""For each species the sequence that stands for the target, with reasons (paper 4.2.1 and Appendix F)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.safety.orthologs.align import paired_identity
from agents.safety.orthologs.family import (
    Clock,
    clock,
    nearer_to_other,
    symbol_of,
    too_far,
    within_species,
)
from agents.safety.orthologs.kmers import most_alike
from agents.safety.orthologs.labels import doubts
from agents.safety.orthologs.overriding import overridden
from agents.safety.orthologs.rank import ranked, why
from agents.safety.orthologs.reference import SAME_GENE, canonical, mended
from agents.safety.orthologs.screen import Reference, screen
from agents.safety.orthologs.second_pass import similar
from agents.safety.orthologs.species import Species, human, preclinical
from agents.safety.orthologs.values import (
    Candidate,
    Choice,
    Limits,
    OrthologVerdict,
    Overrides,
    ProteinSequence,
    Reason,
    Rejection,
    Selection,
)

FORMS = 40
"""Candidates of one species that are aligned; the least alike of more are not."""
ALIKE = 0.02
"""Likeness by shared words from which one of many candidates is aligned: about 35 % identity."""
BESIDE = 25
"""Species beside those asked for from which the family's rate of change is learnt."""
ROUNDS = 5
"""How often a choice is taken back because its species' label does not fit."""

Found = Mapping[Species, Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class _Family:
    """What the steps share: the reference, the symbol, the family's rate, and its refused members."""

    reference: Reference
    gene: str
    clock: Clock
    humans: tuple[ProteinSequence, ...]


def select(
    humans: Sequence[ProteinSequence],
    candidates: Sequence[ProteinSequence],
    species: Sequence[Species] = (),
    *,
    limits: Limits | None = None,
    overrides: Overrides | None = None,
    searched: Sequence[str] = (),
) -> Selection:
    """The selection for the species asked for; without any, for the preclinical ones.

    `humans` holds the canonical human sequence, and perhaps other forms of it; human sequences among the
    candidates tell what else there is of the family in man. `searched` names the databases or files that were
    asked; without it, those that the sequences come from. The same input gives the same output, in whatever
    order. Raises `SequenceError` for no human sequence, and for an override that names none of the sequences.
    """
    limits, overrides = limits or Limits(), overrides or Overrides()
    wanted = tuple(dict.fromkeys(species)) or preclinical()
    first, note = canonical(humans)
    known = tuple(one for one in (*humans, *candidates) if one.species == human())
    pool = [one for one in _distinct(candidates) if one.species != human()]
    asked = tuple(searched) or tuple(dict.fromkeys(one.origin for one in candidates if one.origin))
    looked = (*wanted, *_beside(pool, wanted))
    reference = Reference(first, first.residues)
    found = {each: _screened(reference, each, pool, limits) for each in looked}
    reference, doubt = mended(reference, found, known, limits)
    if reference.residues != first.residues:
        found = {each: _screened(reference, each, pool, limits) for each in looked}
    gene = symbol_of(reference.sequence, pool)
    family = _Family(reference, gene, clock(_best(found)), known)
    chosen = _chosen(family, _judged(family, found, wanted))
    choices = tuple(_choice(family, each, chosen[each], pool, limits, asked) for each in wanted)
    selection = Selection(reference.sequence, choices, tuple(filter(None, (note, doubt))), asked)
    return overridden(selection, pool, reference, limits, overrides)


def _distinct(sequences: Iterable[ProteinSequence]) -> list[ProteinSequence]:
    """Each accession with each sequence once."""
    seen = {(one.accession, one.residues, one.species.scientific): one for one in reversed(list(sequences))}
    return sorted(seen.values(), key=lambda one: (one.accession, one.residues, one.origin))


def _beside(pool: Sequence[ProteinSequence], wanted: Sequence[Species]) -> tuple[Species, ...]:
    """Other species of which it is known when they parted from man."""
    others = {one.species.scientific: one.species for one in pool if one.species.groups}
    return tuple(others[name] for name in sorted(others) if others[name] not in wanted)[:BESIDE]


def _screened(
    reference: Reference, species: Species, pool: Sequence[ProteinSequence], limits: Limits
) -> tuple[Candidate, ...]:
    own = [one for one in pool if one.species == species]
    if len(own) > FORMS:
        near = most_alike(reference.residues, own, FORMS, least=ALIKE)
        own = list(near or most_alike(reference.residues, own, 1, least=0.0))
    return tuple(screen(reference, one, limits) for one in own)


def _best(found: Found) -> dict[Species, Candidate]:
    """The most alike valid candidate of each species."""
    best: dict[Species, Candidate] = {}
    for species, every in found.items():
        whole = [one for one in every if one.valid and not one.sequence.fragment]
        if whole:
            best[species] = max(
                whole, key=lambda one: (one.measures.aligned_identity, one.sequence.accession)
            )
    return best


def _judged(family: _Family, found: Found, wanted: Sequence[Species]) -> dict[Species, tuple[Candidate, ...]]:
    """Candidates with what speaks for another protein of the family added, ranked."""
    judged: dict[Species, list[Candidate]] = {}
    for species, every in found.items():
        behind = within_species(every)
        judged[species] = [
            _refused(one, behind.get(one.sequence) or too_far(one, family.clock, family.gene))
            if one.valid
            else one
            for one in every
        ]
    others = _others(family, judged)
    return {
        species: ranked(
            [_refused(one, nearer_to_other(one, others)) if one.valid else one for one in judged[species]],
            family.gene,
        )
        for species in wanted
    }


def _others(family: _Family, judged: Found) -> tuple[tuple[ProteinSequence, ProteinSequence], ...]:
    """Pairs of a sequence of another protein and the right one of its species; the human ones first."""
    right = family.reference.sequence
    others = [one for one in family.humans if one.residues != right.residues and not one.fragment]
    pairs = [(one, right) for one in others if paired_identity(one.residues, right.residues) < SAME_GENE]
    for every in judged.values():
        best = ranked(every, family.gene)
        if best and best[0].valid:
            pairs += [(one.sequence, best[0].sequence) for one in best if _is_other(one)]
    return tuple(pairs)


def _is_other(one: Candidate) -> bool:
    return any(each.reason is Reason.OTHER_PROTEIN for each in one.rejections)


def _refused(one: Candidate, rejection: Rejection | None) -> Candidate:
    return one if rejection is None else replace(one, rejections=(*one.rejections, rejection))


def _chosen(
    family: _Family, judged: Mapping[Species, tuple[Candidate, ...]]
) -> dict[Species, tuple[Candidate, ...]]:
    """Candidates ranked anew until the labels of the first ones fit each other."""
    now = dict(judged)
    for _ in range(ROUNDS):
        first = [every[0] for every in now.values() if every and every[0].valid]
        found = doubts(family.reference.sequence, first, family.clock)
        now = {
            species: tuple(_doubted(one, found.doubted) for one in every) for species, every in now.items()
        }
        if not found.refused:
            return now
        now = {
            species: ranked([_refused(one, found.refused.get(one.sequence)) for one in every], family.gene)
            for species, every in now.items()
        }
    return now


def _doubted(one: Candidate, doubted: Mapping[ProteinSequence, str]) -> Candidate:
    text = doubted.get(one.sequence, "")
    return replace(one, flags=(*one.flags, text)) if text and text not in one.flags else one


def _choice(
    family: _Family,
    species: Species,
    candidates: tuple[Candidate, ...],
    pool: Sequence[ProteinSequence],
    limits: Limits,
    searched: tuple[str, ...],
) -> Choice:
    if candidates and candidates[0].valid:
        first = candidates[0]
        return Choice(
            species, OrthologVerdict.CHOSEN, first, why(candidates, first), candidates, (), searched
        )
    second = ranked(
        [
            _refused(one, too_far(one, family.clock, family.gene)) if one.valid else one
            for one in similar(family.reference, species, pool, limits)
        ],
        family.gene,
    )
    if second and second[0].valid:
        reasons = ("found by the similarity search of the second pass", *why(second, second[0]))
        return Choice(species, OrthologVerdict.CHOSEN, second[0], reasons, candidates, second, searched)
    return Choice(
        species, OrthologVerdict.EXCLUDED, None, _excluded(candidates, second), candidates, second, searched
    )


def _excluded(candidates: Sequence[Candidate], second: Sequence[Candidate]) -> tuple[str, ...]:
    first = (
        f"none of its {len(candidates)} candidates passed"
        if candidates
        else "no database or file holds a sequence of this species"
    )
    again = f"the similarity search found {len(second)} that cannot be taken" if second else ""
    return tuple(filter(None, (first, again or "the similarity search found nothing")))
