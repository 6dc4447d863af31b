"""What a person decides against the rules: a sequence by hand, or that a species has none."""

from collections.abc import Iterable
from dataclasses import replace

from agents.safety.orthologs.screen import Reference, screen
from agents.safety.orthologs.values import (
    Candidate,
    Choice,
    Limits,
    Overrides,
    ProteinSequence,
    Rejection,
    Selection,
    SequenceError,
    Verdict,
)


def overridden(
    selection: Selection,
    pool: Iterable[ProteinSequence],
    reference: Reference,
    limits: Limits,
    overrides: Overrides,
) -> Selection:
    """The selection with what a person decided. Raises `SequenceError` for an accession that is not there."""
    every = list(pool)
    choices = {choice.species: choice for choice in selection.choices}
    for species, accession in overrides.chosen.items():
        one = next((one for one in every if accession in (one.accession, one.accession.split(".")[0])), None)
        if one is None:
            raise SequenceError(f"{accession}, chosen for {species.common}, is none of the sequences given.")
        before = choices.get(species, Choice(species, Verdict.EXCLUDED, searched=selection.searched))
        taken = screen(reference, one, limits)
        reasons = ("chosen by hand", *(f"although {each.text}" for each in _against(before, taken)))
        choices[species] = replace(before, verdict=Verdict.BY_HAND, chosen=taken, reasons=reasons)
    for species in overrides.accepted:
        if (accepted := choices.get(species)) and accepted.chosen is None:
            choices[species] = replace(accepted, verdict=Verdict.ACCEPTED)
    return replace(selection, choices=tuple(choices.values()))


def _against(choice: Choice, taken: Candidate) -> tuple[Rejection, ...]:
    """What spoke against a sequence before a person chose it."""
    same = (one for one in choice.refused if one.sequence.accession == taken.sequence.accession)
    return next((one.rejections for one in same), taken.rejections)
