"""The design table, decided by two minds before anything is written: a language model, or rules."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import astuple, replace
from functools import partial

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.json_answers import at_most
from agents.minds.minded import Minded, minded
from agents.ports import LanguageModel
from agents.protocol.groups import study_of
from agents.protocol.lab.tables import ONLY
from agents.protocol.minds import reviewed, told
from agents.protocol.power import POWER
from agents.protocol.study import Criterion, Group, Study
from agents.protocol.values import Dataset, Objective
from agents.protocol.whose import origin_of
from agents.reports.origins import origin_faults
from agents.trust.support import Support

GROUPS, COVARIATES, CRITERIA, CONTROLS = 6, 12, 4, 10
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


async def decided(
    model: LanguageModel | None,
    objective: Objective,
    datasets: Sequence[Dataset],
    wishes: Sequence[str] = (),
    stood: Study | None = None,
) -> Minded[Study]:
    """The study of an objective. Groups, samples and pairs of a table at hand stand as the table has them;
    `stood` is a study that is changed as somebody wishes.
    """
    ruled = stood or study_of(objective, datasets)

    async def by_rules() -> Study:
        return ruled

    async def by_model(mind: LanguageModel) -> Study:
        usable = "\n".join(map(described, (one for one in datasets if one.usable)))
        blocks = (
            told(objective),
            data_block(usable or "None is at hand.", kind="datasets"),
            data_block(ruled.told or "Nothing.", kind="what rules and tables say"),
        )
        check = partial(
            _wrong, ruled, {column for one in datasets for file in one.files for column in file.columns}
        )
        made = await reviewed(mind, "study", "", blocks, Table, check, "\n".join(wishes))
        return replace(_merged(made.value, ruled), by=mind.name)

    return await minded(model, by_model, by_rules)


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


def _wrong(ruled: Study, columns: Set[str], table: Table) -> list[str]:
    """Groups that are not those of the table at hand, and columns that no table has."""
    named = (table.column, table.time, table.event, *table.adjusted, table.only.partition(" ")[0])
    points = [f"No table at hand has a column {one}." for one in named if one and one not in columns]
    if ruled.sampled and [one.name for one in table.groups] != [one.name for one in ruled.groups]:
        names = ", ".join(one.name for one in ruled.groups)
        points.append(f"The groups are those of the sample table, in this order: {names}.")
    verdict = (text for one in table.verdict for text in astuple(one) if isinstance(text, str))
    planned = _merged(table, ruled)
    rows = (f"{name}: {value}" for name, value in planned.facts)
    points += struck((*verdict, *rows, *(one.treatment for one in table.groups)))
    if planned.tested and (power := planned.power(planned.smallest)) < POWER:
        points.append(TOO_FEW.format(samples=planned.smallest, power=power, needed=planned.needed))
    return points


def struck(texts: Iterable[str]) -> Iterator[str]:
    """What of some texts reads as a finding, which a proposal states none of."""
    own, nothing = origin_of("model"), Support(())
    for fault in (fault for one in texts for fault in origin_faults(one, own, (), nothing)):
        yield f"“{fault.value}” reads as a finding and would not be shown. {SAY_AIMS}"


def _merged(table: Table, ruled: Study) -> Study:
    made = Study(
        tuple(table.groups),
        table.paired_within,
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
    )
    if not ruled.sampled:
        return made
    treated = {one.name: one.treatment for one in table.groups}
    groups = tuple(replace(one, treatment=treated.get(one.name, "")) for one in ruled.groups)
    own = {name: getattr(made, name) for name in ("times", "doses", "verdict", "controls")}
    return replace(ruled, groups=groups, **own)
