"""How alike the chosen sequences are, each with each."""

from dataclasses import dataclass

from agents.safety.orthologs.align import identity
from agents.safety.orthologs.values import ProteinSequence, Selection


@dataclass(frozen=True, slots=True)
class IdentityMatrix:
    """Identities in % of the alignment's columns, gaps included; row and column `n` are of `sequences[n]`.

    The human sequence is the first. The matrix is symmetrical, with 100 in its diagonal.
    """

    sequences: tuple[ProteinSequence, ...]
    values: tuple[tuple[float, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The species of each row."""
        return tuple(one.species.common for one in self.sequences)


def identity_matrix(selection: Selection) -> IdentityMatrix:
    """The human sequence and every chosen one, aligned pairwise."""
    sequences = (selection.human, *(one.sequence for one in selection.chosen))
    values = tuple(
        tuple(identity(*sorted((one.residues, other.residues))) for other in sequences) for one in sequences
    )
    return IdentityMatrix(sequences, values)
