"""One section written anew: a part of the protocol as somebody wishes, or what follows from the others as
they stand. All others stay as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from agents.errors import ModelAnswerInvalid, WrongOrder
from agents.kinds import RevisionRequest
from agents.minds.minded import minded
from agents.ports import LanguageModel
from agents.protocol.checks import checked
from agents.protocol.design import dry_tasks, files_of
from agents.protocol.groups import study_of
from agents.protocol.judge import Wanted, judged
from agents.protocol.markdown import blocks_of, markdown_of, parts_in
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Made, Tools, carry_out, look_up
from agents.protocol.report import (
    OTHERS,
    READS,
    WRITES,
    checks_section,
    hazards_section,
    proposed,
    report,
    task_section,
)
from agents.protocol.study import SECTION, Study, altered, study_in, study_section
from agents.protocol.templates import families_of
from agents.protocol.values import (
    Dataset,
    DryTask,
    Objective,
    Order,
    Protocol,
    ProtocolPart,
    ProtocolStep,
)
from agents.protocol.writer import TASK, mended
from agents.reports.values import Block, Code, Heading, Points, Prose, Report, Section, Statement, Table
from agents.runs.run import Run

FOUND = ("search", "datasets", "articles")
"""Sections that tell what the search found."""
CHECKED = ("checks", "hazards")
"""Sections that code reads off the others."""
WITHIN = "{}: {} Change this part alone; the others stay as they are."
_ADD = re.compile(
    r"^\s*(?:please\s+)?add(?:\s+(?:a\s+)?step)?\s*:?\s+(?P<text>.+)$", re.IGNORECASE | re.DOTALL
)
_DROP = re.compile(
    r"^\s*(?:please\s+)?(?:drop|remove|delete|leave out|without)\s+(?:the\s+)?(?:steps?\s+)?(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REPLACE = re.compile(
    r"^\s*(?:please\s+)?(?:replace\s+(?P<old>.+?)\s+(?:by|with)\s+(?P<new>.+)"
    r"|use\s+(?P<new2>.+?)\s+(?:instead of|and not)\s+(?P<old2>.+))$",
    re.IGNORECASE | re.DOTALL,
)
_PAIR = re.compile(r"([\w -]+?)\s*=\s*((?:[^;,=]|,(?![\w -]+=))+)")
NOT_READ = (
    "Without a language model a wish is `add STEP`, `drop 2`, `drop WORDS`, or `replace WORDS by WORDS`."
)


def revise(order: Order, report: Report, request: RevisionRequest) -> Order:
    """The order of a run that writes one section anew, with all sections as they stand."""
    queries = order.queries
    if (stood := report.section("search")) is not None:
        codes = [block.text for block in stood.blocks if isinstance(block, Code)]
        queries = tuple(line for text in codes for line in text.splitlines()) or queries
    if request.section_id == "search" and request.instruction:
        queries = tuple(one.strip() for one in re.split(r"[;\n]", request.instruction) if one.strip())
    return replace(
        order,
        section=request.section_id,
        wish=request.instruction,
        standing=report.sections,
        queries=queries,
        review=False,
    )


async def revised(tools: Tools, run: Run, order: Order) -> ProtocolOutcome:
    """The section, and nothing else. Raises `WrongOrder` for a wish that nobody here can follow."""
    if no := await tools.wording.refused(order.wish):
        return ProtocolOutcome(order, refused=no.reason)
    made = Made(order)
    stood = order.standing_as(order.section)
    if order.section in FOUND:
        await look_up(tools, run, made)
        written = report(replace(made.outcome(), order=replace(order, section=""))).section(order.section)
    elif order.section == SECTION:
        written = await run.step("section", partial(_study, tools), order)
    elif order.section in CHECKED:
        written = await run.step("section", partial(_checked, tools), order)
    elif order.section.startswith("task-"):
        written = await _task(tools, run, order)
    elif stood is not None:
        written = await run.step("section", partial(_part, tools), order, stood)
    else:
        raise WrongOrder(f"This protocol has no section {order.section!r}.")
    return replace(made.outcome(), written=written)


async def _part(tools: Tools, order: Order, stood: Section) -> Section:
    """A part of the protocol with its proposed steps as somebody wishes; what articles did stays."""
    every = [(n, one) for n, one in enumerate(stood.blocks) if isinstance(one, Points)]
    place, points = every[0] if every else (len(stood.blocks), Points((), numbered=True))
    by_text = {one.text: one for one in stood.statements}

    async def by_model(mind: LanguageModel) -> tuple[Block, ...]:
        datasets = await _at_hand(tools, order.objective)
        shown = (one for one in order.standing if one.id not in (SECTION, *FOUND, *CHECKED))
        parts = [_as_written(one, mind.name) for one in shown if not one.id.startswith(TASK)]
        wish = WITHIN.format(stood.title, order.wish)
        made, _ = await mended(mind, order.objective, datasets, parts, (wish,))
        own = next((one for one in made if one.id == stood.id and one not in parts), None)
        if own is None:
            raise ModelAnswerInvalid("It changed nothing in this part.")
        harmful = await tools.wording.among(one.text for one in own.steps)
        steps = (proposed(one.text, mind.name) for one in own.steps if one.text not in harmful)
        cited = (
            replace(one, statements=tuple(by_text.get(each.text, each) for each in one.statements))
            if isinstance(one, Points | Prose)
            else one
            for one in blocks_of(stood.title, steps)
        )
        return (*cited, *stood.blocks[len(_own(stood)) :])

    async def by_rules() -> tuple[Block, ...]:
        texts = changed([one.text for one in points.statements], order.wish)
        harmful = await tools.wording.among(texts)
        told = tuple(by_text.get(one) or proposed(one) for one in texts if one not in harmful)
        made = replace(points, statements=told)
        return (*stood.blocks[:place], made, *stood.blocks[place + 1 :])

    given = await minded(tools.model if order.wish else None, by_model, by_rules)
    return replace(stood, blocks=given.value)


def _own(section: Section) -> tuple[Block, ...]:
    """The blocks of a section before those that show what articles did."""
    return tuple(takewhile(lambda one: not (isinstance(one, Heading) and one.text == OTHERS), section.blocks))


def _as_written(section: Section, by: str) -> ProtocolPart:
    """A section as a model wrote it, or would have, without marks."""
    bare = (
        replace(one, statements=tuple(Statement(each.text) for each in one.statements))
        if isinstance(one, Points | Prose)
        else one
        for one in _own(section)
    )
    made = parts_in(f"## {section.title}\n{markdown_of(bare)}", by)
    steps = made[0].steps if made else ()
    return ProtocolPart(section.id, section.title, steps=steps, by=by)


def changed(steps: Sequence[str], wish: str) -> tuple[str, ...]:
    """Steps after a wish that rules can follow. Raises `WrongOrder` for another one."""
    if not wish:
        return tuple(steps)
    if found := _REPLACE.match(wish):
        old, new = found["old"] or found["old2"], found["new"] or found["new2"]
        return _replaced(steps, old.strip(' ."“”'), new.strip(' ."“”'))
    if found := _ADD.match(wish):
        return (*steps, found["text"].strip())
    if found := _DROP.match(wish):
        return _dropped(steps, found["what"].strip(' ."“”'))
    raise WrongOrder(f"This wish was not followed. {NOT_READ}")


def _replaced(steps: Sequence[str], old: str, new: str) -> tuple[str, ...]:
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    after = tuple(pattern.sub(lambda _: new, one) for one in steps)
    if after == tuple(steps):
        raise WrongOrder(f"No step of this section says {old!r}.")
    return after


def _dropped(steps: Sequence[str], what: str) -> tuple[str, ...]:
    numbers = {int(one) for one in re.findall(r"\d+", what)} if re.fullmatch(r"[\d\s,and]+", what) else set()
    kept = tuple(
        one
        for number, one in enumerate(steps, start=1)
        if number not in numbers and (numbers or what.casefold() not in one.casefold())
    )
    if len(kept) == len(steps):
        raise WrongOrder(f"No step of this section is, or says, {what!r}.")
    return kept


async def _checked(tools: Tools, order: Order) -> Section:
    """Checks or hazards, of the other sections as they stand."""
    datasets = await _at_hand(tools, order.objective)
    parts = tuple(_as_part(one) for one in order.standing if one.id not in (*FOUND, *CHECKED))
    stood, study = order.standing_as(order.section), _standing(order, datasets)
    families, tasks = families_of(order.objective, datasets), await tasks_of(tools, order)
    checks = checked(order.objective, Protocol(families, study, parts, tasks), datasets)
    needs = stood.depends_on if stood else ()
    return checks_section(checks, needs) if order.section == "checks" else hazards_section(checks, needs)


async def _task(tools: Tools, run: Run, order: Order) -> Section:
    """A task done anew with those that it goes on from, and with values that a wish names ("group = dex")."""
    tasks = {one.id: one for one in await run.step("tasks", partial(tasks_of, tools), order)}
    task = tasks.get(order.section)
    if task is None:
        raise WrongOrder(f"No family of this protocol has the task {order.section!r} any more.")
    asked = _values(order.wish)
    if order.wish and not asked:
        raise WrongOrder("A wish for a task names values, as `group = dex; reference = control`.")
    task = replace(task, parameters=tuple({**dict(task.parameters), **asked}.items()))
    made = Made(order)
    before = tuple(tasks[one] for one in task.depends_on if one in tasks)
    made.protocol = Protocol(tasks=(*before, task))
    if order.programs and not task.why_not:
        await carry_out(tools, run, made)
    return task_section(task, made.outcome().result(task.id))


async def tasks_of(tools: Tools, order: Order) -> tuple[DryTask, ...]:
    """The tasks that the objective asks for, on the data at hand, and those that a model named."""
    datasets = await _at_hand(tools, order.objective)
    families = families_of(order.objective, datasets)
    ruled = dry_tasks(order.objective, families, datasets, _standing(order, datasets))
    known = {one.id for one in ruled}
    own = (one for one in order.standing if one.id.startswith("task-") and one.id not in known)
    return (*ruled, *map(_as_task, own))


def _as_task(section: Section) -> DryTask:
    """A task that a model named, from its section as it stands."""
    tables = {one.title: one.rows for one in section.blocks if isinstance(one, Table)}
    read, written = (files_of([row[0].text for row in tables.get(one, ())]) for one in (READS, WRITES))
    after = tuple(one for one in section.depends_on if one.startswith("task-"))
    made = DryTask(section.id, next(section.statements).text, "", read, after)
    return replace(made, section=section.depends_on[0], outputs=written)


def _standing(order: Order, datasets: Sequence[Dataset]) -> Study:
    """The design table as it stands."""
    return study_in(order.standing_as(SECTION)) or study_of(order.objective, datasets)


async def _study(tools: Tools, order: Order) -> Section:
    """The design table with values that a wish names ("paired = litter; control = 6").

    Raises `WrongOrder`.
    """
    datasets = await _at_hand(tools, order.objective)
    stood, asked = _standing(order, datasets), _values(order.wish)
    made = altered(stood, asked) if order.wish else study_of(order.objective, datasets)
    if order.wish and made == stood:
        raise WrongOrder("A wish for the design table names values, as `paired = litter; control = 6`.")
    return study_section(made)


def _values(wish: str) -> dict[str, str]:
    return {name.strip(): value.strip() for name, value in _PAIR.findall(wish)}


def _as_part(section: Section) -> ProtocolPart:
    """A section as a part; what it cites of articles is none of its own."""
    steps = (ProtocolStep(one.text, () if one.origin else ("cited",)) for one in section.statements)
    return ProtocolPart(section.id, section.title, steps=tuple(steps))


async def _at_hand(tools: Tools, objective: Objective) -> tuple[Dataset, ...]:
    wanted = Wanted(objective)
    every = [one for place in tools.places for one in await place.at_hand()]
    return tuple(judged(one, wanted) for one in every)
