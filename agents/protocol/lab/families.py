"""The assay families that have a tested R program: what may be chosen in each, and what it writes.

The programs are the `.R` files of the folder `templates`. What is chosen reaches them as a JSON file.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.protocol.templates import templates

TEMPLATES = Path(__file__).parent / "templates"
COMMON = "pestle.R"
"""What every program reads first."""
MARKERS = "immune_markers.csv"
"""Marker genes of immune cells (Danaher 2017, J Immunother Cancer 5:18), where a task brings none."""
ALWAYS = ("results.csv", "top.csv", "summary.txt", "session.txt")


class Choices(BaseModel):
    """What may be chosen in every family. Names of tables are those of input files; "" is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(default=1, ge=0, le=2**31 - 1)


class Compared(Choices):
    """Two groups of samples. `samples` is a table with the columns sample, group and perhaps block."""

    samples: str
    reference: str
    other: str
    alpha: float = Field(default=0.05, gt=0, lt=1)
    symbols: str = ""


class BulkRnaSeq(Compared):
    """Counts of genes in two groups."""

    counts: str
    method: Literal["deseq2", "edger", "limma-voom"] = "deseq2"
    least_count: int = Field(default=10, ge=0)


class Microarray(Compared):
    """Intensities or their logarithms in two groups; `floor` above 0 is the least intensity that is taken."""

    expression: str
    normalise: bool = False
    trend: bool = False
    floor: float = Field(default=0.0, ge=0)


class Survival(Choices):
    """Times to an event, which happened where the column `event` is `event_is`; `reference` is a group."""

    table: str
    time: str
    event: str
    event_is: str
    group: str = ""
    reference: str = ""
    covariates: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


class Pathway(Choices):
    """Genes with a statistic and an adjusted p, and gene sets in a GMT file."""

    ranked: str
    sets: str
    gene_column: str = "symbol"
    method: Literal["ora", "gsea"] = "ora"
    alpha: float = Field(default=0.05, gt=0, lt=1)
    least_genes: int = Field(default=10, ge=2)
    most_genes: int = Field(default=500, ge=2)
    permutations: int = Field(default=1000, ge=100, le=20_000)


class Infiltration(Choices):
    """Expression of genes, and the markers of cell types; groups are compared where `samples` are given."""

    expression: str
    markers: str = MARKERS
    samples: str = ""
    reference: str = ""
    other: str = ""
    symbols: str = ""
    alpha: float = Field(default=0.05, gt=0, lt=1)
    least_markers: int = Field(default=2, ge=1)


class SingleCell(Choices):
    """Expression of genes in cells."""

    expression: str
    labels: str = ""
    components: int = Field(default=20, ge=2, le=100)
    neighbours: int = Field(default=15, ge=2, le=100)
    resolution: float = Field(default=1.0, gt=0)
    variable_genes: int = Field(default=2000, ge=50)
    least_genes: int = Field(default=200, ge=1)


class Signature(Compared):
    """Expression in two groups that a model of few genes is to tell apart; `alpha` 1 is the lasso."""

    expression: str
    alpha: float = Field(default=1.0, ge=0, le=1)
    folds: int = Field(default=5, ge=3, le=20)
    most_genes: int = Field(default=2000, ge=10)


@dataclass(frozen=True, slots=True)
class Family:
    """An assay family with a program: what is chosen, the R packages it needs, the files beside `ALWAYS`."""

    name: str
    choices: type[Choices]
    packages: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it is called for readers."""
        return templates()[self.name].title

    @property
    def program(self) -> str:
        """The name of its program."""
        return f"{self.name}.R"

    @property
    def promised(self) -> tuple[str, ...]:
        """The files that it writes."""
        return (*ALWAYS, *self.files)


_PLOTS = ("volcano.png", "samples.png")
FAMILIES = {
    one.name: one
    for one in (
        Family("single_cell", SingleCell, ("igraph",), ("cells.csv", "cells.png")),
        Family("survival", Survival, ("survival",), ("medians.csv", "proportional.csv", "curves.png")),
        Family("pathway", Pathway, (), ("sets.png",)),
        Family("infiltration", Infiltration, (), ("scores.csv", "scores.png")),
        Family("signature", Signature, ("glmnet",), ("predictions.csv", "roc.png")),
        Family("microarray", Microarray, ("limma",), _PLOTS),
        Family("bulk_rnaseq", BulkRnaSeq, ("DESeq2", "edgeR", "limma"), _PLOTS),
    )
}
"""By their names, which are those of their templates."""


@cache
def template(name: str) -> str:
    """The text of a file of the folder `templates`."""
    return (TEMPLATES / name).read_text("utf-8")
