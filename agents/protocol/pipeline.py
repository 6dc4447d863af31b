"""From an objective to a protocol (BioResearcher, section 3): queries, search, reports, datasets, design."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from agents.chemistry.wording import Wording
from agents.errors import ToolFailed, WrongOrder
from agents.evidence.sources import Sources
from agents.minds.minded import fallback_note
from agents.ports import LanguageModel, Sandbox
from agents.protocol.checks import checked
from agents.protocol.folder import FolderLiterature
from agents.protocol.judge import KEPT, Wanted, judged
from agents.protocol.lab.repeat import repeatable
from agents.protocol.lab.results import TaskResult
from agents.protocol.literature import Literature, Paper, dataset_source
from agents.protocol.minds import queries_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.programs import run_tasks
from agents.protocol.queries import own_queries
from agents.protocol.reader import read_article
from agents.protocol.report import report, search_section
from agents.protocol.search import keep, kept_articles, resolved, search
from agents.protocol.values import (
    Article,
    Dataset,
    DryTask,
    ExperimentReport,
    Objective,
    Order,
    Protocol,
    Query,
    Search,
)
from agents.protocol.writer import designed
from agents.reports.midrun import show
from agents.runs.artefacts import Artefact
from agents.runs.records import Request
from agents.runs.run import Run

ONLY_METHODS = f"No article was rated {KEPT} or more; of those rated {KEPT - 1} the methods were read."
SECONDS = 900.0
GO = ("run", "yes", "ok", "go", "approve", "y")
ASK = "May these searches run? They go to {}. Answer `run`, or your own queries, semicolons between them."


@dataclass(frozen=True, slots=True)
class Tools:
    """What a run works with. `places` are where literature is looked up; `folder` is the one with data."""

    places: tuple[Literature, ...] = ()
    folder: FolderLiterature | None = None
    model: LanguageModel | None = None
    sandbox: Sandbox | None = None
    sources: Sources | None = None
    wording: Wording = field(default_factory=Wording)


class Made:
    """What a run has made so far."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.search = Search()
        self.reports: dict[int, ExperimentReport] = {}
        self.protocol = Protocol()
        self.results: tuple[TaskResult, ...] = ()
        self.repeat: tuple[Artefact, ...] = ()
        self.notes: list[str] = []

    def outcome(self) -> ProtocolOutcome:
        """The output as it is now."""
        reports = tuple(self.reports[number] for number in sorted(self.reports))
        notes = tuple(dict.fromkeys(filter(None, self.notes)))
        return ProtocolOutcome(
            self.order, self.search, reports, self.protocol, self.results, self.repeat, notes=notes
        )

    def add(self, number: int) -> Callable[[ExperimentReport], None]:
        """Takes the report of the article with this number."""
        return lambda report: self.reports.update({number: report})


async def protocol(tools: Tools, run: Run, order: Order) -> ProtocolOutcome:
    """The protocol for an objective; a refusal where it would make something more dangerous."""
    if no := await tools.wording.refused(order.objective.whole):
        return ProtocolOutcome(order, refused=no.reason)
    made = Made(order)
    run.keep(lambda: made.outcome() if made.search.queries else None)
    await look_up(tools, run, made)
    known = made.search.datasets
    made.protocol = await run.step(
        "design",
        partial(design, tools.model, tools.wording),
        order.objective,
        made.outcome().reports,
        known,
        order.wishes,
    )
    if order.programs and any(not one.why_not for one in made.protocol.tasks):
        for section in report(made.outcome()).sections:
            await show(run, section)
        await carry_out(tools, run, made)
    return made.outcome()


async def carry_out(tools: Tools, run: Run, made: Made) -> None:
    """Run the programs of the tasks, once people have approved of them."""
    tasks = made.protocol.tasks
    if tools.sandbox is None:
        return
    files = await run.step("files", partial(files_of, tools, run), tasks)
    made.results = await run_tasks(run, tools.sandbox, tasks, files, tools.model)
    made.repeat = await run.step("bundle", partial(repeatable, run), made.results)


async def look_up(tools: Tools, run: Run, made: Made) -> None:
    """Search the literature and read what is helpful."""
    objective = made.order.objective
    queries = await asked_queries(tools, run, made)
    made.search = await run.step(
        "search", partial(search, tools.places, tools.model, tools.sources), objective, queries
    )
    kept = kept_articles(made.search)
    articles = [one.article for one in kept]
    made.notes.append(ONLY_METHODS if kept and kept[0].score < KEPT else "")
    await run.gather(
        *(
            run.call(
                f"read/{number}", partial(read, tools), objective, article, number, then=made.add(number)
            )
            for number, article in enumerate(articles, start=1)
        )
    )
    reports = made.outcome().reports
    made.notes += [note for one in reports for note in one.notes]
    made.search = await run.step("datasets", partial(datasets, tools), objective, made.search, reports)


async def asked_queries(tools: Tools, run: Run, made: Made) -> tuple[Query, ...]:
    """The queries, shown before they run; where they leave the house, or are reviewed, people decide."""
    order = made.order
    if order.queries:
        return own_queries(order.queries)
    minded = await run.step("queries", partial(queries_of, tools.model), order.objective)
    made.notes.append(fallback_note("writing queries", minded.why_fallen_back))
    queries: tuple[Query, ...] = minded.value
    made.search = replace(made.search, queries=queries)
    if tools.places:
        await show(run, search_section(made.search))
    leave = [one.name for one in tools.places if one.live]
    if not tools.places or not (bool(leave) if order.review is None else order.review):
        return queries
    asked = Request(ASK.format(", ".join(leave) or "the places at hand"), seconds=SECONDS, otherwise=GO[0])
    decision = await run.wait_for("searches", asked)
    return _decided(decision.choice, queries, made)


def _decided(choice: str, queries: tuple[Query, ...], made: Made) -> tuple[Query, ...]:
    if choice.strip().strip(".!").casefold() in GO:
        return queries
    try:
        return own_queries(tuple(one.strip() for one in choice.split(";") if one.strip()))
    except WrongOrder as error:
        made.notes.append(
            f"The queries that were written could not be read, and those that were shown ran. {error}"
        )
        return queries


async def read(tools: Tools, objective: Objective, article: Article, number: int) -> ExperimentReport:
    """An article as an analysed report; one that cannot be read says so."""
    paper: Paper | None = None
    why = ""
    for place in tools.places:
        try:
            paper = paper or await place.paper(article)
        except ToolFailed as error:
            why = str(error)
    if paper is None:
        return ExperimentReport(article, notes=(f"{article.id} could not be read. {why}".strip(),))
    if paper.source is not None:
        await keep(tools.sources, paper.source)
    return await read_article(tools.model, objective, paper, number)


async def datasets(
    tools: Tools, objective: Objective, found: Search, reports: tuple[ExperimentReport, ...]
) -> Search:
    """The search with the datasets that the articles name, described and judged."""
    named = dict.fromkeys(one for report in reports for one in report.accessions)
    known = {one.accession for one in found.datasets}
    new = await resolved(tools.places, [one for one in named if one not in known])
    for one in new:
        await keep(tools.sources, dataset_source(one))
    wanted = Wanted(objective)
    return replace(found, datasets=(*found.datasets, *(judged(one, wanted) for one in new)))


async def design(
    model: LanguageModel | None,
    wording: Wording,
    objective: Objective,
    reports: tuple[ExperimentReport, ...],
    known: tuple[Dataset, ...],
    wishes: tuple[str, ...] = (),
) -> Protocol:
    """The protocol with its checks. What would make something more dangerous is left out."""
    made = await designed(model, wording, objective, reports, known, wishes)
    harmful = await wording.among(step.text for part in made.parts for step in part.steps)
    parts = tuple(
        replace(part, steps=tuple(step for step in part.steps if step.text not in harmful))
        for part in made.parts
    )
    lost = sum(len(part.steps) for part in made.parts) - sum(len(part.steps) for part in parts)
    notes = (
        (*made.notes, f"Steps left out, as they read as if they did harm: {lost}.") if lost else made.notes
    )
    made = replace(made, parts=parts, notes=notes)
    return replace(made, checks=checked(objective, made, known))


async def files_of(tools: Tools, run: Run, tasks: tuple[DryTask, ...]) -> tuple[tuple[str, str], ...]:
    """The data files of tasks, and gene sets, as artefacts of the run: names and hashes."""
    if tools.folder is None:
        return ()
    wanted = [name for task in tasks for name in task.files]
    wanted += await tools.folder.gene_sets()
    kept: dict[str, str] = {}
    for name in dict.fromkeys(wanted):
        if (data := await tools.folder.content(name)) is not None:
            kept[name] = (await run.artefact(data, "text/plain", name)).sha256
    return tuple(kept.items())
