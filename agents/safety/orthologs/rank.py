"""Which of several valid candidates of a species stands for it, and why."""

from collections import Counter
from collections.abc import Sequence

from agents.safety.orthologs.values import Candidate

ALLELES = 1.0
"""Identities that differ by less, in points, are of alleles of one protein: what else is known decides."""
FEW_GAPS = 3


def ranked(candidates: Sequence[Candidate], gene: str) -> tuple[Candidate, ...]:
    """Candidates, best first: valid before refused; then whole, canonical, reviewed, most like the human one.

    Among those that are as good as equally alike: named with the gene's symbol, seen as a protein, without
    unknown residues, the sequence that most entries have, the one most often revised, then identity and the
    accession.
    """
    copies = Counter(one.sequence.residues for one in candidates)
    best = _best(candidates)

    def key(one: Candidate) -> tuple[object, ...]:
        found, read = one.measures, one.sequence
        return (
            not one.valid,
            read.fragment,
            read.weak,
            bool(read.isoform),
            not read.reviewed,
            -101.0 if _allele(one, best) else -found.identity,
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
    same = [
        one.sequence.accession
        for one in candidates
        if one.sequence.residues == read.residues and one.sequence.accession != read.accession
    ]
    if same:
        more = f" and {len(same) - 4} more" if len(same) > 4 else ""
        told.append(f"the same sequence as {', '.join(same[:4])}{more}")
    others = [one for one in candidates if one.valid and one.sequence.residues != read.residues]
    if others:
        near = max(others, key=lambda one: (one.measures.identity, one.sequence.accession))
        other = f"{near.sequence.accession} with {near.measures.identity:.1f} %"
        better = near.measures.identity > found.identity
        told.append(f"preferred to {other}{_preferred(chosen, near)}" if better else f"next: {other}")
    return tuple(filter(None, told))


def _preferred(chosen: Candidate, near: Candidate) -> str:
    """Why one that is more like the human sequence is not taken."""
    own, other = chosen.sequence, near.sequence
    if (other.fragment, other.weak, bool(other.isoform)) > (own.fragment, own.weak, bool(own.isoform)):
        return ", which is no whole canonical sequence"
    if own.reviewed and not other.reviewed:
        return ", which is not reviewed"
    return (
        f", as they differ by less than {ALLELES:g} point: gene symbol, evidence and how often the sequence"
        " was deposited or revised decide"
    )


def _best(candidates: Sequence[Candidate]) -> Candidate | None:
    """The one most like the human sequence among the valid, whole and canonical ones."""
    whole = [
        one for one in candidates if one.valid and not one.sequence.fragment and not one.sequence.isoform
    ]
    return max(whole, key=lambda one: one.measures.identity, default=None)


def _allele(one: Candidate, best: Candidate | None) -> bool:
    if best is None:
        return False
    near = best.measures.identity - one.measures.identity < ALLELES
    return near and one.measures.gaps <= best.measures.gaps + FEW_GAPS
