"""The design table as a language model gives it, held to what tables at hand and the gate allow."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from functools import partial

from pydantic import BaseModel, Field

from agents.json_answers import at_most
from agents.protocol.groups import in_table, mentions, sheets_of
from agents.protocol.lab.tables import ONLY
from agents.protocol.lab.tables import Table as Samples
from agents.protocol.power import POWER
from agents.protocol.study import Criterion, Group, Study
from agents.protocol.values import Dataset, Objective
from agents.protocol.whose import origin_of
from agents.reports.origins import origin_faults
from agents.trust.support import Support

GROUPS, COVARIATES, CRITERIA, CONTROLS = 12, 12, 6, 12
MOST_COLUMNS = 30
"""Of a table, that are shown; of a table of samples as many rows."""


class Table(BaseModel):
    """A design table. `paired_within` is what has one sample of each group; "" for independent groups.
    `column`, `time`, `event`, `adjusted` are columns of a table at hand; `only` says which of its rows.
    """

    groups: list[Group] = Field(json_schema_extra=at_most(GROUPS))
    paired_within: str = ""
    times: list[str] = Field(default=[], json_schema_extra=at_most(GROUPS))
    doses: list[str] = Field(default=[], json_schema_extra=at_most(GROUPS))
    sample_names: list[str] = []
    column: str = ""
    time: str = ""
    event: str = ""
    adjusted: list[str] = Field(default=[], json_schema_extra=at_most(COVARIATES))
    only: str = Field(default="", pattern=f"^$|{ONLY}")
    verdict: list[Criterion] = Field(default=[], json_schema_extra=at_most(CRITERIA))
    controls: list[str] = Field(default=[], json_schema_extra=at_most(CONTROLS))


SAY_AIMS = "Say what is to be done, or mark a value as an aim: should, at least, at most, expected."
TOO_FEW = (
    "With {samples} samples a group the whole verdict has a power of {power:.2f}; {needed} give 0.8. Plan as "
    "many. Where no more can be had, ask for less: fewer criteria, or an effect that so many can find."
)


def described(dataset: Dataset) -> str:
    """A dataset with the columns of its tables, and rows of samples or values of those that make groups."""
    lines = [f"{dataset.accession}: {dataset.title}. {dataset.reason}"]
    for file in dataset.files:
        more = (f"… {len(file.columns)} in all",) * (len(file.columns) > MOST_COLUMNS)
        columns = ", ".join((*file.columns[:MOST_COLUMNS], *more))
        levels = [f"{column}: {', '.join(some)}" for column, some in file.levels]
        levels = list(map(", ".join, file.cells)) if 0 < len(file.cells) <= MOST_COLUMNS else levels
        rows = f"{file.rows} rows" if file.rows else "what it holds is not read here"
        lines.append(f"{file.name}, {file.kind}, {rows}: {columns}. {'; '.join(levels)}")
    return "\n".join(lines)


def wrong_study(study: Study, datasets: Sequence[Dataset]) -> list[str]:
    """Columns that no table at hand has, clauses that the gate would strike, and too little power."""
    columns = {column for one in datasets for file in one.files for column in file.columns}
    named = (study.column, study.time, study.event, *study.adjusted, study.only.partition(" ")[0])
    points = [f"No table at hand has a column {one}." for one in named if one and one not in columns]
    if sheet := _sheet(study, datasets):
        levels = sheet.levels(study.column)
        points += (
            f"The column {study.column} has no value {one.name}, but {', '.join(levels)}."
            for one in study.groups
            if one.name not in levels
        )
    verdict = (text for one in study.verdict for text in astuple(one) if isinstance(text, str))
    rows = (value for _, value in study.facts)
    points += struck((*verdict, *rows, *(one.treatment for one in study.groups)))
    if study.tested and (power := study.power(study.smallest)) < POWER:
        points.append(TOO_FEW.format(samples=study.smallest, power=power, needed=study.needed))
    return points


def struck(texts: Iterable[str]) -> Iterator[str]:
    """What of some texts reads as a finding, which a proposal states none of."""
    own, nothing = origin_of("model"), Support(())
    for fault in (fault for one in texts for fault in origin_faults(one, own, (), nothing)):
        yield f"“{fault.value}” reads as a finding and would not be shown. {SAY_AIMS}"


def planned(table: Table, objective: Objective, datasets: Sequence[Dataset], by: str) -> Study:
    """The study of a table that a model gave. Where its column is one of a table of samples at hand, sizes,
    pairs and names of samples are those of that table.
    """
    made = Study(
        tuple(table.groups),
        table.paired_within.partition(" (")[0],
        bool(table.paired_within),
        tuple(table.times),
        tuple(table.doses),
        table.column,
        tuple(table.sample_names),
        table.time,
        table.event,
        tuple(table.adjusted),
        table.only,
        tuple(table.verdict),
        tuple(table.controls),
        by,
    )
    sheet = _sheet(made, datasets)
    if sheet is None or not made.groups:
        return made
    held = in_table(sheet, made.column, [one.name for one in made.groups], partial(mentions, objective.whole))
    groups = tuple(
        replace(one, treatment=told.treatment) for one, told in zip(held.groups, made.groups, strict=True)
    )
    return replace(made, groups=groups, within=held.within, paired=held.paired, names=held.names)


def _sheet(study: Study, datasets: Sequence[Dataset]) -> Samples | None:
    """The table of samples at hand that has the column of a study."""
    return next((one for one in sheets_of(datasets) if study.column in one.columns), None)
