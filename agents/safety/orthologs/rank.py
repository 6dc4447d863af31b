"""Which of several valid candidates of a species stands for it, and why."""

from collections import Counter
from collections.abc import Sequence

from agents.safety.orthologs.values import Candidate

ALLELES = 1.0
"""Identities that differ by less, in points, are of alleles of one protein: what else is known decides."""


def ranked(candidates: Sequence[Candidate], gene: str) -> tuple[Candidate, ...]:
    """Candidates, best first: valid before refused; then whole, canonical, reviewed, most like the human one.

    Among those that are as good as equally alike: named with the gene's symbol, seen as a protein, without
    unknown residues, the sequence that most entries have, the one most often revised, then identity and the
    accession.
    """
    copies = Counter(one.sequence.residues for one in candidates)
    whole = [one for one in candidates if one.valid and not _partial(one)]
    best = max((one.measures.identity for one in whole), default=0.0)

    def key(one: Candidate) -> tuple[object, ...]:
        found, read = one.measures, one.sequence
        return (
            not one.valid,
            read.fragment,
            bool(read.isoform),
            not read.reviewed,
            -101.0 if best - found.identity < ALLELES else -found.identity,
            read.gene.upper() != gene.upper() or not gene,
            read.evidence > 1,
            found.unknown,
            -copies[read.residues],
            -read.version,
            -found.identity,
            read.accession,
        )

    return tuple(sorted(candidates, key=key))


def why(candidates: Sequence[Candidate], chosen: Candidate) -> tuple[str, ...]:
    """Why the first of ranked candidates was chosen, in clauses."""
    read, found = chosen.sequence, chosen.measures
    told = [
        "reviewed" if read.reviewed else "no reviewed entry passed",
        "fragment: no whole sequence passed" if read.fragment else "whole sequence",
        f"isoform {read.isoform}: no canonical form passed" if read.isoform else "",
        f"{found.identity:.1f} % identical with the human sequence over the whole alignment",
        f"length {found.length_change:+.1f} %",
    ]
    others = [one for one in candidates if one.valid and one.sequence.residues != read.residues]
    if others:
        near = max(others, key=lambda one: (one.measures.identity, one.sequence.accession))
        other = f"{near.sequence.accession} with {near.measures.identity:.1f} %"
        better = near.measures.identity > found.identity
        told.append(f"preferred to {other}, {_preferred(chosen, near)}" if better else f"next: {other}")
    return tuple(filter(None, told))


def _preferred(chosen: Candidate, near: Candidate) -> str:
    """Why one that is more like the human sequence is not taken."""
    if _partial(near) > _partial(chosen):
        return "which is no whole canonical sequence"
    if chosen.sequence.reviewed and not near.sequence.reviewed:
        return "which is not reviewed"
    return "which is hardly nearer: gene symbol, evidence and how often it was deposited or revised decide"


def _partial(one: Candidate) -> tuple[bool, bool]:
    return one.sequence.fragment, bool(one.sequence.isoform)
