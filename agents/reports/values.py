"""The values of a report. An answer is a report with one section.

Report
└── Section      id, title, state, revision, the sections it depends on, its citations
    └── Block    heading, paragraph, prose, points, table, figure, structure, code
        └── Statement or Cell    text, with the numbers of its citations

All of them are frozen and fit for the ledger. A number stays with its citation for the life of the report: a
revision of one section leaves every other section byte for byte as it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from agents.evidence.values import Citation
from agents.trust.values import Claim, Derivation, Standing


class SectionState(StrEnum):
    """Where a section stands with its readers."""

    DRAFT = "draft"
    ACCEPTED = "accepted"
    """A named person signed it off."""
    LOCKED = "locked"
    """No revision is taken until it is unlocked."""
    STALE = "stale"
    """A section that it depends on says something else now. Never stored: `History.stale` derives it."""


PROPOSED: Literal["proposed"] = "proposed"
COMPUTED: Literal["computed"] = "computed"


@dataclass(frozen=True, slots=True)
class Origin:
    """What something rests on beside citations: a proposal of somebody ("Scientist A"), or a computation by a
    program or a tool, from a `source`. `key` is that of the computation; "" where the reply of the tool that
    computed is cited.
    """

    kind: Literal["proposed", "computed"]
    by: str
    source: str = ""
    key: str = ""

    @property
    def line(self) -> str:
        """The line that a reader sees."""
        source = f" from {self.source}" if self.source else ""
        return f"{self.kind.capitalize()} by {self.by}{source}."


@dataclass(frozen=True, slots=True)
class Computation:
    """A program that the run executed, and what came of it. Make it with `agents.reports.computed`.

    `program` is the hash of what ran on what, `inputs` and `files` are hashes of its files. `texts` are what
    it printed and the text files that it left. `key` is the hash of all this, which the run's ledger keeps.
    """

    key: str
    by: str
    source: str
    program: str
    inputs: tuple[str, ...]
    files: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def origin(self) -> Origin:
        """What is marked as computed by it."""
        return Origin(COMPUTED, f"{self.by} (program {self.program[:8]})", self.source, self.key)


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim as it is shown. `citations` are numbers of the report; `claim` tells how it was checked.

    A statement without a claim says how the work was done, and needs no evidence. `origin` is set where it is
    somebody's idea or a program's output.
    """

    text: str
    citations: tuple[int, ...] = ()
    claim: Claim | None = None
    origin: Origin | None = None

    @property
    def rendered(self) -> str:
        """The text, with the sign of its standing, and its origin."""
        sign = f" {self.standing}" if self.standing is Standing.PARTLY else self.standing
        return " ".join(filter(None, (f"{self.text}{sign}", f"({self.origin.kind})" if self.origin else "")))

    @property
    def standing(self) -> Standing:
        """What it rests on; one without a claim needs no sign."""
        return self.claim.standing if self.claim else Standing.CONFIRMED


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section; `level` 2 is the largest."""

    text: str
    level: int = 2
    kind: Literal["heading"] = "heading"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text without citations: the headline of an answer (`strong`), or what was not found.

    What it states rests on the citations of the statements and tables under the same heading.
    If it `cites`, a person wrote it, and `[1]` in it is a citation. A `remark` tells of the work and of no
    finding ("ClinVar replied with status 500"): code writes it, and the gate strikes what would be a finding.
    """

    text: str
    strong: bool = False
    cites: bool = False
    remark: bool = False
    kind: Literal["paragraph"] = "paragraph"


@dataclass(frozen=True, slots=True)
class Prose:
    """Statements that are read one after the other. The line that answers is `strong`."""

    statements: tuple[Statement, ...]
    strong: bool = False
    kind: Literal["prose"] = "prose"


@dataclass(frozen=True, slots=True)
class Points:
    """Statements as a list.

    Those that `open_sources` tell only the beginning or a cell of what they cite: the rest is folded.
    `folded`: all of it is, until somebody asks for it. `numbered` are steps, from 1.
    """

    statements: tuple[Statement, ...]
    open_sources: bool = False
    folded: bool = False
    numbered: bool = False
    kind: Literal["points"] = "points"


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell with the numbers of the citations behind it."""

    text: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as there are columns. `origin` is that of its uncited cells.

    One that is `folded` opens on demand, and in a file stands in the appendix.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    origin: Origin | None = None
    folded: bool = False
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture or another file among the run's artefacts. `text` says what it shows, for those who cannot
    see it.

    `dark` is the same picture for dark ground, "" for none.
    """

    title: str
    sha256: str
    media_type: str
    text: str
    citations: tuple[int, ...] = ()
    dark: str = ""
    origin: Origin | None = None
    kind: Literal["figure"] = "figure"

    @property
    def noun(self) -> str:
        """What it is called."""
        return "Figure" if self.media_type.startswith("image/") else "File"


@dataclass(frozen=True, slots=True)
class Structure:
    """A molecule to be drawn."""

    smiles: str
    name: str = ""
    citations: tuple[int, ...] = ()
    origin: Origin | None = None
    kind: Literal["structure"] = "structure"


@dataclass(frozen=True, slots=True)
class Code:
    """A program and, once it was executed, what it printed.

    It is shown as proposed, or as computed: then it was an input of that computation.
    """

    language: str
    text: str
    output: str = ""
    origin: Origin | None = None
    kind: Literal["code"] = "code"


Block = Annotated[
    Heading | Paragraph | Prose | Points | Table | Figure | Structure | Code,
    Field(discriminator="kind"),
]


def cited_by(block: Block) -> tuple[int, ...]:
    """The numbers that a block cites, in the order in which they are read."""
    if isinstance(block, Prose | Points):
        return tuple(number for one in block.statements for number in one.citations)
    if isinstance(block, Table):
        return tuple(number for row in block.rows for cell in row for number in cell.citations)
    return block.citations if isinstance(block, Figure | Structure) else ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report that is written, revised and signed off by itself.

    `id` is unique in the report. `depends_on` are ids of sections that this one was written from.
    `revision` is the number of the revision that it is in now; 0 is the section as the run wrote it.
    `signed` is the sign-off that stands ("ada, 2026-11-22"). `computations` are what its computed parts rest
    on. One of the `appendix` stands behind the report proper, and opens on demand.
    """

    id: str
    title: str
    blocks: tuple[Block, ...] = ()
    citations: tuple[Citation, ...] = ()
    depends_on: tuple[str, ...] = ()
    state: SectionState = SectionState.DRAFT
    revision: int = 0
    signed: str = ""
    computations: tuple[Computation, ...] = ()
    appendix: bool = False

    @property
    def statements(self) -> Iterator[Statement]:
        """Every statement, in reading order."""
        for block in self.blocks:
            if isinstance(block, Prose | Points):
                yield from block.statements

    @property
    def opening(self) -> str:
        """The first paragraph or statement, without marks; "" where there is none."""
        for block in self.blocks:
            if isinstance(block, Paragraph):
                return block.text
            if isinstance(block, Prose | Points) and block.statements:
                return block.statements[0].text
        return ""

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, in reading order."""
        return tuple(block for block in self.blocks if isinstance(block, Table))


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run, as everything outside its kind knows it.

    `outcome` names the result in a few words ("Answer", "Closest passages", "Not stated in the archive").
    `short` tells it in one line. `found` is False when nothing of what was asked was found, nor anything that
    comes close; `searched` then says where it was looked for. `ask_back` is set instead when the request
    must be cleared up first, with `options` to choose from. `partial` says why a run ended early. `about` are
    names that the request is about, as far as the kind knows them; `derived` are numbers of its texts that
    the run itself computed or counted.
    """

    title: str
    outcome: str
    short: str
    found: bool
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    ask_back: str = ""
    options: tuple[str, ...] = ()
    partial: str = ""
    kind: str = field(default="")
    about: tuple[str, ...] = ()
    derived: tuple[Derivation, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of all sections in the order of their numbers, each once."""
        numbered = {one.number: one for section in self.sections for one in section.citations}
        return tuple(numbered[number] for number in sorted(numbered))

    @property
    def blocks(self) -> "Iterator[Block]":
        """The blocks of all sections."""
        return (block for section in self.sections for block in section.blocks)

    def section(self, section_id: str) -> Section | None:
        """The section with this id, or None."""
        return next((section for section in self.sections if section.id == section_id), None)
