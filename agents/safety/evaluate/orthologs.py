"""Scores ortholog selection on folders with known answers (paper 4.2.1).

A folder a gene: a FASTA file with the human sequence (`human*.fa…`, else the one that holds a single human
sequence, else those among the candidates), FASTA files with candidates, and `expected.tsv` with a species and
an accession a line. A line without an accession says that the species is to be excluded.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from agents.safety.orthologs.align import identity
from agents.safety.orthologs.fasta import read_fasta
from agents.safety.orthologs.select import select
from agents.safety.orthologs.species import Species, human, species_named
from agents.safety.orthologs.values import Choice, ProteinSequence, Selection, SequenceError

EXPECTED = "expected.tsv"
FASTA = (".fa", ".fas", ".faa", ".fasta")
NONE = frozenset(("", "-", "none", "na", "n/a", "null", "excluded", "exclude", "exclusion"))
"""What stands for an accession where a species is to be excluded."""
PARTIAL = 95.0
"""Identity, in %, from which a choice differs from the expected one only by isoform or annotation."""


class Tier(StrEnum):
    """How a choice compares with the expected one, by their pairwise identity."""

    EXACT = "exact"
    PARTIAL = "partial"
    MISMATCH = "mismatch"
    FALSE_NEGATIVE = "false negative"
    """The species was excluded though the expected sequence was among the candidates."""
    EXCLUDED = "correct exclusion"
    UNEXPECTED = "unexpected choice"
    """A sequence was chosen for a species that is to be excluded."""
    ABSENT = "expected sequence not given"
    """The expected accession is in none of the files, and nothing of that name was chosen: not scored."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One species of one gene. `identity` is that of the chosen with the expected sequence, in %."""

    gene: str
    species: str
    expected: str
    chosen: str
    tier: Tier
    identity: float | None
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrthologFigures:
    """Everything that an evaluation found."""

    scored: tuple[Scored, ...]

    @property
    def tiers(self) -> dict[Tier, int]:
        """How many species are in each tier."""
        count = Counter(one.tier for one in self.scored)
        return {tier: count[tier] for tier in Tier}

    @property
    def right(self) -> int:
        """Species with the exact sequence, or excluded as they should be."""
        return self.tiers[Tier.EXACT] + self.tiers[Tier.EXCLUDED]

    @property
    def counted(self) -> int:
        """Species that were scored."""
        return len(self.scored) - self.tiers[Tier.ABSENT]

    @property
    def accuracy(self) -> float | None:
        """Right species of those counted; None where there are none."""
        return self.right / self.counted if self.counted else None

    def as_fields(self) -> dict[str, Any]:
        """Everything by name; the tiers under their own names."""
        return {
            "genes": len({one.gene for one in self.scored}),
            "counted": self.counted,
            "accuracy": self.accuracy,
            **{str(tier): count for tier, count in self.tiers.items()},
            "rows": [asdict(one) for one in self.scored],
        }


def evaluate_orthologs(folder: Path) -> OrthologFigures:
    """Select for every gene of a folder, and compare. Raises `SequenceError` for another form of folder."""
    genes = sorted(found.parent for found in folder.glob(f"**/{EXPECTED}"))
    if not genes:
        raise SequenceError(f"{folder} has no {EXPECTED}; give a folder that holds a folder for each gene.")
    return OrthologFigures(tuple(one for gene in genes for one in _gene(gene)))


def _gene(folder: Path) -> tuple[Scored, ...]:
    expected = _expected(folder / EXPECTED)
    humans, candidates = _sequences(folder)
    selection = select(humans, candidates, tuple(expected))
    given = {name: one for one in (*candidates, *humans) for name in one.names}
    return tuple(_scored(folder.name, selection, species, expected[species], given) for species in expected)


def _scored(
    gene: str, selection: Selection, species: Species, expected: str, given: dict[str, ProteinSequence]
) -> Scored:
    choice = selection.of(species)
    chosen = choice.chosen.sequence if choice and choice.chosen else None
    right = given.get(expected)
    tier, same = _tier(expected, right, chosen)
    name = chosen.accession if chosen else ""
    return Scored(gene, species.common, expected, name, tier, same, _reasons(choice, expected))


def _tier(
    expected: str, right: ProteinSequence | None, chosen: ProteinSequence | None
) -> tuple[Tier, float | None]:
    if not expected:
        return (Tier.UNEXPECTED, None) if chosen else (Tier.EXCLUDED, None)
    if right is None:
        return Tier.ABSENT, None
    if chosen is None:
        return Tier.FALSE_NEGATIVE, None
    same = identity(right.residues, chosen.residues)
    if right.residues == chosen.residues:
        return Tier.EXACT, same
    return (Tier.PARTIAL if same >= PARTIAL else Tier.MISMATCH), same


def _reasons(choice: Choice | None, expected: str) -> tuple[str, ...]:
    """Why the choice is as it is, and what was held against the expected sequence."""
    if choice is None:
        return ()
    against = (
        f"{one.sequence.accession}: {each.text}"
        for one in choice.refused
        if expected in one.sequence.names
        for each in one.rejections
    )
    return (*choice.reasons, *against)


def _expected(path: Path) -> dict[Species, str]:
    """Species and accessions of a file. Heads may name the columns; else they are the first two."""
    rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(_text(path).splitlines(), delimiter="\t")
        if row and row[0].strip() and not row[0].startswith("#")
    ]
    heads = [cell.casefold() for cell in rows[0]] if rows else []
    species, accession = 0, 1
    if "species" in heads:
        species = heads.index("species")
        accession = heads.index("accession") if "accession" in heads else 1
        rows = rows[1:]
    if not rows:
        raise SequenceError(f"{path} names no species; it has a species and an accession a line, with a tab.")
    return {species_named(row[species]): _accession(row, accession) for row in rows if len(row) > species}


def _accession(row: Sequence[str], column: int) -> str:
    """The accession of a line; "" where the species is to be excluded."""
    text = row[column] if len(row) > column else ""
    return "" if text.casefold() in NONE else text


def _sequences(folder: Path) -> tuple[Sequence[ProteinSequence], Sequence[ProteinSequence]]:
    """The human sequences and the candidates of a gene."""
    files = sorted(one for one in folder.iterdir() if one.suffix.casefold() in FASTA)
    read = {one: read_fasta(_text(one), one.name) for one in files}
    own = [one for one in files if one.stem.casefold().startswith("human")]
    own = own or [one for one in files if len(read[one]) == 1 and read[one][0].species == human()]
    candidates = [each for one in files if one not in own for each in read[one]]
    humans = [each for one in own for each in read[one]]
    humans = humans or [one for one in candidates if one.species == human()]
    if not humans:
        raise SequenceError(f"{folder} has no FASTA file of the human sequence; call it human.fasta.")
    return humans, candidates


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
