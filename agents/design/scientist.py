"""A scientist that works by rules: it proposes from what its profile knows, and judges by what it computes.

Changes come from these wells: documented changes of medicinal chemistry, those kinds first that its role
prefers; matched pairs among its own molecules, and parts that these or known ligands carry at the same place;
and crossings with its own.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from agents.chemistry.guard import refused
from agents.chemistry.molecule import KEPT, Molecule
from agents.chemistry.moves import crossover, exchanged, matched_pairs, plausible
from agents.chemistry.properties import properties
from agents.chemistry.recognition import grafts, without
from agents.chemistry.similarity import Known, scaffold, tanimoto
from agents.chemistry.transforms import Change, Concern, changed, concerns
from agents.design.brief import MEASURES, missed, speaks_of
from agents.design.finalists import question
from agents.design.lab import GAIN, START, Lab, gone, molecule_of, readable, starts, weighted
from agents.design.values import Brief, Goal, Profile
from agents.minds.ballots import AT_BEST, Ballot, Score
from agents.minds.debate import Critique, Entry, Floor, Proposal, Remark
from agents.runs.background import in_thread
from agents.runs.hashing import digest

PARENTS = 4
"""Molecules that one scientist changes in a round."""
CROSSINGS, EXCHANGES = 24, 50
PREFERRED = 0.12
"""By how much a change of the kind that a role prefers counts more."""
AKIN = 0.6
"""Similarity from which on one of two molecules is enough to go on from."""
ALIKE = 0.85
"""Similarity from which on one of two proposals is enough."""
CRITIQUES = 3
UNMAKEABLE, PER_ALERT, PER_CONCERN, PER_LOST = 6.0, 1.5, 0.5, 1.0
"""SA score from which feasibility is 0, what alerts and documented concerns take from it, and what each group
that the start may be recognised by takes from relevance.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """A molecule that could be proposed: what it was made from, and how."""

    molecule: Molecule
    parent: str
    change: str
    why: str
    bonus: float = 0.0


@lru_cache(KEPT)
def lasting(molecule: Molecule) -> bool:
    """Whether a molecule can be made to last, and is not one that is refused."""
    return plausible(molecule) and refused(molecule) is None


class RuledScientist:
    """Implements `agents.minds.debate.Debater` by rules. The same floor gives the same words."""

    def __init__(self, profile: Profile, lab: Lab) -> None:
        self.name = profile.name
        self.profile = profile
        self._lab = lab
        role = profile.role
        self._minds = role.minds if role else ()
        self._prefers = role.prefers if role else ()
        read = ((readable(one.smiles)[0], one) for one in profile.molecules)
        own = {one: Known(one, at.name, f"PMID {at.pmid}") for one, at in read if one and not refused(one)}
        self._own = tuple(own)
        self._pairs = matched_pairs(own)
        self._known = tuple((own | {one.molecule: one for one in lab.known}).values())

    @in_thread
    def propose(self, floor: Floor[Brief], count: int) -> tuple[Proposal, ...]:
        """See the port."""
        taken = {one.proposal.what for one in floor.entries} | {one.proposal.what for one in floor.returned}
        options = [one for one in self._options(floor) if self._may(one.molecule, floor.task, taken)]
        chosen = self._chosen(floor.task, options, count)
        return tuple(
            Proposal(self.name, one.molecule.smiles, _sentence(one.why), one.parent, one.change)
            for one in chosen
        )

    @in_thread
    def reconsider(self, floor: Floor[Brief], proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
        """See the port."""
        taken = {one.proposal.what for one in floor.entries} | {one.what for one in proposals}
        return tuple(self._second_look(floor, one, taken) for one in proposals)

    @in_thread
    def criticise(self, floor: Floor[Brief]) -> tuple[Critique, ...]:
        """See the port."""
        others = [one for one in floor.ranked if one.proposal.by != self.name]
        spoken = {one.entry for one in floor.critiques if one.by == self.name}
        new = [one for one in others if one.id not in spoken]
        best = sorted(new, key=lambda one: -self._fit(floor.task, molecule_of(one.proposal.what)))
        made = (self._critique(floor, one, better=not place) for place, one in enumerate(best[:CRITIQUES]))
        return tuple(one for one in made if one.text)

    async def answer(self, floor: Floor[Brief], remark: Remark) -> str:
        """See the port."""
        return answered(floor, remark, self.profile)

    @in_thread
    def vote(self, floor: Floor[Brief]) -> Ballot:
        """See the port."""
        return Ballot(self.name, tuple(self._score(floor.task, one) for one in floor.ranked))

    def _options(self, floor: Floor[Brief]) -> Iterator[Option]:
        """Everything that the scientist could make now."""
        begun = [molecule_of(one) for one in floor.task.seeds]
        for parent, molecule in self._parents(floor):
            called = parent or f"the {starts(floor.task).get(molecule.smiles, START)}"
            for change, product in new_changes(molecule, led_by(floor, parent)):
                bonus = PREFERRED if self._prefers and self._its_own(change) else 0.0
                yield Option(product, parent, f"{change.name} of {called}", change.why, bonus)
            for one in grafts(molecule, self._known, begun):
                done = f"{one.part} for {one.before}"
                why = f"{one.known.name} ({one.known.source}) carries {one.part} there, not {one.before}"
                yield Option(one.molecule, parent, f"{done} of {called}", why, PREFERRED)
            for product, before, after in islice(exchanged(molecule, self._pairs), EXCHANGES):
                why = "the same exchange was made between molecules that it published"
                yield Option(product, parent, f"`{after}` for `{before}` of {called}", why, PREFERRED)
            yield from self._crossed(floor, parent, molecule)

    def _crossed(self, floor: Floor[Brief], parent: str, molecule: Molecule) -> Iterator[Option]:
        """Parts of own molecules in place of parts of a parent, those of its own scaffold family first."""
        family = [one for one in self._own if scaffold(one) == scaffold(molecule)] or list(self._own[:8])
        chance = random.Random(digest((self.name, floor.round, molecule.smiles)))
        for _ in range(CROSSINGS if family else 0):
            other = chance.choice(family)
            if (child := crossover(molecule, other, chance)) is not None:
                why = "it joins the start with a part that recurs in molecules that it published"
                done = f"a part of {parent or f'the {START}'} exchanged for an own one"
                yield Option(child, parent, done, why)

    def _parents(self, floor: Floor[Brief]) -> list[tuple[str, Molecule]]:
        """The start in the first round; then what stands, as this scientist ranks it, pinned ones first."""
        brief = floor.task
        start = [("", molecule_of(one)) for one in brief.seeds] or [("", one) for one in self._own[:PARENTS]]
        standing = sorted(
            ((one.id, molecule_of(one.proposal.what)) for one in floor.ranked),
            key=lambda pair: (pair[0] not in floor.pinned, -self._fit(brief, pair[1])),
        )
        chosen: list[tuple[str, Molecule]] = []
        for name, molecule in standing:
            if len(chosen) < PARENTS - 1 and all(tanimoto(molecule, one) < AKIN for _, one in chosen):
                chosen.append((name, molecule))
        return [*chosen, *start][:PARENTS]

    def _may(self, molecule: Molecule, brief: Brief, taken: set[str]) -> bool:
        """Whether a molecule can be proposed: new, lasting, and not one that is refused."""
        new = not (molecule.smiles in taken or molecule.smiles in brief.seeds)
        return new and lasting(molecule) and not without(molecule, brief.kept)

    def _chosen(self, brief: Brief, options: Iterable[Option], count: int) -> list[Option]:
        """The best that differ from each other, in structure and in what was done; the first half by what is
        this scientist's own kind of change.
        """
        best = {one.molecule.smiles: one for one in reversed(list(options))}
        ordered = sorted(
            best.values(), key=lambda one: (-self._fit(brief, one.molecule) - one.bonus, one.molecule.smiles)
        )
        chosen: list[Option] = []
        for own, strict, seats in (
            (True, True, (count + 1) // 2),
            (False, True, count),
            (False, False, count),
        ):
            for one in ordered:
                fits = (one.bonus or not own) and one not in chosen
                if len(chosen) < seats and fits and not (strict and self._repeats(one, chosen)):
                    chosen.append(one)
        return chosen

    def _repeats(self, one: Option, chosen: Sequence[Option]) -> bool:
        done = {question(other.change) for other in chosen}
        return question(one.change) in done or any(
            tanimoto(one.molecule, other.molecule) > ALIKE for other in chosen
        )

    def _second_look(self, floor: Floor[Brief], proposal: Proposal, taken: set[str]) -> Proposal:
        """A proposal with one more change, where that betters what the scientist minds most."""
        before = f"{led_by(floor, proposal.parent)} {proposal.change}"
        better = self._better(floor.task, molecule_of(proposal.what), taken, before)
        if better is None:
            return proposal
        change, product = better
        why = f"{proposal.why} On a second look also {change.name}"
        why += "." if _sentence(change.why) in proposal.why else f": {change.why}."
        taken.add(product.smiles)
        return replace(
            proposal, what=product.smiles, why=why, change=f"{proposal.change}, then {change.name}"
        )

    def _better(
        self, brief: Brief, molecule: Molecule, taken: set[str], before: str
    ) -> tuple[Change, Molecule] | None:
        """The change of its own kind that turns the most missed goal the right way and betters the whole."""
        values = self._lab.values(brief, molecule)
        worst = missed(weighted(brief.goals, self._minds), values)
        if not worst:
            return None
        wanted = turn_towards(worst[0], values[worst[0].measure])
        options = [
            (self._fit(brief, product), change, product)
            for change, product in new_changes(molecule, before)
            if wanted in change.turns and self._its_own(change) and self._may(product, brief, taken)
        ]
        gain, change, product = max(options, key=lambda one: one[0], default=(0.0, None, None))
        return (change, product) if change and product and gain > self._fit(brief, molecule) + GAIN else None

    def _its_own(self, one: Change | Concern) -> bool:
        """Whether something is of a kind that this scientist looks at: without a role, any."""
        return not self._prefers or one.kind in self._prefers

    def _critique(self, floor: Floor[Brief], entry: Entry, *, better: bool) -> Critique:
        """What is wrong with an entry as this scientist sees it, and what it would rather have."""
        brief, molecule = floor.task, molecule_of(entry.proposal.what)
        said = self._objections(brief, molecule)
        text = _sentence("; ".join(said)) if said else ""
        taken = {one.proposal.what for one in floor.entries}
        found = self._better(brief, molecule, taken, led_by(floor, entry.id)) if better else None
        if found is None:
            return Critique(self.name, entry.id, text)
        change, product = found
        text = f"{text} {_sentence(f'better {change.name}, since {change.why}')}"
        return Critique(self.name, entry.id, text, product.smiles, f"{change.name} of {entry.id}")

    def _objections(self, brief: Brief, molecule: Molecule) -> list[str]:
        """The goal that is missed most, a group lost, an alert, and patterns that this scientist minds."""
        values = self._lab.values(brief, molecule)
        said = [
            short_of(one, values[one.measure]) for one in missed(weighted(brief.goals, self._minds), values)
        ]
        lost = [f"the start's {one} is lost, and with it what it may hold" for one in gone(brief, molecule)]
        told = concerns(molecule)
        alerts = [f"it has the pattern “{name}”" for name in properties(molecule).alerts]
        own = [one.said for one in told if self._its_own(one)]
        return [*said[:1], *lost[:1], *alerts[:1], *own[:2]]

    def _score(self, brief: Brief, entry: Entry) -> Score:
        molecule = molecule_of(entry.proposal.what)
        found = properties(molecule)
        feasible = AT_BEST * (UNMAKEABLE - found.sa) / (UNMAKEABLE - 1)
        feasible -= PER_ALERT * len(found.alerts) + PER_CONCERN * len(concerns(molecule))
        novelty = AT_BEST * self._lab.new_enough(brief, molecule)
        return Score(
            entry.id,
            round(max(AT_BEST * self._fit(brief, molecule) - PER_LOST * len(gone(brief, molecule)), 0.0), 2),
            round(max(feasible, 0.0), 2),
            round(novelty, 2),
        )

    def _fit(self, brief: Brief, molecule: Molecule) -> float:
        return self._lab.fit(brief, molecule, self._minds)


def led_by(floor: Floor[Brief], name: str) -> str:
    """All changes that led from the start to an entry, in words; "" for the start itself."""
    entry = floor.entry(name)
    return "; ".join(one.proposal.change for one in floor.line(entry)) if entry else ""


def new_changes(molecule: Molecule, before: str) -> Iterator[tuple[Change, Molecule]]:
    """Documented changes that were not made on the way here: a second step the same way, as of a chain that
    was shortened already, answers no new question and leaves what the start is known by.
    """
    return (one for one in changed(molecule) if one[0].name not in before)


def turn_towards(goal: Goal, value: float) -> str:
    """The turn that a goal asks of a value outside it: "logP-"."""
    return f"{goal.measure.value}{'-' if goal.high is not None and value > goal.high else '+'}"


def short_of(goal: Goal, value: float) -> str:
    """On which side a value misses a goal, without the value."""
    side = "above" if goal.high is not None and value > goal.high else "below"
    return f"{goal.measure.value} lies {side} what the brief asks for"


def answered(floor: Floor[Brief], remark: Remark, profile: Profile) -> str:
    """A rule's answer to what a person said: on a molecule by its id, or on a measure."""
    named = next((one for one in floor.entries if one.id in remark.text.replace(",", " ").split()), None)
    if named is not None:
        said = [one for one in floor.critiques if one.entry == named.id]
        objection = f" {said[-1].by} objects: {said[-1].text}" if said else ""
        return f"{named.id} was proposed by {named.proposal.by}: {named.proposal.why}{objection}"
    if measures := speaks_of(remark.text):
        told = MEASURES[measures[0]].told
        goal = floor.task.goal(measures[0])
        stands = f"the brief asks for {goal.window}" if goal else "the brief has no goal on it"
        name = measures[0].value
        return f"{name} ({told}): {stands}. `{name} …` sets a window, `weight {name} 2` counts it more."
    focus = profile.role.focus if profile.role else "my published molecules"
    return f"I have no rule that speaks to this; I look at {focus}. It is kept in the transcript."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
