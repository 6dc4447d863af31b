"""A scientist that a language model speaks for; where the model fails, the rules of the same profile do."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field

from agents.chemistry.hints import MEASURE, UNDECIDED, hints
from agents.chemistry.properties import alerts
from agents.chemistry.similarity import nearest
from agents.data_block import data_block
from agents.design.brief import in_words, missed, shown
from agents.design.lab import Lab, gone, molecule_of, readable
from agents.design.scientist import RuledScientist
from agents.design.values import Brief, Concluded, First, Profile
from agents.json_answers import at_most
from agents.minds.ballots import AT_BEST, Ballot, Score
from agents.minds.debate import Critique, Entry, Floor, Proposal, Remark, Returned
from agents.minds.minded import RULES, fallback_note, minded
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
PROMPTS = Path(__file__).with_name("prompts")
PUBLICATIONS, MOLECULES, ABSTRACT = 5, 12, 900
"""Of a profile that a model reads; characters of one abstract."""
LAST = 30
"""Critiques and returned proposals that a model reads."""


class Suggested(BaseModel):
    """A molecule that a model proposes."""

    smiles: str
    why: str
    change: str = ""
    parent: str = ""
    idea: str = ""
    cost: str = ""
    sources: list[str] = Field(default=[], json_schema_extra=at_most(5))


class Suggestions(BaseModel):
    """What a model proposes."""

    proposals: list[Suggested] = Field(json_schema_extra=at_most(10))


class Objection(BaseModel):
    """What a model says of a candidate."""

    candidate: str
    text: str
    better: str = ""
    change: str = ""
    why: str = ""


class Objections(BaseModel):
    """A model's critiques."""

    critiques: list[Objection] = Field(json_schema_extra=at_most(3))


class Scored(BaseModel):
    """A model's scores of a candidate."""

    candidate: str
    relevance: float = Field(ge=0, le=AT_BEST)
    feasibility: float = Field(ge=0, le=AT_BEST)
    novelty: float = Field(ge=0, le=AT_BEST)


class ScoreSheet(BaseModel):
    """A model's ballot."""

    scores: list[Scored] = Field(json_schema_extra=at_most(60))


class Reply(BaseModel):
    """A model's answer to a person."""

    text: str


class VoicedScientist:
    """Implements `agents.minds.debate.Debater` with a model. `rules` step in where it fails."""

    def __init__(self, model: LanguageModel, profile: Profile, lab: Lab) -> None:
        self.name = profile.name
        self._model, self._profile, self._lab = model, profile, lab
        self._rules = RuledScientist(profile, lab)
        self._who = load_prompt("scientist", PROMPTS).render(who=profile.name, knowledge=knowledge(profile))

    async def propose(self, floor: Floor[Brief], count: int) -> tuple[Proposal, ...]:
        """See the port."""

        async def asked(model: LanguageModel) -> tuple[Proposal, ...]:
            told = "\n\n".join((self._background(), self._floor(floor), _gone(floor, self.name)))
            given = await self._ask(model, "propose", told, Suggestions, count=str(count))
            return tuple(self._proposal(model, floor, one) for one in given.proposals[:count])

        return await self._minded(asked, partial(self._rules.propose, floor, count))

    async def reconsider(self, floor: Floor[Brief], proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
        """See the port. What a model leaves out stays; what it keeps is as it was."""
        voiced = [one for one in proposals if one.by_mind != RULES]
        if not voiced:
            return await self._rules.reconsider(floor, proposals)

        async def asked(model: LanguageModel) -> tuple[Proposal, ...]:
            lines = "\n".join(self._told(floor.task, f"{n}.", one) for n, one in enumerate(proposals, 1))
            told = f"{self._brief(floor.task)}\n\n{data_block(lines, kind='own proposals')}"
            given = await self._ask(model, "reconsider", told, Suggestions)
            made = [self._proposal(model, floor, one) for one in given.proposals[: len(proposals)]]
            same = {one.what: one for one in proposals}
            return tuple(same.get(one.what, one) for one in made) or proposals

        async def kept() -> tuple[Proposal, ...]:
            return proposals

        return await self._minded(asked, kept)

    async def criticise(self, floor: Floor[Brief]) -> tuple[Critique, ...]:
        """See the port."""

        async def asked(model: LanguageModel) -> tuple[Critique, ...]:
            told = "\n\n".join((self._floor(floor), _gone(floor, self.name)))
            given = await self._ask(model, "criticise", told, Objections)
            own = {one.id for one in floor.entries if one.proposal.by == self.name}
            return tuple(
                Critique(self.name, one.candidate, one.text, _canonical(one.better), *said)
                for one in given.critiques[:3]
                if one.candidate not in own and one.text.strip()
                for said in [(one.change, model.name, one.why)]
            )

        return await self._minded(asked, partial(self._rules.criticise, floor))

    async def answer(self, floor: Floor[Brief], remark: Remark) -> str:
        """See the port."""

        async def asked(model: LanguageModel) -> str:
            said = data_block(remark.text, who=remark.who, kind="remark")
            return (await self._ask(model, "answer", f"{self._floor(floor)}\n\n{said}", Reply)).text

        return await self._minded(asked, partial(self._rules.answer, floor, remark))

    async def vote(self, floor: Floor[Brief]) -> Ballot:
        """See the port."""

        async def asked(model: LanguageModel) -> Ballot:
            given = await self._ask(model, "vote", self._floor(floor), ScoreSheet)
            known = {one.candidate: one for one in given.scores if one.candidate in floor.standing}
            scores = (Score(k, v.relevance, v.feasibility, v.novelty) for k, v in known.items())
            return Ballot(self.name, tuple(scores))

        return await self._minded(asked, partial(self._rules.vote, floor))

    async def _minded(
        self, by_model: Callable[[LanguageModel], Awaitable[T]], by_rules: Callable[[], Awaitable[T]]
    ) -> T:
        return (await minded(self._model, by_model, by_rules)).value

    async def _ask(self, model: LanguageModel, name: str, told: str, schema: type[M], **values: str) -> M:
        prompt = compose(load_prompt(name, PROMPTS), {"scientist": self._who, **values})
        return await model.ask(prompt.role, prompt.system, told, schema)

    def _proposal(self, model: LanguageModel, floor: Floor[Brief], one: Suggested) -> Proposal:
        parent = one.parent if floor.entry(one.parent) else ""
        papers = {f"P{n}": paper.pmid for n, paper in enumerate(self._profile.publications, 1)}
        sources = tuple(papers[name] for name in one.sources if name in papers)
        said = (one.why, parent, one.change, model.name, sources, one.idea, one.cost)
        return Proposal(self.name, _canonical(one.smiles), *said)

    def _background(self) -> str:
        """The publications and molecules of the profile, as data."""
        papers = enumerate(self._profile.publications[:PUBLICATIONS], 1)
        blocks = [data_block(paper.text[:ABSTRACT], publication=f"P{n}") for n, paper in papers]
        molecules = "\n".join(f"{one.smiles} {one.name}" for one in self._profile.molecules[:MOLECULES])
        own = [data_block(molecules, kind="molecules you published")] if molecules else []
        return "\n".join((*blocks, *own)) or "You have no publications at hand."

    def _floor(self, floor: Floor[Brief]) -> str:
        """The brief, what stands with its values, and what was said of it."""
        stands = (self._told(floor.task, one.id, one.proposal) for one in floor.ranked)
        own = [one for one in floor.critiques if one.entry in floor.standing]
        said = "\n".join(f"{one.by} on {one.entry}: {one.text}" for one in own[-LAST:])
        people = "\n".join(f"{one.who}: {one.text}" for one in floor.remarks[-LAST:])
        standing = "\n".join(stands) or "Nothing yet."
        blocks = (data_block(standing, kind="candidates"), said and data_block(said, kind="critiques"))
        wishes = people and data_block(people, kind="what the team said")
        return "\n\n".join(filter(None, (self._brief(floor.task), *blocks, wishes)))

    def _brief(self, brief: Brief) -> str:
        """The aim, the goals, and what is known of the start."""
        lines = [f"Aim: {brief.aim}", f"Goals: {in_words(brief)}"]
        lines += [self._line(brief, "Start:", smiles) for smiles in brief.seeds]
        lines += [f"Keep away from: {', '.join(brief.unlike)}"] if brief.unlike else []
        near = [
            f"{one.molecule.smiles} {one.name}"
            for smiles in brief.seeds[:1]
            for one in nearest(molecule_of(smiles), self._lab.known, MOLECULES)
        ]
        told = {
            "brief": lines,
            "parts that have to stay or to go (!), as SMARTS": [
                f"{told} ({one})" for one, told in brief.kept
            ],
            "known liabilities of the start and its target": brief.liabilities,
            "known ligands of the target, the most like the start": near,
            "read in the brief": [f"{about}: {said}" for about, said in brief.told],
        }
        return "\n\n".join(data_block("\n".join(some), kind=kind) for kind, some in told.items() if some)

    def _told(self, brief: Brief, name: str, one: Proposal) -> str:
        """A proposal with who made it, what it came from, and why."""
        by = "you" if one.by == self.name else one.by
        line = self._line(brief, name, one.what)
        said = filter(None, (one.idea, one.change, one.why, one.cost and f"cost: {one.cost}"))
        return f"{line} (by {by}; from {one.parent or 'the start'}; {'; '.join(said)})"

    def _line(self, brief: Brief, name: str, smiles: str) -> str:
        """A molecule with what was computed of it."""
        molecule, why_not = readable(smiles)
        if molecule is None:
            return f"{name} {smiles}: {why_not}"
        values = self._lab.values(brief, molecule)
        told = ", ".join(f"{measure.value} {shown(measure, value)}" for measure, value in values.items())
        misses = ", ".join(one.measure.value for one in missed(brief.goals, values)) or "none"
        fit = [f"desirability {self._lab.fit(brief, molecule):.2f}", f"goals missed: {misses}"]
        for about, found in (("patterns", alerts(molecule)), ("lost of the start", gone(brief, molecule))):
            fit += [f"{about}: {', '.join(found)}"] if found else []
        hinted = (f"{about}: {said}" for about, said in hints(molecule) if said not in (MEASURE, UNDECIDED))
        return f"{name} {smiles}: {told}; {'; '.join((*fit, *hinted))}"


Check = Callable[[Floor[Brief], Proposal], tuple[Proposal, str]]
"""A proposal as it is read, and why it cannot stand ("" where it can)."""


async def concluded(model: LanguageModel, lab: Lab, check: Check, floor: Floor[Brief]) -> Concluded:
    """What a chair makes of a debate; nothing, with the reason, where the model fails. Only what stands is
    named, and controls that pass the checks of any proposal.
    """

    def stands(one: First) -> First | None:
        if one.molecule in floor.standing:
            return one
        read, why_not = check(floor, Proposal("the chair", one.smiles, one.why))
        known = (each.id for each in floor.ranked if each.proposal.what == read.what)
        named = one.model_copy(update={"molecule": next(known, ""), "smiles": read.what})
        return None if why_not else named

    async def asked(model: LanguageModel) -> Concluded:
        prompt = compose(load_prompt("conclude", PROMPTS), {})
        told = VoicedScientist(model, Profile("the chair"), lab)._floor(floor)
        given = await model.ask(prompt.role, prompt.system, told, Concluded)
        series = [
            one.model_copy(update={"molecules": [name for name in one.molecules if name in floor.standing]})
            for one in given.series
        ]
        first = [found for one in given.first if (found := stands(one))]
        return given.model_copy(update={"series": [one for one in series if one.molecules], "first": first})

    async def without() -> Concluded:
        return Concluded()

    made = await minded(model, asked, without)
    why = fallback_note("the conclusion", made.why_fallen_back)
    return made.value.model_copy(update={"note": why})


def knowledge(profile: Profile) -> str:
    """Who a profile is, for a prompt."""
    if profile.role:
        return f"Your focus: {profile.role.focus}. Your rules: {' '.join(profile.role.rules)}"
    if profile.described:
        return f"You work like this: {profile.described}"
    return "You know what is in your publications and molecules, which are given as data."


def _gone(floor: Floor[Brief], name: str) -> str:
    """What is not to be proposed again: vetoed by people, dropped by a vote, sent back to anybody."""
    off = [one for one in floor.entries if one.id not in floor.standing]
    told = {
        "vetoed by the team": [_short(one) for one in off if one.id in floor.vetoed],
        "dropped by a vote": [_short(one) for one in off if one.id not in floor.vetoed],
        "sent back to you": [_why_back(one) for one in floor.returned if one.proposal.by == name],
        "sent back to others": [_why_back(one) for one in floor.returned if one.proposal.by != name],
    }
    return "\n\n".join(
        data_block("\n".join(list(dict.fromkeys(some))[-LAST:]), kind=kind)
        for kind, some in told.items()
        if some
    )


def _short(one: Entry) -> str:
    return f"{one.id} {one.proposal.what} (by {one.proposal.by}; {one.proposal.change or 'new'})"


def _why_back(one: Returned) -> str:
    return f"{one.proposal.what}: {one.reason}"


def _canonical(smiles: str) -> str:
    """The SMILES as the debate compares it; one that cannot be read stays, and is sent back."""
    molecule, _ = readable(smiles.strip())
    return molecule.smiles if molecule else smiles.strip()
