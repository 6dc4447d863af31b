"""A brief in words as a language model reads it: one object, which RDKit checks before anybody approves it.

What is wrong with an answer goes back to the model once; what is wrong then is left out and told.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, Field

from agents.chemistry.molecule import Molecule
from agents.chemistry.properties import formula, held
from agents.chemistry.recognition import GONE, places
from agents.chemistry.similarity import Known
from agents.data_block import data_block
from agents.design.brief import MEASURES, away_from, base_goals, in_words, measured, shown
from agents.design.lab import molecule_of, readable
from agents.design.values import Brief, Goal, Measure
from agents.design.voice import NEAR, PROMPTS, blocks, near
from agents.json_answers import at_most
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel

FREE = 0.25
"""Share of the start that has to be left free of parts that stay."""


class ReadMolecule(BaseModel):
    """A molecule that a brief names: by the id of one that was found, or by its name and structure."""

    name: str
    smiles: str = ""
    formula: str = ""


class ReadGoal(BaseModel):
    """A window of a measure."""

    measure: Measure
    low: float | None = None
    high: float | None = None
    best: float | None = None
    weight: float = Field(default=1.0, gt=0, le=5)


class ReadPart(BaseModel):
    """A part that stays or goes."""

    name: str
    smarts: str
    does: Literal["keep", "remove"]
    why: str = ""


class ReadBrief(BaseModel):
    """A brief as a model reads it."""

    aim: str
    target: str = ""
    start: list[ReadMolecule] = Field(default=[], json_schema_extra=at_most(3))
    avoid: list[ReadMolecule] = Field(default=[], json_schema_extra=at_most(6))
    goals: list[ReadGoal] = Field(default=[], json_schema_extra=at_most(12))
    dropped: list[Measure] = Field(default=[], json_schema_extra=at_most(6))
    parts: list[ReadPart] = Field(default=[], json_schema_extra=at_most(8))
    binding: str = ""
    liabilities: list[str] = Field(default=[], json_schema_extra=at_most(6))
    judged: list[str] = Field(default=[], json_schema_extra=at_most(8))
    contradictions: list[str] = Field(default=[], json_schema_extra=at_most(5))


LookUp = Callable[[str], Awaitable[tuple[Molecule, str] | None]]
"""The molecule of a name and as what it is known; None where nobody knows it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What is at hand when a model reads: the words, the brief of the rules with the molecules that they
    found, notes on these, names that they did not find, and known ligands of the target.
    """

    words: str
    draft: Brief
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    known: Sequence[Known] = ()


@dataclass(slots=True)
class _Checked:
    """An answer with its molecules, and what is wrong with it, by what has to be left out for it."""

    read: ReadBrief
    seeds: list[Molecule]
    unlike: list[Molecule]
    notes: list[str]
    wrong: list[tuple[BaseModel, str]]


async def read_brief(
    given: Given, look_up: LookUp, model: LanguageModel
) -> tuple[Brief, tuple[str, ...], tuple[str, ...]]:
    """The brief, notes on how it was read, and named starts of which nobody knows the structure. Raises
    `ModelError`.
    """
    draft = given.draft
    told_of = ((one, about) for one, about in MEASURES.items() if one is not Measure.ORACLE)
    measures = "\n".join(f"- {one.value}: {about.told}" for one, about in told_of)
    usual = in_words(replace(draft, goals=base_goals(draft)))
    prompt = compose(load_prompt("brief", PROMPTS), {"measures": measures, "usual": usual})
    told = _told(given)
    checked = await _checked(await model.ask(prompt.role, prompt.system, told, ReadBrief), given, look_up)
    new = [one for one in checked.seeds if one.smiles not in draft.seeds]
    found = [*(why for _, why in checked.wrong), *(f"Start, computed: {_values(one)}" for one in new)]
    if found:
        answer = data_block(checked.read.model_dump_json(), kind="your answer")
        wrong = data_block("\n".join(found), kind="what was found in it")
        told = "\n\n".join((told, answer, wrong))
        again = await model.ask(prompt.role, prompt.system, told, ReadBrief)
        checked = await _checked(again, given, look_up)
    nowhere = tuple(one.name for one in checked.read.start if any(one is each for each, _ in checked.wrong))
    return _brief(checked, draft), tuple(checked.notes), nowhere


def _told(given: Given) -> str:
    draft = given.draft
    found = [f"{name} ({how}) {_values(molecule_of(smiles))}" for name, how, smiles in _found(draft)]
    before = [f"Aim: {draft.aim}", f"Goals: {in_words(draft)}", *(f"{a}: {b}" for a, b in draft.told)]
    before += [f"{told}: {smarts}" for smarts, told in draft.kept]
    kinds = {
        "brief of before, which the new words change": before if draft.keeps else [],
        "molecules that were found": (*found, *given.notes) if found else (),
        "names that nothing is known of here": given.unknown,
        "known liabilities of the start and its target": draft.liabilities,
        NEAR: near(draft, given.known),
    }
    return blocks({"what is wished": [given.words], **kinds})


def _found(draft: Brief) -> Iterator[tuple[str, str, str]]:
    """The molecules that rules found: id, how they read it, SMILES."""
    read = [("start", one) for one in draft.seeds] + [("to avoid", one) for one in draft.unlike]
    yield from ((f"F{at}", how, smiles) for at, (how, smiles) in enumerate(read, 1))


def _values(molecule: Molecule) -> str:
    told = (f"{measure.value} {shown(measure, value)}" for measure, value in measured(molecule).items())
    return f"{molecule.smiles}: {', '.join(told)}"


async def _checked(read: ReadBrief, given: Given, look_up: LookUp) -> _Checked:
    """An answer with what RDKit finds wrong in it."""
    checked = _Checked(read, [], [], [], [])
    ids = {name: molecule_of(smiles) for name, _, smiles in _found(given.draft)}
    for one in (*read.start, *read.avoid):
        avoided = any(one is each for each in read.avoid)
        molecule = ids.get(one.name)
        if molecule is None:
            molecule = await _named(one, checked, look_up)
        if molecule is not None:
            (checked.unlike if avoided else checked.seeds).append(molecule)
    if not read.start:
        checked.seeds += [molecule_of(one) for one in given.draft.seeds]
    checked.wrong += _wrong_goals(read)
    checked.wrong += _wrong_parts(read, checked.seeds[:1])
    return checked


async def _named(one: ReadMolecule, checked: _Checked, look_up: LookUp) -> Molecule | None:
    """A molecule by its name where one is known here, else as the model remembers its structure."""
    known = await look_up(one.name)
    if known is not None:
        checked.notes.append(f"{one.name} is read as the {known[1]}.")
        return known[0]
    molecule, why = readable(one.smiles) if one.smiles else (None, "no structure of it is known")
    if molecule is None:
        checked.wrong.append((one, f"{one.name}: {why}"))
        return None
    has = formula(molecule)
    if one.formula.replace(" ", "") not in ("", has):
        checked.wrong.append((one, f"{one.name}: the SMILES has the formula {has}, not {one.formula}"))
        return None
    checked.notes.append(
        f"The structure of {one.name} ({has}) is from the language model's memory: look at the drawing."
    )
    return molecule


def _wrong_goals(read: ReadBrief) -> Iterator[tuple[BaseModel, str]]:
    for one in read.goals:
        if one.low is None and one.high is None:
            yield one, f"{one.measure.value}: a window needs `low` or `high`"
        elif one.low is not None and one.high is not None and one.low > one.high:
            yield one, f"{one.measure.value}: no value is at least {one.low:g} and at most {one.high:g}"


def _wrong_parts(read: ReadBrief, starts: Sequence[Molecule]) -> Iterator[tuple[BaseModel, str]]:
    """Parts that are no SMARTS, that the start has not, that leave nothing free, or that hit what stays; and
    goals that what stays misses by itself.
    """
    stays: set[int] = set()
    start = starts[0] if starts else None
    for one in sorted(read.parts, key=lambda one: one.does):
        found = places(start or molecule_of("C"), one.smarts)
        if found is None:
            yield one, f"{one.name}: {one.smarts} is no SMARTS"
        elif start is not None and one.does == "keep":
            stays |= set().union(*found[:1])
            if not found:
                yield one, f"{one.name}: the start has no {one.smarts}"
            elif len(stays) > (1 - FREE) * start.heavy_atoms:
                yield one, f"{one.name}: with it, what stays leaves less than a quarter of the start free"
        elif any(place <= stays for place in found):
            yield one, f"{one.name}: {one.smarts} hits a part that stays"
    polar, mass = held(start, stays) if start else (0.0, 0.0)
    for goal in read.goals:
        least = {Measure.TPSA: polar, Measure.MW: mass}.get(goal.measure, 0.0)
        if goal.high is not None and 0 <= goal.high < least:
            yield goal, f"{goal.measure.value} at most {goal.high:g}: what stays has {least:.0f} alone"


def _brief(checked: _Checked, draft: Brief) -> Brief:
    """The brief of an answer without what is wrong with it, which is told."""
    read, wrong = checked.read, [one for one, _ in checked.wrong]
    checked.notes += [f"Left out of the brief, since it cannot be held: {why}." for _, why in checked.wrong]
    seeds = tuple(one.smiles for one in checked.seeds)
    base = draft if draft.keeps else Brief(read.aim, read.target or draft.target)
    brief = replace(base, aim=read.aim, seeds=seeds, unlike=(), liabilities=draft.liabilities)
    goals = base_goals(brief) if not draft.keeps else draft.goals
    brief = replace(brief, goals=tuple(one for one in goals if one.measure not in read.dropped))
    brief = away_from(brief, (one.smiles for one in checked.unlike))
    for one in read.goals:
        if not any(one is each for each in wrong):
            brief = brief.with_goal(Goal(one.measure, one.low, one.high, one.weight, one.best))
    kept = tuple(
        (
            f"{GONE * (one.does == 'remove')}{one.smarts}",
            f"`{'replace' if one.does == 'remove' else one.does} the {one.name}`{one.why and f': {one.why}'}",
        )
        for one in read.parts
        if not any(one is each for each in wrong)
    )
    told = [("how it binds", read.binding)] if read.binding else []
    told += [("liability, from the model's memory", one) for one in read.liabilities]
    told += [("not computed: to be judged", one) for one in read.judged]
    told += [("pulls against another wish", one) for one in read.contradictions]
    return replace(brief, kept=kept, told=tuple(told))
