"""A protocol as a report: parts, checks, hazards, tasks, and what they rest on: search, datasets, articles.

What is the designer's own is marked as proposed; what an article did stands beside it, verbatim and cited.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Source
from agents.evidence.values import Evidence
from agents.minds.minded import RULES
from agents.protocol.checks import SAFETY
from agents.protocol.lab.results import TaskResult
from agents.protocol.lab.shown import computations, task_blocks
from agents.protocol.literature import dataset_source
from agents.protocol.markdown import blocks_of
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.search import LISTED, head_source
from agents.protocol.study import SECTION, study_section
from agents.protocol.templates import templates, title_of
from agents.protocol.values import (
    Check,
    Dataset,
    DryTask,
    ExperimentReport,
    Protocol,
    ProtocolPart,
    ProtocolStep,
    ReportPart,
    ReportStep,
    Search,
)
from agents.protocol.whose import origin_of
from agents.reports.brief import marks_of
from agents.reports.compose import Composer
from agents.reports.computed import as_figures
from agents.reports.values import (
    Block,
    Cell,
    Code,
    Heading,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Table,
)
from agents.trust.values import Claim, Verdict
from retrieval.values import Passage

OUTCOME = "Protocol"
HEADS, SETS = 900_001, 950_001
"""First keys of the heads of articles and of descriptions of datasets."""
STEPS_SHOWN = 8
"""Steps of one part of an article's report that are shown unfolded."""
CHECKS = (("condition", "Conditions"), ("power", "Sample sizes"))
NO_HAZARD = "No word of the objective or the steps tells of a hazard that is known here; look for others."
NOTHING_OPEN = "Rules found no condition that is missed, and no sample size that is still to be reckoned."
OTHERS = "As others did it"
READS, WRITES = "Files that it reads", "Files that it writes"
MARKS = {"open": "to be decided", "missing": "not met"}


def report(outcome: ProtocolOutcome) -> Report:
    """The report of an outcome; a refusal; or the section that a revision wrote."""
    order, protocol = outcome.order, outcome.protocol
    title = order.asked
    if outcome.refused:
        return Report(title, "Refused", outcome.refused, False, not_found=(outcome.refused,))
    if outcome.written is not None:
        about = _about(outcome)
        return Report(title, OUTCOME, title, True, (outcome.written,), outcome.notes, about=about)
    heads = _heads(outcome.search)
    usable = [one for one in outcome.search.datasets if one.usable]
    sets = _held(((one.accession, dataset_source(one)) for one in usable), SETS)
    evidence = [one for report in outcome.reports for one in report.evidence]
    composer = Composer([*evidence, *heads.values(), *sets.values()], line_by_line=True)
    steps = {step.id: step for one in outcome.reports for step in one.steps}
    told = (step for part in protocol.parts for step in part.steps)
    cites = {key for one in told for key in (*one.rests_on, *one.follows)}
    rests_on = ((SECTION,) if protocol.study else ()) + (("datasets",) if usable else ())
    sections = [
        *([study_section(protocol.study)] if protocol.study else []),
        *(part_section(composer, one, steps, rests_on) for one in protocol.parts),
        *_closing(protocol),
        *(task_section(one, outcome.result(one.id)) for one in protocol.tasks),
        *_repeat(outcome),
        search_section(outcome.search, composer, heads),
        *_found(composer, outcome.reports, usable, sets),
    ]
    return Report(
        title,
        OUTCOME,
        _short(protocol, bool(cites), outcome),
        True,
        tuple(sections),
        tuple(dict.fromkeys((*outcome.notes, *outcome.search.notes, *protocol.notes))),
        partial=outcome.partial,
        about=_about(outcome),
    )


def _short(protocol: Protocol, cites: bool, outcome: ProtocolOutcome) -> str:
    if not protocol.parts:
        return "The protocol is not designed yet."
    families = [templates()[name].title for name in protocol.families if templates()[name].task]
    what = f"Protocol for {', '.join(families)}" if families else "General protocol"
    if not cites:
        why = "no article was helpful enough" if outcome.search.rated else "no literature was found"
        return f"{what}. Every step is proposed, since {why}."
    return f"{what}. Its steps are proposed, after articles where these are cited."


def _about(outcome: ProtocolOutcome) -> tuple[str, ...]:
    """Names that the report may use without a citation: those of the request, of places, and of datasets."""
    objective = outcome.order.objective
    names = (
        *objective.whole.split("\n"),
        *(one.accession for one in outcome.search.datasets),
        *(one.article.id for one in outcome.search.rated),
        *(name for one in outcome.search.datasets for name in (file.name for file in one.files)),
        *(one.article.title for one in outcome.reports),
        *(one.title for one in templates().values()),
        *("PubMed", "PMC", "GEO", "PESTLE_SOURCES_LITERATURE", "PESTLE_SOURCES_LIVE", "JATS", "SOFT", "XML"),
    )
    return tuple(dict.fromkeys(filter(None, names)))


def _held(sources: Iterable[tuple[str, Source]], first: int) -> dict[str, Evidence]:
    """Whole sources as evidence, by name."""
    memory = EvidenceMemory(first)
    return {name: memory.add(Passage(one.id, 0, len(one.text), one.text), one) for name, one in sources}


def _heads(search: Search) -> dict[str, Evidence]:
    listed = [one.article for one in search.rated[:LISTED]]
    return _held(((one.id, head_source(one)) for one in listed), HEADS)


def _section(
    composer: Composer | None, name: str, title: str, blocks: Sequence[Block], needs: tuple[str, ...] = ()
) -> Section:
    numbers = {number for block in blocks for number in marks_of(block)}
    citations = composer.citations(numbers) if composer and numbers else ()
    return Section(name, title, tuple(blocks), citations, needs)


def proposed(text: str, by: str = RULES, citations: Iterable[int] = ()) -> Statement:
    """Something that is the designer's own, with the citations of what it follows."""
    return Statement(text, tuple(dict.fromkeys(citations)), origin=origin_of(by))


def part_section(
    composer: Composer, part: ProtocolPart, steps: dict[str, ReportStep], rests_on: tuple[str, ...]
) -> Section:
    """A part of the protocol: what it is for, its steps, and those of articles that did the same."""
    taken = [quoted(composer, steps[key]) for one in part.steps for key in one.rests_on if key in steps]

    def followed(step: ProtocolStep) -> Iterator[int]:
        for key in step.follows:
            if one := steps.get(key):
                yield composer.cite(one.key, (one.text, *one.details))

    own = tuple(proposed(one.text, part.by, followed(one)) for one in part.steps if one.proposed)
    blocks: list[Block] = [Prose((proposed(part.rationale, part.by),))] if part.rationale else []
    if part.by == RULES:
        blocks += [Points(own, numbered=True)] if own else []
    else:
        blocks += blocks_of(part.heading, own)
    if taken:
        blocks += [Heading(OTHERS, 3), Points(tuple(taken))]
    cites = any(one.citations for one in (*own, *taken))
    needs = (*part.depends_on, *(("articles",) if cites else ()))
    needs += tuple(one for one in rests_on if one == SECTION or part.id == "data")
    return _section(composer, part.id, part.heading, blocks, needs)


def quoted(composer: Composer, step: ReportStep) -> Statement:
    """A step of an article, word for word."""
    return _cited(composer, step.text, step.key)


def _cited(composer: Composer, text: str, key: str) -> Statement:
    said = " ".join(text.split())
    return composer.statement(Claim(said, (key,), (text,), Verdict.SUPPORTED, checked_by="rules"))


def _closing(protocol: Protocol) -> Iterator[Section]:
    """Conditions and sample sizes, of a model's text only conditions that it does not meet, and hazards; both
    are read from all parts.
    """
    ids = tuple(one.id for one in protocol.parts)
    if ids and (protocol.by == RULES or any(one.level == "missing" for one in protocol.checks)):
        yield checks_section(protocol.checks, ids)
    told = any(SAFETY.search(one.heading) for one in protocol.parts)
    if ids and not (told and all(one.kind != "hazard" for one in protocol.checks)):
        yield hazards_section(protocol.checks, ids)


def checks_section(checks: Sequence[Check], needs: tuple[str, ...]) -> Section:
    """What was checked against conditions, and how many samples are needed."""
    blocks: list[Block] = []
    for kind, title in CHECKS:
        if own := [one for one in checks if one.kind == kind]:
            marks = (f" ({MARKS[one.level]})" if kind == "condition" else "" for one in own)
            told = tuple(proposed(f"{one.text}{mark}") for one, mark in zip(own, marks, strict=True))
            blocks += [Heading(title, 3), Points(told)]
    blocks = blocks or [Paragraph(NOTHING_OPEN, remark=True)]
    return _section(None, "checks", "Conditions and sample sizes", blocks, needs)


def hazards_section(checks: Sequence[Check], needs: tuple[str, ...]) -> Section:
    """Hazards, and what needs a permission."""
    own = tuple(proposed(one.text) for one in checks if one.kind == "hazard")
    return _section(
        None, "hazards", "Hazards and permissions", (Points(own or (proposed(NO_HAZARD),)),), needs
    )


def _repeat(outcome: ProtocolOutcome) -> Iterator[Section]:
    """What lets others repeat the programs."""
    if outcome.repeat:
        told = Paragraph("A notebook, and a bundle that repeats all programs with `sh run.sh`.", remark=True)
        needs = tuple(one.id for one in outcome.protocol.tasks)
        yield _section(None, "repeat", "Repeating the programs", (told, *as_figures(outcome.repeat)), needs)


def task_section(task: DryTask, result: TaskResult | None = None) -> Section:
    """A task that a program can do, and what came of it."""
    asked = "; ".join(f"{name} = {value}" for name, value in task.parameters)
    blocks: list[Block] = [Prose((proposed(task.description, RULES if task.assay_family else "model"),))]
    for title, files in ((READS, task.inputs), (WRITES, task.outputs)):
        rows = tuple((Cell(one.name), Cell(one.description or one.type)) for one in files)
        blocks += [Table(title, ("file", "what it holds"), rows, origin_of())] if rows else []
    blocks += [Prose((proposed(f"Compared: {asked}."),))] if asked else []
    blocks += [Paragraph(f"It cannot be run yet. {task.why_not}", remark=True)] if task.why_not else []
    blocks += task_blocks(result)[1:] if result else ()
    title = f"Task: {title_of(task.assay_family, task.id.removeprefix('task-').replace('-', ' '))}"
    made = _section(None, task.id, title, blocks, (task.section, *task.depends_on))
    return replace(made, computations=computations([result]) if result else ())


def search_section(
    search: Search, composer: Composer | None = None, heads: dict[str, Evidence] | None = None
) -> Section:
    """The queries, what each place gave, and how articles were rated."""
    queries = "\n".join(one.text for one in search.queries)
    blocks: list[Block] = [Code("text", queries, origin=origin_of(search.queries[0].by))] if queries else []
    blocks += [Paragraph(one, remark=True) for one in search.sources]
    listed = [one for one in search.rated if heads and one.article.id in heads][:LISTED]
    if composer and heads and listed:
        rows = tuple(
            (
                composer.cell(one.article.title, (heads[one.article.id].key,)),
                Cell(str(one.score)),
                Cell("; ".join(one.reasons)),
            )
            for one in listed
        )
        blocks.append(
            Table("Articles", ("article", "helpful (1 to 5)", "why"), rows, origin_of(listed[0].by))
        )
    if not blocks:
        blocks = [Paragraph("Nothing was searched.", remark=True)]
    return _section(composer, "search", "Search", blocks)


def _found(
    composer: Composer,
    reports: Sequence[ExperimentReport],
    usable: Sequence[Dataset],
    sets: dict[str, Evidence],
) -> Iterator[Section]:
    if usable:
        rows = tuple(_dataset_row(composer, one, sets) for one in usable[:LISTED])
        table = Table("Datasets", ("accession", "title", "samples", "why it is of use"), rows, origin_of())
        yield _section(composer, "datasets", "Datasets", (table,), ("search",))
    if reports:
        blocks = [block for one in reports for block in _article(composer, one)]
        yield _section(composer, "articles", "What the articles did", blocks, ("search",))


def _dataset_row(composer: Composer, one: Dataset, sets: dict[str, Evidence]) -> tuple[Cell, ...]:
    key = (sets[one.accession].key,)
    samples = composer.cell(str(one.samples), key) if one.samples is not None else Cell("")
    return (
        composer.cell(one.accession, key),
        composer.cell(one.title, key) if one.title else Cell(""),
        samples,
        Cell(one.reason),
    )


def _article(composer: Composer, one: ExperimentReport) -> Iterator[Block]:
    """An article's report, part by part."""
    if not one.parts:
        return
    yield Heading(one.article.title)
    if one.article.notice:
        yield Paragraph(one.article.notice, remark=True)
    for part in one.parts:
        yield Heading(part.heading, 3)
        yield from _report_part(composer, part, one.by)


def _report_part(composer: Composer, part: ReportPart, by: str) -> Iterator[Block]:
    said = tuple(statement for step in part.steps for statement in _step(composer, step))
    yield Points(said[:STEPS_SHOWN])
    if said[STEPS_SHOWN:]:
        yield Points(said[STEPS_SHOWN:], folded=True)
    told = (f"Can be followed: {part.referable} of 5. {part.reason}", *part.suggestions)
    yield Prose(tuple(proposed(text, by) for text in told))


def _step(composer: Composer, step: ReportStep) -> Iterator[Statement]:
    """A step with its details and results, each verbatim."""
    yield quoted(composer, step)
    for detail in step.details:
        yield _cited(composer, detail, step.key)
    for text, key in zip(step.results, step.result_keys, strict=True):
        yield _cited(composer, text, key)
