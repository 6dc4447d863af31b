"""The chosen sequences laid along the human one, and where they differ: what the alignment picture shows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.safety.orthologs.align import align
from agents.safety.orthologs.values import Candidate, Selection

STRETCH = 60
"""Human residues of one stretch that is shown letter by letter."""


@dataclass(frozen=True, slots=True)
class Row:
    """A species' residues along the human sequence.

    `residues` has one letter for each human residue, "-" where the species has none. `insertions` are pairs:
    after how many human residues the species has how many more.
    """

    species: str
    accession: str
    residues: str
    insertions: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class AlignmentView:
    """The human sequence, the rows of the species, and the starts (from 0) of the stretches with most
    differences.
    """

    human: str
    accession: str
    rows: tuple[Row, ...]
    stretches: tuple[int, ...]

    def differences(self, row: Row) -> tuple[int, ...]:
        """Human residues (from 0) at which a row has another one, or none."""
        pairs = zip(self.human, row.residues, strict=True)
        return tuple(at for at, (own, other) in enumerate(pairs) if own != other)

    @property
    def text(self) -> str:
        """What the picture shows, in words."""
        length = len(self.human)
        lines = [f"{len(self.rows)} sequences along the {length} residues of {self.accession} (human)."]
        for row in self.rows:
            missing = row.residues.count("-")
            other = len(self.differences(row)) - missing
            more = sum(count for _, count in row.insertions)
            gaps = f", {missing} missing" * bool(missing) + f", {more} inserted" * bool(more)
            lines.append(f"{row.species} ({row.accession}): {other} other residues{gaps}.")
        if self.stretches:
            places = ", ".join(f"{at + 1} to {min(at + STRETCH, length)}" for at in self.stretches)
            lines.append(f"Letters are shown of residues {places}, where the species differ most.")
        return " ".join(lines)


def alignment_view(selection: Selection, stretches: int = 3) -> AlignmentView:
    """The chosen sequences along the human one, with at most so many stretches that do not overlap."""
    human = selection.human.residues
    rows = tuple(_row(human, one) for one in selection.chosen)
    return AlignmentView(human, selection.human.accession, rows, _stretches(human, rows, stretches))


def _row(human: str, one: Candidate) -> Row:
    aligned = align(human, one.sequence.residues)
    residues: list[str] = []
    insertions: dict[int, int] = {}
    for own, other in zip(aligned.first, aligned.second, strict=True):
        if own == "-":
            insertions[len(residues)] = insertions.get(len(residues), 0) + 1
        else:
            residues.append(other)
    species = one.sequence.species.common
    return Row(species, one.sequence.accession, "".join(residues), tuple(insertions.items()))


def _stretches(human: str, rows: Sequence[Row], most: int) -> tuple[int, ...]:
    """Starts of the stretches in which most residues differ, in their order along the sequence."""
    inserted = Counter(place for row in rows for place, _ in row.insertions)
    counts = [sum(row.residues[at] != own for row in rows) + inserted[at] for at, own in enumerate(human)]
    starts = range(0, len(human), STRETCH)
    weight = {at: sum(counts[at : at + STRETCH]) for at in starts}
    best = sorted((at for at in starts if weight[at]), key=lambda at: (-weight[at], at))[:most]
    return tuple(sorted(best))
