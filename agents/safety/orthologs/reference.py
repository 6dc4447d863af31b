"""The human sequence that all are measured against: which one, and whether it is the right one."""

from collections.abc import Iterable, Mapping, Sequence

from agents.safety.orthologs.align import align, paired_identity
from agents.safety.orthologs.screen import Reference
from agents.safety.orthologs.species import Species, human
from agents.safety.orthologs.values import Candidate, Limits, ProteinSequence, SequenceError

SHARE = 2 / 3
"""The share of species that must lack a part of the human sequence before the human one is doubted."""
SAME_GENE = 97.0
"""Identity of aligned residues from which two human sequences are forms of one protein."""


def canonical(sequences: Sequence[ProteinSequence]) -> tuple[ProteinSequence, str]:
    """The canonical one of the human sequences given, and a note where there were several.

    Raises `SequenceError` where none is human, or says nothing of its species.
    """
    fit = [one for one in sequences if one.species == human()] or [
        one for one in sequences if not one.species.known
    ]
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


def mended(
    first: Reference,
    found: Mapping[Species, Sequence[Candidate]],
    humans: Iterable[ProteinSequence],
    limits: Limits,
) -> tuple[Reference, str]:
    """The human sequence to compare with, after a look at the species; and what to tell of it.

    Where two thirds of the species have no candidate of the human sequence's length, and all of them miss the
    same part of it, the human one is a longer form: another human sequence without that part is taken, or the
    part is left out. Where all are longer, a longer human sequence is taken if there is one. Three species
    are needed to doubt a reviewed canonical entry, two for another.
    """
    nearest = {species: near for species, every in found.items() if (near := _nearest(every))}
    off = [one for one in nearest.values() if abs(one.measures.length_change) > limits.length]
    own = first.sequence
    fewest = 3 if own.reviewed and not own.isoform else 2
    if len(nearest) < fewest or len(off) < SHARE * len(nearest):
        return first, ""
    told = f"{len(off)} of {len(nearest)} species have no protein of the human sequence's length"
    if other := _other_form(first, off, humans, limits):
        return Reference(other, other.residues), (
            f"{told}: {first.sequence.name} ({len(first.residues)} residues) is another form;"
            f" {other.name} ({len(other.residues)} residues), which fits them, is compared with instead."
        )
    if parts := _missing_everywhere(first.residues, off):
        kept = _without(first.residues, parts)
        if all(abs(len(one.sequence.residues) / len(kept) - 1) <= limits.length / 100 for one in off):
            where = " and ".join(f"{start + 1} to {end}" for start, end in parts)
            return Reference(first.sequence, kept, parts), (
                f"{told}, and all of them lack its residues {where}: {first.sequence.name} is probably a"
                " longer form. Candidates are compared with the rest of it. Give the canonical human sequence"
                " if there is another."
            )
    return first, f"{told}: check that {first.sequence.name} is the canonical human sequence."


def _nearest(candidates: Sequence[Candidate]) -> Candidate | None:
    """The candidate that fits best in length, of those clearly of the family; no fragments."""
    whole = [one for one in candidates if not one.sequence.fragment and one.measures.aligned_identity >= 50]
    return min(whole, key=lambda one: abs(one.measures.length_change), default=None)


def _other_form(
    first: Reference, off: Sequence[Candidate], humans: Iterable[ProteinSequence], limits: Limits
) -> ProteinSequence | None:
    """Another human form of the protein that most species fit in length, the reviewed and canonical first."""
    fit = []
    for one in humans:
        if one.residues == first.residues or one.fragment:
            continue
        near = [
            abs(len(each.sequence.residues) / len(one.residues) - 1) <= limits.length / 100 for each in off
        ]
        if sum(near) >= SHARE * len(off) and paired_identity(first.residues, one.residues) >= SAME_GENE:
            fit.append(one)
    middle = sorted(len(one.sequence.residues) for one in off)[len(off) // 2]
    return min(
        fit,
        key=lambda one: (not one.reviewed, bool(one.isoform), abs(len(one.residues) - middle), one.accession),
        default=None,
    )


def _missing_everywhere(residues: str, off: Sequence[Candidate]) -> tuple[tuple[int, int], ...]:
    """Runs of at least ten human residues that four fifths of the candidates do not have."""
    missing = [0] * len(residues)
    for one in off:
        pair = align(residues, one.sequence.residues)
        at = 0
        for own, other in zip(pair.first, pair.second, strict=True):
            if own != "-":
                missing[at] += other == "-"
                at += 1
    runs: list[tuple[int, int]] = []
    start = None
    for at, count in enumerate([*missing, 0]):
        lacks = count >= 0.8 * len(off)
        if lacks and start is None:
            start = at
        elif not lacks and start is not None:
            if at - start >= 10:
                runs.append((start, at))
            start = None
    return tuple(runs)


def _without(residues: str, parts: Sequence[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in parts:
        kept.append(residues[at:start])
        at = end
    return "".join((*kept, residues[at:]))
