"""A question on drugs and outcomes, from words to verdicts (MALADE, section 4).

find (each class) → read (each ingredient once for all outcomes, side by side) → judge (each class and
outcome as soon as its drugs are judged)
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.databases.case_reports import CaseReports
from agents.databases.labels import AskedOnce, LabelPassage, Labels
from agents.errors import ToolFailed
from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Sources
from agents.kinds import UNFOLLOWED
from agents.reports.disputed import Disputed
from agents.reports.drawing import DARK, LIGHT, kept_figure, loaded
from agents.reports.values import Figure
from agents.runs.failures import innermost
from agents.runs.run import Run
from agents.vigilance import spontaneous, unknown
from agents.vigilance.charts import heat_map
from agents.vigilance.finder.find import Finder
from agents.vigilance.local import doubted_where_local
from agents.vigilance.merging import merged
from agents.vigilance.minds import Minds
from agents.vigilance.open_points import find_classes
from agents.vigilance.outcomes import is_known
from agents.vigilance.reading.category import judge_category
from agents.vigilance.reading.drug import judge_drug
from agents.vigilance.records import cited_passages, remembered, source_of
from agents.vigilance.values import (
    Assessment,
    CategoryVerdict,
    DrugVerdict,
    FoundClass,
    Ingredient,
    Order,
    Outcome,
)

QUERY = re.compile(r"https?://(?P<host>[^/\s)]+)[^\s)]*")
"""An address with what was asked of it: a reader needs only whose it is."""
FOR_ALL = "Labels were read for all people; what they say of {} alone was not told apart."
_Place = tuple[str, str, str]
"""The class that a class is a part of, its own name, and the outcome's."""


@dataclass(frozen=True, slots=True)
class VigilanceTools:
    """What a run works with. `sources` keeps the passages that are cited; `reports` are spontaneous ones;
    `minds` is None without a model.
    """

    finder: Finder
    labels: Labels
    sources: Sources
    reports: CaseReports
    minds: Minds | None = None


@dataclass(frozen=True, slots=True)
class DrugRead:
    """The verdicts on one ingredient, an outcome each. `missing` says why its labels could not be read."""

    verdicts: tuple[DrugVerdict, ...]
    missing: str = ""


async def assess(desk: VigilanceTools, run: Run, order: Order) -> Assessment:
    """The verdicts on every class and outcome of an order; a question back where a class or outcome is not
    clear.
    """
    labels = AskedOnce(desk.labels)
    minds = replace(desk.minds, labels=labels) if desk.minds else None
    desk = replace(desk, labels=labels, minds=minds)
    finder = replace(desk.finder, top=order.top)
    asked = await find_classes(run, finder, order)
    order, found = asked.order, asked.found
    if unclear := next((one for one in found if one.ask_back), None):
        return Assessment(order, found, ask_back=unclear.ask_back, options=unclear.options)
    strange: tuple[str, ...] = ()
    if not all(is_known(one.name) for one in order.outcomes):
        strange = await run.step("outcomes", partial(unknown.unfamiliar, labels), order.outcomes, found)
        question, options = unknown.asked_back(order.outcomes, strange)
        if question:
            return Assessment(order, found, ask_back=question, options=options)
    unfollowed = (UNFOLLOWED,) if order.wishes and minds is None else ()
    notes = (*asked.notes, *unfollowed, *((FOR_ALL.format(order.population),) if order.population else ()))
    reading = _Reading(desk, run, order, found, notes, strange)
    run.keep(reading.assessment)
    several = len(order.classes) * len(order.outcomes) > 1
    loading = asyncio.ensure_future(asyncio.to_thread(loaded)) if several else None
    await reading.work()
    if loading is not None:
        await loading
    if len(reading.cells) > 1:
        reading.figure = await run.step("charts", partial(_draw, run), tuple(reading.cells))
    return await reading.assessment()


async def read_drug(
    labels: Labels,
    ingredient: Ingredient,
    outcomes: tuple[Outcome, ...],
    disputed: tuple[Disputed, ...] = (),
) -> DrugRead:
    """An ingredient's labels, asked once, and what they say of each outcome by the rules."""
    missing = ""
    passages: tuple[LabelPassage, ...] = ()
    try:
        passages = await labels.passages(ingredient.names)
    except ToolFailed as error:
        reason = QUERY.sub(r"\g<host>", str(error))
        missing = f"The labels of {ingredient.name} could not be read: {reason}"
    else:
        if not passages:
            missing = f"No label of {ingredient.name} is loaded."
    verdicts = await asyncio.to_thread(
        lambda: tuple(judge_drug(ingredient.name, one, passages, disputed=disputed) for one in outcomes)
    )
    return DrugRead(verdicts, missing)


async def _draw(run: Run, cells: tuple[CategoryVerdict, ...]) -> Figure:
    """The heat map as files of the run. Drawn elsewhere than on the loop."""
    pictures = [await asyncio.to_thread(heat_map, cells, theme) for theme in (LIGHT, DARK)]
    return await kept_figure(run, *pictures)


class _Reading:
    """A table in the making: what is read and judged so far."""

    def __init__(
        self,
        desk: VigilanceTools,
        run: Run,
        order: Order,
        found: Sequence[FoundClass],
        notes: tuple[str, ...],
        unfamiliar: tuple[str, ...],
    ) -> None:
        self._desk, self._run, self._order, self._found = desk, run, order, tuple(found)
        self._notes, self._unfamiliar = notes, unfamiliar
        self._missing: dict[str, str] = {}
        self._verdicts: dict[tuple[str, str], DrugVerdict] = {}
        self._there: defaultdict[tuple[str, str], asyncio.Event] = defaultdict(asyncio.Event)
        self._judged: dict[_Place, CategoryVerdict] = {}
        self._counted = spontaneous.Counted()
        self.figure: Figure | None = None

    async def work(self) -> None:
        """Everything side by side: a class and an outcome are judged as soon as their drugs are."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read())
                group.create_task(self._count())
                for found in self._found:
                    for outcome in self._order.outcomes:
                        group.create_task(self._judge(found, outcome))
        except BaseExceptionGroup as errors:
            failure = innermost(errors)
        else:
            return
        raise failure

    async def _read(self) -> None:
        """Every ingredient: its labels once, then, with a model, every outcome."""
        drugs = {one.name: one for found in self._found for one in found.chosen}
        calls = [
            self._run.call(f"drug/{name}", self._drug, one, then=partial(self._known, name))
            for name, one in drugs.items()
        ]
        await self._run.gather(*calls)

    async def _drug(self, one: Ingredient) -> DrugRead:
        """The verdicts on one ingredient: of the rules, or of a DrugAgent for each outcome."""
        outcomes, minds = self._order.outcomes, self._desk.minds
        given = (one, outcomes, self._order.disputed)
        read = await self._run.step(f"read/{one.name}", partial(read_drug, self._desk.labels), *given)
        if minds is None or not any(verdict.labels for verdict in read.verdicts):
            return read
        work = partial(minds.drug, self._run, self._order)
        then = partial(self._tell, one.name)
        pairs = zip(outcomes, read.verdicts, strict=True)
        calls = [
            self._run.call(f"drug/{one.name}/{asked.name}", work, one, asked, own, then=then)
            for asked, own in pairs
        ]
        return replace(read, verdicts=tuple(await self._run.gather(*calls)))

    def _known(self, name: str, read: DrugRead) -> None:
        """Takes in all verdicts on an ingredient."""
        self._missing[name] = read.missing
        for verdict in read.verdicts:
            self._tell(name, verdict)

    def _tell(self, name: str, verdict: DrugVerdict) -> None:
        """Takes in a verdict; classes that wait for it may go on."""
        self._verdicts[name, verdict.outcome] = verdict
        self._there[name, verdict.outcome].set()

    async def _judge(self, found: FoundClass, outcome: Outcome) -> None:
        """A class and an outcome, once all its drugs are judged: by rules; with a model, where a label is."""
        for one in found.chosen:
            await self._there[one.name, outcome.name].wait()
        drugs = [self._verdicts[one.name, outcome.name] for one in found.chosen]
        judged = judge_category(found.drug_class.name, outcome.name, drugs)
        keep = partial(self._keep, found, outcome)
        keep(judged)
        if self._desk.minds is not None and judged.covered:
            work = partial(self._desk.minds.category, self._run, self._order)
            await self._run.step(f"category/{judged.category}/{judged.outcome}", work, judged, then=keep)

    def _keep(self, found: FoundClass, outcome: Outcome, judged: CategoryVerdict) -> None:
        """Takes in a verdict on a class."""
        self._judged[_place(found, outcome)] = doubted_where_local(judged, found)

    async def _count(self) -> None:
        """What spontaneous reports say beside the verdicts, where a table of them is loaded."""
        if self._desk.reports.release is None:
            return
        work = partial(spontaneous.counted, self._desk.reports)
        self._counted = await self._run.step("reports", work, self._found, self._order.outcomes)

    @property
    def cells(self) -> list[CategoryVerdict]:
        """The verdicts in the order of classes and outcomes, with the parts of a class merged."""
        cells: list[CategoryVerdict] = []
        for one in dict.fromkeys(found.part_of or found.drug_class.name for found in self._found):
            whole = [found for found in self._found if (found.part_of or found.drug_class.name) == one]
            for outcome in self._order.outcomes:
                parts = [
                    self._judged[_place(found, outcome)]
                    for found in whole
                    if _place(found, outcome) in self._judged
                ]
                if parts:
                    cell = merged(one, parts) if whole[0].part_of else parts[0]
                    cell = unknown.of_old_labels(cell)
                    if outcome.name in self._unfamiliar:
                        cell = unknown.not_understood(cell)
                    elif not is_known(outcome.name):
                        cell = unknown.looked_for_by_name(cell)
                    cells.append(cell)
        return cells

    async def assessment(self) -> Assessment:
        """What is judged so far, with the passages that it cites, which are kept."""
        cells = tuple(self.cells)
        passages = cited_passages(cells)
        memory = EvidenceMemory()
        sources = {one.id: source_of(one) for one in passages}
        sources |= {one.place: spontaneous.source_of(one) for one in self._counted.reported}
        evidence = remembered(sources, memory)
        for source in sources.values():
            await self._desk.sources.put(source)
        missing = dict.fromkeys(filter(None, (*self._missing.values(), self._counted.missing)))
        return Assessment(
            self._order,
            self._found,
            cells,
            memory.all(),
            tuple((place, item.key) for place, item in evidence.items()),
            self.figure,
            self._counted.reported,
            tuple(missing),
            notes=self._notes,
            unfamiliar=self._unfamiliar,
        )


def _place(found: FoundClass, outcome: Outcome) -> _Place:
    return found.part_of, found.drug_class.name, outcome.name


def stopped(assessment: Assessment, reason: str) -> Assessment:
    """The partial table of a run that ended early."""
    return replace(assessment, partial=reason)
