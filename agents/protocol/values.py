"""The values of a protocol run. All are frozen and fit for the ledger.

Objective ──> Query ──> Found: Article (Rated) and Dataset
Article ──> ExperimentReport: ReportPart ──> ReportStep, each tied to a paragraph of the article
reports, datasets ──> Protocol: ProtocolPart ──> ProtocolStep, each resting on report steps or "proposed"
ProtocolPart ──> DryTask ──> TaskResult (`agents.protocol.programs`)

`programs.run_tasks(run, sandbox, tasks, files)` carries the tasks out: `files` are (name, SHA-256) of data
files that are artefacts of the run, as `agents.programs.kept.Program.inputs` takes them.
"""

from dataclasses import dataclass

from agents.evidence.values import Evidence
from agents.kinds.channel import FromChannel
from agents.minds.minded import RULES
from agents.protocol.study import Study
from agents.reports.values import Section


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be found out, what there is to do it with, and what the protocol must have."""

    text: str
    conditions: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """All of it, a statement a line."""
        return "\n".join((self.text, *self.conditions, *self.requirements))


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(FromChannel):
    """The input of a run.

    `queries` are Boolean queries that a person wrote in place of those that are made; `review` asks about
    them before they run; None does where they leave the house. Without `programs` tasks are only listed. A
    run that writes one section anew has its id in `section`, what is asked for in `wish`, and in `standing`
    the sections as they stand.
    """

    objective: Objective
    queries: tuple[str, ...] = ()
    review: bool | None = None
    programs: bool = True
    section: str = ""
    wish: str = ""
    standing: tuple[Section, ...] = ()

    def standing_as(self, section: str) -> Section | None:
        """A section as it stands."""
        return next((one for one in self.standing if one.id == section), None)

    @property
    def asked(self) -> str:
        """The order in one line, as people read it."""
        return f"Protocol: {self.objective.text}"


@dataclass(frozen=True, slots=True)
class Query:
    """A Boolean query, and what it looks for in a few words. `by` is `RULES`, a model's name or `ASKER`."""

    text: str
    aim: str = ""
    by: str = RULES


@dataclass(frozen=True, slots=True)
class Article:
    """An article. `id` is that of its source ("PMID 123", "PMC123", a file's name).

    `retracted` says that it was withdrawn, or tells of a withdrawal; `notice` what else readers must know
    ("A correction was published"). `full_text`: its sections can be read. `source` names the database.
    """

    id: str
    title: str
    abstract: str = ""
    journal: str = ""
    year: str = ""
    retracted: bool = False
    notice: str = ""
    doi: str = ""
    kind: str = ""
    full_text: bool = False
    source: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Rated:
    """How helpful an article is for the objective, 1 to 5 by the criteria of the paper, and why."""

    article: Article
    score: int
    reasons: tuple[str, ...] = ()
    by: str = RULES
    queries: tuple[int, ...] = ()
    """The numbers of the queries that found it, from 1."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A table at hand: its name in the folder, what it holds ("counts", "expression", "samples", "survival",
    "cells"), its columns, and how many rows it has. `levels` are the values of those columns that have few;
    `cells` of a table of samples are its rows.
    """

    name: str
    kind: str
    columns: tuple[str, ...] = ()
    rows: int = 0
    levels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset: accession (or a name), kind ("expression array", "RNA-seq", …), and whether it is of use.

    `samples` is None where nobody says. `reason` tells why it is of use or not. `files` are its tables at
    hand; without any it is to be fetched first.
    """

    accession: str
    kind: str = ""
    title: str = ""
    samples: int | None = None
    organism: str = ""
    platform: str = ""
    usable: bool = False
    reason: str = ""
    files: tuple[DataFile, ...] = ()
    source: str = ""
    link: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ReportStep:
    """A step of an experiment as an article tells it. `text` and `details` stand word for word in the
    paragraph `paragraph_id`, `results` in those of their own; `key` is the evidence of the paragraph.
    """

    id: str
    text: str
    details: tuple[str, ...] = ()
    paragraph_id: str = ""
    key: str = ""
    results: tuple[str, ...] = ()
    result_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part of an experiment report. `referable` is how well it can be followed for the objective, 1 to 5,
    with the reason, and `suggestions` what to take over or to change.
    """

    heading: str
    steps: tuple[ReportStep, ...] = ()
    referable: int = 1
    reason: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExperimentReport:
    """An article as a report of its experiments, the datasets that it names, and who wrote the report."""

    article: Article
    parts: tuple[ReportPart, ...] = ()
    accessions: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    by: str = RULES
    notes: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[ReportStep, ...]:
        """All steps, in order."""
        return tuple(step for part in self.parts for step in part.steps)


@dataclass(frozen=True, slots=True)
class ProtocolStep:
    """A step of the protocol: the words of the report steps that it `rests_on`, or `proposed`, after those
    that it `follows`, if any."""

    text: str
    rests_on: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()

    @property
    def proposed(self) -> bool:
        """Whether it is the designer's own."""
        return not self.rests_on


@dataclass(frozen=True, slots=True)
class ProtocolPart:
    """A part of the protocol, which is a section of the report: its id, heading, what it is for, its steps.

    `family` is the assay family that it belongs to; `depends_on` are ids of parts that come before it.
    """

    id: str
    heading: str
    rationale: str = ""
    steps: tuple[ProtocolStep, ...] = ()
    family: str = ""
    depends_on: tuple[str, ...] = ()
    by: str = RULES


@dataclass(frozen=True, slots=True)
class TaskFile:
    """What goes into a task or comes out of it: file name, type ("csv", "rds", "png"), and what it holds."""

    name: str
    type: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class DryTask:
    """A task that a program can carry out.

    `parameters` are names and values for it (columns, levels, thresholds). `inputs` are data files of the
    dataset or outputs of the tasks in `depends_on`; a task whose program does not leave its `outputs`, or
    leaves one empty, has failed. `section` is the id of the protocol part that it belongs
    to. Without a `dataset` there is nothing to run it on, and `why_not` says so.
    """

    id: str
    description: str
    assay_family: str
    inputs: tuple[TaskFile, ...] = ()
    depends_on: tuple[str, ...] = ()
    dataset: Dataset | None = None
    parameters: tuple[tuple[str, str], ...] = ()
    section: str = ""
    why_not: str = ""
    outputs: tuple[TaskFile, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that it may read."""
        of_dataset = [one.name for one in self.dataset.files] if self.dataset else []
        return tuple(dict.fromkeys((*(one.name for one in self.inputs), *of_dataset)))


@dataclass(frozen=True, slots=True)
class Check:
    """What a look at the protocol found: a condition that is not met, a sample size, a hazard.

    `kind` is "condition", "power" or "hazard"; `level` is "open" or "missing".
    """

    kind: str
    text: str
    level: str = "open"


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol: its design, its parts, the tasks that programs can do, and what was checked."""

    families: tuple[str, ...] = ()
    study: Study = Study()
    parts: tuple[ProtocolPart, ...] = ()
    tasks: tuple[DryTask, ...] = ()
    checks: tuple[Check, ...] = ()
    by: str = RULES
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What was searched and found. `sources` names each place and how many hits it gave or why none."""

    queries: tuple[Query, ...] = ()
    rated: tuple[Rated, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
