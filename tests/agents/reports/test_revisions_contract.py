"""What every store of revisions does: in memory, in SQLite, in PostgreSQL."""

import asyncio
from dataclasses import replace

import pytest

from agents.reports.revisions import Action, Revision, RevisionConflict, history_of
from agents.reports.values import (
    Cell,
    Code,
    Figure,
    Heading,
    Paragraph,
    Points,
    SectionState,
    Statement,
    Structure,
    Table,
)
from agents.trust.values import Claim, Derivation, Verdict
from tests.adapters.storage.places import Place
from tests.agents.reports.builders import AT, chain, cite, section


def line(number: int, *, run_id: str = "", report: str = "r1", text: str = "New.") -> Revision:
    action = Action.REVISED if run_id else Action.EDITED
    return Revision(report, number, action, section("a", text), "ada", AT, "shorter", run_id)


async def test_lines_come_back_in_order_each_as_it_was_written(place: Place) -> None:
    lines = tuple(line(number, text=f"Text {number}\x00 α 💊") for number in (1, 2, 3))
    for one in lines:
        await place.revisions.append(one)
    assert await place.revisions.of("r1") == lines


async def test_every_block_of_a_section_comes_back(place: Place) -> None:
    claim = Claim(
        "5 mg", ("E1",), ("5 mg",), Verdict.PARTLY, "rounded", "rules", (Derivation("5", "1+4", (), ()),)
    )
    blocks = (
        Heading("Dose", 3),
        Paragraph("Short.", strong=True),
        Points((Statement("5 mg", (1,), claim),)),
        Table("Doses", ("who", "mg"), ((Cell("rat", (1,)), Cell("5")),)),
        Figure("Curve", "ab" * 32, "image/png", "It rises.", (1,)),
        Structure("CCO", "ethanol", (1,)),
        Code("python", "print(1)", "1"),
    )
    full = replace(section("a"), blocks=blocks, citations=(cite(1),), state=SectionState.ACCEPTED, signed="x")
    await place.revisions.append(replace(line(1), section=full))
    (found,) = await place.revisions.of("r1")
    assert found.section == full


async def test_reports_have_histories_of_their_own(place: Place) -> None:
    await place.revisions.append(line(1))
    await place.revisions.append(line(1, report="r2"))
    assert len(await place.revisions.of("r1")) == len(await place.revisions.of("r2")) == 1
    assert await place.revisions.of("r3") == ()


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_a_number_that_is_not_the_next_is_a_conflict(place: Place, number: int) -> None:
    await place.revisions.append(line(1))
    with pytest.raises(RevisionConflict, match="try again"):
        await place.revisions.append(line(number, text="Other."))
    assert await place.revisions.of("r1") == (line(1),)


async def test_a_run_writes_one_line_however_often_it_comes(place: Place) -> None:
    await place.revisions.append(line(1, run_id="run-1"))
    for number in (1, 2):
        await place.revisions.append(line(number, run_id="run-1", text="Once more."))
    await place.revisions.append(line(2, run_id="run-2"))
    assert [one.run_id for one in await place.revisions.of("r1")] == ["run-1", "run-2"]


async def test_a_message_writes_one_line_however_often_it_comes(place: Place) -> None:
    asked = replace(line(1), event="slack:Ev1")
    await place.revisions.append(asked)
    for number in (1, 2):
        await place.revisions.append(replace(asked, number=number))
    await place.revisions.append(replace(line(2), event="slack:Ev2"))
    await place.revisions.append(replace(line(1, report="r2"), event="slack:Ev1"))
    assert [one.event for one in await place.revisions.of("r1")] == ["slack:Ev1", "slack:Ev2"]
    assert await place.revisions.of("r2") != ()


async def test_of_writers_at_once_one_wins_and_the_others_are_told(place: Place) -> None:
    writing = [place.revisions.append(line(1, text=f"Writer {number}.")) for number in range(5)]
    told = await asyncio.gather(*writing, return_exceptions=True)
    assert sorted(type(one).__name__ for one in told) == ["NoneType", *["RevisionConflict"] * 4]
    assert len(await place.revisions.of("r1")) == 1


async def test_a_history_is_the_report_with_its_lines(place: Place) -> None:
    await place.revisions.append(line(1, text="Anew."))
    history = await history_of(place.revisions, "r1", chain())
    assert history.section("a").blocks == section("a", "Anew.").blocks
    assert history.section("d") == chain().section("d")
