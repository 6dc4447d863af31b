"""The deterministic pre-filter (Appendix F, step 2), and what to know of a sequence that passes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.safety.orthologs.align import align, measure, paired_identity
from agents.safety.orthologs.values import (
    Candidate,
    Limits,
    Measures,
    ProteinSequence,
    Reason,
    Rejection,
    SequenceError,
)

LOW_IDENTITY = 60.0
"""Below this identity of aligned residues, in %, a choice is marked for a look."""

_RUN = re.compile("X{10,}")


@dataclass(frozen=True, slots=True)
class Reference:
    """The human sequence as all are compared with it.

    `residues` are those of `sequence`, less the `without` that no other species has.
    """

    sequence: ProteinSequence
    residues: str
    without: tuple[tuple[int, int], ...] = ()


def screen(reference: Reference, one: ProteinSequence, limits: Limits) -> Candidate:
    """A sequence as measured against the human one, with what the pre-filter has against it."""
    try:
        found = measure(reference.residues, one.residues)
    except SequenceError as error:
        length = len(one.residues)
        change = round(100 * (length / len(reference.residues) - 1), 2)
        nothing = Measures(length, 0, 0, 0, change, 0, one.residues.count("X"))
        return Candidate(one, nothing, (Rejection(Reason.LENGTH, str(error)),))
    rejections = tuple(_against(reference, one, found, limits))
    return Candidate(one, found, rejections, tuple(_flags(one, found)))


def _against(
    reference: Reference, one: ProteinSequence, found: Measures, limits: Limits
) -> Iterator[Rejection]:
    if abs(found.length_change) > limits.length:
        more = "more" if found.length_change > 0 else "fewer"
        text = (
            f"{found.length} residues, {abs(found.length_change):.1f} % {more} than the"
            f" {len(reference.residues)} of the human sequence (limit {limits.length:g} %)"
        )
        yield Rejection(Reason.LENGTH, f"{text}{_extension(reference, one)}")
    if found.mismatch > limits.mismatch:
        yield Rejection(
            Reason.MISMATCH,
            f"{one.called}{found.mismatch:.1f} % of the aligned residues differ from the human sequence"
            f" (limit {limits.mismatch:g} %)",
        )
    if found.unknown > limits.unknown / 100 * found.length:
        share = 100 * found.unknown / found.length
        text = f"{share:.1f} % of its residues are unknown (X; limit {limits.unknown:g} %)"
        yield Rejection(Reason.QUALITY, text)
    if one.entry_species:
        text = f"its id is one of {one.entry_species}, its label says {one.species.common}"
        yield Rejection(Reason.SPECIES, text)


def _extension(reference: Reference, one: ProteinSequence) -> str:
    """What the rest is like, where a long sequence only goes on beyond the human one's ends."""
    if len(one.residues) <= len(reference.residues):
        return ""
    human = align(reference.residues, one.residues).first
    before, after = len(human) - len(human.lstrip("-")), len(human) - len(human.rstrip("-"))
    rest = one.residues[before : len(one.residues) - after]
    if before + after < 0.1 * len(human) or len(rest) > 1.2 * len(reference.residues):
        return ""
    same = paired_identity(reference.residues, rest)
    ends = [f"its first {before}"] * bool(before) + [f"its last {after}"] * bool(after)
    return f"; without {' and '.join(ends)} it is {same:.1f} % identical"


def _flags(one: ProteinSequence, found: Measures) -> Iterator[str]:
    if one.fragment:
        yield "its database calls it a fragment"
    elif not one.residues.startswith("M"):
        yield "it does not begin with methionine: its start may be missing"
    if one.isoform:
        yield f"isoform {one.isoform}, not the canonical form"
    if one.weak:
        yield "its database calls it of low quality"
    if one.predicted:
        yield "predicted from the genome only"
    if found.unknown:
        run = ", in a run" if _RUN.search(one.residues) else ""
        yield f"{found.unknown} residues are unknown (X{run})"
    if abs(found.length_change) > 10:
        yield f"its length deviates by {found.length_change:+.1f} %"
    if found.aligned_identity < LOW_IDENTITY:
        yield f"only {found.aligned_identity:.1f} % of the aligned residues are identical"
