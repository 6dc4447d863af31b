"""A chair that designs the set as one mind (after Indibator, section 2.2: proposal, critique, vote).

Scientists propose, each with what speaks against it. The chair reads brief, start, all proposals and what
people said, and writes one object: an argument, and molecules that each answer a question, the one that it
trusts most first. Scientists criticise that set and vote; code checks it; the chair mends it, and answers
each criticism by a change or by a reason. The order is the chair's, with people's ballots beside it; those of
scientists are advice.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from agents.chemistry.molecule import Molecule, medicines
from agents.chemistry.recognition import places_changed
from agents.design.brief import missed
from agents.design.lab import START, molecule_of
from agents.design.people import PERSON
from agents.design.room import Room
from agents.design.values import Brief, Designed, Member, Order, Profile
from agents.design.voice import (
    PROMPTS,
    Review,
    Suggestions,
    background,
    blocks,
    brief_told,
    canonical,
    line,
    proposal_of,
    said,
)
from agents.minds.ballots import AT_BEST, Ballot, Score, agreement, ranking
from agents.minds.debate import MOST_ROUNDS, Critique, Entry, Floor, Proposal, Vote
from agents.minds.minded import Minded, fallback_note
from agents.minds.parts import written
from agents.minds.prompts import compose, load_prompt
from agents.ports import LanguageModel
from agents.runs.background import in_thread
from agents.runs.run import Run

M = TypeVar("M", bound=BaseModel)
CHAIR = "the chair"
_ID = re.compile(r"\bM\d+\b")
MOST, WORDS, LEVERS, ROOM = 12, 1_700, 2, 5
"""Molecules that an order may ask for; words that a reader takes in; different means to the aim that a first
batch needs; tenths that a leader has for each aim.
"""


@dataclass(slots=True)
class Chair:
    """The chair of one run; the set as it stands is the room's."""

    run: Run
    model: LanguageModel
    room: Room
    notes: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Why members of the last answer do not stand."""
    advice: tuple[Ballot, ...] = ()

    async def debate(
        self, floor: Floor[Brief], order: Order, then: Callable[[Floor[Brief]], None]
    ) -> Floor[Brief]:
        """The set, after a draft and a revision in each round that follows; of one round, after both. Where
        no draft comes, the floor with what was proposed, waiting.
        """
        for number in range(1, min(order.rounds, MOST_ROUNDS) + 1):
            floor = await self.room.opened(replace(floor, round=number))
            if floor.over:
                return replace(floor, round=number - 1)
            if number == 1:
                floor = await self._designs(await self._proposed(floor, order.proposals))
                if not self.room.designed.members:
                    return floor
            if number > 1 or order.rounds == 1:
                floor = await self._designs(await self._reviewed(floor))
            floor = await self.room.closed(floor)
            then(floor)
        self.notes += tuple(f"Left out of the set: {one}." for one in self.wrong)
        return floor

    async def _panel(
        self, step: str, prompt: str, schema: type[M], told: Callable[[Profile], str], **values: str
    ) -> list[tuple[Profile, M]]:
        """What each scientist answers to a prompt, side by side."""
        panel = self.room.chosen
        calls = [
            self.run.call(
                f"{step}:{one.name}",
                partial(said, self.model, one, prompt, schema, **values),
                told(one),
                output=schema,
            )
            for one in panel
        ]
        return list(zip(panel, await self.run.gather(*calls), strict=True))

    async def _proposed(self, floor: Floor[Brief], count: int) -> Floor[Brief]:
        """What scientists and people propose, waiting for the chair."""
        brief = brief_told(self.room.lab, floor.task)

        def told(one: Profile) -> str:
            return f"{background(one)}\n\n{brief}"

        made = await self._panel("propose:1", "propose", Suggestions, told, count=str(count))
        each = ((one, suggested) for one, some in made for suggested in some.proposals[:count])
        proposals = (proposal_of(one, self.model.name, suggested) for one, suggested in each)
        return replace(floor, waiting=(*floor.waiting, *proposals))

    async def _reviewed(self, floor: Floor[Brief]) -> Floor[Brief]:
        """What scientists say of the set; molecules that they would rather see wait for the chair."""
        told, critiques, waiting = self._told(floor), list(floor.critiques), list(floor.waiting)
        reviews = await self._panel(f"criticise:{floor.round}", "criticise", Review, lambda _: told)
        self.advice = tuple(some.ballot(one.name, floor.standing) for one, some in reviews)
        for one, each in ((one, each) for one, some in reviews for each in some.critiques):
            better = canonical(each.better)
            about = each.about if floor.entry(each.about) else "the set"
            critiques.append(Critique(one.name, about, each.text, better, each.change))
            if better not in ("", *(other.what for other in waiting)):
                waiting.append(Proposal(one.name, better, each.text, "", each.change, self.model.name))
        return replace(floor, critiques=tuple(critiques), waiting=tuple(waiting))

    async def _designs(self, floor: Floor[Brief]) -> Floor[Brief]:
        """The floor with the set as the chair designs or mends it."""
        step = f"design:{floor.round}:{'mend' if self.room.designed.members else 'draft'}"
        points: tuple[str, ...] = ()
        if self.room.designed.members:
            found = (floor, self.room.designed, self.wrong)
            points = await self.run.step(f"check:{floor.round}", self._found, *found, output=tuple[str, ...])
        told = f"{self._told(floor)}\n\n{blocks({'found by code': points})}".strip()
        made = await self.run.step(step, self._asked, told, output=Minded[Designed])
        if note := fallback_note("designing the set", made.why_fallen_back):
            self.notes += (note,)
            return floor
        return await self._taken(floor, made)

    async def _asked(self, told: str) -> Minded[Designed]:
        needed = () if self.room.designed.members else ("argument", "members")
        wanted = self.room.order.wanted
        count = f"{wanted} molecules" if wanted <= MOST else "six to eight molecules"
        prompt = partial(compose, load_prompt("design", PROMPTS), {"count": count})
        return await written(self.model, prompt, told, Designed, needed)

    async def _taken(self, floor: Floor[Brief], made: Minded[Designed]) -> Floor[Brief]:
        """The floor on which the set of an answer stands. A molecule keeps the id under which it came first;
        another one under the same id gets a new one.
        """
        left = [one for one in self.room.designed.members if one.id not in made.value.dropped]
        given = made.value.over(self.room.designed.model_copy(update={"answers": [], "members": left}))
        new = {one.to for one in given.answers}
        given.answers[:0] = [one for one in self.room.designed.answers if one.to not in new]
        entries = {one.id: one for one in floor.entries}
        known = {one.proposal.what: one.id for one in floor.entries}
        names, members, wrong = dict[str, str](), dict[str, Member](), list[str]()
        for one in given.members:
            control = one.kind == "control"
            proposal = self._proposal(floor, one, made.by)
            so_far = replace(floor, entries=tuple(entries.values()))
            proposal, why_not = self.room.checked(so_far, proposal, control=control)
            if not (name := known.get(proposal.what, "")):
                used = {*entries, *names.values()}
                fits = _ID.fullmatch(one.id) and one.id not in used
                name = one.id if fits else f"M{1 + max((int(each[1:]) for each in used), default=0)}"
            names[one.id] = known[proposal.what] = name
            if why_not or name in members or name in floor.vetoed:
                why_not = why_not or ("it is there twice" if name in members else "the team vetoed it")
                wrong.append(f"{name} {one.smiles} ({one.change}): {why_not}")
                continue
            members[name] = one.model_copy(update={"id": name, "smiles": proposal.what})
            came = entries[name].round if name in entries else floor.round
            entries[name] = Entry(name, proposal, came)
            if not control:
                await self.room.predict([molecule_of(proposal.what)])
        self.wrong = tuple(wrong)
        if not members:
            return floor
        whole = given.model_copy(update={"members": list(members.values())})
        told = _ID.sub(lambda found: names.get(found[0], found[0]), whole.model_dump_json())
        self.room.designed = Designed.model_validate_json(told)
        for name, one in zip(members, self.room.designed.members, strict=True):
            one.id = name
            parent = one.parent if one.parent in entries else ""
            entries[name] = replace(entries[name], proposal=replace(entries[name].proposal, parent=parent))
        return self._ranked(replace(self._answered(floor), entries=tuple(entries.values())))

    def _proposal(self, floor: Floor[Brief], one: Member, mind: str) -> Proposal:
        waiting = {f"P{at}": each for at, each in enumerate(floor.waiting, 1)}
        taken = [waiting[name] for name in one.takes if name in waiting]
        by = ", ".join(dict.fromkeys(each.by for each in taken)) or CHAIR
        sources = tuple(dict.fromkeys(name for each in taken for name in each.sources))
        return Proposal(by, one.smiles, one.expected, "", one.change, mind, sources, one.question, one.cost)

    def _answered(self, floor: Floor[Brief]) -> Floor[Brief]:
        """The floor with what the chair answers people."""
        told = {one.to: one.answer for one in self.room.designed.answers}
        remarks = tuple(
            replace(one, answered_by=CHAIR, answer=told[f"R{at}"])
            if not one.answered_by and f"R{at}" in told
            else one
            for at, one in enumerate(floor.remarks, 1)
        )
        return replace(floor, remarks=remarks)

    def _ranked(self, floor: Floor[Brief]) -> Floor[Brief]:
        """The floor in the chair's order, which people's ballots change; what is pinned stands."""
        names = [one.id for one in self.room.designed.members]
        names += [one for one in floor.pinned if one not in names and floor.entry(one)]
        scores = {name: AT_BEST * (len(names) - at) / len(names) for at, name in enumerate(names)}
        own = Ballot(CHAIR, tuple(Score(name, value, value, value) for name, value in scores.items()))
        floor = replace(floor, standing=tuple(names))
        ballots = (own, *self.advice, *self.room.ballots(floor))
        places = ranking(names, ballots)
        votes = tuple(one for one in floor.votes if one.round < floor.round)
        vote = Vote(floor.round, places, ballots, agreement(names, self.advice))
        return replace(floor, standing=tuple(one.entry for one in places), votes=(*votes, vote))

    def _told(self, floor: Floor[Brief]) -> str:
        """The brief, what is proposed, the set with what was computed of it, and what was said."""
        brief, lab = floor.task, self.room.lab
        proposals = list[str]()
        for at, one in enumerate(floor.waiting, 1):
            _, why_not = self.room.checked(floor, one)
            told = (one.idea, one.change, one.why, one.cost and f"against it: {one.cost}")
            why = "; ".join(filter(None, (*told, why_not and f"found by code: {why_not}")))
            computed = line(lab, brief, f"P{at}", one.what, self._start(brief))
            proposals.append(f"{computed} (by {one.by}: {why})")
        standing = [
            line(lab, brief, one.id, one.proposal.what, self._parent(floor, one)) for one in floor.ranked
        ]
        named = {one.what: f" Rather P{at}." for at, one in enumerate(floor.waiting, 1)}
        critiques = [
            f"C{at} {one.by} on {one.entry}: {one.text}{named.get(one.better, '')}"
            for at, one in enumerate(floor.critiques, 1)
        ]
        remarks = [f"R{at} {one.who}: {one.text}" for at, one in enumerate(floor.remarks, 1)]
        vetoed = (one.proposal.what for one in floor.entries if one.id in floor.vetoed)
        remarks += [f"vetoed, not to come again: {one}" for one in vetoed]
        remarks += [f"pinned, has to stand: {', '.join(floor.pinned)}"] if floor.pinned else []
        remarks += [f"{who} would make: {', '.join(names)}" for who, names in floor.liked if names]
        votes = [
            f"{one.voter}: {', '.join(f'{each.entry} {each.mean:.0f}' for each in one.scores)}"
            for one in self.advice
            if one.scores
        ]
        made = self.room.designed
        draft = made.model_dump_json(exclude_defaults=True) if made.members else ""
        kinds = {
            "proposals, with the shift beside the start and the room to each goal": proposals,
            "the set as it stands": [draft] if draft else [],
            "the set, computed, with the shift beside the parent and the room to each goal": standing,
            "criticism": critiques,
            "ballots of scientists, 0 to 10": votes,
            "what the team said, which binds": remarks,
        }
        return "\n\n".join(filter(None, (brief_told(lab, brief), blocks(kinds))))

    def _start(self, brief: Brief) -> Molecule | None:
        return molecule_of(brief.seeds[0]) if brief.seeds else None

    def _parent(self, floor: Floor[Brief], entry: Entry) -> Molecule | None:
        parent = floor.entry(entry.proposal.parent)
        return molecule_of(parent.proposal.what) if parent else self._start(floor.task)

    @in_thread
    def _found(self, floor: Floor[Brief], designed: Designed, wrong: tuple[str, ...]) -> tuple[str, ...]:
        """What code finds amiss, beside other work: laying molecules over each other takes seconds, and ends
        by the clock, so that the ledger keeps what came of it.
        """
        return (*wrong, *self._points(floor, designed))

    def _points(self, floor: Floor[Brief], designed: Designed) -> Iterator[str]:
        """What code finds amiss in the set as it stands."""
        members = designed.members
        known = {one.molecule.smiles: one.name for one in self.room.lab.known}
        known |= {one.smiles: name for name, one in medicines().items()}
        before = {START}
        for one in members:
            entry = floor.entry(one.id)
            parent = self._parent(floor, entry) if entry else None
            if parent is not None and one.kind != "combination":
                count = places_changed(parent, molecule_of(one.smiles))
                if count > 1:
                    yield f"{one.id} is told as one change of {one.parent}: it differs at {count} places."
            if one.smiles in known:
                yield f"{one.id} is known: {known[one.smiles]}."
            if one.kind == "single change" and one.parent not in before:
                yield f"{one.id} stands before its parent {one.parent}, or has none in the set."
            before.add(one.id)
        yield from _amiss(members)
        yield from self._of_aims(floor.task, designed)
        said = designed.model_copy(update={"answers": []}).model_dump_json(exclude_defaults=True)
        texts = re.sub(r'"\w+":', " ", said)
        words = len(re.findall(r"\w{2,}", texts))
        if words > WORDS:
            yield f"The texts have {words} words, at most {WORDS} are read: cut."
        names = {one.id for one in members}
        yield from (f"{one} is pinned and not in the set." for one in floor.pinned if one not in names)
        taken = {name for one in members for name in (*one.takes, one.smiles)}
        taken |= {one.to for one in designed.answers}
        for at, each in enumerate(floor.waiting, 1):
            if each.by.startswith(PERSON) and {f"P{at}", each.what}.isdisjoint(taken):
                yield f"P{at} is of the team: it is neither in the set nor answered."
        nowhere = set(_ID.findall(texts)) - {one.id for one in floor.entries}
        yield from (f"{one} is named and is no molecule of the set." for one in sorted(nowhere))

    def _of_aims(self, brief: Brief, designed: Designed) -> Iterator[str]:
        """Where the set is not held against the aims of the brief: odds that lack, a leader without room or
        with changes that no molecule parts.
        """
        aims, members = [one.claim for one in designed.aims], designed.members
        if not aims:
            yield "set: it has no `aims`."
        for one in members:
            told = {each.claim: each.tenths for each in one.odds if each.value}
            lacks = [claim for claim in aims if claim not in told and one.kind != "control"]
            if lacks:
                yield f"{one.id} has no value with odds for: {', '.join(lacks)}."
            if one.odds and one.reaches > (least := min(one.odds, key=lambda each: each.tenths)).tenths:
                yield f"{one.id} reaches the whole aim likelier than {least.claim} alone."
        lead, start, molecule = members[0], self._start(brief), molecule_of(members[0].smiles)
        values = self.room.lab.values(brief, molecule)
        for goal in missed(brief.goals, values):
            yield f"{lead.id} leads and misses {goal.measure.value} {goal.window}: {values[goal.measure]:g}."
        for each in lead.odds:
            if each.tenths < ROOM:
                yield (
                    f"{lead.id} leads with {each.tenths} of 10 for {each.claim}: give it room by another "
                    "change, or let another one lead. Odds alone are not to be raised."
                )
        if start is not None and (count := places_changed(start, molecule)) > 1:
            others = (molecule_of(one.smiles) for one in members[1:])
            if not any(places_changed(one, molecule) < count for one in others):
                yield f"{lead.id} changes {count} places, and no molecule of the set parts them."


def _amiss(members: Sequence[Member]) -> Iterator[str]:
    """What is amiss in the order of a set, and in what it is made of."""
    controls = [one for one in members if one.kind == "control"]
    if not 0 < 3 * len(controls) <= len(members):
        yield f"set: {len(controls)} of {len(members)} are controls: one has to be, a third may be."
    first = [one for one in members if not one.after]
    if first != list(members[: len(first)]):
        yield "set: a molecule that waits for a result stands before one of the first batch."
    meant = [one for one in first if one.kind != "control"]
    if meant and (members[0] is not meant[0] or meant[0].reaches < max(one.reaches for one in meant)):
        best = max(meant, key=lambda one: one.reaches)
        yield f"set: {best.id} is trusted most, {members[0].id} leads."
    if len({one.lever.casefold() for one in meant}) < LEVERS:
        yield "set: the first batch has one lever."
