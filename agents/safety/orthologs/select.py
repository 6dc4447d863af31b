"""For each species the sequence that stands for the target, with reasons (paper 4.2.1 and Appendix F).

Each species' candidates pass the pre-filter, lose what belongs to another protein, and are ranked; the first
is chosen. Where none is left the species is excluded, unless a person chooses a sequence by hand.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from agents.safety.orthologs.align import most_alike, paired_identity
from agents.safety.orthologs.decisions import decided
from agents.safety.orthologs.rank import ranked, why
from agents.safety.orthologs.screen import kept_by_kin, other_proteins, screen
from agents.safety.orthologs.species import Species, human, preclinical
from agents.safety.orthologs.values import (
    Choice,
    OrthologVerdict,
    Overrides,
    ProteinSequence,
    Selection,
    SequenceError,
)

FORMS = 40
"""Candidates of one species that are aligned; the least alike of more are not."""
ALIKE = 0.02
"""Likeness by shared words from which one of many candidates is aligned: about 35 % identity."""
SAME_GENE = 97.0
"""Identity of aligned residues from which two human sequences are forms of one protein."""
NO_SEQUENCE = "no database or file holds a sequence of this species"


def select(
    humans: Sequence[ProteinSequence],
    candidates: Sequence[ProteinSequence],
    species: Sequence[Species] = (),
    *,
    overrides: Overrides | None = None,
    searched: Sequence[str] = (),
) -> Selection:
    """The selection for the species asked for; without any, for the preclinical ones.

    `humans` holds the canonical human sequence, and perhaps other forms of it; human sequences among the
    candidates tell what else there is of the family in man. `searched` names the databases or files that were
    asked; without it, those that the sequences come from. The same input gives the same output, in whatever
    order. Raises `SequenceError` for no human sequence, and for an override that names none of the sequences.
    """
    reference, note = canonical(humans)
    pool = [one for one in _distinct(candidates) if one.species != human()]
    known = (one for one in (*humans, *candidates) if one.species == human() and not one.fragment)
    paralogs = [one for one in known if paired_identity(one.residues, reference.residues) < SAME_GENE]
    gene = reference.gene or _commonest(one.gene.upper() for one in pool if one.gene)
    asked = tuple(searched) or tuple(dict.fromkeys(one.origin for one in candidates if one.origin))

    def choice(of: Species, passed: Sequence[ProteinSequence] = ()) -> Choice:
        own = _nearest(reference, pool, of)
        screened = [kept_by_kin(screen(reference, one), passed) for one in own]
        every = ranked(other_proteins(screened, reference, paralogs, gene), gene)
        if every and every[0].valid:
            return Choice(of, OrthologVerdict.CHOSEN, every[0], why(every, every[0]), every, asked)
        none = f"none of its {len(every)} candidates passed" if every else NO_SEQUENCE
        return Choice(of, OrthologVerdict.EXCLUDED, None, (none,), every, asked)

    made = {one: choice(one) for one in dict.fromkeys(species or preclinical())}
    passed = [one.chosen.sequence for one in made.values() if one.chosen]
    made = {of: one if one.chosen else choice(of, passed) for of, one in made.items()}
    choices = decided(made, overrides or Overrides(), lambda one: screen(reference, one), pool)
    return Selection(reference, choices, (note,) if note else (), asked)


def canonical(sequences: Sequence[ProteinSequence]) -> tuple[ProteinSequence, str]:
    """The canonical one of the human sequences given, and a note where there were several.

    Raises `SequenceError` where none is human, or says nothing of its species.
    """
    own = [one for one in sequences if one.species == human()]
    fit = own or [one for one in sequences if not one.species.known]
    if not fit:
        raise SequenceError(
            "No sequence among those given as human is one; give the human canonical sequence."
        )
    best = min(
        fit,
        key=lambda one: (
            not one.reviewed,
            one.fragment,
            bool(one.isoform),
            -len(one.residues),
            one.accession,
        ),
    )
    if len(fit) == 1:
        return best, ""
    return best, f"Of {len(fit)} human sequences {best.name} is taken as the canonical one."


def _distinct(sequences: Iterable[ProteinSequence]) -> list[ProteinSequence]:
    """Each accession with each sequence once."""
    seen = {(one.accession, one.residues, one.species.scientific): one for one in reversed(list(sequences))}
    return sorted(seen.values(), key=lambda one: (one.accession, one.residues, one.origin))


def _commonest(names: Iterable[str]) -> str:
    """The symbol that most candidates bear; "" without any."""
    found = Counter(names)
    return min(found, key=lambda name: (-found[name], name), default="")


def _nearest(
    reference: ProteinSequence, pool: Sequence[ProteinSequence], species: Species
) -> list[ProteinSequence]:
    """The sequences of a species; of very many those that are most like the human one."""
    own = [one for one in pool if one.species == species]
    if len(own) <= FORMS:
        return own
    near = most_alike(reference.residues, own, FORMS, ALIKE)
    return near or most_alike(reference.residues, own, 1, 0.0)
