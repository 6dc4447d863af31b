"""A debate about numbers: rounds, what is sent back, critiques, people's part, and how votes are counted."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.minds.ballots import Ballot, Score, agreement, named_by, ranking
from agents.minds.debate import Critique, Floor, Proposal, Remark, Rules, debate
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from tests.support.memory.ledger import MemoryLedger


def ballot(voter: str, **scores: float) -> Ballot:
    return Ballot(voter, tuple(Score(name, value, value, value) for name, value in scores.items()))


@dataclass
class Counter:
    """Proposes the next numbers of its own step, thinks that small ones are good, and forgets nothing."""

    name: str
    step: int
    asked: list[str] = field(default_factory=list)

    async def propose(self, floor: Floor[str], count: int) -> tuple[Proposal, ...]:
        self.asked.append(f"propose {floor.round} {count}")
        sent_back = sum(one.proposal.by == self.name for one in floor.returned)
        start = self.step * floor.round + sent_back
        return tuple(Proposal(self.name, str(start + n), "next") for n in range(count))

    async def reconsider(self, floor: Floor[str], proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
        return proposals

    async def criticise(self, floor: Floor[str]) -> tuple[Critique, ...]:
        others = [one for one in floor.ranked if one.proposal.by != self.name]
        return (
            (Critique(self.name, others[0].id, "too round", f"{others[0].proposal.what}5"),) if others else ()
        )

    async def answer(self, floor: Floor[str], remark: Remark) -> str:
        return f"heard {remark.text}"

    async def vote(self, floor: Floor[str]) -> Ballot:
        return ballot(self.name, **{one.id: 10 - float(one.proposal.what) % 10 for one in floor.ranked})


@dataclass
class Hall:
    """Admits even numbers below 1,000; vetoes and remarks come as the test says, by round."""

    vetoes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    remarks: dict[int, tuple[Remark, ...]] = field(default_factory=dict)
    people: tuple[Ballot, ...] = ()

    async def opened(self, floor: Floor[str]) -> Floor[str]:
        vetoed = (*floor.vetoed, *self.vetoes.get(floor.round, ()))
        remarks = (*floor.remarks, *self.remarks.get(floor.round, ()))
        return replace(floor, vetoed=vetoed, remarks=remarks)

    async def admit(self, floor: Floor[str], proposal: Proposal) -> tuple[Proposal, str]:
        return proposal, "" if int(proposal.what) % 2 == 0 or len(proposal.what) > 2 else "it is odd"

    async def closed(self, floor: Floor[str]) -> Floor[str]:
        return floor

    def ballots(self, floor: Floor[str]) -> tuple[Ballot, ...]:
        return self.people


async def held(hall: Hall, rules: Rules, *panel: Counter) -> tuple[Floor[str], Run]:
    ledger = MemoryLedger()
    record = new_run("debate", "x")
    await ledger.create(record)
    run = Run(record, ledger)
    return await debate(run, lambda task: panel, hall, Floor("numbers"), rules), run


async def test_what_is_not_admitted_goes_back_once_with_the_reason() -> None:
    one = Counter("one", 10)
    floor, _ = await held(Hall(), Rules(rounds=1, proposals=3, critique=False), one)
    assert [entry.proposal.what for entry in floor.entries] == ["10", "12"]
    assert ("11", "it is odd") in [(back.proposal.what, back.reason) for back in floor.returned]
    assert "propose 1 1" in one.asked, "asked again for the one that was sent back"


async def test_a_critic_brings_in_what_it_would_rather_have_and_nothing_comes_twice() -> None:
    floor, _ = await held(Hall(), Rules(rounds=2, proposals=1), Counter("one", 10), Counter("two", 10))
    whats = [entry.proposal.what for entry in floor.entries]
    assert len(whats) == len(set(whats))
    (changed,) = [one for one in floor.entries if one.proposal.what == "105"]
    assert changed.proposal.parent == "M1"
    assert any(back.reason == "it is M1 already" for back in floor.returned)


async def test_the_best_go_on_and_a_veto_binds_for_good() -> None:
    hall = Hall(vetoes={2: ("M1",)}, remarks={2: (Remark("ana", "why not 8?"),)})
    floor, _ = await held(hall, Rules(rounds=3, proposals=2, kept=2, critique=False), Counter("one", 10))
    assert len(floor.standing) <= 2
    assert "M1" not in floor.standing
    assert all("M1" not in [place.entry for place in vote.places] for vote in floor.votes[1:])
    assert floor.remarks[0].answer == "heard why not 8?"
    assert floor.remarks[0].answered_by == "one"


async def test_enough_candidates_end_it_and_every_message_is_a_step() -> None:
    floor, run = await held(Hall(), Rules(rounds=9, wanted=3, proposals=2), Counter("one", 10))
    assert floor.round == 3
    steps = [step.name for step in await run._ledger.steps(run.id)]
    assert "propose:1:one" in steps
    assert "vote:3:one" in steps
    assert len(steps) == len(set(steps))


async def test_people_count_beside_the_agents_by_their_weight() -> None:
    panel = (Counter("one", 10), Counter("two", 20))
    rules = Rules(rounds=1, proposals=2, critique=False)
    alone, _ = await held(Hall(), rules, *panel)
    last = alone.votes[0].places[-1].entry
    people = (named_by("ana", [last], alone.standing, 5.0),)
    steered, _ = await held(Hall(people=people), rules, *panel)
    assert steered.standing[0] == last
    assert "ana" in steered.votes[0].places[0].votes


def test_the_coefficient_of_concordance_is_that_of_the_textbook() -> None:
    names = ("a", "b", "c", "d", "e", "f")
    given = [(1, 6, 3, 2, 5, 4), (1, 5, 6, 4, 2, 3), (6, 3, 2, 5, 4, 1)]
    cast = [
        ballot(str(n), **{name: 10 - rank for name, rank in zip(names, one, strict=True)})
        for n, one in enumerate(given)
    ]
    assert agreement(names, cast) == pytest.approx(0.16, abs=0.005)  # Siegel, Castellan 1988, example 9.4
    assert agreement(names, [cast[0], cast[0]]) == pytest.approx(1.0)
    assert agreement(names, cast[:1]) is None
    assert agreement(names, [ballot("x"), ballot("y")]) is None


@given(st.lists(st.lists(st.integers(0, 10), min_size=4, max_size=4), min_size=2, max_size=6))
def test_points_keep_their_sum(scores: list[list[int]]) -> None:
    names = ("a", "b", "c", "d")
    cast = [ballot(str(n), **dict(zip(names, map(float, one), strict=True))) for n, one in enumerate(scores)]
    places = ranking(names, cast)
    assert sum(place.points for place in places) == pytest.approx(2.0)
    assert all(0 <= place.points <= 1 for place in places)
