"""What language models read of molecules, and what scientists of a panel say: proposals with what speaks
against them, then criticism of the set with a ballot. One that fails says nothing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field

from agents.chemistry.hints import MEASURE, UNDECIDED, hints
from agents.chemistry.molecule import Molecule
from agents.chemistry.properties import alerts
from agents.chemistry.similarity import Known, nearest
from agents.data_block import data_block
from agents.design.brief import in_words, shown
from agents.design.lab import Lab, gone, molecule_of, readable
from agents.design.values import Brief, Goal, Measure, Profile
from agents.json_answers import at_most
from agents.minds.ballots import AT_BEST, Ballot, Score
from agents.minds.debate import Proposal
from agents.minds.parts import written
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel

M = TypeVar("M", bound=BaseModel)
PROMPTS = Path(__file__).with_name("prompts")
NEAR = "known ligands of the target, the most like the start"
PUBLICATIONS, MOLECULES, ABSTRACT = 5, 12, 900
"""Of a profile that a model reads; characters of one abstract."""


class Suggested(BaseModel):
    """A molecule that a scientist proposes, and what speaks against it (`cost`)."""

    smiles: str
    change: str = ""
    why: str
    idea: str = ""
    cost: str = ""
    sources: list[str] = Field(default=[], json_schema_extra=at_most(5))


class Suggestions(BaseModel):
    """What a scientist proposes."""

    proposals: list[Suggested] = Field(default=[], json_schema_extra=at_most(10))


class Objection(BaseModel):
    """What a scientist says of a molecule, or of the set, and the molecule that it would rather see."""

    about: str
    text: str
    better: str = ""
    change: str = ""


class Scored(BaseModel):
    """A scientist's scores of a molecule."""

    candidate: str
    relevance: float = Field(ge=0, le=AT_BEST)
    feasibility: float = Field(ge=0, le=AT_BEST)
    novelty: float = Field(ge=0, le=AT_BEST)


class Review(BaseModel):
    """A scientist's criticism and ballot."""

    critiques: list[Objection] = Field(default=[], json_schema_extra=at_most(4))
    scores: list[Scored] = Field(default=[], json_schema_extra=at_most(20))

    def ballot(self, voter: str, standing: Sequence[str]) -> Ballot:
        """The scores of what stands, as advice: they count nothing."""
        known = {one.candidate: one for one in self.scores if one.candidate in standing}
        scores = (Score(name, one.relevance, one.feasibility, one.novelty) for name, one in known.items())
        return Ballot(voter, tuple(scores), 0.0)


async def said(
    model: LanguageModel, profile: Profile, prompt: str, schema: type[M], told: str, **values: str
) -> M:
    """What a scientist answers to a prompt; nothing where its model fails."""
    who = load_prompt("scientist", PROMPTS).render(who=profile.name, knowledge=knowledge(profile))
    composed = partial(compose, load_prompt(prompt, PROMPTS), {"scientist": who, **values})
    return (await written(model, composed, told, schema)).value


def proposal_of(profile: Profile, mind: str, one: Suggested) -> Proposal:
    """A suggestion as a proposal, with the publications that it rests on."""
    papers = {f"P{n}": paper.pmid for n, paper in enumerate(profile.publications, 1)}
    sources = tuple(papers[name] for name in one.sources if name in papers)
    said = (one.why, "", one.change, mind, sources, one.idea, one.cost)
    return Proposal(profile.name, canonical(one.smiles), *said)


def canonical(smiles: str) -> str:
    """The SMILES as a debate compares it; one that cannot be read stays."""
    molecule, _ = readable(smiles.strip())
    return molecule.smiles if molecule else smiles.strip()


def knowledge(profile: Profile) -> str:
    """Who a profile is, for a prompt."""
    if profile.role:
        return f"Your focus: {profile.role.focus}. Your rules: {' '.join(profile.role.rules)}"
    if profile.described:
        return f"You work like this: {profile.described}"
    return "You know what is in your publications and molecules, which are given as data."


def background(profile: Profile) -> str:
    """The publications and molecules of a profile, as data."""
    papers = enumerate(profile.publications[:PUBLICATIONS], 1)
    blocks = [data_block(paper.text[:ABSTRACT], publication=f"P{n}") for n, paper in papers]
    molecules = "\n".join(f"{one.smiles} {one.name}" for one in profile.molecules[:MOLECULES])
    own = [data_block(molecules, kind="molecules you published")] if molecules else []
    return "\n".join((*blocks, *own)) or "You have no publications at hand."


def blocks(told: Mapping[str, Sequence[str]]) -> str:
    """Lines as data blocks by their kind, without the empty ones."""
    return "\n\n".join(data_block("\n".join(some), kind=kind) for kind, some in told.items() if some)


def brief_told(lab: Lab, brief: Brief) -> str:
    """The aim, the goals, and what is known of the start."""
    lines = [f"Aim: {brief.aim}", f"Goals: {in_words(brief)}"]
    lines += [line(lab, brief, "start", smiles) for smiles in brief.seeds]
    lines += [f"Keep away from: {', '.join(brief.unlike)}"] if brief.unlike else []
    parts = "parts that have to stay or to go (!), as SMARTS"
    return blocks(
        {
            "brief": lines,
            parts: [f"{told} ({one})" for one, told in brief.kept],
            "known liabilities of the start and its target": brief.liabilities,
            NEAR: near(brief, lab.known),
            "read in the brief": [f"{about}: {told}" for about, told in brief.told],
        }
    )


def near(brief: Brief, known: Sequence[Known]) -> list[str]:
    """The known ligands that are most like the start."""
    start = map(molecule_of, brief.seeds[:1])
    found = (one for molecule in start for one in nearest(molecule, known, MOLECULES))
    return [f"{one.molecule.smiles} {one.name}" for one in found]


def line(lab: Lab, brief: Brief, name: str, smiles: str, beside: Molecule | None = None) -> str:
    """A molecule with what was computed of it, the shift `beside` another one, and the room to each goal."""
    molecule, why_not = readable(smiles)
    if molecule is None:
        return f"{name} {smiles}: {why_not}"
    values, before = lab.values(brief, molecule), lab.values(brief, beside) if beside else {}
    told = [
        f"{measure.value} {shown(measure, value)}"
        f"{_beside(value - before.get(measure, value), brief.goal(measure), value)}"
        for measure, value in values.items()
        if measure is not Measure.PKA or value != before.get(measure)
    ]
    for about, found in (("patterns", alerts(molecule)), ("lost of the start", gone(brief, molecule))):
        told += [f"{about}: {', '.join(found)}"] if found else []
    known = dict(hints(beside)) if beside else {}
    told += [
        f"{about}: {says}"
        for about, says in hints(molecule)
        if says not in (MEASURE, UNDECIDED, known.get(about))
    ]
    return f"{name} {smiles}: {'; '.join(told)}"


def _beside(shift: float, goal: Goal | None, value: float) -> str:
    """How far a value lies from that of another molecule, and from the edge of its window."""
    told = [f"{shift:+.2g}"] if abs(shift) >= 0.01 else []
    told += [f"{abs(goal.room(value)):.2g} {'in' if goal.holds(value) else 'OUT'}side"] if goal else []
    return f" ({'; '.join(told)})" if told else ""
