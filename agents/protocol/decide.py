"""The design table, decided by two minds before anything is written: a language model, or rules."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.json_answers import at_most
from agents.minds.minded import Minded, minded
from agents.ports import LanguageModel
from agents.protocol.groups import study_of
from agents.protocol.minds import reviewed, told
from agents.protocol.study import Group, Study
from agents.protocol.values import Dataset, Objective

GROUPS = 6


class OneGroup(BaseModel):
    """A group, its samples (0: to be decided), and what is done to it."""

    name: str
    samples: int = Field(default=0, ge=0)
    treatment: str = ""


class Table(BaseModel):
    """A design table. `paired_within` is what has one sample of each group; "" for independent groups."""

    groups: list[OneGroup] = Field(json_schema_extra=at_most(GROUPS))
    paired_within: str = ""
    times: list[str] = Field(default=[], json_schema_extra=at_most(GROUPS))
    doses: list[str] = Field(default=[], json_schema_extra=at_most(GROUPS))
    sample_names: list[str] = []


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
        usable = "\n".join(f"{one.accession}: {one.title}" for one in datasets if one.usable)
        blocks = (
            told(objective),
            data_block(usable or "None is at hand.", kind="datasets"),
            data_block(ruled.told or "Nothing.", kind="what rules and tables say"),
        )
        check = partial(_wrong, ruled)
        stage = "the design table of a study"
        made = await reviewed(mind, "study", stage, blocks, Table, check, "\n".join(wishes))
        return replace(_merged(made.value, ruled), by=mind.name)

    return await minded(model, by_model, by_rules)


def _wrong(ruled: Study, table: Table) -> list[str]:
    """Groups that are not those of the table at hand."""
    if ruled.column and [one.name for one in table.groups] != [one.name for one in ruled.groups]:
        names = ", ".join(one.name for one in ruled.groups)
        return [f"The groups are those of the sample table, in this order: {names}."]
    return []


def _merged(table: Table, ruled: Study) -> Study:
    groups = tuple(Group(one.name, one.samples, one.treatment) for one in table.groups)
    times, doses, names = map(tuple, (table.times, table.doses, table.sample_names))
    if not ruled.column:
        within = table.paired_within
        return Study(groups, within, bool(within), times, doses, names=names)
    treated = {one.name: one.treatment for one in groups}
    kept = tuple(replace(one, treatment=treated.get(one.name, "")) for one in ruled.groups)
    return replace(ruled, groups=kept, times=times, doses=doses)
