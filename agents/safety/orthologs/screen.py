"""What speaks against a candidate: the deterministic pre-filter (Appendix F, step 2), and other proteins.

Another member of the family is known by four signs, none of which knows a gene: it is clearly less like the
human sequence than another of its species; another human protein is nearer to it; or its database gives it
another gene's symbol, and one of its species with the target's is nearer, or it is not near at all.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.safety.orthologs.align import measure, paired_identity
from agents.safety.orthologs.values import (
    Candidate,
    Measures,
    ProteinSequence,
    Reason,
    Rejection,
    SequenceError,
)

LENGTH, MISMATCH, UNKNOWN = 20.0, 60.0, 5.0
"""The limits of the pre-filter, in %: deviation of the length, aligned residues that differ, and residues
that are not known (X). The guide tells why these.
"""
JUST_UNDER, KIN = 5.0, 75.0
"""So many points beyond the limit, a sequence is kept that has so much identity with one that passes."""
LOW_IDENTITY = 60.0
"""Below this identity of aligned residues, in %, a choice is marked for a look."""
OTHER_NAME = 75.0
"""Below it a sequence with another gene's symbol is another protein: most of man and mouse are above."""
_RUN = re.compile("X{10,}")
_LOCUS = re.compile(r"_|\d{4}|^LOC|^RGD|^ENS", re.IGNORECASE)
"""Names that databases give to genes without a symbol."""


def screen(human: ProteinSequence, one: ProteinSequence) -> Candidate:
    """A sequence as measured against the human one, with what the pre-filter has against it."""
    try:
        found = measure(human.residues, one.residues)
    except SequenceError as error:
        length = len(one.residues)
        change = round(100 * (length / len(human.residues) - 1), 2)
        nothing = Measures(length, 0, 0, change, one.residues.count("X"))
        return Candidate(one, nothing, (Rejection(Reason.LENGTH, str(error)),))
    return Candidate(one, found, tuple(_against(human, one, found)), tuple(_flags(one, found)))


def kept_by_kin(one: Candidate, passed: Sequence[ProteinSequence]) -> Candidate:
    """A candidate that differs hardly more than the limit, without that reason where its nearest neighbour
    among those that passed is near: a rat's beside a mouse's.
    """
    if [why.reason for why in one.rejections] != [Reason.MISMATCH]:
        return one
    near = [(paired_identity(one.sequence.residues, other.residues), other) for other in passed]
    same, kin = max(near, key=lambda pair: pair[0], default=(0.0, one.sequence))
    if same < KIN or one.measures.mismatch > MISMATCH + JUST_UNDER:
        return one
    like = f"{same:.1f} % identical with {kin.accession} ({kin.species.common}), which passes"
    return replace(one, rejections=(), flags=(f"kept just beyond the limit: {like}", *one.flags))


def other_proteins(
    candidates: Sequence[Candidate], human: ProteinSequence, paralogs: Sequence[ProteinSequence], gene: str
) -> list[Candidate]:
    """The candidates of one species, with a reason against those that are another protein of the family.

    `paralogs` are human proteins other than `human`, and `gene` is the target's symbol.
    """
    valid = [one for one in candidates if one.valid]
    best = max(valid, key=lambda one: one.measures.aligned_identity, default=None)
    own = [one for one in valid if one.sequence.gene.upper() == gene.upper() != ""]
    named = max(own, key=lambda one: one.measures.aligned_identity, default=None)

    def judged(one: Candidate) -> Candidate:
        if not one.valid or best is None:
            return one
        why = (
            _behind(one, best)
            or _nearer(one, human, paralogs)
            or (_named_otherwise(one, named) if _has_other_name(one.sequence, gene) else "")
        )
        rejection = Rejection(Reason.OTHER_PROTEIN, f"{one.sequence.called}{why}")
        return replace(one, rejections=(rejection,)) if why else one

    return [judged(one) for one in candidates]


def _behind(one: Candidate, best: Candidate) -> str:
    """Less like the human sequence than another of the same species, by more than a form of it would be."""
    found, nearest = one.measures.aligned_identity, best.measures.aligned_identity
    if one.sequence.fragment or _distance(found) <= 1.5 * _distance(nearest) + 0.05:
        return ""
    return (
        f"{found:.1f} % of its aligned residues are identical with the human ones, while"
        f" {best.sequence.accession} of the same species has {nearest:.1f} %: another protein of the family"
        " or another form"
    )


def _nearer(one: Candidate, human: ProteinSequence, paralogs: Sequence[ProteinSequence]) -> str:
    """Nearer to another human protein than to the target."""
    own = one.measures.aligned_identity
    for other in paralogs:
        same = paired_identity(one.sequence.residues, other.residues)
        if same > own:
            return (
                f"it is {same:.1f} % identical with the human {other.accession}, another protein, and"
                f" {own:.1f} % with {human.accession}"
            )
    return ""


def _named_otherwise(one: Candidate, named: Candidate | None) -> str:
    """Named as another gene's protein, and not as near as one that bears the target's symbol, or not near."""
    found = one.measures.aligned_identity
    if named is not None and named.measures.aligned_identity > found:
        return f"another gene's; {named.sequence.accession} bears the target's symbol, and is nearer"
    return f"another gene's, and only {found:.1f} % identical where aligned" if found < OTHER_NAME else ""


def _has_other_name(one: ProteinSequence, gene: str) -> bool:
    return bool(gene and one.gene) and one.gene.upper() != gene.upper() and not _LOCUS.search(one.gene)


def _distance(identity: float) -> float:
    """Substitutions per residue (Poisson) for an identity in %."""
    return -math.log(max(identity, 1.0) / 100)


def _against(human: ProteinSequence, one: ProteinSequence, found: Measures) -> Iterator[Rejection]:
    if abs(found.length_change) > LENGTH:
        more = "more" if found.length_change > 0 else "fewer"
        yield Rejection(
            Reason.LENGTH,
            f"{found.length} residues, {abs(found.length_change):.1f} % {more} than the"
            f" {len(human.residues)} of the human sequence (limit {LENGTH:g} %)",
        )
    if found.mismatch > MISMATCH:
        yield Rejection(
            Reason.MISMATCH,
            f"{one.called}{found.mismatch:.1f} % of the aligned residues differ from the human sequence"
            f" (limit {MISMATCH:g} %)",
        )
    if found.unknown > UNKNOWN / 100 * found.length:
        share = 100 * found.unknown / found.length
        text = f"{share:.1f} % of its residues are unknown (X; limit {UNKNOWN:g} %)"
        yield Rejection(Reason.QUALITY, text)


def _flags(one: ProteinSequence, found: Measures) -> Iterator[str]:
    if one.fragment:
        yield "its database calls it a fragment, or of low quality"
    elif not one.residues.startswith("M"):
        yield "it does not begin with methionine: its start may be missing"
    if one.isoform:
        yield f"isoform {one.isoform}, not the canonical form"
    if found.unknown:
        run = ", in a run" if _RUN.search(one.residues) else ""
        yield f"{found.unknown} residues are unknown (X{run})"
    if abs(found.length_change) > 10:
        yield f"its length deviates by {found.length_change:+.1f} %"
    if found.aligned_identity < LOW_IDENTITY:
        yield f"only {found.aligned_identity:.1f} % of the aligned residues are identical"
