"""A whole design: without a model, with one, with one that fails, with people, and killed anywhere."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import dist
from typing import Any, cast

import pytest

from agents.chemistry.diversity import circles, internal_diversity
from agents.chemistry.molecule import Molecule, medicines, read_molecule
from agents.chemistry.similarity import scaffold, tanimoto
from agents.design.begin import aim_of
from agents.design.begin import begun as read_order
from agents.design.brief import unknown_parts
from agents.design.files import in_order
from agents.design.finalists import ALIKE, different
from agents.design.lab import Lab, betters, misses
from agents.design.midway import reason
from agents.design.oracle import Direction, Score
from agents.design.people import PERSON
from agents.design.pipeline import design
from agents.design.plot import laid_out
from agents.design.report import report
from agents.design.scientist import led_by, new_changes
from agents.design.understand import ordered
from agents.design.values import Brief, Design, Goal, Measure, Sheet, Weighed
from agents.errors import ModelUnavailable, RunStopped, StepFailed
from agents.minds.ballots import Ballot, Place, named_by
from agents.minds.debate import Entry, Floor, Proposal, Vote
from agents.minds.minded import RULES
from agents.ports import Ledger
from agents.reports.gate import audit, gated
from agents.reports.values import Figure, Structure, Table
from agents.runs.encoding import decode, encode
from agents.runs.heard import HEARD, Said, said_detail
from agents.runs.run import Run
from tests.agents.design.kit import BRIEF, START, begun, designed, desk, order
from tests.support.drills import grid
from tests.support.scripted import Call, ScriptedModel
from tests.workers.test_crash import Killed, Life

NEW = "CC(=O)Nc1ccc(C#N)cc1"


@cache
def bare() -> Design:
    """A design on a bare machine."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, designed(desk())).result()


def test_a_bare_machine_ranks_new_valid_molecules_that_fit_better_than_the_start() -> None:
    made = bare()
    assert made.floor is not None
    assert made.sheet is not None
    smiles = [one.proposal.what for one in made.floor.candidates]
    assert len(smiles) == len(set(smiles)) >= 6
    assert START not in smiles
    assert all(read_molecule(one).smiles == one for one in smiles)
    assert {one.proposal.by for one in made.floor.entries} == {one.name for one in made.panel}
    start, best = made.sheet.row("start"), made.sheet.row(made.floor.standing[0])
    assert start is not None
    assert best is not None
    assert best.desirability > start.desirability
    assert made.floor.critiques
    assert decode(Design, encode(Design, made)[0], "design") == made


def test_its_report_passes_the_gate_whole_and_says_what_was_not_done() -> None:
    written = report(bare())
    passed = gated(written)
    assert passed.sections == written.sections
    assert audit(passed).wrong == ()
    assert audit(passed).computed > 30
    told = repr(passed)
    for text in ("Patents were not searched", "No activity was predicted", "No person stands behind them"):
        assert text in told
    blocks = passed.sections[0].blocks
    fit, spread, finalists = [one for one in blocks if isinstance(one, Figure)][:3]
    assert fit.title.startswith("Fit to the brief")
    molecules = [read_molecule(one.proposal.what) for one in bare().floor.candidates]  # type: ignore[union-attr]
    assert f"{len(molecules)} candidates: IntDiv {internal_diversity(molecules):.2f}; #Circles" in spread.text
    assert f"{circles(molecules, 0.75)} at 0.75, {circles(molecules, 0.85)} at 0.85" in spread.text
    assert spread.origin == fit.origin, "its figures are computed, and no claims"
    assert finalists.text == ", ".join(bare().floor.standing)  # type: ignore[union-attr]
    assert [one.title for one in blocks if isinstance(one, Figure)][3:] == [
        "candidates.sdf",
        "candidates.csv",
        "candidates.smi",
        "transcript.md",
    ]
    assert bare().floor is not None
    assert [one.name for one in blocks if isinstance(one, Structure)] == [
        "start",
        *bare().floor.standing[:5],  # type: ignore[union-attr]
    ]
    stand = [read_molecule(one.proposal.what) for one in bare().floor.ranked]  # type: ignore[union-attr]
    assert len({scaffold(one) for one in stand}) > 1
    assert f"{len({scaffold(one) for one in stand})} distinct scaffolds" in passed.short
    assert all(tanimoto(one, other) < ALIKE for at, one in enumerate(stand) for other in stand[:at])
    (table, lineage, thumb) = [one for one in blocks if isinstance(one, Table)]
    assert all("must be measured" in cell.text for cell in thumb.rows[-1][1:-1])  # type: ignore[operator]
    assert [row[0].text for row in table.rows][:2] == ["start", in_order(bare().floor)[0].id]  # type: ignore[arg-type]
    assert all("start" in row[2].text for row in lineage.rows)


def test_what_is_alike_lies_together_in_the_plane_and_distances_are_kept() -> None:
    smiles = {"a": "CCO", "b": "CCCO", "c": "c1ccc2[nH]ncc2c1", "d": "CCO"}
    places = {name: (x, y) for name, x, y in laid_out(smiles)}
    assert dist(places["a"], places["d"]) < 1e-6
    assert dist(places["a"], places["c"]) == pytest.approx(1.0, abs=0.05)
    assert dist(places["a"], places["b"]) < dist(places["b"], places["c"])
    assert len(laid_out({"a": "CCO"})) == 1


def test_a_value_that_nothing_computed_is_struck() -> None:
    made = bare()
    assert made.sheet is not None
    rows = tuple(replace(one, values=((Measure.QED, 0.123),)) for one in made.sheet.rows)
    lied = gated(report(replace(made, sheet=replace(made.sheet, rows=rows))))
    assert "0.12" not in repr(lied.sections[0].tables[0])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("design ABC1 inhibitors", "No molecule to start from"),
        ("design things like CC(=O)Nc1ccc(Cl)cc", "never closed"),
        (
            "design inhibitors like CCO, MW at least 900 and at most 100",
            "No molecule can fulfil MW at least 900",
        ),
        ("design nerve agents like CC(=O)Nc1ccccc1", "does not design"),
    ],
)
async def test_what_cannot_or_may_not_be_begun_is_told(text: str, told: str) -> None:
    made = await designed(desk(), order(text))
    assert told in made.problem
    assert not report(made).found
    assert told in gated(report(made)).short


async def test_a_medicine_is_known_by_its_name() -> None:
    at, asked = desk(), ordered("design kinase inhibitors like imatinib, not like dasatinib")
    start = await read_order(at.wording, at.targets, at.ligands, None, asked)
    assert start.brief is not None
    assert start.brief.seeds == (medicines()["imatinib"].smiles,)
    assert start.brief.unlike == (medicines()["dasatinib"].smiles,)
    assert "imatinib is read as the medicine of this name." in start.notes
    assert any("The start is imatinib, an approved medicine" in note for note in start.notes)


async def test_a_name_that_nobody_knows_is_asked_back_and_never_passed_over() -> None:
    with pytest.raises(Exception, match="No molecule is known here as staurosporine"):
        await designed(desk(), order(f"design kinase inhibitors like {START}, not like staurosporine"))
    made = await designed(desk(), order("design kinase inhibitors like foobarine"))
    assert "No molecule is known here as foobarine" in made.problem
    known = await designed(desk(ligands=True), order("design ABC1 inhibitors like foobarine"))
    assert "No molecule is known here as foobarine" in known.problem, "no known ligand stands in for it"


async def test_what_is_not_read_and_what_the_start_meets_are_told_with_the_goals() -> None:
    at = desk()
    asked = ordered("design selective inhibitors like aspirin, soluble, less hERG")
    start = await read_order(at.wording, at.targets, at.ligands, None, asked)
    assert start.brief is not None
    assert any("Not read as a goal: selective." in one for _, one in start.brief.told)
    assert "The start already meets logS." in start.notes


async def test_known_ligands_are_a_start_and_the_measure_of_novelty() -> None:
    made = await designed(
        desk(papers=True, ligands=True), order("design ABC1 inhibitors, 1 round, 1 proposal")
    )
    assert made.brief is not None
    assert made.sheet is not None
    assert any(one.molecules for one in made.panel)
    passed = gated(report(made))
    assert passed.notes == report(made).notes
    assert "nearest known ligand" in repr(passed)
    assert "More on ABC1 in the brain" in repr(passed.sections[2])


def test_what_most_voters_rank_low_comes_last_and_one_place_gets_two_seats() -> None:
    smiles = ("CC(=O)Nc1ccc(O)cc1", "CC(=O)Nc1ccc(OC)cc1", "CN1CCC(CC1)C(=O)N", "OC(=O)c1cccs1")
    sheet = Sheet((), cast(Any, bare().sheet).computed)

    def stands(*points: float, changes: tuple[str, ...] = ("", "", "", "")) -> tuple[str, ...]:
        entries = tuple(
            Entry(f"M{at}", Proposal("x", one, "", "", change), 1)
            for at, (one, change) in enumerate(zip(smiles, changes, strict=True), 1)
        )
        places = tuple(Place(f"M{at}", one, 5.0) for at, one in enumerate(points, 1))
        floor = Floor(Brief("x"), 1, entries, votes=(Vote(1, places),))
        return different(floor, sheet, 3).standing

    assert stands(1.0, 0.7, 0.6, 0.2) == ("M1", "M2", "M3")
    assert stands(1.0, 0.4, 0.6, 0.2) == ("M1", "M3", "M2")
    changes = (
        "`*O` for `*C` of the start",
        "`*N` for `*C` of the start",
        "`*F` for `*C` of the start",
        "new",
    )
    assert stands(1.0, 0.9, 0.8, 0.7, changes=changes) == ("M1", "M2", "M4")


def test_what_misses_fewer_goals_stands_before_what_the_votes_prefer_but_after_what_people_want() -> None:
    smiles = ("CC(=O)Nc1ccc(O)cc1", "CN1CCC(CC1)C(=O)N")
    entries = tuple(Entry(f"M{at}", Proposal("x", one, ""), 1) for at, one in enumerate(smiles, 1))
    rows = tuple(Weighed(one.id, ((Measure.LOGP, 2.0 + at),), 0.5) for at, one in enumerate(entries[::-1]))
    sheet = Sheet(rows, cast(Any, bare().sheet).computed)
    brief = Brief("x", goals=(Goal(Measure.LOGP, None, 2.5),))

    def first(*ballots: Ballot) -> str:
        places = (Place("M1", 1.0, 5.0), Place("M2", 0.6, 5.0))
        votes = (Vote(1, places, ballots),)
        return different(Floor(brief, 1, entries, votes=votes), sheet, 3).standing[0]

    assert first() == "M2"
    assert first(named_by(f"{PERSON}ana", ["M1"], ("M1", "M2"), 1.0)) == "M1"


CELECOXIB = "Cc1ccc(-c2cc(C(F)(F)F)nn2-c2ccc(S(N)(=O)=O)cc2)cc1"


def test_what_is_no_better_than_the_start_does_not_stand_nor_what_is_nearly_alike() -> None:
    rows = {"start": (3.0, 400.0, 0.5), "M1": (2.0, 400.0, 0.6), "M2": (1.9, 400.0, 0.6)}
    rows |= {
        "M3": (3.0, 400.0, 0.6),
        "M4": (1.0, 450.0, 0.6),
        "M5": (2.5, 390.0, 0.4),
        "M6": (2.0, 380.0, 0.7),
    }
    changes = ("A of the start", "A of M1", "B of M1", "C of M1", "D of M1", "E of M1")
    m1, m2 = CELECOXIB, CELECOXIB.replace("Cc1ccc(", "Cc1c(F)cc(")
    smiles = (m1, m2, "OC(=O)c1cccs1", "CCCCO", "c1ccncc1CC", "CC1CC1N")
    entries = tuple(
        Entry(f"M{at}", Proposal("x", one, "", "", change), 1)
        for at, (one, change) in enumerate(zip(smiles, changes, strict=True), 1)
    )
    weighed = tuple(
        Weighed(name, ((Measure.LOGP, logp), (Measure.MW, mw)), fit) for name, (logp, mw, fit) in rows.items()
    )
    places = tuple(Place(one.id, 1.0, 5.0) for one in entries)
    brief = Brief("x", goals=(Goal(Measure.LOGP, None, 2.5), Goal(Measure.MW, None, 375.0)))
    sheet = Sheet(weighed, cast(Any, bare().sheet).computed)

    def stands(**more: Any) -> tuple[str, ...]:
        return different(Floor(brief, 1, entries, votes=(Vote(1, places),), **more), sheet, 8).standing

    assert set(stands()) == {"M1", "M6"}, "M2 is like M1, M3 gains nothing, M4 is heavier, M5 fits worse"
    assert set(stands(pinned=("M4",))) == {"M1", "M4", "M6"}


def test_what_goes_on_from_a_debate_keeps_what_its_start_met_and_gains_on_what_that_missed() -> None:
    goals = (Goal(Measure.SA, None, 4.0), Goal(Measure.LOGS, -3.0), Goal(Measure.HBD, None, 5.0))
    brief = Brief("x", goals=goals)

    def row(sa: float, log_s: float, donors: float) -> Weighed:
        return Weighed("M1", ((Measure.SA, sa), (Measure.LOGS, log_s), (Measure.HBD, donors)), 0.6)

    start = row(3.9, -3.6, 5.0)
    harder, no_gain, better = row(4.2, -2.6, 5.0), row(3.9, -3.6, 3.0), row(3.9, -2.9, 5.0)
    assert betters(brief, start, no_gain)
    kept = replace(brief, keeps=True)
    assert [betters(kept, start, one) for one in (harder, no_gain, better)] == [False, False, True]
    rid = replace(brief, seeds=(START,), kept=(("!S(=O)(=O)N", "`replace the sulfonamide`, as asked"),))
    less_soluble = row(3.9, -3.9, 5.0)
    assert [betters(rid, start, one) for one in (start, less_soluble)] == [True, False]


async def test_a_part_that_nobody_knows_by_name_is_told_and_no_candidate_meets_it() -> None:
    wish = f"design ABC1 inhibitors like {START}, keep the hinge binder, replace the furan, soluble, 1 round"
    made = await designed(desk(), order(wish))
    short = gated(report(made)).short
    assert "meets every computed goal that was read" in short or "misses" in short
    assert "I do not know the part “hinge binder”: goal left out." in short
    assert unknown_parts("keep the amide, keep the solubility, lower logP") == ()


def test_what_is_about_as_good_as_the_start_stands_as_a_backup_where_nothing_gains() -> None:
    rows = {"start": (3.0, 0.6), "M1": (3.0, 0.55), "M2": (3.0, 0.3)}
    weighed = tuple(Weighed(name, ((Measure.LOGP, one),), fit) for name, (one, fit) in rows.items())
    smiles = (CELECOXIB, "OC(=O)c1cccs1")
    entries = tuple(Entry(f"M{at}", Proposal("x", one, ""), 1) for at, one in enumerate(smiles, 1))
    places = tuple(Place(one.id, 1.0, 5.0) for one in entries)
    brief = Brief("x", goals=(Goal(Measure.LOGP, None, 2.5),))
    floor = Floor(brief, 1, entries, votes=(Vote(1, places),))
    sheet = replace(cast(Any, bare().sheet), rows=weighed)
    stands = different(floor, sheet, 8)
    assert stands.standing == ("M1",)
    made = replace(bare(), floor=stands, sheet=sheet)
    assert "gains nothing on the start: it is a backup" in report(made).short


async def test_an_empty_result_says_why() -> None:
    made = bare()
    assert made.floor is not None
    empty = replace(made, floor=replace(made.floor, standing=()))
    told = gated(report(empty)).short
    assert f"No candidate was left of {len(made.floor.entries)}: 0 were vetoed" in told
    assert "none of the rest fits as well as the start" in told


def test_a_lost_group_of_the_start_counts_like_a_missed_goal_and_is_told() -> None:
    smiles = ("CCCC(=O)N(C)c1ccccc1", "CCCC(=O)Nc1ccccc1F")
    entries = tuple(Entry(f"M{at}", Proposal("x", one, ""), 1) for at, one in enumerate(smiles, 1))
    sheet = Sheet(tuple(Weighed(one.id, (), 0.5) for one in entries), cast(Any, bare().sheet).computed)
    places = (Place("M1", 1.0, 5.0), Place("M2", 0.6, 5.0))
    start = Brief("x", seeds=("CCCC(=O)Nc1ccccc1",))
    floor = Floor(start, 1, entries, votes=(Vote(1, places),))
    assert different(floor, sheet, 3).standing == ("M2", "M1")
    assert misses(start, sheet.rows[0], smiles[0]) == ("the start's amide NH",)


def test_a_change_is_made_once_on_the_way_to_a_candidate() -> None:
    molecule = read_molecule("O=C(CCCCCC(=O)Nc1ccccc1)NO")
    name = "chain shortened by one carbon"
    assert name in {change.name for change, _ in new_changes(molecule, "")}
    assert name not in {change.name for change, _ in new_changes(molecule, f"{name} of the start")}
    made = bare().floor
    assert made is not None
    for one in made.entries:
        steps = [part.partition(" of ")[0] for part in re.split("; |, then ", led_by(made, one.id))]
        assert len(set(steps)) == len(steps), steps


def test_a_fragment_to_avoid_is_avoided_as_a_part_however_little_it_resembles_the_whole() -> None:
    brief = Brief("x", unlike=("c1ccc2[nH]ncc2c1",))
    within = read_molecule("COc1cc2c(cnn2CCC(=O)Nc2ccccc2)cc1C(F)(F)F")
    assert Lab().values(brief, within)[Measure.UNLIKE] == 1.0
    assert Lab().values(brief, read_molecule(NEW))[Measure.UNLIKE] < 0.4


@pytest.mark.parametrize("words", ["a more soluble analogue of celecoxib", "make celecoxib more soluble"])
async def test_a_medicine_that_an_order_names_is_the_start_however_it_is_said(words: str) -> None:
    at = desk()
    start = await read_order(at.wording, at.targets, at.ligands, None, ordered(words))
    assert start.brief is not None
    assert start.brief.seeds == (medicines()["celecoxib"].smiles,)


async def test_every_start_is_a_row_and_every_change_on_the_way_to_a_candidate_is_told() -> None:
    made = await designed(desk(), order(f"{BRIEF.replace('1 round', '2 rounds')}, like {START}, like {NEW}"))
    assert made.floor is not None
    told = repr(gated(report(made)))
    assert "'start 2'" in told
    grown = next(one for one in made.floor.ranked if one.proposal.parent)
    parent = made.floor.entry(grown.proposal.parent)
    assert parent is not None
    assert f"({parent.proposal.change}; {grown.proposal.change})" in reason(made.floor, grown).text


@pytest.mark.parametrize(
    ("words", "aim"),
    [
        (
            "inhibitors like …, in the brain, not like … or …",
            "like the start, in the brain, not like those to avoid",
        ),
        ("inhibitors unlike … and …, like …", "not like those to avoid, like the start"),
    ],
)
def test_the_aim_tells_the_start_from_what_is_avoided(words: str, aim: str) -> None:
    assert aim_of(words) == f"inhibitors {aim}"


async def test_a_model_reads_the_known_ligands_most_like_the_start() -> None:
    model = ScriptedModel({"design_propose": [{"proposals": []}] * 3})
    await designed(desk(model, ligands=True), order())
    told = next(call.user for call in model.calls if call.role == "design_propose")
    known = told.partition("known ligands of the target")[2]
    assert 0 < known.index("abcafib") < known.index("abcitinib")


async def test_where_the_model_fails_the_rules_of_the_same_profiles_debate() -> None:
    def fails(call: Call) -> Any:
        raise ModelUnavailable("away")

    made = await designed(desk(ScriptedModel({f"design_{role}": fails for role in ("propose", "set")})))
    assert made.floor is not None
    assert {one.proposal.by_mind for one in made.floor.entries} == {RULES}
    assert made.floor.entries == bare().floor.entries  # type: ignore[union-attr]


async def test_people_are_heard_answered_and_their_vetoes_bind() -> None:
    record, ledger = await begun()
    for number, text in enumerate(("try NC(=O)c1ccc(Cl)cc1", "how stable is this in plasma?")):
        await ledger.append(record.run_id, HEARD, said_detail(Said("ana", "now", f"{number}", text)))
    made = await design(desk(), Run(record, ledger), order())
    assert made.floor is not None
    assert made.floor.entries[0].proposal.by == "person ana"
    assert made.floor.remarks[0].answered_by in [one.name for one in made.panel]
    assert "ana: how stable is this in plasma?" in repr(gated(report(made)))


async def test_the_brief_is_asked_for_again_after_an_edit_and_a_cancel_is_told() -> None:
    record, ledger = await begun()
    asked = replace(order(), unasked=False)

    async def goes_on() -> Design:
        return await design(desk(), await Run.resume(record, ledger), asked)

    with pytest.raises(Exception, match="May the debate start"):
        await goes_on()
    await ledger.append(record.run_id, HEARD, said_detail(Said("ana", "now", "k", "logP 1 to 2")))
    (first,) = await ledger.open_requests(record.run_id)
    await ledger.decide(record.run_id, first.name, "start", "ana")
    with pytest.raises(Exception, match="logP 1 to 2"):
        await goes_on()
    (second,) = await ledger.open_requests(record.run_id)
    await ledger.decide(record.run_id, second.name, "cancel", "ana")
    assert "cancelled" in (await goes_on()).problem


class Length:
    """An oracle that likes long SMILES, is unsure of it, and counts its calls."""

    name = "length"
    direction: Direction = "maximise"
    good = 0.5

    def __init__(self) -> None:
        self.calls: list[str] = []

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        self.calls += [one.smiles for one in molecules]
        return tuple(Score(min(len(one.smiles) / 60, 1.0), 0.125, False) for one in molecules)


async def test_an_oracle_is_called_once_a_molecule_after_an_approval_also_across_a_resume() -> None:
    record, ledger = await begun()
    oracle = Length()
    scored = replace(desk(), oracle=oracle)
    with pytest.raises(Exception, match="oracle at least"):
        await design(scored, Run(record, ledger), replace(order(), unasked=False))
    (asked,) = await ledger.open_requests(record.run_id)
    assert (oracle.calls, asked.request.otherwise) == ([], None)
    await ledger.decide(record.run_id, asked.name, "start", "ana")
    first = await design(scored, await Run.resume(record, ledger), replace(order(), unasked=False))
    again = await design(scored, await Run.resume(record, ledger), replace(order(), unasked=False))
    assert first == again
    assert len(oracle.calls) == len(set(oracle.calls)) > 5
    passed = gated(report(first))
    assert passed.sections == report(first).sections
    assert "± 0.12 outside what it knows" in repr(passed)
    assert "No activity was predicted" not in repr(passed.sections)


async def test_an_oracle_of_harm_that_is_to_be_raised_is_refused() -> None:
    harm = Length()
    harm.name = "predicted toxicity"
    made = await designed(replace(desk(), oracle=harm))
    assert "only ever minimised" in made.problem
    assert harm.calls == []


async def test_a_poll_at_the_end_counts_people_beside_the_agents() -> None:
    record, ledger = await begun()
    asked = replace(order(f"{BRIEF}, people count 9"), voters=1)
    with pytest.raises(Exception, match="would you make"):
        await design(desk(), Run(record, ledger), asked)
    (poll,) = await ledger.open_requests(record.run_id)
    from agents.runs.polls import Vote

    last = poll.request.options[-1]
    await ledger.vote(record.run_id, poll.name, Vote("ana", (last,)))
    made = await design(desk(), await Run.resume(record, ledger), asked)
    assert made.floor is not None
    assert made.floor.standing[0] == last
    assert "person ana" in made.floor.votes[-1].places[0].votes


async def resumed(dies_at: int) -> tuple[Design, list[str], bool]:
    """A design whose worker dies at one call of the ledger, and which another one goes on with."""
    record, ledger = await begun()
    await ledger.append(record.run_id, HEARD, said_detail(Said("ana", "now", "k", "veto 1, pin 2")))
    asked = replace(order(f"{BRIEF}"), rounds=2, proposals=1)
    died = False
    try:
        mortal = cast(Ledger, Life(dies_at).of(ledger))
        made = await design(desk(), Run(record, mortal), asked)
    except (Killed, BaseExceptionGroup, StepFailed, RunStopped):
        died = True
        made = await design(desk(), await Run.resume(record, ledger), asked)
    steps = [one for one in await ledger.steps(record.run_id) if not one.error]
    return made, [f"{one.name} {one.inputs_hash}" for one in steps], died


@cache
def undisturbed() -> tuple[Design, list[str], bool]:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, resumed(1_000_000)).result()


@pytest.mark.parametrize("dies_at", grid(range(0, 200, 4), every=8))
async def test_wherever_it_dies_the_design_is_the_same_and_nothing_is_done_twice(dies_at: int) -> None:
    made, steps, _ = await resumed(dies_at)
    assert made == undisturbed()[0]
    assert sorted(steps) == sorted(undisturbed()[1])


async def test_the_deaths_above_cover_the_whole_run() -> None:
    assert (await resumed(2))[2]
    assert not (await resumed(400))[2]
