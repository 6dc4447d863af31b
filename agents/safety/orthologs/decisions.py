"""What a person asks for and decides, as they write it: species, “dog=Q9GLN7”, an exclusion accepted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.safety.orthologs.species import Species, human, species_named
from agents.safety.orthologs.values import (
    Candidate,
    Choice,
    OrthologVerdict,
    Overrides,
    ProteinSequence,
    SequenceError,
)

ALL = "all"


@dataclass(frozen=True, slots=True)
class Decisions:
    """Species and overrides. No species stands for the preclinical ones."""

    species: tuple[Species, ...] = ()
    overrides: Overrides = field(default_factory=Overrides)


def read_decisions(
    species: Sequence[str],
    choose: Sequence[str],
    accept: Sequence[str],
    given: Sequence[ProteinSequence] = (),
) -> Decisions:
    """Names of species, several with commas in one text, or “all” for every one of `given`; and decisions.

    A species that is decided on is compared too. Raises `SequenceError` for a choice of another form.
    """
    names = [part.strip() for text in species for part in text.split(",") if part.strip()]
    wanted = _every(given) if [name.casefold() for name in names] == [ALL] else _named(names)
    overrides = Overrides(dict(map(_choice, choose)), frozenset(_named(accept)))
    decided = (*overrides.chosen, *_named(accept))
    extra = tuple(one for one in decided if wanted and one not in wanted)
    return Decisions((*wanted, *extra), overrides)


def decided(
    choices: Mapping[Species, Choice],
    overrides: Overrides,
    screened: Callable[[ProteinSequence], Candidate],
    pool: Iterable[ProteinSequence],
) -> tuple[Choice, ...]:
    """The choices with what a person decided against the rules.

    Raises `SequenceError` for an accession that is not in the pool.
    """
    made, every = dict(choices), list(pool)
    for species, name in overrides.chosen.items():
        fit = [one for one in every if name in one.names]
        if not fit:
            raise SequenceError(f"{name}, chosen for {species.common}, is none of the sequences given.")
        taken = screened(next((one for one in fit if one.species == species), fit[0]))
        before = made.get(species, Choice(species, OrthologVerdict.EXCLUDED))
        same = (one for one in before.refused if one.sequence == taken.sequence)
        taken = next(same, taken)
        reasons = ("chosen by hand", *(f"although {each.text}" for each in taken.rejections))
        made[species] = replace(before, verdict=OrthologVerdict.BY_HAND, chosen=taken, reasons=reasons)
    for species in overrides.accepted:
        if (accepted := made.get(species)) and accepted.chosen is None:
            made[species] = replace(accepted, verdict=OrthologVerdict.ACCEPTED)
    return tuple(made.values())


def _every(given: Sequence[ProteinSequence]) -> tuple[Species, ...]:
    found = {one.species.scientific: one.species for one in given if one.species.known}
    found.pop(human().scientific, None)
    return tuple(found[name] for name in sorted(found))


def _named(names: Sequence[str]) -> tuple[Species, ...]:
    return tuple(dict.fromkeys(species_named(name) for name in names if name.strip()))


def _choice(text: str) -> tuple[Species, str]:
    species, _, accession = (part.strip() for part in text.partition("="))
    if not species or not accession:
        raise SequenceError(f"A choice is SPECIES=ACCESSION, such as “dog=Q9GLN7”; it was {text!r}.")
    return species_named(species), accession
