"""The values of ortholog selection (paper 4.2.1 and Appendix F).

Selection
├── human       the sequence that all are measured against
└── Choice      a species: chosen with its reasons, or excluded with every rejection and every source searched
    └── Candidate    a sequence as it was measured, with why it was refused and what to know of it
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from agents.errors import AgentError
from agents.safety.orthologs.species import Species


class SequenceError(AgentError):
    """A file holds no protein sequences that can be read, or an override names what is not there."""


@dataclass(frozen=True, slots=True)
class ProteinSequence:
    """A protein sequence of a database.

    `residues` are letters of IUPAC's protein code, without gaps. `database` is as its id says ("UniProt
    reviewed", "Ensembl"), `origin` the file or service that it was got from. `gene` is the symbol that the
    database gives, "" for none; `isoform` the label of a form other than the canonical one. `fragment` is one
    that its database calls so, or of low quality. `evidence` is UniProt's level of existence, 1 (protein) to
    5; `version` how often it changed the sequence, 0 for not said.
    """

    accession: str
    species: Species
    residues: str
    database: str = ""
    description: str = ""
    gene: str = ""
    origin: str = ""
    reviewed: bool = False
    fragment: bool = False
    isoform: str = ""
    evidence: int = 5
    version: int = 0

    @property
    def name(self) -> str:
        """How a person calls it: accession and database."""
        return f"{self.accession} ({self.database})" if self.database else self.accession

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which a person may mean it: accession, its parts between “|”, each without version."""
        parts = (self.accession, *self.accession.split("|"))
        return tuple(dict.fromkeys((*parts, *(part.split(".")[0] for part in parts))))

    @property
    def called(self) -> str:
        """What its database calls it, to stand before a finding: “Plasminogen” (PLG): ; "" if it does not."""
        described = f"“{self.description[:80]}”" if self.description else ""
        gene = f"({self.gene})" if self.gene else ""
        return f"{told}: " if (told := " ".join(filter(None, (described, gene)))) else ""


class Reason(StrEnum):
    """Why a candidate is refused."""

    LENGTH = "length"
    MISMATCH = "mismatch"
    QUALITY = "quality"
    OTHER_PROTEIN = "other protein"
    """Another member of the family, or another gene's protein."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """One reason against a candidate, in a sentence."""

    reason: Reason
    text: str


@dataclass(frozen=True, slots=True)
class Measures:
    """A candidate against the human sequence, by a global pairwise alignment.

    `identity` is 100 x identical residues / columns of the alignment, gaps included. `aligned_identity`
    counts only columns without a gap; `mismatch` is 100 minus that. `length_change` is in % of the human
    length, signed; `unknown` counts residues X.
    """

    length: int
    identity: float
    aligned_identity: float
    length_change: float
    unknown: int

    @property
    def mismatch(self) -> float:
        """Aligned residues that differ, in %."""
        return round(100 - self.aligned_identity, 2)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sequence as it was measured, why it was refused, and what a reader should know of it."""

    sequence: ProteinSequence
    measures: Measures
    rejections: tuple[Rejection, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.rejections


class OrthologVerdict(StrEnum):
    """What became of a species."""

    CHOSEN = "chosen"
    EXCLUDED = "excluded"
    BY_HAND = "chosen by hand"
    ACCEPTED = "exclusion accepted"
    """A person agrees that there is no ortholog to compare with."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A species' sequence, or why it has none.

    `reasons` tell why it is this one, or that there is none. `candidates` are all that were looked at, best
    first. `searched` are the databases and files asked.
    """

    species: Species
    verdict: OrthologVerdict
    chosen: Candidate | None = None
    reasons: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    searched: tuple[str, ...] = ()

    @property
    def refused(self) -> tuple[Candidate, ...]:
        """The candidates that something speaks against."""
        return tuple(one for one in self.candidates if one.rejections)


@dataclass(frozen=True, slots=True)
class Selection:
    """The outcome for a target. `notes` say what was found about the human sequence itself."""

    human: ProteinSequence
    choices: tuple[Choice, ...]
    notes: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()

    def of(self, species: Species) -> Choice | None:
        """What became of a species that was asked for."""
        return next((choice for choice in self.choices if choice.species == species), None)


@dataclass(frozen=True, slots=True)
class Overrides:
    """What a person decided: accessions by species, and species of which the exclusion is accepted."""

    chosen: Mapping[Species, str] = field(default_factory=dict)
    accepted: frozenset[Species] = frozenset()
