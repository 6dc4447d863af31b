"""What a person decides against the rules: a sequence by hand, a part of one, or that a species has none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.safety.orthologs.screen import Reference, screen
from agents.safety.orthologs.species import Species
from agents.safety.orthologs.values import (
    Candidate,
    Choice,
    Limits,
    OrthologVerdict,
    Overrides,
    ProteinSequence,
    Rejection,
    Selection,
    SequenceError,
)

_PART = re.compile(r"(?P<accession>.+):(?P<first>[0-9]{1,6})-(?P<last>[0-9]{1,6})")
"""An accession with the residues that are to be compared, from 1: “A0A8I3Q958:167-930”."""


def overridden(
    selection: Selection,
    pool: Iterable[ProteinSequence],
    reference: Reference,
    limits: Limits,
    overrides: Overrides,
) -> Selection:
    """The selection with what a person decided.

    Raises `SequenceError` for an accession that is not there, or residues that it does not have.
    """
    every = list(pool)
    choices = {choice.species: choice for choice in selection.choices}
    for species, name in overrides.chosen.items():
        one, flag = _named(name, species, every)
        before = choices.get(species, Choice(species, OrthologVerdict.EXCLUDED, searched=selection.searched))
        taken = screen(reference, one, limits)
        told = _against(before, taken) if not flag else taken.rejections
        reasons = ("chosen by hand", *(f"although {each.text}" for each in told))
        taken = replace(taken, flags=(*taken.flags, *filter(None, (flag,))))
        choices[species] = replace(before, verdict=OrthologVerdict.BY_HAND, chosen=taken, reasons=reasons)
    for species in overrides.accepted:
        if (accepted := choices.get(species)) and accepted.chosen is None:
            choices[species] = replace(accepted, verdict=OrthologVerdict.ACCEPTED)
    return replace(selection, choices=tuple(choices.values()))


def _named(name: str, species: Species, every: Sequence[ProteinSequence]) -> tuple[ProteinSequence, str]:
    """The sequence of a choice, and what to know of it where only a part of it is compared."""
    part = _PART.fullmatch(name)
    accession = part["accession"] if part else name
    fit = [one for one in every if accession in one.names]
    if not fit:
        raise SequenceError(f"{accession}, chosen for {species.common}, is none of the sequences given.")
    one = next((each for each in fit if each.species == species), fit[0])
    if part is None:
        return one, ""
    first, last, length = int(part["first"]), int(part["last"]), len(one.residues)
    if not 1 <= first <= last <= length:
        raise SequenceError(f"{accession} has residues 1 to {length}; it has no {first} to {last}.")
    cut = replace(one, residues=one.residues[first - 1 : last])
    return cut, f"only residues {first} to {last} of its {length} are compared"


def _against(choice: Choice, taken: Candidate) -> tuple[Rejection, ...]:
    """What spoke against a sequence before a person chose it."""
    same = (one for one in choice.refused if one.sequence.accession == taken.sequence.accession)
    return next((one.rejections for one in same), taken.rejections)
